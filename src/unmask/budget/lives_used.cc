#include "unmask/budget/lives_used.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unmask/budget/budget_semantics.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

void count_at(std::vector<std::uint32_t>& histogram, std::size_t index) {
  if (histogram.size() <= index) histogram.resize(index + 1);
  ++histogram[index];
}

}  // namespace

LivesUsed lives_used(std::span<const EpisodeFacts> episodes, const BudgetSemantics& semantics) {
  LivesUsed used;
  for (const EpisodeFacts& episode : episodes) {
    if (episode.excluded != Exclusion::none) continue;
    const int peak = stop_after(episode, semantics).peak;
    count_at(episode.success ? used.solved : used.failed, static_cast<std::size_t>(peak));
    std::size_t position = 0;
    for (std::size_t i = 0; i < episode.calls.size(); ++i) {
      const CallFacts& call = episode.calls[i];
      if (i > 0 && call.message != episode.calls[i - 1].message) ++position;
      const bool counts = semantics.counts == CountedParty::both || call.party == Party::agent;
      if (call.failed && counts) count_at(used.failures_by_position, position);
    }
  }
  const std::size_t size = std::max(used.solved.size(), used.failed.size());
  used.solved.resize(size);
  used.failed.resize(size);
  return used;
}

}  // namespace unmask
