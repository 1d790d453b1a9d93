#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// Observed episodes by the highest count that their recorded calls reach.
struct LivesUsed {
  std::vector<std::uint32_t> solved;  ///< [count]: successful episodes; same size as `failed`
  std::vector<std::uint32_t> failed;  ///< [count]: the others
  /// [position]: counted failures by the place of their message among the episode's messages that
  /// call tools (0 = the first): where in an episode lives are lost.
  std::vector<std::uint32_t> failures_by_position;

  bool operator==(const LivesUsed&) const = default;
};

[[nodiscard]] LivesUsed lives_used(std::span<const EpisodeFacts> episodes,
                                   const BudgetSemantics& semantics = {});

}  // namespace unmask
