#include "unmask/synthetic/tau2_log.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/synthetic/process.h"

namespace unmask::synthetic {
namespace {

using nlohmann::json;

constexpr std::uint64_t kSeed = 11;

// Cells in which every channel occurs, within a budget that many episodes use up.
CellProcess lively(CellProcess process) {
  process.tasks = 12;
  process.trials = 3;
  process.mix = {.tool_name = 0.4, .arguments = 0.2, .entity = 0.2, .precondition = 0.2};
  process.user_failure = process.domain == "telecom" ? 0.1 : 0.0;
  return process;
}

const std::vector<CellProcess>& lively_cells() {
  static const std::vector<CellProcess> cells = {lively(telecom_process("a/telecom")),
                                                 lively(retail_process("a/retail"))};
  return cells;
}

std::string log_text(const CellProcess& process, const ArmFacts& arm) {
  std::string text;
  write_tau2_log(process, arm, kSeed, [&](std::string_view piece) { text += piece; });
  return text;
}

ArmFacts lively_arm(const CellProcess& process) {
  return simulate_arm(process, {.name = "int4", .slip_rate = 0.4, .novel_share = 0.1}, kSeed);
}

TEST(Tau2Log, SaysInItsHeaderThatItIsSimulated) {
  for (const CellProcess& process : lively_cells()) {
    const json log = json::parse(log_text(process, lively_arm(process)));
    const json& info = log.at("info");
    EXPECT_EQ(info.at("git_commit"), "simulated");
    EXPECT_TRUE(
        info.at("environment_info").at("policy").get<std::string>().starts_with("SIMULATED"));
    EXPECT_EQ(info.at("agent_info").at("llm"), "simulated/model-int4");
    EXPECT_EQ(info.at("user_info").at("llm"), "simulated/user");
  }
}

TEST(Tau2Log, HeaderHoldsTheSettings) {
  CellProcess process = lively_cells()[0];
  process.max_errors = 4;
  const json log = json::parse(log_text(process, lively_arm(process)));
  const json& info = log.at("info");
  EXPECT_EQ(info.at("num_trials"), 3);
  EXPECT_EQ(info.at("max_errors"), 4);
  EXPECT_EQ(info.at("max_steps"), 200);
  EXPECT_EQ(info.at("seed"), kSeed);
  EXPECT_EQ(info.at("environment_info").at("domain_name"), "telecom");
  EXPECT_TRUE(log.at("simulation_index").is_null());
  ASSERT_EQ(log.at("tasks").size(), 12U);
  std::set<std::string> ids;
  for (const json& task : log.at("tasks")) {
    ids.insert(task.at("id").get<std::string>());
    EXPECT_TRUE(task.at("user_scenario").at("instructions").contains("reason_for_call"));
    EXPECT_EQ(task.at("evaluation_criteria").at("reward_basis"), json::array({"ENV_ASSERTION"}));
  }
  EXPECT_EQ(ids.size(), 12U);
}

// Counts of a log as its reader would make them, beside the facts that it was written from.
TEST(Tau2Log, HoldsTheEpisodesOfTheFacts) {
  for (const CellProcess& process : lively_cells()) {
    const ArmFacts arm = lively_arm(process);
    const json log = json::parse(log_text(process, arm));
    const json& simulations = log.at("simulations");
    ASSERT_EQ(simulations.size(), arm.episodes.size());
    std::set<Channel> channels;
    bool user_failed = false;
    for (std::size_t i = 0; i < simulations.size(); ++i) {
      const json& simulation = simulations[i];
      const EpisodeFacts& episode = arm.episodes[i];
      SCOPED_TRACE(simulation.at("id").get<std::string>());
      EXPECT_EQ(simulation.at("task_id"), arm.tasks[episode.task].id);
      EXPECT_EQ(simulation.at("trial"), episode.trial);
      EXPECT_EQ(simulation.at("termination_reason"), name_of(episode.termination));
      EXPECT_EQ(simulation.at("reward_info").at("reward"), episode.reward);
      EXPECT_EQ(simulation.at("duration"), episode.cost.seconds);
      const json& messages = simulation.at("messages");
      ASSERT_EQ(messages.size(), episode.messages);
      std::size_t at = 0;
      std::uint32_t agent_messages = 0;
      std::int64_t prompt_tokens = 0;
      std::int64_t completion_tokens = 0;
      for (std::size_t m = 0; m < messages.size(); ++m) {
        const json& message = messages[m];
        EXPECT_EQ(message.at("turn_idx"), m);
        if (message.at("role") == "assistant") ++agent_messages;
        if (message.contains("usage")) {
          prompt_tokens += message.at("usage").at("prompt_tokens").get<std::int64_t>();
          completion_tokens += message.at("usage").at("completion_tokens").get<std::int64_t>();
        }
        if (!message.contains("tool_calls") || message.at("tool_calls").is_null()) continue;
        ASSERT_EQ(message.at("tool_calls").size(), 1U);
        const json& called = message.at("tool_calls")[0];
        const json& result = messages.at(m + 1);
        ASSERT_LT(at, episode.calls.size());
        const CallFacts& call = episode.calls[at++];
        const std::string party = call.party == Party::agent ? "assistant" : "user";
        EXPECT_EQ(call.message, m);
        EXPECT_EQ(message.at("role"), party);
        EXPECT_EQ(called.at("requestor"), party);
        EXPECT_EQ(called.at("name"), arm.names.text(call.name));
        EXPECT_TRUE(called.at("arguments").is_object());
        EXPECT_EQ(result.at("role"), "tool");
        EXPECT_EQ(result.at("id"), called.at("id"));
        EXPECT_EQ(result.at("requestor"), party);
        EXPECT_EQ(result.at("error"), call.failed);
        const std::string content = result.at("content").get<std::string>();
        EXPECT_EQ(content.starts_with("Error: "), call.failed) << content;
        if (!call.failed) continue;
        channels.insert(call.channel);
        user_failed |= call.party == Party::user;
        EXPECT_EQ(content == "Error: Tool '" + arm.names.text(call.name) + "' not found.",
                  call.channel == Channel::tool_name);
      }
      EXPECT_EQ(at, episode.calls.size());
      EXPECT_EQ(agent_messages, episode.agent_messages);
      EXPECT_EQ(prompt_tokens, episode.cost.prompt_tokens);
      EXPECT_EQ(completion_tokens, episode.cost.completion_tokens);
    }
    EXPECT_EQ(channels, (std::set<Channel>{Channel::tool_name, Channel::arguments, Channel::entity,
                                           Channel::precondition}));
    EXPECT_EQ(user_failed, process.domain == "telecom");
  }
}

TEST(Tau2Log, KeepsTheProtocol) {
  for (const CellProcess& process : lively_cells()) {
    const json log = json::parse(log_text(process, lively_arm(process)));
    int stopped = 0;
    for (const json& simulation : log.at("simulations")) {
      const json& messages = simulation.at("messages");
      std::string previous_time = simulation.at("start_time").get<std::string>();
      for (std::size_t m = 0; m < messages.size(); ++m) {
        const std::string time = messages[m].at("timestamp").get<std::string>();
        EXPECT_LE(previous_time, time);
        previous_time = time;
        const std::string role = messages[m].at("role").get<std::string>();
        const bool calls =
            messages[m].contains("tool_calls") && !messages[m]["tool_calls"].is_null();
        if (role != "tool") {
          EXPECT_NE(calls, messages[m].at("content").is_string());
        }
        if (m + 1 == messages.size()) continue;
        // Calls are answered by a tool, a tool answers its caller, texts go to the other party.
        const std::string next = messages[m + 1].at("role").get<std::string>();
        if (calls) {
          EXPECT_EQ(next, "tool");
        } else if (role == "tool") {
          EXPECT_EQ(messages[m].at("requestor"), next);
        } else {
          EXPECT_EQ(next, role == "assistant" ? "user" : "assistant");
        }
      }
      EXPECT_LE(previous_time, simulation.at("end_time").get<std::string>());
      const json& last = messages.back();
      if (simulation.at("termination_reason") == "user_stop") {
        EXPECT_EQ(last.at("role"), "user");
        EXPECT_NE(last.at("content").get<std::string>().find("###STOP###"), std::string::npos);
        EXPECT_EQ(simulation.at("reward_info").at("reward_breakdown").size(), 1U);
      } else {
        ++stopped;
        EXPECT_EQ(last.at("role"), "tool");
        EXPECT_TRUE(last.at("error").get<bool>());
        EXPECT_TRUE(simulation.at("reward_info").at("reward_basis").is_null());
      }
    }
    EXPECT_GT(stopped, 0);
  }
}

TEST(Tau2Log, TrialsOfATaskDifferBySeedAndAllTasksShareIt) {
  const CellProcess& process = lively_cells()[1];
  const json log = json::parse(log_text(process, lively_arm(process)));
  std::vector<std::set<std::int64_t>> seeds(3);
  std::set<std::int64_t> all;
  for (const json& simulation : log.at("simulations")) {
    const auto seed = simulation.at("seed").get<std::int64_t>();
    seeds[simulation.at("trial").get<std::size_t>()].insert(seed);
    all.insert(seed);
  }
  for (const auto& of_trial : seeds) EXPECT_EQ(of_trial.size(), 1U);
  EXPECT_EQ(all.size(), 3U);
}

TEST(Tau2Log, IsAFunctionOfTheFacts) {
  const CellProcess& process = lively_cells()[0];
  EXPECT_EQ(log_text(process, lively_arm(process)), log_text(process, lively_arm(process)));
}

}  // namespace
}  // namespace unmask::synthetic
