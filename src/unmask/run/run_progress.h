#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/run/episode_counts.h"
#include "unmask/store/run.h"

namespace unmask::run {

/// Budgets for which a run shows scores so far.
inline constexpr std::array<int, 2> kBudgetsSoFar = {2, 10};

/// An arm so far.
struct ArmProgress {
  std::string cell;
  std::string arm;
  std::size_t planned = 0;
  std::size_t done = 0;
  std::size_t infrastructure = 0;  ///< given up for now
  std::size_t scored = 0;          ///< of the done ones: with a reward
  std::size_t passed = 0;
  /// Of the scored ones: would have passed with the budgets kBudgetsSoFar, too.
  std::array<std::size_t, kBudgetsSoFar.size()> passed_at{};
  EpisodeCounts counts;      ///< of the done ones
  std::string last_problem;  ///< why the last of those that were given up was

  /// Counts an episode that has ended; `problem` says why it was given up. `passed_at` is exact
  /// under tau2-bench's rules for the budget.
  void add(const store::Outcome& outcome, const EpisodeCounts& episode,
           const std::string& problem = {});
};

/// A run so far.
struct RunProgress {
  std::vector<ArmProgress> arms;  ///< of the study's cells, in order
  std::size_t planned = 0;
  std::size_t earlier = 0;         ///< done before this process began
  std::size_t done = 0;            ///< with those
  std::size_t infrastructure = 0;  ///< given up in this process
  std::size_t alive = 0;           ///< being played
  std::size_t asking = 0;          ///< requests to models under way
  /// Of this process: those in which a model behind an endpoint takes part. They come after all
  /// others, which take next to no time.
  std::size_t remote_planned = 0;
  std::size_t remote_done = 0;
  bool playing_remote = false;  ///< the others have ended

  /// How long the rest will take if it goes on as since the first of these began, `elapsed` seconds
  /// ago: the episodes of models once those are played, else all. nullopt: nothing tells yet.
  [[nodiscard]] std::optional<double> seconds_left(double elapsed) const;
  /// Episodes a second, of the same.
  [[nodiscard]] std::optional<double> rate(double elapsed) const;
};

}  // namespace unmask::run
