#include "unmask/world/generate/task_draft.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/json/json_text.h"

namespace unmask::world::generated {
namespace {

using json::JsonText;

std::string_view requestor(Party party) { return party == Party::agent ? "assistant" : "user"; }

std::string_view name_of(RewardPart part) {
  switch (part) {
    case RewardPart::database:
      return "DB";
    case RewardPart::assertions:
      return "ENV_ASSERTION";
    case RewardPart::actions:
      return "ACTION";
    case RewardPart::communication:
      return "COMMUNICATE";
  }
  return {};
}

void write_text(JsonText& out, const std::optional<std::string>& text) {
  if (text) {
    out.string(*text);
  } else {
    out.null();
  }
}

struct WriteValue {
  JsonText& out;
  void operator()(bool value) const { out.boolean(value); }
  void operator()(std::int64_t value) const { out.integer(value); }
  void operator()(double value) const { out.real(value); }
  void operator()(const std::string& value) const { out.string(value); }
  void operator()(const std::vector<std::string>& values) const {
    out.begin_array();
    for (const std::string& value : values) out.string(value);
    out.end_array();
  }
};

void write_arguments(JsonText& out, const std::vector<DraftArgument>& arguments) {
  out.begin_object();
  for (const DraftArgument& argument : arguments) {
    out.key(argument.name);
    std::visit(WriteValue{out}, argument.value);
  }
  out.end_object();
}

void write_function(JsonText& out, const DraftCall& call) {
  out.key("env_type").string(requestor(call.party));
  out.key("func_name").string(call.name);
  out.key("arguments");
  write_arguments(out, call.arguments);
}

void write_scenario(JsonText& out, const TaskDraft& task, std::string_view domain) {
  out.key("user_scenario").begin_object();
  out.key("persona");
  write_text(out, task.persona);
  out.key("instructions").begin_object();
  out.key("domain").string(domain);
  out.key("reason_for_call").string(task.reason_for_call);
  out.key("known_info").string(task.known_info);
  out.key("unknown_info");
  write_text(out, task.unknown_info);
  out.key("task_instructions").string(task.task_instructions);
  out.end_object().end_object();
}

void write_initial_state(JsonText& out, const TaskDraft& task) {
  out.key("initial_state");
  if (task.initial.empty()) {
    out.null();
    return;
  }
  out.begin_object().key("initialization_data").null();
  out.key("initialization_actions").begin_array();
  for (const DraftCall& call : task.initial) {
    out.begin_object();
    write_function(out, call);
    out.end_object();
  }
  out.end_array().key("message_history").null().end_object();
}

void write_actions(JsonText& out, const TaskDraft& task) {
  out.key("actions").begin_array();
  for (std::size_t i = 0; i < task.actions.size(); ++i) {
    const DraftCall& action = task.actions[i];
    out.begin_object();
    out.key("action_id").string(action.name + "_" + std::to_string(i));
    out.key("requestor").string(requestor(action.party));
    out.key("name").string(action.name);
    out.key("arguments");
    write_arguments(out, action.arguments);
    out.key("info").null();
    out.key("compare_args");
    if (task.actions_by_name) {
      out.begin_array().end_array();
    } else {
      out.null();
    }
    out.end_object();
  }
  out.end_array();
}

void write_criteria(JsonText& out, const TaskDraft& task) {
  out.key("evaluation_criteria").begin_object();
  write_actions(out, task);
  out.key("env_assertions");
  if (task.assertions.empty()) {
    out.null();
  } else {
    out.begin_array();
    for (const DraftCall& assertion : task.assertions) {
      out.begin_object();
      write_function(out, assertion);
      out.key("assert_value").boolean(true).key("message").null().end_object();
    }
    out.end_array();
  }
  out.key("communicate_info");
  WriteValue{out}(task.communicate);
  out.key("nl_assertions").null();
  out.key("reward_basis").begin_array();
  for (const RewardPart part : task.reward) out.string(name_of(part));
  out.end_array().end_object();
}

void write_task(JsonText& out, const TaskDraft& task, std::string_view domain,
                std::string_view difficulty) {
  out.begin_object();
  out.key("id").string(task.id);
  out.key("description").begin_object();
  out.key("purpose").string(task.purpose);
  out.key("relevant_policies").null().key("notes").null().end_object();
  write_scenario(out, task, domain);
  if (task.ticket) out.key("ticket").string(*task.ticket);
  write_initial_state(out, task);
  write_criteria(out, task);
  out.key("unmask").begin_object();
  out.key("difficulty").string(difficulty);
  out.key("facts").raw("{" + task.facts + "}").end_object();
  out.end_object();
}

}  // namespace

std::string tasks_json(const std::vector<TaskDraft>& tasks, std::string_view domain,
                       std::string_view difficulty) {
  std::string text;
  JsonText out(text);
  out.begin_array();
  for (const TaskDraft& task : tasks) write_task(out, task, domain, difficulty);
  out.end_array();
  return text;
}

std::string arguments_json(const std::vector<DraftArgument>& arguments) {
  std::string text;
  JsonText out(text);
  write_arguments(out, arguments);
  return text;
}

std::string call_text(const DraftCall& call) {
  return std::string(requestor(call.party)) + " " + call.name + arguments_json(call.arguments);
}

}  // namespace unmask::world::generated
