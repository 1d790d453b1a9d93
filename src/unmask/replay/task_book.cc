#include "unmask/replay/task_book.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {
namespace {

using world::Value;

/// The checks of a record; null: it has no such list.
const world::List* checks_of(const Value& record, std::string_view key) {
  const Value* list = record.find(key);
  return list == nullptr ? nullptr : list->list();
}

bool is_check_of(const Value& check, const world::GoldenAction& action) {
  const Value* recorded = check.find("action");
  if (recorded == nullptr) return false;
  const Value* name = recorded->find("name");
  const Value* arguments = recorded->find("arguments");
  return name != nullptr && arguments != nullptr && world::python_equal(*name, action.name) &&
         world::python_equal(*arguments, action.arguments);
}

bool has_actions_of(const world::List* checks, const world::EvaluationCriteria& criteria) {
  if (!criteria.actions) return checks == nullptr || checks->empty();
  if (checks == nullptr) return criteria.actions->empty();
  return std::ranges::equal(*checks, *criteria.actions, is_check_of);
}

bool has_information_of(const world::List* checks, const world::EvaluationCriteria& criteria) {
  const auto& wanted = criteria.communicate_info;
  if (!wanted) return checks == nullptr || checks->empty();
  if (checks == nullptr) return wanted->empty();
  return std::ranges::equal(*checks, *wanted, [](const Value& check, const std::string& info) {
    const Value* recorded = check.find("info");
    return recorded != nullptr && world::python_equal(*recorded, info);
  });
}

Result<world::Task> task_of(const TaskDefinition& definition, const std::string& file) {
  const std::string place = file + ": task " + definition.id;
  const Result<Value> value = world::parse_json(definition.text);
  if (!value) return fail(value.error().code, place + ": " + value.error().message);
  return world::read_task(*value, place);
}

}  // namespace

bool is_record_of(const Value& record, const world::Task& task) {
  const Value* databases = record.find("db_check");
  // Without an evaluation nothing is listed.
  if (databases == nullptr || databases->is_null() || !task.evaluation_criteria) return true;
  // Episodes that were cut off, and older versions, list no actions at all.
  if (record.find("action_checks") == nullptr) return true;
  return has_actions_of(checks_of(record, "action_checks"), *task.evaluation_criteria) &&
         has_information_of(checks_of(record, "communicate_checks"), *task.evaluation_criteria);
}

TaskBook::TaskBook(const LogHeader& header, const world::World& world, Diagnostics& diagnostics)
    : world_(world) {
  for (const TaskDefinition& definition : header.tasks) {
    if (definition.text.empty()) continue;
    Result<world::Task> task = task_of(definition, header.file);
    if (!task) {
      diagnostics.add({.code = "task_unreadable",
                       .severity = Severity::data_loss,
                       .file = header.file,
                       .episode = "task " + definition.id,
                       .sentence = "the log's task is not usable (" + task.error().message +
                                   "); that of the data is taken",
                       .offset = {}});
      continue;
    }
    own_.push_back(std::make_unique<world::Task>(std::move(*task)));
    by_id_[own_.back()->id] = own_.back().get();
  }
}

const world::Task* TaskBook::find_id(std::string_view id) const {
  const auto own = by_id_.find(id);
  return own != by_id_.end() ? own->second : world_.find_task(id);
}

TaskBook::Found TaskBook::find(const Episode& episode) const {
  Found found;
  found.task = episode.task_id.empty() ? nullptr : find_id(episode.task_id);
  found.record = reward_record_of(episode);
  if (!found.record || (found.task != nullptr && is_record_of(*found.record, *found.task))) {
    return found;
  }
  if (const world::Task* task = find_record(*found.record)) {
    found.task = task;
    found.by_record = true;
  }
  return found;
}

const world::Task* TaskBook::find_record(const Value& record) const {
  const Value* checks = record.find("action_checks");
  if (checks == nullptr) return nullptr;
  const bool lists_nothing = checks->list() == nullptr || checks->list()->empty();
  const auto judged = [&](const world::Task& task) {
    if (!task.evaluation_criteria || !is_record_of(record, task)) return false;
    // A record without actions fits all tasks that want none; those that also begin alike and
    // assert nothing are judged alike.
    const auto& assertions = task.evaluation_criteria->env_assertions;
    return !lists_nothing || (!task.initial_state && (!assertions || assertions->empty()));
  };
  for (const std::unique_ptr<world::Task>& task : own_) {
    if (judged(*task)) return task.get();
  }
  if (lists_nothing) return nullptr;
  for (const world::Task& task : world_.tasks()) {
    if (judged(task)) return &task;
  }
  return nullptr;
}

std::optional<Value> reward_record_of(const Episode& episode) {
  if (episode.reward_record.empty()) return std::nullopt;
  Result<Value> record = world::parse_json(episode.reward_record);
  if (!record) return std::nullopt;
  return std::move(*record);
}

}  // namespace unmask::replay
