#include "unmask/budget/stop_profile.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

/// Replays the counter over the recorded calls and hands each tested count to `on_test(i, count)`,
/// i = index of the call before the test; stops when that returns false.
template <typename OnTest>
void replay_counter(const EpisodeFacts& episode, const BudgetSemantics& semantics,
                    const std::optional<ErrorSelector>& ignored, OnTest on_test) {
  const std::vector<CallFacts>& calls = episode.calls;
  int count = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const CallFacts& call = calls[i];
    if (semantics.counts == CountedParty::both || call.party == Party::agent) {
      if (!call.failed) {
        if (semantics.how == How::consecutive) count = 0;
      } else if (!ignored || !ignored->matches(call)) {
        ++count;
      }
    }
    const bool message_ends = i + 1 == calls.size() || calls[i + 1].message != call.message;
    if ((message_ends || semantics.tested == Tested::call) && !on_test(i, count)) return;
  }
}

}  // namespace

bool ErrorSelector::matches(const CallFacts& call) const {
  const bool of_channel = call.channel == channel || (also && call.channel == *also);
  return call.failed && of_channel && (!party || call.party == *party);
}

StopProfile stop_after(const EpisodeFacts& episode, const BudgetSemantics& semantics,
                       const std::optional<ErrorSelector>& ignored) {
  StopProfile profile;
  replay_counter(episode, semantics, ignored, [&](std::size_t, int count) {
    profile.peak = std::max(profile.peak, count);
    return true;
  });
  profile.lives_needed = semantics.ends == Ends::reach ? profile.peak + 1 : profile.peak;
  return profile;
}

std::optional<StopPoint> stop_point(const EpisodeFacts& episode, const BudgetSemantics& semantics,
                                    int budget) {
  UNMASK_CHECK(budget >= 1);
  std::optional<StopPoint> point;
  replay_counter(episode, semantics, std::nullopt, [&](std::size_t i, int count) {
    if (count < fatal_count(budget, semantics.ends)) return true;
    point = StopPoint{.calls = i + 1, .counted = count, .message = episode.calls[i].message};
    return false;
  });
  return point;
}

}  // namespace unmask
