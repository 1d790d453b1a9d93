#include "unmask/inspect/trial_ledger.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/missing_trials.h"

namespace unmask {
namespace {

// Names the first of the missing trials.
void name_missing(TrialLedger& ledger, const MissingTrials& missing) {
  for (const LackingTask& task : missing.lacking) {
    int named = 0;
    for (int trial = missing.first_trial; named < task.lacking; ++trial) {
      if (ledger.first_missing.size() == TrialLedger::kNamedMissing) return;
      if (task.recorded.contains(trial)) continue;
      ledger.first_missing.push_back({.task_id = task.task_id, .trial = trial});
      ++named;
    }
  }
}

}  // namespace

TrialLedger trial_ledger(const LogHeader& header, const ArmFacts& arm,
                         const Diagnostics& diagnostics) {
  TrialLedger ledger;
  std::map<std::string_view, std::set<int>> recorded;
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
  const MissingTrials missing = missing_trials(header, arm);
  ledger.tasks = static_cast<std::uint32_t>(missing.tasks);
  ledger.promised = missing.promised;
  ledger.missing = missing.count;
  name_missing(ledger, missing);
  return ledger;
}

}  // namespace unmask
