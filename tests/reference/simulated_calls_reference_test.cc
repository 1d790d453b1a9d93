#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/reference_data.h"
#include "reference/world_vectors.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

using Worlds = std::map<std::string, std::shared_ptr<const World>, std::less<>>;

Worlds load_worlds() {
  Worlds worlds;
  for (const char* name : {"mock", "retail", "telecom"}) {
    const auto world =
        find_known_world(name)->load(reference::shared_folder() / "tau2/data" / name, {});
    if (world) {
      worlds.emplace(name, *world);
    } else {
      ADD_FAILURE() << world.error().message;
    }
  }
  return worlds;
}

std::string text(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr || !value->is_string() ? std::string{} : *value->string();
}

/// pydantic puts its version into the address that ends its texts.
std::string_view before_address(std::string_view content) {
  return content.substr(0, content.find("https://errors.pydantic.dev/"));
}

/// The vector's own task, or the world's of that id.
std::optional<Task> task_of(const World& world, const Value& vector) {
  if (const Value* own = vector.find("task")) {
    const auto task = read_task(*own, "task");
    EXPECT_TRUE(task.has_value()) << task.error().message;
    return task ? std::optional(*task) : std::nullopt;
  }
  const Task* task = world.find_task(text(vector, "task_id"));
  EXPECT_NE(task, nullptr) << text(vector, "task_id");
  return task == nullptr ? std::nullopt : std::optional(*task);
}

/// Executes every call of a simulation's messages; each must give the tool message that follows it.
/// `messages` is null for a simulation that raised before it had any.
void expect_simulation(const World& world, const Value& vector, const Value& messages) {
  const std::string id = text(vector, "id");
  const std::optional<Task> task = task_of(world, vector);
  ASSERT_TRUE(task.has_value()) << id;
  auto environment = world.make_environment(*vector.find("solo_mode")->boolean());
  ASSERT_TRUE(environment.has_value()) << id;
  const InitialState* initial = task->initial_state ? &*task->initial_state : nullptr;
  const std::vector<Message> history =
      initial == nullptr ? std::vector<Message>{} : initial->message_history;
  if (const Outcome<void> set = set_state(**environment, initial, history); !set) {
    EXPECT_EQ(set.error().type, text(*vector.find("expected")->find("raises"), "type")) << id;
    return;
  }
  if (messages.is_null()) {
    // The state could be set: only the ground-truth agent may have refused the task.
    EXPECT_THAT(text(*vector.find("expected")->find("raises"), "message"),
                testing::EndsWith("Cannot run GT agent."))
        << id;
    return;
  }
  const auto trajectory = read_messages(messages, id);
  ASSERT_TRUE(trajectory.has_value()) << trajectory.error().message;
  std::vector<ToolCall> pending;
  for (std::size_t at = history.size(); at < trajectory->size(); ++at) {
    const Message& message = (*trajectory)[at];
    if (message.role != Role::tool) {
      pending = message.tool_calls.value_or(std::vector<ToolCall>{});
      continue;
    }
    ASSERT_FALSE(pending.empty()) << id;
    const CallResult result = (*environment)->call(pending.front());
    EXPECT_EQ(before_address(result.content), before_address(message.content.value_or("")))
        << id << " message " << at;
    EXPECT_EQ(result.error, message.error) << id << " message " << at;
    pending.erase(pending.begin());
  }
  // Only a run that broke off, or was stopped by a message that also calls, leaves calls
  // unanswered.
  const Value& expected = *vector.find("expected");
  const std::string reason = text(expected, "termination_reason");
  const Value* raised = expected.find("raises");
  const bool broke_off = reason == "agent_error" || reason == "user_error" ||
                         reason == "agent_stop" || (raised != nullptr && !raised->is_null());
  EXPECT_TRUE(pending.empty() || broke_off) << id;
}

TEST(SimulatedCallsReference, ToolMessagesOfSimulations) {
  reference::Vectors vectors("tau2/orchestrator/sim_vectors.jsonl.gz", 344);
  if (!vectors.available()) return;
  const Worlds worlds = load_worlds();
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const auto vector = parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    const auto world = worlds.find(text(*vector, "domain"));
    if (world == worlds.end()) continue;
    const Value* messages = vector->find("expected")->find("messages");
    expect_simulation(*world->second, *vector, messages == nullptr ? Value() : *messages);
    if (HasFailure()) return;
    vectors.count();
  }
  vectors.finish();
}

/// The tools that each side of a run was offered; in solo mode one list of both, and `done`.
TEST(SimulatedCallsReference, OfferedTools) {
  reference::Vectors vectors("tau2/orchestrator/llm_requests.jsonl.gz", 7);
  if (!vectors.available()) return;
  const Worlds worlds = load_worlds();
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const auto run = parse_json(line);
    ASSERT_TRUE(run.has_value()) << run.error().message;
    const auto world = worlds.find(text(*run, "domain"));
    if (world == worlds.end()) continue;
    const bool solo = text(*run, "agent") == "llm_agent_solo";
    const EnvironmentSetup& setup = world->second->setup();
    List agent;
    List user;
    for (const Tool& tool : setup.agent.tools)
      agent.push_back(reference::without_descriptions(openai_tool(tool)));
    for (const Tool& tool : setup.user ? setup.user->tools : std::vector<Tool>{}) {
      (solo ? agent : user).push_back(reference::without_descriptions(openai_tool(tool)));
    }
    const Object& offered = *run->find("tools")->object();
    List expected = *reference::without_descriptions(*offered.find("agent")).list();
    if (solo) {
      ASSERT_EQ(text(*expected.back().find("function"), "name"), "done");
      expected.pop_back();
    } else if (!setup.user) {
      EXPECT_TRUE(offered.find("user")->is_null());
    } else {
      EXPECT_EQ(dump_json(user), dump_json(reference::without_descriptions(*offered.find("user"))));
    }
    EXPECT_EQ(dump_json(agent), dump_json(expected));
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask::world
