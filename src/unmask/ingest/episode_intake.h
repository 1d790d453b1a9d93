#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "unmask/episode/episode.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/remarks.h"

namespace unmask {

/// Between an importer and the sink: numbers trials that the log does not number, finds duplicates
/// of a task and trial (the last counts), and counts. One per log.
class EpisodeIntake {
 public:
  EpisodeIntake(EpisodeSink& sink, Remarks remarks) : sink_(sink), remarks_(std::move(remarks)) {}

  /// False: the sink wants no more.
  bool take(Episode episode);
  /// Episodes handed on, superseded ones included.
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  struct Trial {
    std::size_t number = 0;  ///< of its episode, in order of delivery
    bool numbered_here = false;
  };
  struct Task {
    std::map<int, Trial> trials;
    int free_from = 0;  ///< no smaller number is free: numbers are only ever taken
    /// Smallest trial number that the task does not have.
    int free_trial();
  };

  EpisodeSink& sink_;
  Remarks remarks_;
  std::map<std::string, Task> tasks_;
  std::size_t taken_ = 0;
};

/// `task 12, trial 3`, as diagnostics name an episode.
[[nodiscard]] std::string episode_label(const Episode& episode);

}  // namespace unmask
