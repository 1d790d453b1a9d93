#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

class OpenaiWriter final : public LogWriter {
 public:
  OpenaiWriter(const LogSurvey& survey, TextSink sink) : survey_(survey), sink_(std::move(sink)) {}

  void begin() override {
    tasks_have_contents_ =
        std::ranges::any_of(survey_.header().tasks,
                            [](const TaskDefinition& task) { return !task.content_hash.empty(); });
    tasks_without_episode_ = survey_.has_tasks_without_episode();
  }

  void episode(const Episode& episode, std::span<const CallDiagnosis> /*diagnoses*/) override {
    json::JsonText json(text_);
    json.begin_object();
    json.key("schema").string("unmask.openai/1");
    write_settings_of_run(json);
    json.key("task_id").string(episode.task_id);
    write_integer(json, "trial", episode.trial);
    write_text(json, "episode_id", episode.id);
    write_integer(json, "seed", episode.seed);
    write_real_or_null(json, "reward", episode.reward);
    write_text(json, "termination_reason", termination_word(episode));
    write_text(json, "infrastructure_error", episode.infrastructure_note);
    if (!episode.reward_basis.empty()) write_texts(json, "reward_basis", episode.reward_basis);
    write_cost(json, episode.cost);
    write_offered(json, episode.tools == nullptr ? survey_.header().tools : *episode.tools);
    write_messages(json, episode);
    json.end_object();
    text_ += '\n';
    sink_(text_);
    text_.clear();
    first_ = false;
    note_losses(episode);
  }

  void end() override {}
  [[nodiscard]] const Losses& losses() const override { return losses_; }

 private:
  void write_settings_of_run(json::JsonText& json) {
    const LogHeader& header = survey_.header();
    write_identity(json, header, parser_);
    write_text(json, "domain", header.domain);
    if (!header.harness.name.empty()) write_harness(json.key("harness"), header.harness);
    write_text(json, "timestamp", header.timestamp);
    write_integer(json, "max_errors", header.max_errors);
    write_integer(json, "max_steps", header.max_steps);
    write_integer(json, "num_trials", header.num_trials);
    // It is long, and every line would repeat it.
    if (!first_) return;
    write_text(json, "policy", header.policy);
    if (header.policy.empty()) write_text(json, "policy_hash", header.identity.policy_hash);
  }

  static void write_cost(json::JsonText& json, const EpisodeCost& cost) {
    if (cost.prompt_tokens || cost.completion_tokens) {
      json.key("usage").begin_object();
      write_integer(json, "prompt_tokens", cost.prompt_tokens);
      write_integer(json, "completion_tokens", cost.completion_tokens);
      json.end_object();
    }
    write_real(json, "duration", cost.seconds);
    write_real(json, "agent_cost", cost.agent_usd);
    write_real(json, "user_cost", cost.user_usd);
  }

  static void write_offered(json::JsonText& json, const ToolInventory& tools) {
    if (tools.agent.empty() && tools.user.empty()) return;
    write_tools(json.key("tools"), tools.agent);
    if (!tools.user.empty()) write_tools(json.key("user_tools"), tools.user);
    json.key("tools_complete").boolean(tools.complete);
  }

  static void write_messages(json::JsonText& json, const Episode& episode) {
    const EpisodeMessages written = messages_of(episode);
    // A message history would be read as the episode's own.
    const std::size_t from =
        std::min<std::size_t>(episode.history_messages, written.messages.size());
    json.key("messages").begin_array();
    for (std::size_t i = from; i < written.messages.size(); ++i) {
      const Message& message = written.messages[i];
      if (message.role == MessageRole::tool) {
        write_result(json, message, episode, written);
      } else {
        write_message(json, message, episode, written);
      }
    }
    json.end_array();
  }

  static void write_message(json::JsonText& json, const Message& message, const Episode& episode,
                            const EpisodeMessages& written) {
    const bool by_agent = message.role == MessageRole::agent;
    json.begin_object();
    json.key("role").string(message.role == MessageRole::system ? std::string_view("system")
                            : by_agent                          ? std::string_view("assistant")
                                                                : std::string_view("user"));
    if (message.text.empty() && message.call_count > 0) {
      json.key("content").null();
    } else {
      json.key("content").string(message.text);
    }
    if (message.call_count > 0) {
      json.key("tool_calls").begin_array();
      for (std::size_t i = message.first_call; i < message.first_call + message.call_count; ++i) {
        const ToolCall& call = episode.calls[i];
        json.begin_object();
        json.key("id").string(written.ids[i]);
        json.key("type").string("function");
        json.key("function").begin_object().key("name").string(call.name);
        json.key("arguments").string(call.arguments.empty() ? "{}" : call.arguments);
        json.end_object();
        if ((call.party == Party::agent) != by_agent) {
          json.key("requestor").string(role_of(call.party));
        }
        json.end_object();
      }
      json.end_array();
    }
    json.end_object();
  }

  static void write_result(json::JsonText& json, const Message& message, const Episode& episode,
                           const EpisodeMessages& written) {
    json.begin_object().key("role").string("tool");
    const ToolCall* call = message.answers ? &episode.calls[*message.answers] : nullptr;
    json.key("tool_call_id")
        .string(message.answers ? std::string_view(written.ids[*message.answers])
                                : std::string_view());
    json.key("content").string(message.text);
    json.key("error").boolean(call != nullptr && call->failed);
    if (call != nullptr && call->party == Party::user) json.key("requestor").string("user");
    json.end_object();
  }

  void note_losses(const Episode& episode) {
    note_message_losses(episode, losses_);
    if (episode.history_messages > 0) {
      ++losses_["the task's own message history is left out; nothing counts its calls"];
    }
    if (survey_.header().seed) ++losses_["the run's own seed is left out"];
    if (tasks_without_episode_) {
      ++losses_
          ["tasks without an episode are left out, so that their trials no longer count as "
           "vanished"];
    }
    if (tasks_have_contents_) {
      ++losses_["contents of tasks are left out, so that arms pair by task id"];
    }
  }

  const LogSurvey& survey_;
  TextSink sink_;
  std::string text_;
  json::Parser parser_;
  bool first_ = true;
  bool tasks_have_contents_ = false;
  bool tasks_without_episode_ = false;
  Losses losses_;
};

}  // namespace

std::unique_ptr<LogWriter> openai_writer(const LogSurvey& survey, TextSink sink) {
  return std::make_unique<OpenaiWriter>(survey, std::move(sink));
}

}  // namespace unmask
