#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/telecom_world.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

constexpr std::string_view kPristineAgent =
    "304cf5ef059852e117ea801ab9a5efc24c9713ec887679dc2e30acceb4b6742d";
constexpr std::string_view kPristineUser =
    "e1f3a8637388808221228ff3f87294444e6b64caf721f5eb243a85d0a9380b28";

std::shared_ptr<const World> load(telecom::PolicyType policy = telecom::PolicyType::manual) {
  auto world = telecom::load_telecom(reference::shared_folder() / "tau2/data/telecom", policy,
                                     telecom::BillIds(telecom::BillIdStyle::counted));
  if (!world) {
    ADD_FAILURE() << world.error().message;
    return nullptr;
  }
  return *world;
}

std::unique_ptr<Environment> environment_of(const World& world, bool solo) {
  auto environment = world.make_environment(solo);
  EXPECT_TRUE(environment.has_value());
  return *std::move(environment);
}

std::string text(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value == nullptr || !value->is_string() ? std::string{} : *value->string();
}

const List& list(const Value& object, std::string_view key) {
  static const List kNone;
  const Value* value = object.find(key);
  return value == nullptr || value->list() == nullptr ? kNone : *value->list();
}

FunctionCall function_call(const Value& entry, std::string_view name_key,
                           std::string_view arguments_key) {
  FunctionCall call;
  call.party = text(entry, "env_type") == "user" ? Party::user : Party::agent;
  call.name = text(entry, name_key);
  if (const Value* arguments = entry.find(arguments_key); arguments != nullptr) {
    call.arguments = *arguments->object();
  }
  return call;
}

/// `{ExceptionType}: {text}`; of a ValidationError only that it is one.
std::string shown(const Raised& raised, std::string_view expected) {
  if (expected.starts_with("ValidationError: ") && raised.type == "ValidationError") {
    return std::string(expected);
  }
  return raised.type + ": " + raised.text;
}

void expect_value(const Outcome<Value>& got, const Value& expected, const std::string& where) {
  const std::string error = text(expected, "error");
  if (got.has_value()) {
    EXPECT_EQ(error, "") << where;
    EXPECT_EQ(dump_json(*got), dump_json(*expected.find("value"))) << where;
  } else {
    EXPECT_EQ(shown(got.error(), error), error) << where;
  }
}

void expect_calls(Environment& environment, const Value& vector, const std::string& id) {
  const List& calls = list(vector, "calls");
  const List& results = list(vector, "results");
  const List& trace = list(vector, "trace");
  ASSERT_EQ(calls.size(), results.size()) << id;
  ASSERT_EQ(calls.size(), trace.size()) << id;
  for (std::size_t at = 0; at < calls.size(); ++at) {
    const std::string where = id + " call " + std::to_string(at) + " " + dump_json(calls[at]);
    const auto call = read_tool_call(calls[at], id);
    ASSERT_TRUE(call.has_value()) << call.error().message;
    const CallResult result = environment.call(*call);
    EXPECT_EQ(result.content, text(results[at], "content")) << where;
    EXPECT_EQ(result.error, *results[at].find("error")->boolean()) << where;
    const List& hashes = *trace[at].list();
    EXPECT_EQ(environment.agent_hash().substr(0, 12), *hashes[0].string()) << where;
    EXPECT_EQ(environment.user_hash().value().substr(0, 12), *hashes[1].string()) << where;
  }
}

void expect_vector(const World& world, const Value& vector) {
  const std::string id = text(vector, "id");
  const std::unique_ptr<Environment> environment =
      environment_of(world, *vector.find("solo_mode")->boolean());
  if (const std::string task_id = text(vector, "task_id"); !task_id.empty()) {
    const Task* task = world.find_task(task_id);
    ASSERT_NE(task, nullptr) << id;
    const auto set =
        set_state(*environment, task->initial_state ? &*task->initial_state : nullptr, {});
    ASSERT_TRUE(set.has_value()) << id << set.error().text;
  }
  const List& actions = list(vector, "init_actions");
  for (std::size_t at = 0; at < actions.size(); ++at) {
    expect_value(environment->run(function_call(actions[at], "func_name", "arguments")),
                 list(vector, "init_results")[at], id + " init " + dump_json(actions[at]));
  }
  expect_calls(*environment, vector, id);
  EXPECT_EQ(environment->agent_hash(), text(vector, "agent_db_hash_after")) << id;
  EXPECT_EQ(environment->user_hash(), text(vector, "user_db_hash_after")) << id;
  for (const Value& assertion : list(vector, "assertions")) {
    expect_value(environment->run(function_call(assertion, "func", "args")), assertion,
                 id + " assertion " + dump_json(assertion));
  }
}

void expect_vectors(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available()) return;
  const auto world = load();
  ASSERT_NE(world, nullptr);
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto vector = parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    expect_vector(*world, *vector);
    if (::testing::Test::HasFailure()) return;  // the first one says enough
    vectors.count();
  }
  vectors.finish();
}

TEST(TelecomReference, Vectors) { expect_vectors("tau2/telecom/vectors.jsonl.gz", 1510); }

TEST(TelecomReference, EdgeVectors) { expect_vectors("tau2/telecom/vectors_edge.jsonl.gz", 159); }

/// What the evaluator raised, as the vectors cut it.
std::string shown_error(const Raised& raised) {
  if (raised.text.starts_with("Tool call:\n")) return raised.type + ": Tool call: ...";
  return raised.type + ": " + raised.text;
}

/// Executes the calls of all messages, with a sync after each message, as a live run does.
void expect_live_hashes(const World& world, const Task& task, const Value& episode,
                        std::span<const Message> messages) {
  const std::string id = text(episode, "id");
  const auto environment = environment_of(world, *episode.find("solo_mode")->boolean());
  ASSERT_TRUE(set_state(*environment, &*task.initial_state, {}).has_value()) << id;
  for (const Message& message : messages) {
    if (!message.tool_calls) continue;
    for (const ToolCall& call : *message.tool_calls) (void)environment->call(call);
    (void)environment->sync();
  }
  EXPECT_EQ(environment->agent_hash(), text(episode, "live_agent_db_hash")) << id;
  EXPECT_EQ(environment->user_hash(), text(episode, "live_user_db_hash")) << id;
}

void expect_episode(const World& world, const Value& episode) {
  const std::string id = text(episode, "id");
  const Task* task = world.find_task(text(episode, "task_id"));
  ASSERT_NE(task, nullptr) << id;
  const auto messages = read_messages(*episode.find("messages"), id);
  ASSERT_TRUE(messages.has_value()) << messages.error().message;
  const std::string reason = text(episode, "termination_reason");
  const auto reward = evaluate(world, *task,
                               Trajectory{.messages = *messages,
                                          .termination_reason = reason,
                                          .solo = *episode.find("solo_mode")->boolean()});
  if (reward) {
    EXPECT_EQ(dump_json(to_value(*reward)), dump_json(*episode.find("reward_info"))) << id;
  } else {
    EXPECT_EQ(shown_error(reward.error()), text(episode, "error")) << id;
  }
  expect_live_hashes(world, *task, episode, *messages);
}

void expect_episodes(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available()) return;
  const auto world = load();
  ASSERT_NE(world, nullptr);
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const auto episode = parse_json(line);
    ASSERT_TRUE(episode.has_value()) << episode.error().message;
    expect_episode(*world, *episode);
    if (::testing::Test::HasFailure()) return;
    vectors.count();
  }
  vectors.finish();
}

TEST(TelecomReference, Episodes) { expect_episodes("tau2/telecom/episodes.jsonl.gz", 300); }

TEST(TelecomReference, EdgeEpisodes) { expect_episodes("tau2/telecom/episodes_edge.jsonl.gz", 20); }

TEST(TelecomReference, PoliciesAndPristineHashes) {
  const reference::Vectors data("tau2/data/telecom", 0);
  if (!data.available()) return;
  struct Case {
    telecom::PolicyType type;
    std::string_view domain;
    std::string_view sha256;
    std::string_view solo_sha256;
  };
  for (const Case& expected :
       {Case{telecom::PolicyType::manual, "telecom",
             "065b48503bf780153fc671455cdfddb85b4c6ffb11e2ea93bd940233d804c3e9",
             "71b10d43f320b7929746bd867281322bb0b692086f155c2105191d64a04d0fd5"},
        Case{telecom::PolicyType::workflow, "telecom-workflow",
             "4713ad7b8c70d1767f29352410dc0a1eeec46b62ef218987e06afec276b75fdb",
             "9425f99b3392be03808fe9a8f45edd4885103ab90efc384e68f94695cfb74589"}}) {
    const auto world = load(expected.type);
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(world->name(), expected.domain);
    const auto environment = environment_of(*world, false);
    EXPECT_EQ(sha256_hex(environment->policy()), expected.sha256);
    EXPECT_EQ(sha256_hex(environment_of(*world, true)->policy()), expected.solo_sha256);
    EXPECT_EQ(environment->agent_hash(), kPristineAgent);
    EXPECT_EQ(environment->user_hash(), kPristineUser);
  }
}

TEST(TelecomReference, TasksAndSplits) {
  const reference::Vectors data("tau2/data/telecom/tasks.json.gz", 0);
  if (!data.available()) return;
  const auto world = load();
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(world->tasks().size(), 2285U);
  struct Case {
    std::string_view split;
    std::size_t tasks;
  };
  for (const Case& expected : {Case{"full", 2285}, Case{"base", 114}, Case{"small", 20},
                               Case{"train", 74}, Case{"test", 40}}) {
    const auto tasks = world->split(expected.split);
    ASSERT_TRUE(tasks.has_value()) << tasks.error().message;
    EXPECT_EQ(tasks->size(), expected.tasks) << expected.split;
  }
}

/// A schema without its descriptions.
Value bare(const Value& value) {
  if (const List* elements = value.list()) {
    List kept;
    for (const Value& element : *elements) kept.push_back(bare(element));
    return kept;
  }
  const Object* members = value.object();
  if (members == nullptr) return value;
  Object kept;
  for (const Member& member : *members) {
    if (member.key != "description" || !member.value.is_string()) {
      kept.append(member.key, bare(member.value));
    }
  }
  return kept;
}

TEST(TelecomReference, ToolSchemas) {
  reference::Vectors vectors("tau2/telecom/tool_schemas.json", 43);
  if (!vectors.available()) return;
  const auto schemas = parse_json(reference::read_bytes(vectors.path()).value());
  ASSERT_TRUE(schemas.has_value());
  const EnvironmentSetup setup = telecom::telecom_setup("telecom");
  struct Case {
    std::string_view key;
    const Toolkit& toolkit;
  };
  for (const Case& side : {Case{"agent", setup.agent}, Case{"user", *setup.user}}) {
    const List& expected = list(*schemas, side.key);
    ASSERT_EQ(side.toolkit.tools.size(), expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ(dump_json(bare(openai_tool(side.toolkit.tools[at]))),
                dump_json(bare(expected[at])));
      vectors.count();
    }
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask::world
