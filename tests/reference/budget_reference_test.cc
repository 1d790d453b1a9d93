#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/budget/counterfactual.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

using nlohmann::json;

constexpr const char* kFile = "tau2/orchestrator/counterfactual.jsonl.gz";
constexpr int kBudgets = 10;

/// One scripted simulation, really run at max_errors 1 .. 10 by the original.
class Simulation {
 public:
  explicit Simulation(json vector) : vector_(std::move(vector)) {}

  [[nodiscard]] std::string name() const { return vector_.at("sim"); }
  [[nodiscard]] bool success(int budget) const { return at("success_at", budget); }
  [[nodiscard]] std::string termination(int budget) const { return at("termination_at", budget); }
  [[nodiscard]] int errors(int budget) const { return at("num_errors_at", budget); }
  [[nodiscard]] std::size_t messages(int budget) const { return at("num_messages_at", budget); }
  /// A run or an evaluation that raised leaves a placeholder without messages in the file.
  [[nodiscard]] bool file_is_empty(int budget) const {
    return termination(budget).starts_with("raises:") ||
           !at("evaluation_raises_at", budget).is_null();
  }
  [[nodiscard]] std::size_t history_messages() const {
    const json& vector = vector_.at("vector");
    if (!vector.contains("task")) return 0;
    return vector.at("task")
        .value(json::json_pointer("/initial_state/message_history"), json::array())
        .size();
  }

  /// The row that an importer makes of the run at `budget`: the longest run's messages up to where
  /// that run ended, without the task's history.
  [[nodiscard]] EpisodeFacts facts(int budget) const {
    EpisodeFacts episode;
    if (file_is_empty(budget)) {
      episode.termination = Termination::infrastructure_error;
      episode.excluded = Exclusion::infrastructure;
      return episode;
    }
    episode.termination = termination_from_name(termination(budget));
    episode.success = success(budget);
    episode.reward = episode.success ? 1.0 : 0.0;
    const json& saved = vector_.at("vector").at("expected").at("messages");
    episode.messages = static_cast<std::uint32_t>(messages(budget));
    std::uint32_t caller = 0;
    for (std::size_t i = history_messages(); i < messages(budget); ++i) {
      const json& message = saved.at(i);
      if (message.at("role") != "tool") {
        caller = static_cast<std::uint32_t>(i);
        continue;
      }
      CallFacts call;
      call.message = caller;
      call.party = message.at("requestor") == "user" ? Party::user : Party::agent;
      call.failed = message.at("error");
      episode.calls.push_back(call);
    }
    return episode;
  }

 private:
  [[nodiscard]] const json& at(const char* field, int budget) const {
    return vector_.at(field).at(std::to_string(budget));
  }

  json vector_;
};

std::vector<Simulation> read_simulations(const reference::Vectors& vectors) {
  std::vector<Simulation> simulations;
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) simulations.emplace_back(json::parse(line));
  }
  return simulations;
}

BudgetRegime enforced(int budget) { return {.nominal = budget, .enforced = budget, .known = true}; }

/// What an importer of the file at budget K says of K' = `budget`: success, and where it ends.
void expect_prediction(const Simulation& simulation, const EpisodeFacts& log, int own, int budget) {
  const Counterfactual outcome = counterfactual(log, enforced(own), {});
  EXPECT_EQ(outcome.at(budget), simulation.success(budget) ? Outcome::passed : Outcome::failed);
  const std::optional<StopPoint> stop = stop_point(log, {}, budget);
  if (!stop) {
    EXPECT_EQ(simulation.termination(budget), simulation.termination(own));
    EXPECT_EQ(simulation.messages(budget), log.messages);
    EXPECT_EQ(simulation.errors(budget), simulation.errors(own));
    return;
  }
  EXPECT_EQ(simulation.termination(budget), name_of(Termination::too_many_errors));
  EXPECT_EQ(simulation.errors(budget), stop->counted);
  std::size_t group = 0;
  for (const CallFacts& call : log.calls) group += call.message == stop->message ? 1U : 0U;
  EXPECT_EQ(simulation.messages(budget), stop->message + 1U + group);
}

// One vector a re-run: the log of the run at K = 10 tells each run at K' = 1 .. 10. Two of the
// simulations left no usable log at K = 10 (they raise); of these the run's own log is read back.
TEST(CounterfactualReference, EveryRerunFollowsFromTheLogAtTen) {
  reference::Vectors vectors(kFile, 1000);
  if (!vectors.available()) return;
  for (const Simulation& simulation : read_simulations(vectors)) {
    const EpisodeFacts at_ten = simulation.facts(kBudgets);
    for (int budget = 1; budget <= kBudgets; ++budget) {
      SCOPED_TRACE(simulation.name() + " at " + std::to_string(budget));
      if (simulation.file_is_empty(budget)) {
        EXPECT_EQ(simulation.facts(budget).excluded, Exclusion::infrastructure);
        EXPECT_FALSE(simulation.success(budget));
      } else if (at_ten.excluded != Exclusion::none) {
        const EpisodeFacts own = simulation.facts(budget);
        EXPECT_EQ(own.termination, Termination::too_many_errors);
        expect_prediction(simulation, own, budget, budget);
      } else {
        expect_prediction(simulation, at_ten, kBudgets, budget);
      }
      vectors.count();
    }
  }
  vectors.finish();
}

// One vector a pair K' <= K of a simulation: the file at K tells the result at K'.
TEST(CounterfactualReference, EverySmallerBudgetFollowsFromTheLogAtALargerOne) {
  reference::Vectors vectors(kFile, 5500);
  if (!vectors.available()) return;
  std::size_t untold = 0;
  for (const Simulation& simulation : read_simulations(vectors)) {
    for (int own = 1; own <= kBudgets; ++own) {
      const EpisodeFacts log = simulation.facts(own);
      for (int budget = 1; budget <= own; ++budget) {
        SCOPED_TRACE(simulation.name() + " from " + std::to_string(own) + " to " +
                     std::to_string(budget));
        if (log.excluded == Exclusion::none) {
          expect_prediction(simulation, log, own, budget);
        } else {
          // The file has no trajectory: the episode is no observation, and no success is lost.
          ++untold;
          EXPECT_FALSE(simulation.success(budget));
        }
        vectors.count();
      }
    }
  }
  EXPECT_EQ(untold, 54U + 52U);  // c094 from K = 2, c099 from K = 3
  vectors.finish();
}

// Upward, K < K'': exact if the budget did not stop the run, else in the band.
TEST(CounterfactualReference, LargerBudgetsAreExactOrInTheBand) {
  reference::Vectors vectors(kFile, 4500 - 64);
  if (!vectors.available()) return;
  std::size_t exact = 0;
  for (const Simulation& simulation : read_simulations(vectors)) {
    for (int own = 1; own < kBudgets; ++own) {
      const EpisodeFacts log = simulation.facts(own);
      if (log.excluded != Exclusion::none) continue;
      const Counterfactual outcome = counterfactual(log, enforced(own), {});
      for (int budget = own + 1; budget <= kBudgets; ++budget) {
        SCOPED_TRACE(simulation.name() + " from " + std::to_string(own) + " to " +
                     std::to_string(budget));
        const Outcome truth = simulation.success(budget) ? Outcome::passed : Outcome::failed;
        const bool stopped = log.termination == Termination::too_many_errors;
        if (!stopped) ++exact;
        EXPECT_TRUE(outcome.at(budget) == truth ||
                    (stopped && outcome.at(budget) == Outcome::unknown));
        vectors.count();
      }
    }
  }
  EXPECT_EQ(exact, 1768U - 64U);
  vectors.finish();
}

// S(K) of the hundred files as one arm, against the re-runs themselves.
TEST(CounterfactualReference, TheCurveOfTheArmEqualsTheRerunsScores) {
  reference::Vectors vectors(kFile, kBudgets);
  if (!vectors.available()) return;
  ArmFacts arm;
  arm.budget = enforced(kBudgets);
  const std::vector<Simulation> simulations = read_simulations(vectors);
  std::vector<std::uint32_t> passed(kBudgets);
  for (const Simulation& simulation : simulations) {
    EpisodeFacts episode = simulation.facts(kBudgets);
    episode.task = static_cast<std::uint32_t>(arm.tasks.size());
    arm.tasks.push_back({.id = simulation.name(), .key = simulation.name()});
    arm.episodes.push_back(episode);
    for (int budget = 1; budget <= kBudgets; ++budget) {
      passed.at(static_cast<std::size_t>(budget - 1)) += simulation.success(budget) ? 1U : 0U;
    }
  }
  const SuccessCurve curve = success_curve(arm);
  EXPECT_EQ(curve.vanished, 2U);
  ASSERT_EQ(curve.episodes, 98U);
  for (int budget = 1; budget <= kBudgets; ++budget) {
    const std::optional<Band> band = score(curve, budget);
    ASSERT_TRUE(band.has_value());
    EXPECT_TRUE(band->exact());
    EXPECT_NEAR(band->low * 98.0, passed.at(static_cast<std::size_t>(budget - 1)), 1e-9);
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask
