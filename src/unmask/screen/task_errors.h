#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/screen/run_model.h"
#include "unmask/screen/simple_form.h"

namespace unmask::screen {

/// Whose errors a factor multiplies: all that count towards the budget, the agent's, or those of
/// one of its channels.
struct ErrorSource {
  std::string name;               ///< `counted`, `agent`, or the channel's
  std::vector<Channel> channels;  ///< empty: all, of both parties
};
/// `counted`, `agent`, then kModelChannels.
[[nodiscard]] const std::vector<ErrorSource>& error_sources();
inline constexpr std::size_t kCountedSource = 0;
inline constexpr std::size_t kAgentSource = 1;
inline constexpr std::size_t kErrorSources = 2 + kModelChannels.size();

/// One task's part in the what-if curve. Errors are those that count towards the budget by default
/// (both parties'); runs and recovery are taken within each party's calls and added.
struct TaskErrors {
  std::uint32_t trials = 0;           ///< observed ones
  std::vector<std::uint32_t> passed;  ///< [K-1]: trials that succeed within budget K
  RunSums runs;                       ///< over solved trials
  std::int64_t recovered = 0;         ///< failed calls whose party's next call succeeded
  std::int64_t followed = 0;          ///< failed calls followed by a call of that party
  std::array<std::int64_t, kErrorSources> solved_errors{};  ///< over solved trials, by source
  std::vector<EpisodeErrors> episodes;

  bool operator==(const TaskErrors&) const = default;
};

/// Of each task of `arm` (index into ArmFacts::tasks), at K = 1 .. last_budget >= 1. Excluded
/// episodes are left out.
[[nodiscard]] std::vector<TaskErrors> task_errors(const ArmFacts& arm, int last_budget);

/// Sums over tasks, from which one can be taken out again.
struct ErrorPool {
  std::size_t tasks = 0;
  std::vector<double> scores;  ///< [K-1]: sum over tasks of the share of trials that succeed
  RunSums runs;
  std::int64_t recovered = 0, followed = 0;
  std::array<std::int64_t, kErrorSources> solved_errors{};

  explicit ErrorPool(int last_budget) : scores(static_cast<std::size_t>(last_budget)) {}
  /// `task` has trials and as many budgets.
  void add(const TaskErrors& task, int sign = 1);

  /// S(K); 0 without tasks.
  [[nodiscard]] double score(int budget) const;
  /// rho: 1 - next-call recovery; 0 where no failed call was followed by another call.
  [[nodiscard]] double continuation() const;
  /// Share of a source among the counted errors of solved episodes; 0 without errors.
  [[nodiscard]] double share(std::size_t source) const;
  /// Counted errors a solved episode; 0 without one.
  [[nodiscard]] double errors_per_solved() const;
};
[[nodiscard]] ErrorPool pooled(std::span<const TaskErrors> tasks, int last_budget);

/// [K-1]: S(K) - S(K|a), the share of episodes lost if the errors of `source` were `factor` times
/// as many, K = 1 .. last_budget of the pool. All 0 without a solved episode. STATISTICS, "Risk
/// screen"; of a source with share q of the errors the whole grows by 1 + (factor - 1) q.
[[nodiscard]] std::vector<double> lost_scores(const ErrorPool& pool, double factor,
                                              std::size_t source = kCountedSource);

}  // namespace unmask::screen
