#include "unmask/episode/missing_trials.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

std::vector<std::string_view> task_ids(const LogHeader& header, const ArmFacts& arm) {
  std::vector<std::string_view> ids;
  if (header.tasks.empty()) {
    for (const TaskFacts& task : arm.tasks) ids.push_back(task.id);
    return ids;
  }
  for (const TaskDefinition& task : header.tasks) ids.push_back(task.id);
  return ids;
}

}  // namespace

MissingTrials missing_trials(const LogHeader& header, const ArmFacts& arm) {
  MissingTrials missing;
  const std::vector<std::string_view> ids = task_ids(header, arm);
  missing.tasks = ids.size();
  if (!header.tasks.empty()) {
    // Logs may define only the tasks that an episode came to; those that always crashed count too.
    const std::set<std::string_view> defined(ids.begin(), ids.end());
    std::set<std::string_view> others;
    for (const EpisodeFacts& episode : arm.episodes) {
      const std::string& id = arm.tasks.at(episode.task).id;
      if (!id.empty() && !defined.contains(id)) others.insert(id);
    }
    missing.tasks += others.size();
  }
  if (!header.num_trials || *header.num_trials <= 0) return missing;
  missing.promised = ids.size() * static_cast<std::uint64_t>(*header.num_trials);

  std::map<std::string_view, std::set<int>> recorded;
  for (const EpisodeFacts& episode : arm.episodes) {
    recorded[arm.tasks.at(episode.task).id].insert(episode.trial);
  }
  for (const auto& [id, numbers] : recorded) {
    missing.first_trial = std::min(missing.first_trial, *numbers.begin());
  }
  for (const std::string_view id : ids) {
    const auto found = recorded.find(id);
    const std::set<int> numbers = found == recorded.end() ? std::set<int>{} : found->second;
    const int lacking = *header.num_trials - static_cast<int>(numbers.size());
    if (lacking <= 0) continue;
    missing.count += static_cast<std::uint64_t>(lacking);
    missing.lacking.push_back(
        {.task_id = std::string(id), .recorded = numbers, .lacking = lacking});
  }

  const std::set<std::string_view> known(ids.begin(), ids.end());
  std::uint64_t strangers = 0;
  for (const auto& [id, numbers] : recorded) {
    if (!known.contains(id)) strangers += numbers.size();
  }
  if (strangers > 0) {
    missing.count -= std::min(missing.count, strangers);
    missing.lacking.clear();
  }
  return missing;
}

}  // namespace unmask
