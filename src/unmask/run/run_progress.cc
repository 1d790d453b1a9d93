#include "unmask/run/run_progress.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "unmask/run/episode_counts.h"
#include "unmask/store/run.h"

namespace unmask::run {

void ArmProgress::add(const store::Outcome& outcome, const EpisodeCounts& episode,
                      const std::string& problem) {
  if (outcome.state == store::UnitState::infrastructure) {
    last_problem = problem;
    ++infrastructure;
    return;
  }
  ++done;
  counts.calls += episode.calls;
  counts.failed += episode.failed;
  counts.malformed += episode.malformed;
  counts.tool_name += episode.tool_name;
  counts.errors += episode.errors;
  counts.prompt_tokens += episode.prompt_tokens;
  counts.completion_tokens += episode.completion_tokens;
  if (!outcome.reward) return;
  ++scored;
  if (std::abs(*outcome.reward - 1.0) > 1e-6) return;
  ++passed;
  for (std::size_t i = 0; i < kBudgetsSoFar.size(); ++i) {
    if (episode.errors < static_cast<std::uint64_t>(kBudgetsSoFar[i])) ++passed_at[i];
  }
}

std::optional<double> RunProgress::rate(double elapsed) const {
  const std::size_t ended = playing_remote ? remote_done : done - earlier;
  if (ended == 0 || elapsed <= 0.0) return std::nullopt;
  return static_cast<double>(ended) / elapsed;
}

std::optional<double> RunProgress::seconds_left(double elapsed) const {
  const std::optional<double> speed = rate(elapsed);
  if (!speed || (remote_planned > 0 && !playing_remote)) return std::nullopt;
  return static_cast<double>(playing_remote ? remote_planned - remote_done : planned - done) /
         *speed;
}

}  // namespace unmask::run
