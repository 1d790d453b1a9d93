#pragma once

#include <cstdint>
#include <span>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Numerators and denominators of STATISTICS, "Recovery", for one party. They add up over episodes.
struct RecoveryCounts {
  std::int64_t next_recovered = 0;       ///< of these, the next call succeeded
  std::int64_t next_followed = 0;        ///< failed calls followed by another call of the party
  std::int64_t runs_recovered = 0;       ///< of these, ended by a successful call
  std::int64_t runs = 0;                 ///< maximal runs of failed calls
  std::int64_t episodes_solved = 0;      ///< of these, the episode succeeded
  std::int64_t episodes_with_error = 0;  ///< episodes with a failed call of the party
  std::int64_t repeats = 0;       ///< of these, the name had been refused before in the episode
  std::int64_t hallucinated = 0;  ///< failed calls of channel tool_name

  RecoveryCounts& operator+=(const RecoveryCounts& other);
  bool operator==(const RecoveryCounts&) const = default;
};

/// Counts of one episode, over the calls of `party` in order. Source: STATISTICS, "Recovery".
[[nodiscard]] RecoveryCounts recovery_of(const EpisodeFacts& episode, Party party);

/// Sum over the episodes that are not excluded.
[[nodiscard]] RecoveryCounts recovery_of(std::span<const EpisodeFacts> episodes, Party party);

}  // namespace unmask
