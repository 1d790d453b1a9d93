#include "unmask/ingest/episode_intake.h"

#include <utility>

namespace unmask {

namespace {

/// Smallest trial number from `from` on that the task does not have.
template <typename Trials>
int free_trial(const Trials& trials, int from) {
  while (trials.contains(from)) ++from;
  return from;
}

}  // namespace

std::string episode_label(const Episode& episode) {
  std::string label = episode.task_id.empty() ? "no task id" : "task " + episode.task_id;
  if (episode.trial) label += ", trial " + std::to_string(*episode.trial);
  if (episode.task_id.empty() && !episode.id.empty()) label += " (simulation " + episode.id + ")";
  return label;
}

bool EpisodeIntake::take(Episode episode) {
  if (episode.task_id.empty()) {
    remarks_.about(episode_label(episode), episode.ref.offset)
        .loss("missing_task_id",
              "no task_id is stored; episodes without one are pooled as a single task and can't be "
              "paired with another arm's");
  }
  auto& trials = trials_[episode.task_id];
  const bool numbered_here = !episode.trial.has_value();
  if (numbered_here) {
    episode.trial = free_trial(trials, 0);
    remarks_.about(episode_label(episode), episode.ref.offset)
        .info("missing_trial", "no trial is stored; trials of a task are numbered in file order");
  } else if (const auto earlier = trials.find(*episode.trial); earlier != trials.end()) {
    if (earlier->second.numbered_here) {
      // Two episodes, one of which only we gave this number: both stay.
      const int moved = free_trial(trials, 0);
      remarks_.about(episode_label(episode), episode.ref.offset)
          .loss("missing_trial",
                "this trial's number had been given to an earlier episode without "
                "one; it is counted as trial " +
                    std::to_string(moved));
      episode.trial = moved;
    } else {
      remarks_.about(episode_label(episode), episode.ref.offset)
          .loss("duplicate_trial",
                "the file has this task and trial before; the last one counts (drop the other from "
                "the file if that is wrong)");
      sink_.superseded(earlier->second.number);
    }
  }
  trials[*episode.trial] = {taken_, numbered_here};
  ++taken_;
  return sink_.episode(std::move(episode));
}

}  // namespace unmask
