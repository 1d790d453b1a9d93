#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/oracle.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/vector_check.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using Worlds = std::map<std::string, std::shared_ptr<const world::World>, std::less<>>;

Worlds load_worlds() {
  Worlds worlds;
  for (const char* name : {"mock", "retail", "telecom"}) {
    const auto loaded = world::find_known_world(name)->load(
        reference::shared_folder() / "tau2/data" / name, {.counted_ids = true});
    if (loaded) {
      worlds.emplace(name, *loaded);
    } else {
      ADD_FAILURE() << loaded.error().message;
    }
  }
  return worlds;
}

/// Each vector of a file must be equal in everything that it records.
void expect_equal(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available()) return;
  const Worlds worlds = load_worlds();
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const Result<world::Value> vector = world::parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    const auto world = worlds.find(domain_of_vector(*vector).value_or(""));
    ASSERT_NE(world, worlds.end());
    const Result<world::VectorCheck> check = check_any_vector(*world->second, *vector, file);
    ASSERT_TRUE(check.has_value()) << check.error().message;
    EXPECT_GT(check->compared, 3U) << check->id;
    for (const world::VectorDifference& difference : check->differences) {
      ADD_FAILURE() << check->id << ", " << difference.place << "\n  expected "
                    << difference.expected << "\n  found    " << difference.found;
    }
    if (check->differences.empty()) vectors.count();
  }
  vectors.finish();
}

TEST(PlayReference, Simulations) { expect_equal("tau2/orchestrator/sim_vectors.jsonl.gz", 344); }

TEST(PlayReference, RunsAtEveryBudget) {
  expect_equal("tau2/orchestrator/counterfactual.jsonl.gz", 100);
}

/// The oracle, with the scripted user, on the official tasks of a world.
void expect_oracle(const std::string& name, std::size_t tasks, std::size_t solved) {
  reference::Vectors vectors("tau2/data/" + name + "/split_tasks.json", tasks);
  if (!vectors.available()) return;
  const Worlds worlds = load_worlds();
  const world::World& world = *worlds.at(name);
  std::optional<StepFinder> steps;
  if (world.setup().user) steps.emplace(*world.setup().user);
  const auto base = world.split("base");
  ASSERT_TRUE(base.has_value()) << base.error().message;
  std::size_t earned = 0;
  for (const world::Task* task : *base) {
    const auto environment = *world.make_environment();
    const ManualClock clock;
    const Oracle agent(*task);
    const FactsUser user(steps ? &*steps : nullptr, *task);
    Orchestrator orchestrator(*environment, *task, {}, agent, user, clock);
    orchestrator.start();
    EXPECT_FALSE(orchestrator.advance().has_value());
    EXPECT_TRUE(orchestrator.termination().has_value()) << task->id;
    world::EvaluationOptions options;
    options.judge = [](std::span<const std::string> assertions, std::span<const world::Message>) {
      std::vector<world::NlCheck> met;
      for (const std::string& assertion : assertions) met.push_back({assertion, true, ""});
      return world::Outcome<std::vector<world::NlCheck>>(std::move(met));
    };
    const auto reward =
        evaluate(world, *task,
                 {orchestrator.trajectory(), name_of(*orchestrator.termination()), false}, options);
    ASSERT_TRUE(reward.has_value()) << task->id << " " << reward.error().text;
    if (reward->reward == 1.0) {
      ++earned;
    } else {
      std::cout << "not earned: " << name << " " << task->id << " "
                << name_of(*orchestrator.termination()) << "\n";
    }
    vectors.count();
  }
  EXPECT_EQ(earned, solved);
  vectors.finish();
}

TEST(PlayReference, OracleOnOfficialRetail) { expect_oracle("retail", 114, 114); }

TEST(PlayReference, OracleOnOfficialTelecom) { expect_oracle("telecom", 114, 114); }

}  // namespace
}  // namespace unmask::play
