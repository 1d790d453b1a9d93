#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/convert/episode_messages.h"
#include "unmask/convert/header_members.h"
#include "unmask/convert/log_survey.h"
#include "unmask/convert/log_writer.h"
#include "unmask/convert/writers.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/json/json_text.h"

namespace unmask {

namespace {

/// Stands for texts that the original had and a log header does not keep.
constexpr std::string_view kTaskText = "The task's text is not part of this converted log.";

class Tau2Writer final : public LogWriter {
 public:
  Tau2Writer(const LogSurvey& survey, TextSink sink)
      : survey_(survey), sink_(std::move(sink)), json_(text_) {}

  void begin() override {
    const LogHeader& header = survey_.header();
    json_.begin_object();
    write_text_or_null(json_, "timestamp", header.timestamp);
    const std::vector<TaskDefinition> tasks = survey_.tasks();
    write_conversion(tasks);
    write_info();
    json_.key("tasks").begin_array();
    for (const TaskDefinition& task : tasks) write_task(task);
    json_.end_array();
    json_.key("simulations").begin_array();
    flush();
  }

  void episode(const Episode& episode, std::span<const CallDiagnosis> /*diagnoses*/) override {
    json_.begin_object();
    json_.key("id").string(episode.id);
    json_.key("task_id").string(episode.task_id);
    write_text_or_null(json_, "start_time", survey_.header().timestamp);
    write_text_or_null(json_, "end_time", survey_.header().timestamp);
    write_real_or_null(json_, "duration", episode.cost.seconds);
    write_text_or_null(json_, "termination_reason", termination_word(episode));
    write_real_or_null(json_, "agent_cost", episode.cost.agent_usd);
    write_real_or_null(json_, "user_cost", episode.cost.user_usd);
    write_reward(episode);
    const EpisodeMessages written = messages_of(episode);
    json_.key("messages").begin_array();
    const std::size_t with_usage = first_agent_message(episode, written);
    for (std::size_t i = 0; i < written.messages.size(); ++i) {
      write_message(episode, written, i, with_usage);
    }
    json_.end_array();
    write_integer_or_null(json_, "trial", episode.trial);
    write_integer_or_null(json_, "seed", episode.seed);
    if (!episode.infrastructure_note.empty()) {
      json_.key("info").begin_object();
      json_.key("error").string(episode.infrastructure_note).end_object();
    }
    json_.end_object();
    flush();
    note_message_losses(episode, losses_);
    if (episode.tools != nullptr) ++losses_["tools offered in single episodes are left out"];
  }

  void end() override {
    json_.end_array();
    json_.end_object();
    text_ += '\n';
    flush();
  }

  [[nodiscard]] const Losses& losses() const override { return losses_; }

 private:
  void flush() {
    sink_(text_);
    text_.clear();
  }

  /// What the layout has no member for; unmask reads it back.
  void write_conversion(std::span<const TaskDefinition> tasks) {
    const LogHeader& header = survey_.header();
    const ArmIdentity& identity = header.identity;
    json_.key("unmask").begin_object();
    json_.key("converted_from").string(header.format);
    write_text(json_, "arm", header.arm);
    if (identity.model_is_guess) json_.key("model_is_guess").boolean(true);
    if (!identity.precision_is_guess) {
      write_text(json_, "precision", identity.precision);
      write_text(json_, "quantization_method", identity.quantization_method);
    }
    write_text(json_, "kv_cache_precision", identity.kv_cache_precision);
    write_text(json_, "engine", identity.engine);
    write_text(json_, "chat_template_hash", identity.chat_template_hash);
    write_text(json_, "tool_call_parser", identity.tool_call_parser);
    write_text(json_, "grammar_constrained", identity.grammar_constrained);
    write_text(json_, "policy_hash", identity.policy_hash);
    if (!header.harness.name.empty()) write_harness(json_.key("harness"), header.harness);
    if (!header.tools.user.empty()) write_tools(json_.key("user_tools"), header.tools.user);
    if (header.tools.complete) json_.key("tools_complete").boolean(true);
    json_.key("task_keys").begin_object();
    for (const TaskDefinition& task : tasks) {
      json_.key(task.id).string(task.content_hash.empty() ? task.id : task.content_hash);
    }
    json_.end_object();
    json_.end_object();
  }

  void write_info() {
    const LogHeader& header = survey_.header();
    const ArmIdentity& identity = header.identity;
    json_.key("info").begin_object();
    write_text_or_null(json_, "git_commit", header.harness.git_commit);
    write_integer_or_null(json_, "num_trials", header.num_trials);
    write_integer_or_null(json_, "max_steps", header.max_steps);
    write_integer_or_null(json_, "max_errors", header.max_errors);
    json_.key("user_info").begin_object();
    write_text_or_null(json_, "implementation", identity.user_implementation);
    write_text_or_null(json_, "llm", identity.user_model);
    write_settings(json_.key("llm_args"), identity.user_sampling, parser_);
    json_.nulls({"global_simulation_guidelines"});
    json_.end_object();
    json_.key("agent_info").begin_object();
    write_text_or_null(json_, "implementation", identity.agent_implementation);
    write_text_or_null(json_, "llm", identity.model);
    write_settings(json_.key("llm_args"), identity.sampling, parser_);
    json_.end_object();
    json_.key("environment_info").begin_object();
    write_text_or_null(json_, "domain_name", header.domain);
    write_text_or_null(json_, "policy", header.policy);
    if (header.tools.agent.empty()) {
      json_.nulls({"tool_defs"});
    } else {
      write_tools(json_.key("tool_defs"), header.tools.agent);
    }
    json_.end_object();
    write_integer_or_null(json_, "seed", header.seed);
    json_.end_object();
  }

  void write_task(const TaskDefinition& task) {
    json_.begin_object();
    json_.key("id").string(task.id);
    json_.nulls({"description"});
    json_.key("user_scenario").begin_object();
    json_.nulls({"persona"});
    json_.key("instructions").string(kTaskText).end_object();
    json_.nulls({"ticket"});
    write_history(task.id);
    json_.key("evaluation_criteria").begin_object();
    json_.key("actions").begin_array();
    std::size_t number = 0;
    for (const auto& [party, names] : {std::pair{Party::agent, &task.golden_agent_actions},
                                       std::pair{Party::user, &task.golden_user_actions}}) {
      for (const std::string& name : *names) {
        json_.begin_object();
        json_.key("action_id").string(task.id + "_" + std::to_string(number++));
        json_.key("requestor").string(role_of(party));
        json_.key("name").string(name);
        json_.key("arguments").begin_object().end_object();
        json_.nulls({"info", "compare_args"});
        json_.end_object();
      }
    }
    json_.end_array();
    json_.nulls({"env_assertions", "communicate_info", "nl_assertions"});
    write_texts(json_, "reward_basis", task.reward_basis);
    json_.end_object();
    json_.end_object();
  }

  void write_history(const std::string& task) {
    const auto found = survey_.histories().find(task);
    if (found == survey_.histories().end()) {
      json_.nulls({"initial_state"});
      return;
    }
    const Episode& history = found->second;
    json_.key("initial_state").begin_object();
    json_.nulls({"initialization_data", "initialization_actions"});
    json_.key("message_history").begin_array();
    const EpisodeMessages written = messages_of(history);
    std::size_t index = 0;
    for (; index < written.messages.size() && index < history.history_messages; ++index) {
      write_message(history, written, index, written.messages.size());
    }
    // Readers count them.
    for (; index < history.history_messages; ++index) {
      json_.begin_object().key("role").string("assistant").key("content").string("").end_object();
    }
    json_.end_array().end_object();
  }

  void write_reward(const Episode& episode) {
    if (!episode.reward && episode.reward_basis.empty()) {
      json_.nulls({"reward_info"});
      return;
    }
    json_.key("reward_info").begin_object();
    write_real_or_null(json_, "reward", episode.reward);
    json_.nulls(
        {"db_check", "env_assertions", "action_checks", "nl_assertions", "communicate_checks"});
    if (episode.reward_basis.empty()) {
      json_.nulls({"reward_basis"});
    } else {
      write_texts(json_, "reward_basis", episode.reward_basis);
    }
    json_.nulls({"reward_breakdown", "info"});
    json_.end_object();
  }

  /// The message that carries the whole episode's tokens; the number of messages if there is none.
  static std::size_t first_agent_message(const Episode& episode, const EpisodeMessages& written) {
    std::size_t index = episode.history_messages;
    while (index < written.messages.size() && written.messages[index].role != MessageRole::agent) {
      ++index;
    }
    return index;
  }

  void write_message(const Episode& episode, const EpisodeMessages& written, std::size_t index,
                     std::size_t with_usage) {
    const Message& message = written.messages[index];
    json_.begin_object();
    switch (message.role) {
      case MessageRole::system:
        json_.key("role").string("system").key("content").string(message.text);
        break;
      case MessageRole::tool:
        write_result(episode, written, message);
        break;
      case MessageRole::agent:
      case MessageRole::user:
        write_turn(episode, written, message);
        break;
    }
    const EpisodeCost& cost = episode.cost;
    if (index == with_usage && (cost.prompt_tokens || cost.completion_tokens)) {
      json_.key("usage").begin_object();
      write_integer(json_, "prompt_tokens", cost.prompt_tokens);
      write_integer(json_, "completion_tokens", cost.completion_tokens);
      json_.end_object();
      ++losses_["tokens are kept as one sum, with the episode's first agent message"];
    }
    json_.key("turn_idx").integer(static_cast<std::int64_t>(index));
    json_.end_object();
  }

  void write_turn(const Episode& episode, const EpisodeMessages& written, const Message& message) {
    json_.key("role").string(message.role == MessageRole::agent ? "assistant" : "user");
    if (message.text.empty() && message.call_count > 0) {
      json_.nulls({"content"});
    } else {
      json_.key("content").string(message.text);
    }
    if (message.call_count == 0) {
      json_.nulls({"tool_calls"});
      return;
    }
    json_.key("tool_calls").begin_array();
    for (std::size_t i = message.first_call; i < message.first_call + message.call_count; ++i) {
      const ToolCall& call = episode.calls[i];
      json_.begin_object();
      json_.key("id").string(written.ids[i]);
      json_.key("name").string(call.name);
      json_.key("arguments");
      write_arguments(json_, call, parser_);
      json_.key("requestor").string(role_of(call.party));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_result(const Episode& episode, const EpisodeMessages& written,
                    const Message& message) {
    const ToolCall* call = message.answers ? &episode.calls[*message.answers] : nullptr;
    json_.key("id").string(message.answers ? std::string_view(written.ids[*message.answers])
                                           : std::string_view());
    json_.key("role").string("tool");
    json_.key("content").string(message.text);
    json_.key("requestor").string(role_of(call == nullptr ? Party::agent : call->party));
    json_.key("error").boolean(call != nullptr && call->failed);
  }

  const LogSurvey& survey_;
  TextSink sink_;
  std::string text_;
  json::JsonText json_;
  json::Parser parser_;
  Losses losses_;
};

}  // namespace

std::unique_ptr<LogWriter> tau2_writer(const LogSurvey& survey, TextSink sink) {
  return std::make_unique<Tau2Writer>(survey, std::move(sink));
}

}  // namespace unmask
