#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/log_file.h"

namespace unmask {

/// Reads ranges of a file's unpacked bytes. A plain file is read where the range stands. A packed
/// one is unpacked from its beginning, so ranges in ascending order share a single pass.
class RangeReader {
 public:
  explicit RangeReader(LogFile file) : file_(std::move(file)) {}

  /// The `length` bytes from `offset` on. Errors: bad_input if the file ends before, or is damaged
  /// there; outside (disk).
  Result<std::string> read(std::uint64_t offset, std::uint64_t length);

 private:
  Result<std::string> unpack_range(std::uint64_t offset, std::uint64_t length);

  LogFile file_;
  std::optional<LogFile::Pass> pass_;
  std::uint64_t position_ = 0;  ///< of `pass_`, in unpacked bytes
  std::vector<char> buffer_;    ///< of `pass_`
};

/// Takes one of the episodes asked for: `number` is its index among the refs. False stops.
using EpisodeTaker = std::function<bool(std::size_t number, Result<Episode> episode)>;

/// Reads episodes of a log again, with their transcripts. `header` is what `read_log` returned for
/// it, and the refs are those of its episodes (`file` counts LogHeader::files). They are delivered
/// by file and place, whatever their order, so that each file is gone through once. An episode
/// that can't be read (the file changed or is gone) is delivered as an error with file, place and
/// remedy, and the others go on. Trials that `read_log` numbered itself are absent.
void read_episodes(const LogHeader& header, std::span<const EpisodeRef> refs,
                   const EpisodeTaker& take);
/// One of them.
[[nodiscard]] Result<Episode> read_episode(const LogHeader& header, const EpisodeRef& ref);

}  // namespace unmask
