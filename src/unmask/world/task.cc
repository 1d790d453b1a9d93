#include "unmask/world/task.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/fields.h"
#include "unmask/world/message.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

Value value_or_null(const Fields& fields, std::string_view key) {
  const Value* value = fields.find(key);
  return value == nullptr ? Value() : *value;
}

Party read_party(Fields& fields, std::string_view key, Party absent) {
  const std::optional<std::string> name = fields.optional_text(key);
  if (!name) return absent;
  const std::optional<Party> party = party_of_requestor(*name);
  if (!party) fields.fault(key, "`assistant` or `user` is due here");
  return party.value_or(absent);
}

FunctionCall read_function(Fields& fields) {
  FunctionCall call;
  if (fields.find("env_type") == nullptr) fields.fault("env_type", "a text is due here");
  call.party = read_party(fields, "env_type", Party::agent);
  call.name = fields.text("func_name");
  call.arguments = fields.object_or_empty("arguments");
  return call;
}

InitialState read_initial_state(const Value& value, const std::string& place, Fields& task) {
  Fields fields(value, place);
  InitialState state;
  if (const Value* data = fields.find("initialization_data")) {
    const Fields parts(*data, fields.place_of("initialization_data"));
    state.data =
        InitializationData{value_or_null(parts, "agent_data"), value_or_null(parts, "user_data")};
    fields.adopt(parts.error());
  }
  if (const List* actions = fields.optional_list("initialization_actions")) {
    for (std::size_t i = 0; i < actions->size(); ++i) {
      Fields entry((*actions)[i], fields.place_of("initialization_actions", i));
      InitialAction action;
      action.function = read_function(entry);
      action.is_assertion = entry.has("assert_value") || entry.has("message");
      action.expected = entry.boolean_or("assert_value", true);
      action.message = entry.optional_text("message");
      state.actions.push_back(std::move(action));
      fields.adopt(entry.error());
    }
  }
  if (const Value* history = fields.find("message_history")) {
    Result<std::vector<Message>> messages =
        read_messages(*history, fields.place_of("message_history"));
    if (messages) {
      state.message_history = std::move(*messages);
    } else {
      fields.adopt(messages.error());
    }
  }
  task.adopt(fields.error());
  return state;
}

GoldenAction read_action(const Value& value, const std::string& place, Fields& criteria) {
  Fields fields(value, place);
  GoldenAction action;
  action.id = fields.text("action_id");
  action.requestor = read_party(fields, "requestor", Party::agent);
  action.name = fields.text("name");
  action.arguments = fields.object_or_empty("arguments");
  action.info = fields.optional_text("info");
  action.compare_args = fields.optional_texts("compare_args");
  criteria.adopt(fields.error());
  return action;
}

Assertion read_assertion(const Value& value, const std::string& place, Fields& criteria) {
  Fields fields(value, place);
  Assertion assertion;
  assertion.function = read_function(fields);
  assertion.expected = fields.boolean_or("assert_value", true);
  assertion.message = fields.optional_text("message");
  criteria.adopt(fields.error());
  return assertion;
}

EvaluationCriteria read_criteria(const Value& value, const std::string& place, Fields& task) {
  Fields fields(value, place);
  EvaluationCriteria criteria;
  if (const List* actions = fields.optional_list("actions")) {
    criteria.actions.emplace();
    for (std::size_t i = 0; i < actions->size(); ++i) {
      criteria.actions->push_back(
          read_action((*actions)[i], fields.place_of("actions", i), fields));
    }
  }
  if (const List* assertions = fields.optional_list("env_assertions")) {
    criteria.env_assertions.emplace();
    for (std::size_t i = 0; i < assertions->size(); ++i) {
      criteria.env_assertions->push_back(
          read_assertion((*assertions)[i], fields.place_of("env_assertions", i), fields));
    }
  }
  criteria.communicate_info = fields.optional_texts("communicate_info");
  criteria.nl_assertions = fields.optional_texts("nl_assertions");
  if (const auto basis = fields.optional_texts("reward_basis")) {
    criteria.reward_basis.clear();
    for (std::size_t i = 0; i < basis->size(); ++i) {
      if (const std::optional<RewardPart> part = reward_part_of((*basis)[i])) {
        criteria.reward_basis.push_back(*part);
      } else {
        fields.fault_at(fields.place_of("reward_basis", i),
                        "`" + (*basis)[i] +
                            "` is no part of a reward (DB, ENV_ASSERTION, ACTION, "
                            "NL_ASSERTION, COMMUNICATE)");
      }
    }
  }
  task.adopt(fields.error());
  return criteria;
}

Result<Value> parse_file(std::string_view json, std::string_view file) {
  Result<Value> parsed = parse_json(json);
  if (!parsed) {
    return fail(parsed.error().code, std::string(file) + ": " + parsed.error().message);
  }
  return parsed;
}

}  // namespace

std::string_view name_of(RewardPart part) {
  switch (part) {
    case RewardPart::db:
      return "DB";
    case RewardPart::env_assertion:
      return "ENV_ASSERTION";
    case RewardPart::action:
      return "ACTION";
    case RewardPart::nl_assertion:
      return "NL_ASSERTION";
    case RewardPart::communicate:
      return "COMMUNICATE";
  }
  UNMASK_CHECK(false);
}

std::optional<RewardPart> reward_part_of(std::string_view name) {
  for (const RewardPart part : {RewardPart::db, RewardPart::env_assertion, RewardPart::action,
                                RewardPart::nl_assertion, RewardPart::communicate}) {
    if (name_of(part) == name) return part;
  }
  return std::nullopt;
}

Result<Task> read_task(const Value& value, const std::string& place) {
  Fields fields(value, place);
  Task task;
  task.id = fields.text("id");
  task.description = value_or_null(fields, "description");
  if (const Value* scenario = fields.find("user_scenario")) {
    Fields parts(*scenario, fields.place_of("user_scenario"));
    task.user_scenario.persona = parts.optional_text("persona");
    task.user_scenario.instructions = value_or_null(parts, "instructions");
    fields.adopt(parts.error());
  }
  task.ticket = fields.optional_text("ticket");
  if (const Value* state = fields.find("initial_state")) {
    task.initial_state = read_initial_state(*state, fields.place_of("initial_state"), fields);
  }
  if (const Value* criteria = fields.find("evaluation_criteria")) {
    task.evaluation_criteria =
        read_criteria(*criteria, fields.place_of("evaluation_criteria"), fields);
  }
  task.user_tools = fields.optional_texts("user_tools");
  task.own = value_or_null(fields, "unmask");
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  return task;
}

Result<std::vector<Task>> read_tasks(std::string_view json, std::string_view file) {
  const Result<Value> parsed = parse_file(json, file);
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  const List* list = parsed->list();
  if (list == nullptr) {
    return fail(ErrorCode::bad_input, std::string(file) + ": a list of tasks is due here");
  }
  std::vector<Task> tasks;
  tasks.reserve(list->size());
  std::set<std::string> ids;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string place = std::string(file) + ": [" + std::to_string(i) + "]";
    Result<Task> task = read_task((*list)[i], place);
    if (!task) return tl::unexpected<Error>(task.error());
    if (!ids.insert(task->id).second) {
      return fail(ErrorCode::bad_input, place + ": a second task with the id `" + task->id + "`");
    }
    tasks.push_back(std::move(*task));
  }
  return tasks;
}

Result<std::vector<Split>> read_splits(std::string_view json, std::string_view file) {
  const Result<Value> parsed = parse_file(json, file);
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  Fields fields(*parsed, std::string(file));
  std::vector<Split> splits;
  if (const Object* members = parsed->object()) {
    for (const Member& member : *members) splits.push_back({member.key, fields.texts(member.key)});
  }
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  return splits;
}

}  // namespace unmask::world
