#include "unmask/budget/success_curve.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/budget/counterfactual.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

std::size_t index_of(int budget) { return static_cast<std::size_t>(budget - 1); }

/// A task's counts while episodes come in: additions at the K from which they hold.
struct Tally {
  std::uint32_t observed = 0;
  std::uint32_t excluded = 0;
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;

  void add(const Counterfactual& episode, int last_budget) {
    ++observed;
    const int from = std::max(episode.lives_needed, 1);
    if (from > last_budget || episode.beyond == Outcome::failed) return;
    ++high[index_of(from)];
    if (episode.beyond == Outcome::passed) ++low[index_of(from)];
  }
};

bool writes_known(const EpisodeFacts& episode) {
  return episode.reexecution && episode.reexecution->writes_known();
}

void accumulate_and_raise(std::vector<std::uint32_t>& additions, std::uint32_t everywhere) {
  std::uint32_t sum = everywhere;
  for (std::uint32_t& value : additions) value = sum += value;
}

}  // namespace

std::uint32_t TaskCurve::passed(int budget, BandEnd end) const {
  const std::vector<std::uint32_t>& passed = end == BandEnd::low ? passed_low : passed_high;
  UNMASK_CHECK(budget >= 1 && std::cmp_less_equal(budget, passed.size()));
  return passed[index_of(budget)];
}

SuccessCurve success_curve(const ArmFacts& arm, const CurveOptions& options) {
  UNMASK_CHECK(options.last_budget >= 1);
  const auto budgets = static_cast<std::size_t>(options.last_budget);
  std::vector<Tally> tallies(arm.tasks.size(), Tally{.low = std::vector<std::uint32_t>(budgets),
                                                     .high = std::vector<std::uint32_t>(budgets)});
  for (const EpisodeFacts& episode : arm.episodes) {
    UNMASK_CHECK(episode.task < tallies.size());
    Tally& tally = tallies[episode.task];
    if (episode.excluded != Exclusion::none) {
      ++tally.excluded;
      continue;
    }
    if (options.stray_writes != StrayWrites::passed_over && !writes_known(episode)) continue;
    Counterfactual outcome =
        counterfactual(episode, arm.budget, options.semantics, options.ignored);
    if (options.stray_writes == StrayWrites::end_episode && episode.reexecution->stray_writes > 0) {
      outcome.beyond = Outcome::failed;
    }
    tally.add(outcome, options.last_budget);
  }

  SuccessCurve curve{.semantics = options.semantics, .last_budget = options.last_budget};
  for (std::size_t task = 0; task < tallies.size(); ++task) {
    Tally& tally = tallies[task];
    std::uint32_t vanished = tally.excluded;
    if (options.trials_promised &&
        std::cmp_less(tally.observed + tally.excluded, *options.trials_promised)) {
      vanished = static_cast<std::uint32_t>(*options.trials_promised) - tally.observed;
    }
    curve.vanished += vanished;
    const std::uint32_t added = options.vanished == VanishedAs::left_out ? 0 : vanished;
    const std::uint32_t passed = options.vanished == VanishedAs::passed ? vanished : 0;
    if (tally.observed + added == 0) continue;
    accumulate_and_raise(tally.low, passed);
    accumulate_and_raise(tally.high, passed);
    curve.episodes += tally.observed + added;
    curve.tasks.push_back({.task = static_cast<std::uint32_t>(task),
                           .trials = tally.observed + added,
                           .passed_low = std::move(tally.low),
                           .passed_high = std::move(tally.high)});
  }
  return curve;
}

std::optional<Band> score(const SuccessCurve& curve, int budget) {
  UNMASK_CHECK(budget >= 1 && budget <= curve.last_budget);
  if (curve.tasks.empty()) return std::nullopt;
  Band sum;
  for (const TaskCurve& task : curve.tasks) {
    sum.low += static_cast<double>(task.passed(budget, BandEnd::low)) / task.trials;
    sum.high += static_cast<double>(task.passed(budget, BandEnd::high)) / task.trials;
  }
  const auto tasks = static_cast<double>(curve.tasks.size());
  return Band{.low = sum.low / tasks, .high = sum.high / tasks};
}

std::optional<Band> episode_score(const SuccessCurve& curve, int budget) {
  UNMASK_CHECK(budget >= 1 && budget <= curve.last_budget);
  if (curve.episodes == 0) return std::nullopt;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (const TaskCurve& task : curve.tasks) {
    low += task.passed(budget, BandEnd::low);
    high += task.passed(budget, BandEnd::high);
  }
  return Band{.low = static_cast<double>(low) / curve.episodes,
              .high = static_cast<double>(high) / curve.episodes};
}

std::vector<TrialCount> trial_counts(const SuccessCurve& curve, int budget, BandEnd end) {
  UNMASK_CHECK(budget >= 1 && budget <= curve.last_budget);
  std::vector<TrialCount> counts;
  counts.reserve(curve.tasks.size());
  for (const TaskCurve& task : curve.tasks) {
    counts.push_back(
        {.task = task.task, .trials = task.trials, .successes = task.passed(budget, end)});
  }
  return counts;
}

std::string_view name_of(VanishedAs vanished) {
  switch (vanished) {
    case VanishedAs::left_out:
      return "left_out";
    case VanishedAs::failed:
      return "failed";
    case VanishedAs::passed:
      return "passed";
  }
  UNMASK_CHECK(false);
}

}  // namespace unmask
