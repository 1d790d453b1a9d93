#include "unmask/synthetic/tau2_log.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "unmask/base/check.h"
#include "unmask/base/iso_time.h"
#include "unmask/base/rng.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/json/json_text.h"
#include "unmask/synthetic/message_cost.h"
#include "unmask/synthetic/process.h"
#include "unmask/synthetic/world_texts.h"

namespace unmask::synthetic {
namespace {

using std::chrono::sys_seconds;

// Not a real date of any run; every simulated file starts then.
constexpr sys_seconds kStart = std::chrono::sys_days(std::chrono::year(2026) / 1 / 15);
constexpr std::chrono::seconds kBetweenEpisodes{60};
constexpr int kMaxSteps = 200;

constexpr std::string_view kSimulated =
    "SIMULATED. unmask's generating process made this file: no language model, no customer and no "
    "benchmark took part, and all texts, names and figures in it are made up.";
constexpr std::array<std::string_view, 3> kRequestsToUser = {
    "Please check your phone and tell me what it shows.", "Please try that on your phone.",
    "One more step on your phone, please."};
constexpr std::array<std::string_view, 3> kUserReports = {"Done.", "I did that.",
                                                          "That is what it shows."};

std::string time_text(sys_seconds time) {
  return iso_time(std::chrono::microseconds(time.time_since_epoch()).count());
}

class LogWriter {
 public:
  LogWriter(const CellProcess& process, const ArmFacts& arm, std::uint64_t seed,
            const std::function<void(std::string_view)>& sink)
      : process_(process), arm_(arm), seed_(seed), sink_(sink), json_(text_) {
    const WorldTexts* world = find_world(process.domain);
    UNMASK_CHECK(world != nullptr);
    world_ = world;
  }

  void write() {
    json_.begin_object();
    json_.key("timestamp").string(time_text(kStart));
    write_info();
    json_.key("tasks").begin_array();
    for (std::uint32_t task = 0; task < arm_.tasks.size(); ++task) write_task(task);
    json_.end_array();
    json_.key("simulations").begin_array();
    for (std::size_t i = 0; i < arm_.episodes.size(); ++i) {
      write_simulation(i);
      flush();
    }
    json_.end_array();
    json_.key("simulation_index").null();
    json_.end_object();
    text_ += '\n';
    flush();
  }

 private:
  void flush() {
    sink_(text_);
    text_.clear();
  }

  void write_info() {
    json_.key("info").begin_object();
    json_.key("git_commit").string("simulated");
    json_.key("num_trials").integer(process_.trials);
    json_.key("max_steps").integer(kMaxSteps);
    json_.key("max_errors").integer(process_.max_errors);
    json_.key("user_info").begin_object();
    json_.key("implementation").string(arm_.identity.user_implementation);
    json_.key("llm").string(arm_.identity.user_model);
    json_.key("llm_args").begin_object().key("simulated").boolean(true).end_object();
    json_.key("global_simulation_guidelines").string(kSimulated);
    json_.nulls({"voice_settings", "persona_config"});
    json_.end_object();
    json_.key("agent_info").begin_object();
    json_.key("implementation").string(arm_.identity.agent_implementation);
    json_.key("llm").string(arm_.identity.model);
    json_.key("llm_args").begin_object().key("simulated").boolean(true).end_object();
    json_.nulls({"voice_settings"});
    json_.end_object();
    json_.key("environment_info").begin_object();
    json_.key("domain_name").string(process_.domain);
    json_.key("policy").string(kSimulated);
    json_.nulls({"tool_defs"});
    json_.end_object();
    json_.key("seed").integer(static_cast<std::int64_t>(seed_));
    json_.key("text_streaming_config").begin_object();
    json_.key("chunk_by").string("words").key("chunk_size").integer(1).end_object();
    json_.nulls({"speech_complexity", "audio_native_config", "retrieval_config",
                 "retrieval_config_kwargs"});
    json_.end_object();
  }

  [[nodiscard]] const ErrandTexts& errand_of(std::uint32_t task) const {
    return world_->errands[task % world_->errands.size()];
  }

  void write_task(std::uint32_t task) {
    const ErrandTexts& errand = errand_of(task);
    json_.begin_object();
    json_.key("id").string(arm_.tasks[task].id);
    json_.key("description").begin_object();
    json_.key("purpose").string("Simulated task.");
    json_.nulls({"relevant_policies", "notes"});
    json_.end_object();
    json_.key("user_scenario").begin_object();
    json_.nulls({"persona"});
    json_.key("instructions").begin_object();
    json_.key("domain").string(process_.domain);
    json_.key("reason_for_call").string(errand.reason);
    json_.key("known_info").string(fill_in("Customer number $number.", task));
    json_.nulls({"unknown_info"});
    json_.key("task_instructions").string("Simulated: nobody follows these instructions.");
    json_.end_object().end_object();
    json_.nulls({"ticket", "initial_state"});
    json_.key("evaluation_criteria").begin_object();
    json_.key("actions").begin_array().begin_object();
    json_.key("action_id").string(arm_.tasks[task].id + "_0");
    json_.key("requestor").string("assistant");
    json_.key("name").string(errand.action);
    json_.key("arguments").raw(fill_in(errand.action_arguments, task));
    json_.nulls({"info", "compare_args"});
    json_.end_object().end_array();
    json_.nulls({"env_assertions", "communicate_info", "nl_assertions"});
    json_.key("reward_basis").begin_array().string(world_->reward_basis).end_array();
    json_.end_object();
    json_.nulls({"issues", "required_documents", "user_tools"});
    json_.end_object();
  }

  void write_simulation(std::size_t index) {
    const EpisodeFacts& episode = arm_.episodes[index];
    const std::string& task = arm_.tasks[episode.task].id;
    start_ = kStart + kBetweenEpisodes * static_cast<std::int64_t>(index);
    const std::int64_t seconds = kSecondsPerMessage * static_cast<std::int64_t>(episode.messages);
    const std::string end = time_text(start_ + std::chrono::seconds(seconds));
    const auto trial = static_cast<std::uint64_t>(episode.trial);
    json_.begin_object();
    json_.key("id").string(arm_.name + "-" + task + "-" + std::to_string(trial));
    json_.key("task_id").string(task);
    json_.key("timestamp").string(end);
    json_.key("start_time").string(time_text(start_));
    json_.key("end_time").string(end);
    json_.key("duration").real(static_cast<double>(seconds));
    json_.key("termination_reason").string(name_of(episode.termination));
    json_.nulls({"agent_cost", "user_cost", "agent_usage"});
    write_reward(episode);
    write_messages(episode);
    json_.nulls({"ticks"});
    json_.key("trial").integer(episode.trial);
    // All tasks of a trial share its seed, as in the harness.
    json_.key("seed").integer(Rng(seed_, "trial seed", trial).below(1'000'000));
    json_.key("mode").string("half_duplex");
    json_.nulls(
        {"speech_environment", "review", "user_only_review", "info", "auth_classification"});
    json_.key("hallucination_retries_used").integer(0);
    json_.nulls({"hallucination_check", "provider_session_id", "policy", "effect_timeline"});
    json_.end_object();
  }

  void write_reward(const EpisodeFacts& episode) {
    const bool stopped = episode.termination == Termination::too_many_errors;
    json_.key("reward_info").begin_object();
    json_.key("reward").real(episode.reward);
    if (stopped) {
      json_.nulls({"db_check"});
    } else {
      json_.key("db_check").begin_object();
      json_.key("db_match").boolean(episode.success);
      json_.key("db_reward").real(episode.reward).end_object();
    }
    json_.nulls({"env_assertions", "action_checks", "nl_assertions", "communicate_checks"});
    if (stopped) {
      json_.nulls({"reward_basis", "reward_breakdown"});
      json_.key("info").begin_object();
      json_.key("note").string(
          "Simulation terminated prematurely. Termination reason: too_many_errors");
      json_.end_object();
    } else {
      json_.key("reward_basis").begin_array().string(world_->reward_basis).end_array();
      json_.key("reward_breakdown").begin_object();
      json_.key(world_->reward_basis).real(episode.reward).end_object();
      json_.nulls({"info"});
    }
    json_.end_object();
  }

  void write_messages(const EpisodeFacts& episode) {
    message_ = 0;
    json_.key("messages").begin_array();
    write_text(Party::agent, "Hello, this is a simulated support agent. What can I do for you?");
    write_text(Party::user, errand_of(episode.task).reason);
    bool user_is_on_turn = false;
    for (const CallFacts& call : episode.calls) {
      const bool by_user = call.party == Party::user;
      if (by_user && !user_is_on_turn) {
        write_text(Party::agent, kRequestsToUser[message_ % kRequestsToUser.size()]);
      } else if (!by_user && user_is_on_turn) {
        write_text(Party::user, kUserReports[message_ % kUserReports.size()]);
      }
      user_is_on_turn = by_user;
      UNMASK_CHECK(message_ == call.message);
      write_call(episode, call);
    }
    if (episode.termination == Termination::user_stop) {
      if (user_is_on_turn) write_text(Party::user, kUserReports[message_ % kUserReports.size()]);
      write_text(Party::agent, "Is there anything else?");
      write_text(Party::user, episode.success ? "No, it is all settled. Thanks! ###STOP###"
                                              : "It is still not settled. Goodbye. ###STOP###");
    }
    UNMASK_CHECK(message_ == episode.messages);
    json_.end_array();
  }

  void begin_message(std::string_view role) {
    json_.begin_object();
    json_.key("role").string(role);
  }

  void end_message() {
    json_.key("turn_idx").integer(message_);
    const std::chrono::seconds elapsed(kSecondsPerMessage * static_cast<std::int64_t>(message_));
    json_.key("timestamp").string(time_text(start_ + elapsed));
    json_.end_object();
    ++message_;
  }

  // The greeting comes from the harness and costs nothing.
  void write_usage(Party party) {
    if (party == Party::user || message_ == 0) return;
    json_.key("usage").begin_object();
    json_.key("completion_tokens").integer(kCompletionTokensPerMessage);
    json_.key("prompt_tokens").integer(prompt_tokens_at(message_));
    json_.end_object();
  }

  void write_text(Party party, std::string_view content) {
    begin_message(role_of(party));
    json_.key("content").string(content);
    json_.nulls({"tool_calls"});
    write_usage(party);
    end_message();
  }

  void write_call(const EpisodeFacts& episode, const CallFacts& call) {
    const std::string& name = arm_.names.text(call.name);
    const CallTexts texts = texts_of(call, name);
    const std::string id = "call_" + std::to_string(call.message);
    begin_message(role_of(call.party));
    json_.nulls({"content"});
    json_.key("tool_calls").begin_array().begin_object();
    json_.key("id").string(id);
    json_.key("name").string(name);
    json_.key("arguments").raw(fill_in(texts.arguments, episode.task));
    json_.key("requestor").string(role_of(call.party));
    json_.end_object().end_array();
    write_usage(call.party);
    end_message();

    json_.begin_object();
    json_.key("id").string(id);
    json_.key("role").string("tool");
    json_.key("content").string(fill_in(texts.result, episode.task));
    json_.key("requestor").string(role_of(call.party));
    json_.key("error").boolean(call.failed);
    end_message();
  }

  struct CallTexts {
    std::string_view arguments;
    std::string result;
  };

  [[nodiscard]] CallTexts texts_of(const CallFacts& call, const std::string& name) const {
    const std::string& kind = arm_.kinds.text(call.kind);
    if (call.failed && call.channel == Channel::tool_name) {
      return {.arguments = kind == "wrong_owner" ? "{}" : world_->stray_arguments,
              .result = "Error: Tool '" + name + "' not found."};
    }
    if (call.failed) {
      for (const FailureTexts& failure : world_->failures) {
        if (failure.party == call.party && failure.tool == name &&
            failure.channel == call.channel && failure.kind == kind) {
          return {.arguments = failure.arguments, .result = std::string(failure.error)};
        }
      }
    } else {
      const auto tools = call.party == Party::agent ? world_->agent_tools : world_->user_tools;
      for (const ToolTexts& tool : tools) {
        if (tool.name == name) {
          return {.arguments = tool.arguments, .result = std::string(tool.result)};
        }
      }
    }
    UNMASK_CHECK(!"a call that simulate_arm can't have made");
    return {};
  }

  [[nodiscard]] static std::string_view role_of(Party party) {
    return party == Party::agent ? "assistant" : "user";
  }

  const CellProcess& process_;
  const ArmFacts& arm_;
  std::uint64_t seed_;
  const std::function<void(std::string_view)>& sink_;
  const WorldTexts* world_ = nullptr;
  std::string text_;
  json::JsonText json_;
  sys_seconds start_;
  std::uint32_t message_ = 0;
};

}  // namespace

void write_tau2_log(const CellProcess& process, const ArmFacts& arm, std::uint64_t seed,
                    const std::function<void(std::string_view)>& sink) {
  LogWriter(process, arm, seed, sink).write();
}

}  // namespace unmask::synthetic
