#include "unmask/ingest/tau2_task.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/json/parser.h"

namespace unmask {
namespace {

using testing::ElementsAre;

TaskDefinition read(std::string_view text) {
  json::Parser parser;
  const auto parsed = parser.parse(text);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().message;
    return {};
  }
  return read_tau2_task(parsed->root);
}

constexpr std::string_view kOlder = R"({"id": "7", "description": {"purpose": "first"},
  "user_scenario": {"persona": null, "instructions": {"domain": "workshop", "reason_for_call": "dark \u00e9"}},
  "ticket": null,
  "initial_state": {"initialization_data": null, "initialization_actions": [], "message_history": [
    {"role": "user", "content": "hi", "tool_calls": null, "timestamp": "2025-01-01", "turn_idx": 0},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "name": "open_lid",
      "arguments": {"lamp": null}, "requestor": "assistant"}]}]},
  "evaluation_criteria": {"actions": [
      {"action_id": "7_0", "requestor": "assistant", "name": "open_lid", "arguments": {"lamp": 7, "tags": []},
       "info": null, "compare_args": null},
      {"action_id": "7_1", "requestor": "user", "name": "look", "arguments": {}}],
    "env_assertions": null, "communicate_info": [], "nl_assertions": null, "reward_basis": ["DB", "COMMUNICATE"]}})";

constexpr std::string_view kNewer =
    R"({"evaluation_criteria": {"reward_basis": ["DB", "NL_ASSERTION"],
    "env_assertions": [], "actions": [
      {"name": "open_lid", "arguments": {"tags": [], "lamp": 7.0}},
      {"name": "look", "requestor": "user", "arguments": {}, "action_id": "x"}]},
  "initial_state": {"message_history": [
    {"role": "user", "content": "hi", "is_audio": false, "contains_speech": true, "is_final_chunk": true,
     "audio_path": null, "timestamp": "2026-02-02"},
    {"role": "assistant", "tool_calls": [{"id": "zz", "arguments": {"lamp": null}, "name": "open_lid"}],
     "usage": {"prompt_tokens": 9}}]},
  "user_scenario": {"instructions": {"reason_for_call": "dark é", "domain": "workshop"}},
  "issues": null, "required_documents": null, "user_tools": null, "id": "7", "description": null})";

TEST(Tau2Task, OlderAndNewerLayoutHashAlike) {
  const TaskDefinition older = read(kOlder);
  const TaskDefinition newer = read(kNewer);
  EXPECT_EQ(older.content_hash.size(), 64U);
  EXPECT_EQ(older.content_hash, newer.content_hash);
  EXPECT_EQ(older.history_messages, 2U);
  EXPECT_THAT(older.golden_agent_actions, ElementsAre("open_lid"));
  EXPECT_THAT(older.golden_user_actions, ElementsAre("look"));
  EXPECT_THAT(older.reward_basis, ElementsAre("DB", "COMMUNICATE"));
  EXPECT_THAT(newer.reward_basis, ElementsAre("DB", "NL_ASSERTION"));
}

TEST(Tau2Task, WhatDefinesATaskChangesItsHash) {
  const std::string base(kOlder);
  const std::string hash = read(base).content_hash;
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = base;
    text.replace(text.find(from), from.size(), to);
    return read(text).content_hash;
  };
  EXPECT_NE(changed("dark", "bright"), hash);
  EXPECT_NE(changed("\"lamp\": 7", "\"lamp\": 8"), hash);
  EXPECT_NE(changed("\"requestor\": \"user\"", "\"requestor\": \"assistant\""), hash);
  EXPECT_NE(changed("\"nl_assertions\": null", "\"nl_assertions\": [\"is polite\"]"), hash);
  EXPECT_NE(changed("\"compare_args\": null", "\"compare_args\": [\"lamp\"]"), hash);
  EXPECT_NE(changed("{\"lamp\": null}", "{}"), hash);
  EXPECT_NE(changed("\"ticket\": null", "\"ticket\": \"T\""), hash);
  EXPECT_NE(changed("\"content\": \"hi\"", "\"content\": \"ho\""), hash);
  // Labels and times don't.
  EXPECT_EQ(changed("first", "second"), hash);
  EXPECT_EQ(changed("7_0", "8_0"), hash);
  EXPECT_EQ(changed("2025-01-01", "2025-01-02"), hash);
}

TEST(Tau2Task, WithoutTextThereIsNoHash) {
  const TaskDefinition task = read(R"({"id": 12})");
  EXPECT_EQ(task.id, "12");
  EXPECT_EQ(task.content_hash, "");
}

}  // namespace
}  // namespace unmask
