// Results that tau2-bench itself saved, put into a store as a run would and exported again, are the
// same files: all members, in the same order.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include "support/test_files.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/base/error.h"
#include "unmask/store/export_tau2.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"

namespace unmask::store {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

std::string text_or_empty(const Json& value) {
  return value.is_null() ? std::string() : value.get<std::string>();
}

std::string json_or_empty(const Json& value) {
  return value.is_null() ? std::string() : value.dump();
}

std::optional<double> real_or_none(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

PlayerInfo player_of(const Json& info) {
  return {.implementation = info["implementation"],
          .llm = text_or_empty(info["llm"]),
          .llm_args = json_or_empty(info["llm_args"])};
}

ArmInfo arm_of(const Json& info, const Json& simulations) {
  ArmInfo arm;
  arm.cell = "cell";
  arm.arm = "arm";
  arm.domain = info["environment_info"]["domain_name"];
  arm.agent = player_of(info["agent_info"]);
  arm.user = player_of(info["user_info"]);
  arm.policy = info["environment_info"]["policy"];
  if (info["agent_info"]["implementation"] == "llm_agent_solo") {
    arm.played_policy = simulations[0]["policy"];
  }
  arm.user_guidelines = text_or_empty(info["user_info"]["global_simulation_guidelines"]);
  arm.num_trials = info["num_trials"];
  arm.max_steps = info["max_steps"];
  arm.max_errors = info["max_errors"];
  arm.seed = info["seed"].get<std::int64_t>();
  arm.git_commit = info["git_commit"];
  return arm;
}

/// A message as a run hands it over: what tau2-bench adds is left out, or beside the body.
Turn turn_of(const Json& message) {
  Turn turn;
  const std::string role = message["role"];
  Json body = Json::object();
  if (role == "tool") {
    turn.kind = TurnKind::tool;
    for (const char* const key : {"id", "role", "content", "requestor", "error"}) {
      body[key] = message[key];
    }
  } else {
    turn.kind = role == "user" ? TurnKind::user : TurnKind::assistant;
    for (const char* const key : {"role", "content", "tool_calls"}) body[key] = message[key];
    if (!message["cost"].is_null() || !message["usage"].is_null()) {
      ModelResponse& response = turn.response.emplace();
      response.cost = real_or_none(message["cost"]);
      response.seconds = real_or_none(message["generation_time_seconds"]);
      response.raw_body = json_or_empty(message["raw_data"]);
      if (!message["usage"].is_null()) {
        response.prompt_tokens = message["usage"]["prompt_tokens"].get<std::uint64_t>();
        response.completion_tokens = message["usage"]["completion_tokens"].get<std::uint64_t>();
      }
    }
  }
  turn.body = body.dump();
  turn.timestamp = text_or_empty(message["timestamp"]);
  return turn;
}

void play(RunStore& store, const Json& simulation) {
  const UnitKey key = {
      .cell = "cell", .arm = "arm", .task_id = simulation["task_id"], .trial = simulation["trial"]};
  const UnitId unit = must(store.open_unit(key, simulation["seed"].get<std::int64_t>()));
  std::vector<Turn> turns;
  for (const Json& message : simulation["messages"]) turns.push_back(turn_of(message));
  must(store.append_turns(unit, turns));
  Outcome outcome;
  outcome.termination = simulation["termination_reason"];
  if (outcome.termination == "infrastructure_error") outcome.state = UnitState::infrastructure;
  outcome.reward_info = json_or_empty(simulation["reward_info"]);
  outcome.info = json_or_empty(simulation["info"]);
  outcome.start_time = simulation["start_time"];
  outcome.end_time = simulation["end_time"];
  outcome.seconds = simulation["duration"];
  outcome.agent_cost = real_or_none(simulation["agent_cost"]);
  outcome.user_cost = real_or_none(simulation["user_cost"]);
  must(store.finish(unit, outcome));
}

/// What a run decides otherwise: ids are functions of the unit, a simulation is saved when it ends.
void forget_what_differs(Json& simulation) {
  simulation["id"] = "";
  simulation["timestamp"] = "";
}

class StoreReference : public ::testing::TestWithParam<const char*> {};

TEST_P(StoreReference, ExportEqualsWhatTheOriginalSaved) {
  reference::Vectors vectors("tau2/orchestrator/results/" + std::string(GetParam()), 1);
  if (!vectors.available()) return;
  Json saved = Json::parse(*reference::read_bytes(vectors.path()));
  const fixtures::TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  std::string text;
  {
    RunInfo info;
    info.created = saved["timestamp"];
    RunStore store = must(RunStore::create(path, info, {.durability = Durability::batched}));
    must(store.put_arm(arm_of(saved["info"], saved["simulations"])));
    std::vector<TaskText> tasks;
    for (const Json& task : saved["tasks"]) tasks.push_back({task["id"], task.dump()});
    must(store.put_tasks("cell", tasks));
    for (const Json& simulation : saved["simulations"]) play(store, simulation);
    must(store.close());
    const RunReader reader = must(RunReader::open(path));
    const Exported counts = must(
        export_tau2(reader, "cell", "arm", [&text](std::string_view piece) { text += piece; }));
    EXPECT_EQ(counts, (Exported{.units = saved["simulations"].size()}));
  }
  Json exported = Json::parse(text);
  exported.erase("unmask");
  // Ours stand by task and trial, the original's as they ended.
  ASSERT_EQ(exported["simulations"].size(), saved["simulations"].size());
  for (Json& simulation : exported["simulations"]) {
    bool found = false;
    for (Json& original : saved["simulations"]) {
      if (original["task_id"] != simulation["task_id"] ||
          original["trial"] != simulation["trial"]) {
        continue;
      }
      found = true;
      forget_what_differs(simulation);
      forget_what_differs(original);
      EXPECT_EQ(simulation.dump(1), original.dump(1));
    }
    EXPECT_TRUE(found);
  }
  exported.erase("simulations");
  saved.erase("simulations");
  EXPECT_EQ(exported.dump(1), saved.dump(1));
  vectors.count();
  vectors.finish();
}

INSTANTIATE_TEST_SUITE_P(Files, StoreReference,
                         ::testing::Values("telecom_2trials.json", "retail_2trials.json",
                                           "telecom_solo_2trials.json", "mock_infra_2trials.json"),
                         [](const auto& parameter) {
                           const std::string name = parameter.param;
                           return name.substr(0, name.find('.'));
                         });

}  // namespace
}  // namespace unmask::store
