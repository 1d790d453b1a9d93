#include "unmask/convert/log_survey.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {

void LogSurvey::see(const Episode& episode) {
  if (known_.insert(episode.task_id).second) order_.push_back(episode.task_id);
  if (episode.history_messages == 0 || histories_.contains(episode.task_id)) return;
  Episode history;
  history.task_id = episode.task_id;
  history.history_messages = episode.history_messages;
  history.messages = episode.history_messages;
  const std::size_t messages =
      std::min<std::size_t>(episode.history_messages, episode.transcript.size());
  history.transcript.assign(episode.transcript.begin(),
                            episode.transcript.begin() + static_cast<std::ptrdiff_t>(messages));
  // Calls of the history stand in front of all others.
  for (const ToolCall& call : episode.calls) {
    if (!call.in_history) break;
    history.calls.push_back(call);
  }
  histories_.emplace(episode.task_id, std::move(history));
}

bool LogSurvey::has_tasks_without_episode() const {
  return std::ranges::any_of(
      header_.tasks, [this](const TaskDefinition& task) { return !known_.contains(task.id); });
}

std::vector<TaskDefinition> LogSurvey::tasks() const {
  std::vector<TaskDefinition> tasks = header_.tasks;
  std::set<std::string> defined;
  for (const TaskDefinition& task : tasks) defined.insert(task.id);
  for (const std::string& id : order_) {
    if (id.empty() || defined.contains(id)) continue;
    TaskDefinition task;
    task.id = id;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace unmask
