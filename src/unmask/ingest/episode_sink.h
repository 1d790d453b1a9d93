#pragma once

#include <cstddef>
#include <cstdint>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// Who takes a log's episodes as they are read, one at a time.
class EpisodeSink {
 public:
  virtual ~EpisodeSink() = default;
  /// Whether episodes shall come with their messages' texts (Episode::transcript). Asked once,
  /// before anything else.
  [[nodiscard]] virtual bool wants_transcripts() const;
  /// Whether the header's tasks shall come with their texts (TaskDefinition::text). Asked once,
  /// before anything else; by default as wants_transcripts.
  [[nodiscard]] virtual bool wants_task_texts() const;
  /// Whether files may be read, unpacked and cut by a thread of their own while the sink works.
  /// The sink is called from the reading call's thread only, and sees the same either way.
  [[nodiscard]] virtual bool wants_read_ahead() const;
  /// Called once, before the first episode, with what the log says ahead of its episodes: tasks,
  /// identity, policy, budget. Harness, digest and counts are final only in what `read_log`
  /// returns.
  virtual void header(const LogHeader& header) = 0;
  /// The next episode. False stops reading (the user interrupted, or has seen enough).
  virtual bool episode(Episode episode) = 0;
  /// The episode that came as number `number` (from 0) has the task and trial of a later one, which
  /// counts instead: drop it.
  virtual void superseded(std::size_t number) = 0;
  /// Bytes on disk read so far, of all. False stops reading.
  virtual bool progress(std::uint64_t done, std::uint64_t total);
};

}  // namespace unmask
