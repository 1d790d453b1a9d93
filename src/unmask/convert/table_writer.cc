#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/convert/episode_messages.h"
#include "unmask/convert/header_members.h"
#include "unmask/convert/log_survey.h"
#include "unmask/convert/log_writer.h"
#include "unmask/convert/writers.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/json/json_text.h"

namespace unmask {

namespace {

class TableWriter final : public LogWriter {
 public:
  TableWriter(const LogSurvey& survey, const WriteOptions& options, TextSink sink)
      : survey_(survey), options_(options), sink_(std::move(sink)) {}

  void begin() override {
    json::JsonText json(text_);
    const LogHeader& header = survey_.header();
    json.begin_object();
    json.key("schema").string("unmask.table/1");
    write_identity(json, header, parser_);
    write_text(json, "domain", header.domain);
    if (!header.harness.name.empty()) write_harness(json.key("harness"), header.harness);
    write_text(json, "timestamp", header.timestamp);
    write_integer(json, "max_errors", header.max_errors);
    write_integer(json, "max_steps", header.max_steps);
    write_integer(json, "num_trials", header.num_trials);
    write_integer(json, "seed", header.seed);
    if (options_.texts) write_text(json, "policy", header.policy);
    write_text(json, "policy_hash", header.identity.policy_hash);
    write_offered(json, header.tools);
    write_tasks(json);
    json.end_object();
    flush();
  }

  void episode(const Episode& episode, std::span<const CallDiagnosis> diagnoses) override {
    UNMASK_CHECK(diagnoses.empty() || diagnoses.size() == episode.calls.size());
    json::JsonText json(text_);
    json.begin_object();
    json.key("task").string(episode.task_id);
    write_integer(json, "trial", episode.trial);
    write_text(json, "id", episode.id);
    write_integer(json, "seed", episode.seed);
    write_real_or_null(json, "reward", episode.reward);
    write_text(json, "termination", termination_word(episode));
    write_text(json, "infrastructure_error", episode.infrastructure_note);
    if (!episode.reward_basis.empty()) write_texts(json, "reward_basis", episode.reward_basis);
    json.key("messages").integer(episode.messages);
    json.key("agent_messages").integer(episode.agent_messages);
    if (episode.communication_errors > 0) {
      json.key("communication_errors").integer(episode.communication_errors);
    }
    write_integer(json, "prompt_tokens", episode.cost.prompt_tokens);
    write_integer(json, "completion_tokens", episode.cost.completion_tokens);
    write_real(json, "seconds", episode.cost.seconds);
    write_real(json, "agent_usd", episode.cost.agent_usd);
    write_real(json, "user_usd", episode.cost.user_usd);
    json.key("calls").begin_array();
    for (std::size_t i = 0; i < episode.calls.size(); ++i) {
      const ToolCall& call = episode.calls[i];
      if (call.in_history) continue;
      const Stated stated = stated_of(call, diagnoses.empty() ? nullptr : &diagnoses[i]);
      if (options_.texts) {
        write_object(json, call, stated);
      } else {
        write_row(json, call, stated);
      }
    }
    json.end_array();
    json.end_object();
    flush();
    note_losses(episode);
  }

  void end() override {}
  [[nodiscard]] const Losses& losses() const override { return losses_; }

 private:
  struct Stated {
    std::string_view channel;
    std::string_view kind;
  };

  static Stated stated_of(const ToolCall& call, const CallDiagnosis* diagnosis) {
    if (!call.failed) return {};
    if (diagnosis != nullptr) return {name_of(diagnosis->channel), diagnosis->kind};
    if (call.stated_channel) return {name_of(*call.stated_channel), call.stated_kind};
    return {};
  }

  static void write_outcome(json::JsonText& json, const ToolCall& call) {
    if (call.failed) {
      json.integer(0);
    } else if (call.answered) {
      json.integer(1);
    } else {
      json.null();
    }
  }

  static void write_row(json::JsonText& json, const ToolCall& call, const Stated& stated) {
    const auto text_or_null = [&json](std::string_view text) {
      if (text.empty()) {
        json.null();
      } else {
        json.string(text);
      }
    };
    json.begin_array().string(name_of(call.party)).string(call.name);
    write_outcome(json, call);
    text_or_null(stated.channel);
    text_or_null(stated.kind);
    json.integer(call.message).end_array();
  }

  void write_object(json::JsonText& json, const ToolCall& call, const Stated& stated) {
    json.begin_object();
    json.key("party").string(name_of(call.party));
    json.key("name").string(call.name);
    json.key("ok");
    write_outcome(json, call);
    write_text(json, "channel", stated.channel);
    write_text(json, "kind", stated.kind);
    json.key("message").integer(call.message);
    write_text(json, "id", call.id);
    if (!call.arguments.empty()) {
      json.key("arguments");
      write_arguments(json, call, parser_);
    }
    if (call.answered) json.key("result").string(call.result);
    json.end_object();
  }

  static void write_offered(json::JsonText& json, const ToolInventory& tools) {
    if (tools.agent.empty() && tools.user.empty()) return;
    json.key("tools").begin_object();
    const auto list = [&json](std::string_view key, const std::vector<ToolDefinition>& all) {
      json.key(key).begin_array();
      for (const ToolDefinition& tool : all) {
        if (tool.parameters.empty()) {
          json.string(tool.name);
        } else {
          json.begin_object().key("name").string(tool.name);
          json.key("parameters").raw(tool.parameters).end_object();
        }
      }
      json.end_array();
    };
    list("agent", tools.agent);
    list("user", tools.user);
    json.key("complete").boolean(tools.complete).end_object();
  }

  void write_tasks(json::JsonText& json) {
    const std::vector<TaskDefinition>& tasks = survey_.header().tasks;
    if (tasks.empty()) return;
    json.key("tasks").begin_array();
    for (const TaskDefinition& task : tasks) {
      if (task.content_hash.empty()) {
        json.string(task.id);
      } else {
        json.begin_object().key("id").string(task.id);
        json.key("key").string(task.content_hash).end_object();
      }
    }
    json.end_array();
  }

  void note_losses(const Episode& episode) {
    ++losses_[options_.texts
                  ? "texts of messages are left out; a table has calls alone"
                  : "texts of messages, arguments and results are left out (--texts keeps "
                    "arguments and results); failed calls keep their channel and kind"];
    if (episode.history_messages > 0) {
      ++losses_["calls of the task's own message history are left out; nothing counts them"];
    }
    if (!episode.decisions.empty()) ++losses_["log-probabilities of tool names are left out"];
    if (episode.tools != nullptr) ++losses_["tools offered in single episodes are left out"];
    if (episode.reward_was_nan) ++losses_["a reward that is no number is written as null"];
  }

  void flush() {
    text_ += '\n';
    sink_(text_);
    text_.clear();
  }

  const LogSurvey& survey_;
  WriteOptions options_;
  TextSink sink_;
  json::Parser parser_;
  std::string text_;
  Losses losses_;
};

}  // namespace

std::unique_ptr<LogWriter> table_writer(const LogSurvey& survey, const WriteOptions& options,
                                        TextSink sink) {
  return std::make_unique<TableWriter>(survey, options, std::move(sink));
}

}  // namespace unmask
