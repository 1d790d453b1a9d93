#include "unmask/inspect/trial_ledger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

using TrialsByTask = std::map<std::string_view, std::set<int>>;

std::vector<std::string> task_ids(const LogHeader& header, const ArmFacts& arm) {
  std::vector<std::string> ids;
  if (header.tasks.empty()) {
    for (const TaskFacts& task : arm.tasks) ids.push_back(task.id);
    return ids;
  }
  for (const TaskDefinition& task : header.tasks) ids.push_back(task.id);
  return ids;
}

void find_missing(TrialLedger& ledger, const std::vector<std::string>& ids,
                  const TrialsByTask& recorded, int trials) {
  // Trials are numbered from 0, or from 1 where no task has a trial 0.
  int first = 1;
  for (const auto& [id, numbers] : recorded) first = std::min(first, *numbers.begin());
  for (const std::string& id : ids) {
    const auto found = recorded.find(id);
    const std::set<int> numbers = found == recorded.end() ? std::set<int>{} : found->second;
    const int lacking = trials - static_cast<int>(numbers.size());
    if (lacking <= 0) continue;
    ledger.missing += static_cast<std::uint64_t>(lacking);
    int named = 0;
    for (int trial = first; named < lacking; ++trial) {
      if (ledger.first_missing.size() == TrialLedger::kNamedMissing) break;
      if (numbers.contains(trial)) continue;
      ledger.first_missing.push_back({.task_id = id, .trial = trial});
      ++named;
    }
  }
}

// Episodes that do not name a task of the header are some of its trials; nobody can tell which.
void leave_out_strangers(TrialLedger& ledger, const std::vector<std::string>& ids,
                         const TrialsByTask& recorded) {
  const std::set<std::string_view> known(ids.begin(), ids.end());
  std::uint64_t strangers = 0;
  for (const auto& [id, numbers] : recorded) {
    if (!known.contains(id)) strangers += numbers.size();
  }
  if (strangers == 0) return;
  ledger.missing -= std::min(ledger.missing, strangers);
  ledger.first_missing.clear();
}

}  // namespace

TrialLedger trial_ledger(const LogHeader& header, const ArmFacts& arm,
                         const Diagnostics& diagnostics) {
  TrialLedger ledger;
  TrialsByTask recorded;
  std::uint32_t repeated = 0;
  for (const EpisodeFacts& episode : arm.episodes) {
    ++ledger.recorded;
    if (!recorded[arm.tasks.at(episode.task).id].insert(episode.trial).second) ++repeated;
    switch (episode.excluded) {
      case Exclusion::none:
        ++ledger.observed;
        break;
      case Exclusion::infrastructure:
        ++ledger.infrastructure;
        if (episode.messages == 0) ++ledger.infrastructure_empty;
        break;
      case Exclusion::no_reward:
        ++ledger.no_reward;
        break;
    }
  }
  ledger.duplicates =
      std::max(repeated, static_cast<std::uint32_t>(diagnostics.count(kDuplicateTrial)));
  const std::vector<std::string> ids = task_ids(header, arm);
  ledger.tasks = static_cast<std::uint32_t>(ids.size());
  if (header.num_trials && *header.num_trials > 0) {
    ledger.promised = std::uint64_t{ledger.tasks} * static_cast<std::uint64_t>(*header.num_trials);
    find_missing(ledger, ids, recorded, *header.num_trials);
    leave_out_strangers(ledger, ids, recorded);
  }
  return ledger;
}

}  // namespace unmask
