#include "unmask/run/run_progress.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
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

}  // namespace unmask::run
