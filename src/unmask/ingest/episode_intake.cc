#include "unmask/ingest/episode_intake.h"

#include <utility>

namespace unmask {

std::string episode_label(const Episode& episode) {
  std::string label = episode.task_id.empty() ? "no task id" : "task " + episode.task_id;
  if (episode.trial) label += ", trial " + std::to_string(*episode.trial);
  if (episode.task_id.empty() && !episode.id.empty()) label += " (simulation " + episode.id + ")";
  return label;
}

int EpisodeIntake::Task::free_trial() {
  while (trials.contains(free_from)) ++free_from;
  return free_from;
}

bool EpisodeIntake::take(Episode episode) {
  if (episode.task_id.empty()) {
    remarks_.about(episode_label(episode), episode.ref.offset)
        .loss("missing_task_id",
              "no task_id is stored; episodes without one are pooled as a single task and can't be "
              "paired with another arm's");
  }
  Task& task = tasks_[episode.task_id];
  const bool numbered_here = !episode.trial.has_value();
  if (numbered_here) {
    episode.trial = task.free_trial();
    remarks_.about(episode_label(episode), episode.ref.offset)
        .info("missing_trial", "no trial is stored; trials of a task are numbered in file order");
  } else if (const auto earlier = task.trials.find(*episode.trial); earlier != task.trials.end()) {
    if (earlier->second.numbered_here) {
      // Two episodes, one of which only we gave this number: both stay.
      const int moved = task.free_trial();
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
  task.trials[*episode.trial] = {taken_, numbered_here};
  ++taken_;
  return sink_.episode(std::move(episode));
}

}  // namespace unmask
