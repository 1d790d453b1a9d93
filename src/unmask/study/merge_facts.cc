#include "unmask/study/merge_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/task_table.h"
#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/episode/facts.h"

namespace unmask {

void merge_facts(ArmFacts& arm, const ArmFacts& more, bool append_trials, const std::string& file,
                 Diagnostics& diagnostics) {
  const std::vector<std::optional<std::uint32_t>> known = same_content(more.tasks, arm.tasks);
  std::vector<std::uint32_t> task_of(more.tasks.size());
  for (std::uint32_t i = 0; i < more.tasks.size(); ++i) {
    task_of[i] = known[i].value_or(static_cast<std::uint32_t>(arm.tasks.size()));
    if (!known[i]) arm.tasks.push_back(more.tasks[i]);
  }
  std::map<std::pair<std::uint32_t, int>, std::size_t> row_of;
  std::map<std::uint32_t, int> next_trial;
  for (std::size_t i = 0; i < arm.episodes.size(); ++i) {
    const EpisodeFacts& episode = arm.episodes[i];
    row_of[{episode.task, episode.trial}] = i;
    next_trial[episode.task] = std::max(next_trial[episode.task], episode.trial + 1);
  }
  std::uint32_t replaced = 0, appended = 0;
  for (EpisodeFacts episode : more.episodes) {
    episode.task = task_of[episode.task];
    for (CallFacts& call : episode.calls) {
      call.name = arm.names.intern(more.names.text(call.name));
      call.kind = arm.kinds.intern(more.kinds.text(call.kind));
    }
    const auto found = row_of.find({episode.task, episode.trial});
    if (found == row_of.end()) {
      arm.episodes.push_back(std::move(episode));
    } else if (append_trials) {
      episode.trial = next_trial[episode.task]++;
      arm.episodes.push_back(std::move(episode));
      ++appended;
    } else {
      arm.episodes[found->second] = std::move(episode);
      ++replaced;
    }
  }
  if (replaced > 0) {
    diagnostics.add(
        {.code = "duplicate_trial_across_files",
         .severity = Severity::data_loss,
         .file = file,
         .sentence =
             std::to_string(replaced) +
             " trials have the task and trial number of an earlier file of the same arm; the "
             "later ones count. If these are further trials, use --append-trials"});
  }
  if (appended > 0) {
    diagnostics.add(
        {.code = "trials_renumbered",
         .file = file,
         .sentence = std::to_string(appended) + " trials were appended under new trial numbers"});
  }
  const std::vector<BudgetRegime> regimes = {arm.budget, more.budget};
  arm.budget = combine_regimes(regimes);
  arm.missing_trials += more.missing_trials;
  std::set<std::string> basis(arm.reward_basis.begin(), arm.reward_basis.end());
  basis.insert(more.reward_basis.begin(), more.reward_basis.end());
  arm.reward_basis.assign(basis.begin(), basis.end());
  arm.inputs.insert(arm.inputs.end(), more.inputs.begin(), more.inputs.end());
}

}  // namespace unmask
