#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Failed calls that are taken out of the count, for attribution ("S without c").
struct ErrorSelector {
  Channel channel = Channel::tool_name;
  std::optional<Party> party = Party::agent;  ///< empty = both parties'
  std::optional<Channel> also = {};           ///< a second channel, of a roll-up

  /// True for a failed call that fits.
  [[nodiscard]] bool matches(const CallFacts& call) const;

  bool operator==(const ErrorSelector&) const = default;
};

/// What an episode's recorded calls ask of a budget. Stopping is monotone: an episode that survives
/// K survives every larger budget, so one number says it for all K.
struct StopProfile {
  /// Highest count seen where the count is tested: cumulative, all counted failures; consecutive,
  /// the longest row that stands at a test.
  int peak = 0;
  /// Smallest K that the recorded calls survive: peak + 1 under reach, peak under exceed.
  int lives_needed = 1;

  /// True if the recorded calls would be cut short at budget `budget`.
  [[nodiscard]] bool stopped_at(int budget) const { return budget < lives_needed; }

  bool operator==(const StopProfile&) const = default;
};

/// Profile of the recorded calls of `episode`, in one pass. Consecutive calls with the same
/// CallFacts::message are one message's group; under `turn` the count is tested at the group's end.
/// Under CountedParty::agent the user's calls neither count nor end a row. Calls that `ignored`
/// selects are passed over: they neither count nor end a row.
/// Source: tau2-bench's orchestrator (`num_errors >= max_errors`, skipped while the environment is
/// next); STATISTICS, "Score".
[[nodiscard]] StopProfile stop_after(const EpisodeFacts& episode, const BudgetSemantics& semantics,
                                     const std::optional<ErrorSelector>& ignored = {});

/// Where a budget cuts an episode.
struct StopPoint {
  std::size_t calls = 0;      ///< recorded calls that still run, the last one included
  int counted = 0;            ///< the count at the test; may lie over K when a message overshoots
  std::uint32_t message = 0;  ///< the calling message of the last call that runs

  bool operator==(const StopPoint&) const = default;
};

/// The first test at which `budget` (>= 1) ends the episode; empty if its recorded calls survive.
[[nodiscard]] std::optional<StopPoint> stop_point(const EpisodeFacts& episode,
                                                  const BudgetSemantics& semantics, int budget);

}  // namespace unmask
