#include "unmask/store/store_fixtures.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "unmask/store/run.h"
#include "unmask/store/run_store.h"

namespace unmask::store::fixtures {

RunInfo run_info() {
  return {.study = "[study]\nname = \"small\"\n",
          .settings = R"({"max_concurrency":4})",
          .version = "0.1.0",
          .created = "2026-01-02T03:04:05",
          .study_hash = {}};
}

ArmInfo arm(const std::string& name) {
  ArmInfo arm;
  arm.cell = kCell;
  arm.arm = name;
  arm.domain = "telecom";
  arm.agent = {"llm_agent", "some-model-" + name, R"({"temperature":0.0})"};
  arm.user = {"user_simulator", "other-model", ""};
  arm.policy = "Be kind to customers. " + std::string(600, 'p');
  arm.played_policy = name == "bf16" ? "Be kind, alone." : "";
  arm.tools = R"([{"type":"function","function":{"name":"find_line","parameters":{}}}])";
  arm.user_guidelines = "Speak as the customer.";
  arm.num_trials = 2;
  arm.max_steps = 40;
  arm.max_errors = 10;
  arm.seed = 300;
  arm.git_commit = "0123abc";
  arm.identity = R"({"precision":")" + name + R"("})";
  return arm;
}

UnitKey key(const std::string& task, int trial, const std::string& arm) {
  return {.cell = kCell, .arm = arm, .task_id = task, .trial = trial};
}

Turn turn(std::int64_t seed, std::size_t index, std::size_t bytes) {
  Turn turn;
  turn.kind = index % 2 == 0 ? TurnKind::user : TurnKind::assistant;
  std::string text = std::to_string(seed) + ':' + std::to_string(index) + ' ';
  for (std::size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>('a' + (i * 7 + index * 3 + static_cast<std::size_t>(seed)) % 26);
  }
  turn.body =
      R"({"role":")" + std::string(name_of(turn.kind)) + R"(","content":")" + text + R"("})";
  return turn;
}

Outcome outcome(double reward) {
  Outcome outcome;
  outcome.termination = "user_stop";
  outcome.reward = reward;
  outcome.start_time = "2026-01-02T03:04:06.000001";
  outcome.end_time = "2026-01-02T03:04:09";
  outcome.seconds = 3.0;
  return outcome;
}

RunStore store_at(const std::string& path, const StoreOptions& options) {
  RunStore store = must(RunStore::create(path, run_info(), options));
  for (const char* const name : {"bf16", "int4"}) must(store.put_arm(arm(name)));
  return store;
}

}  // namespace unmask::store::fixtures
