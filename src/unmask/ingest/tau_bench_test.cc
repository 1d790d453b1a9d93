#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/log_fixtures.h"
#include "unmask/ingest/tau_bench_names.h"

namespace unmask {
namespace {

using fixtures::joined;
using fixtures::load_text;
using fixtures::Loaded;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string tool_call(std::string_view id, std::string_view name, std::string_view arguments) {
  return R"({"id": ")" + std::string(id) + R"(", "type": "function", "function": {"name": ")" +
         std::string(name) + R"(", "arguments": ")" + std::string(arguments) + R"("}})";
}
std::string calls(const std::vector<std::string>& list) {
  return R"({"role": "assistant", "content": null, "function_call": null, "tool_calls": [)" +
         joined(list) + "]}";
}
std::string answer(std::string_view id, std::string_view name, std::string_view content) {
  return R"({"role": "tool", "tool_call_id": ")" + std::string(id) + R"(", "name": ")" +
         std::string(name) + R"(", "content": ")" + std::string(content) + R"("})";
}
std::string says(std::string_view role, std::string_view content) {
  return R"({"role": ")" + std::string(role) + R"(", "content": ")" + std::string(content) +
         R"("})";
}

const std::string kTask = R"({"user_id": "u1", "instruction": "Open the lid.", "outputs": [],
  "actions": [{"name": "open_lid", "kwargs": {"lamp": 7}}]})";

std::string element(std::string_view task, std::string_view trial, std::string_view reward,
                    const std::vector<std::string>& messages) {
  return R"({"task_id": )" + std::string(task) + R"(, "trial": )" + std::string(trial) +
         R"(, "reward": )" + std::string(reward) + R"(, "info": {"task": )" + kTask +
         R"(, "source": "user", "user_cost": 0.5, "reward_info": null}, "traj": [)" +
         joined(messages) + "]}";
}

std::vector<std::string> small_trajectory() {
  return {says("system", "# Workshop policy: `open_lid` first, `turn_wheel` last."),
          says("user", "Open it."),
          calls({tool_call("c1", "open_lid", R"({\"lamp\": 7})")}),
          answer("c1", "open_lid", "Error: lamp not found"),
          calls({tool_call("c2", "polish", "{}"), tool_call("c3", "open_lid", "{}")}),
          answer("c2", "polish", "Unknown action polish"),
          says("assistant", "I could not."),
          says("user", "###STOP###")};
}

TEST(TauBench, AListOfTrajectories) {
  const Loaded loaded = load_text(
      "[" + joined({element("3", "0", "1.0", small_trajectory()), element("3", "1", "0.0", {})}) +
      "]");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.format, "tau-bench");
  EXPECT_EQ(header.harness.name, "tau-bench");
  EXPECT_EQ(header.max_errors, std::nullopt);
  EXPECT_THAT(header.policy, HasSubstr("Workshop"));
  EXPECT_EQ(header.identity.policy_hash.size(), 64U);
  ASSERT_EQ(header.tasks.size(), 1U);
  EXPECT_EQ(header.tasks[0].id, "3");
  EXPECT_EQ(header.tasks[0].content_hash.size(), 64U);
  EXPECT_THAT(header.tasks[0].golden_agent_actions, ElementsAre("open_lid"));
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  const Episode& episode = loaded.log->episodes[0];
  EXPECT_EQ(episode.task_id, "3");
  EXPECT_EQ(episode.trial, 0);
  EXPECT_EQ(episode.reward, 1.0);
  EXPECT_EQ(episode.termination, Termination::user_stop);
  EXPECT_EQ(episode.cost.user_usd, 0.5);
  EXPECT_EQ(episode.messages, 8U);
  EXPECT_EQ(episode.agent_messages, 3U);
  EXPECT_THAT(episode.transcript, IsEmpty());
  EXPECT_THAT(
      episode.calls,
      ElementsAre(ToolCall{.id = "c1",
                           .name = "open_lid",
                           .arguments = R"({"lamp": 7})",
                           .message = 2,
                           .answered = true,
                           .failed = true,
                           .result = "Error: lamp not found"},
                  ToolCall{.id = "c2",
                           .name = "polish",
                           .arguments = "{}",
                           .message = 4,
                           .answered = true,
                           .failed = true,
                           .result = "Unknown action polish"},
                  ToolCall{.id = "c3", .name = "open_lid", .arguments = "{}", .message = 4}));
  // Only what failed calls are named by.
  EXPECT_THAT(episode.context_words, testing::ElementsAre(testing::Pair(0U, "open_lid")));
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(TauBench, MetricsAndRecordsAroundTheList) {
  const Loaded loaded = load_text(R"({"metrics": {"avg_reward": 1.0, "pass_hat_ks": {"1": 1.0}},
    "results": [)" + element("0", "0", "1.0", small_trajectory()) +
                                  R"(], "records": [{"traj": []}]})");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
}

TEST(TauBench, LabelledByHand) {
  const auto row = [](std::string_view number, std::string_view model) {
    return R"({"example_number": )" + std::string(number) + R"(, "group": "a", "model": ")" +
           std::string(model) + R"(", "task_id": 4, "reward": 0.0, "source": "x",
      "error_reason": "wrong lamp", "info": {}, "trajectory": [)" +
           joined(small_trajectory()) + "]}";
  };
  const Loaded loaded = load_text("[" + joined({row("1", "m-1"), row("2", "m-2")}) + "]");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->header.identity.model, "m-1");
  EXPECT_FALSE(loaded.log->header.identity.model_is_guess);
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_EQ(loaded.log->episodes[1].id, "2");
  EXPECT_EQ(loaded.log->episodes[1].trial, 1);
  EXPECT_EQ(loaded.log->episodes[1].calls.size(), 3U);
  EXPECT_THAT(loaded.sentence("several_models"), HasSubstr("m-2"));
}

std::string crash(std::string_view error, std::string_view traceback) {
  return R"([{"task_id": 1, "trial": 0, "reward": 0.0, "traj": [], "info": {"error": ")" +
         std::string(error) + R"(", "traceback": ")" + std::string(traceback) + R"("}}])";
}

TEST(TauBench, ACrashIsNoObservation) {
  for (const std::string& text :
       {crash("litellm.InternalServerError: Connection error.", "Traceback ..."),
        crash("litellm.APIError: Expecting value: line 1 column 1 (char 0)", "Traceback ..."),
        crash("Expecting value: line 1 column 1 (char 0)", "in post: return response.json()"),
        crash("", "")}) {
    const Loaded loaded = load_text(text);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    ASSERT_EQ(loaded.log->episodes.size(), 1U);
    const Episode& episode = loaded.log->episodes[0];
    EXPECT_EQ(episode.termination, Termination::infrastructure_error) << text;
    EXPECT_FALSE(episode.infrastructure_note.empty());
    EXPECT_THAT(episode.calls, IsEmpty());
  }
}

TEST(TauBench, ACrashOnTheModelsArgumentsIsAMalformedCall) {
  for (const std::string& text :
       {crash("Expecting ',' delimiter: line 1 column 9 (char 8)",
              "in message_to_action: json.loads(tool_call[0].arguments)"),
        crash("JSONDecodeError: Unterminated string starting at: line 1", "")}) {
    const Loaded loaded = load_text(text);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    const Episode& episode = loaded.log->episodes.at(0);
    EXPECT_EQ(episode.termination, Termination::agent_error) << text;
    EXPECT_EQ(episode.infrastructure_note, "");
    EXPECT_EQ(episode.reward, 0.0);
    EXPECT_EQ(episode.messages, 1U);
    ASSERT_EQ(episode.calls.size(), 1U);
    EXPECT_TRUE(episode.calls[0].failed);
    EXPECT_FALSE(episode.calls[0].arguments_are_object);
  }
}

TEST(TauBench, CallsInTexts) {
  const std::vector<std::string> trajectory = {
      says(
          "system",
          R"(Policy\n\n#Available tools\n[{\"type\": \"function\", \"function\": {\"name\": \"open_lid\", \"parameters\": {\"type\": \"object\"}}}]\n# Instruction)"),
      says("user", "API output: is what I say"),
      says(
          "assistant",
          R"(Thought:\nOpen it.\nAction:\n{\"name\": \"open_lid\", \"arguments\": {\"lamp\": 7}})"),
      says("user", "API output: Error: lamp not found"),
      says("assistant", R"({\"name\": \"fly\", \"arguments\": {}})"),
      says("user", "API output: Unknown action fly"),
      says("assistant",
           R"(Action:\n{\"name\": \"respond\", \"arguments\": {\"content\": \"No\"}})"),
      says("user", "Try again"),
      says("assistant", R"(Action:\n{\"name\": \"open_lid\", \"arguments\": {\"lamp\": })"),
      says("user", "What?"),
      says("assistant", R"(Action:\n{\"name\": \"open_lid\", \"arguments\": {}})"),
      says("user", "API output: open"),
  };
  const Loaded loaded = load_text("[" + element("0", "0", "0.0", trajectory) + "]");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const ToolInventory& tools = loaded.log->header.tools;
  EXPECT_TRUE(tools.complete);
  EXPECT_THAT(tools.agent, ElementsAre(ToolDefinition{"open_lid", R"({"type":"object"})"}));
  const Episode& episode = loaded.log->episodes.at(0);
  ASSERT_EQ(episode.calls.size(), 4U);
  EXPECT_EQ(episode.calls[0].arguments, R"({"lamp":7})");
  EXPECT_EQ(episode.calls[0].result, "Error: lamp not found");
  EXPECT_TRUE(episode.calls[0].failed);
  EXPECT_EQ(episode.calls[1].name, "fly");
  EXPECT_TRUE(episode.calls[1].failed);
  EXPECT_FALSE(episode.calls[2].arguments_are_object);
  EXPECT_FALSE(episode.calls[2].answered);
  EXPECT_TRUE(episode.calls[2].failed);
  EXPECT_TRUE(episode.calls[3].answered);
  EXPECT_FALSE(episode.calls[3].failed);
  EXPECT_EQ(episode.text_beside_calls, 0U);
}

TEST(TauBench, TransferEndsAnEpisode) {
  const Loaded loaded = load_text(
      "[" +
      element("0", "0", "0.0",
              {calls({tool_call("c1", "transfer_to_human_agents", "{}")}),
               answer("c1", "transfer_to_human_agents", "Transfer successful")}) +
      "," +
      element("1", "0", "0.0",
              {calls({tool_call("c1", "transfer_to_human_agents", "{}")}),
               answer("c1", "transfer_to_human_agents", "Error: no"), says("assistant", "Hm")}) +
      "]");
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.at(0).termination, Termination::agent_stop);
  EXPECT_EQ(loaded.log->episodes.at(1).termination, Termination::unknown);
}

TEST(TauBench, OtherShapesWithinTheMessages) {
  const std::vector<std::string> trajectory = {
      R"({"role": "subtask_creator", "content": "Split it."})",
      R"({"role": "assistant", "content": "Both:", "tool_calls": [
          {"id": "a", "name": "open_lid", "arguments": {"lamp": 1}, "requestor": "assistant"},
          {"id": "b", "name": "open_door", "arguments": null}]})",
      R"({"role": "tool", "content": "Error: 503 Service Unavailable"})",
      R"({"role": "tool", "content": "open"})",
      R"({"role": "tool", "content": "nobody asked"})",
      R"({"role": "assistant", "content": "", "tool_calls": null,
          "function_call": {"name": "turn_wheel", "arguments": "{\"by\": 2"}})",
      "7",
  };
  const Loaded loaded = load_text("[" + element("0", "0", "0.0", trajectory) + "]");
  ASSERT_TRUE(loaded.log.has_value());
  const Episode& episode = loaded.log->episodes.at(0);
  ASSERT_EQ(episode.calls.size(), 3U);
  EXPECT_TRUE(episode.calls[0].failed);
  EXPECT_EQ(episode.calls[0].arguments, R"({"lamp":1})");
  EXPECT_EQ(episode.calls[1].result, "open");
  EXPECT_FALSE(episode.calls[1].failed);
  EXPECT_EQ(episode.calls[2].name, "turn_wheel");
  EXPECT_FALSE(episode.calls[2].arguments_are_object);
  EXPECT_TRUE(episode.calls[2].failed);  // nobody could have run it
  EXPECT_EQ(episode.text_beside_calls, 1U);
  EXPECT_EQ(loaded.diagnostics.count("unknown_role"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("orphan_result"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("unreadable_message"), 1U);
}

TEST(TauBench, JsonLines) {
  // `kTask` holds a line break, which JSON lines may not; the reader takes values one by one.
  const std::string first = element("1", "0", "1.0", small_trajectory());
  const std::string second = element("2", "0", "0.0", small_trajectory());
  for (const std::string& text : {first + "\n" + second + "\n", first + "\n"}) {
    const Loaded loaded = load_text(text);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    EXPECT_EQ(loaded.log->header.format, "tau-bench");
    ASSERT_EQ(loaded.log->episodes.size(), text.size() > first.size() + 1 ? 2U : 1U);
    const Episode& episode = loaded.log->episodes.back();
    EXPECT_EQ(episode.calls.size(), 3U);
    EXPECT_EQ(text.substr(episode.ref.offset, episode.ref.length),
              text.size() > first.size() + 1 ? second : first);
  }
}

TEST(TauBench, BadInput) {
  const std::string good = element("1", "0", "1.0", small_trajectory());
  // Cut within the second episode: the first is kept.
  Loaded loaded = load_text("[" + good + "," + good.substr(0, good.size() / 2));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_EQ(loaded.diagnostics.count("truncated_file"), 1U);

  loaded = load_text("[" + good + R"(, 7, [1], {}, {"task_id": 2, "reward": 1.0, "traj": "x"},
    {"task_id": 3, "trial": -1, "reward": NaN, "traj": [], "info": null},
    {"task_id": 4, "trial": 0, "reward": "one", "traj": []},
    {"task_id": 5, "trial": 0, "reward": 0.5, "traj": [], "info": {}},
    {"task_id": 6, "trial": 0, "traj": [], "info": {"reward_info": {"reward": 1.0}}},
    {"task_id": 7, "trial": 0, "reward": null, "traj": []}])");
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  ASSERT_EQ(loaded.log->episodes.size(), 6U);
  EXPECT_TRUE(loaded.log->episodes[1].reward_was_nan);
  EXPECT_EQ(loaded.log->episodes[1].trial, 0);
  EXPECT_EQ(loaded.log->episodes[2].reward, std::nullopt);
  EXPECT_EQ(loaded.log->episodes[3].reward, 0.5);
  EXPECT_EQ(loaded.log->episodes[4].reward, 1.0);
  EXPECT_EQ(loaded.log->episodes[5].reward, std::nullopt);
  EXPECT_EQ(loaded.diagnostics.count("missing_messages"), 3U);
  EXPECT_EQ(loaded.diagnostics.count("nan_reward"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("wrong_type"), 3U);
  EXPECT_EQ(loaded.diagnostics.count("fractional_reward"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("missing_reward"), 1U);

  loaded = load_text("[" + good + "," + good + "]");
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_EQ(loaded.diagnostics.count("duplicate_trial"), 1U);
}

TEST(TauBench, ATaskThatChangesIsReported) {
  std::string changed = element("1", "1", "1.0", {});
  changed.replace(changed.find("Open the lid."), 4, "Shut");
  const Loaded loaded = load_text("[" + element("1", "0", "1.0", {}) + "," + changed + "]");
  EXPECT_EQ(loaded.diagnostics.count("task_changed"), 1U);
}

TEST(TauBench, TheNameOfTheFileSuggestsTheModel) {
  const std::string text = "[" + element("0", "0", "1.0", {}) + "]";
  const Loaded loaded =
      load_text(text, "act-Wizard-4B-AWQ-0.7_range_0--1_user-Big-Model-llm_0717023520.json");
  ASSERT_TRUE(loaded.log.has_value());
  const ArmIdentity& identity = loaded.log->header.identity;
  EXPECT_EQ(identity.model, "Wizard-4B-AWQ");
  EXPECT_TRUE(identity.model_is_guess);
  EXPECT_EQ(identity.precision, "int4");
  EXPECT_EQ(identity.agent_implementation, "act");
  EXPECT_EQ(identity.sampling.at("temperature"), "0.7");
  EXPECT_EQ(identity.user_model, "Big-Model");
}

TEST(TauBenchNames, Forms) {
  EXPECT_EQ(
      tau_bench_run_of("x/tool-calling-M-1-0.0_range_0--1_user-gpt-x-mini-llm_locale-en.json"),
      (TauBenchRun{"M-1", "tool-calling", "0.0", "gpt-x-mini", "llm"}));
  EXPECT_EQ(tau_bench_run_of("react-M-0.0_range_0-5_0717.json.gz"),
            (TauBenchRun{"M", "react", "0.0", "", ""}));
  EXPECT_EQ(tau_bench_run_of("runs/m-4x-airline.json"), (TauBenchRun{.model = "m-4x"}));
  EXPECT_EQ(tau_bench_run_of("runs/M-8B/retail-temperature-0.0_07.json.gz"),
            (TauBenchRun{.model = "M-8B"}));
  for (const std::string_view path :
       {"", "-", "standard input", "/proc/self/fd/3", "airline.json", "results/retail.json",
        "./airline_1.json", "/airline.json", "-airline.json", "act-0.0_range_0.json",
        "tool-calling-M_range_0.json", "_range_", "log.json"}) {
    EXPECT_EQ(tau_bench_run_of(path), TauBenchRun{}) << path;
  }
}

}  // namespace
}  // namespace unmask
