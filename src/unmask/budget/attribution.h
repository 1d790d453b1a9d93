#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {

/// What an arm would score with its agent's errors of one channel not counted.
struct ChannelAttribution {
  Channel without = Channel::other;
  std::uint64_t errors = 0;  ///< failed calls that fit `without`, of observed episodes
  SuccessCurve curve;        ///< S without c (K)

  bool operator==(const ChannelAttribution&) const = default;
};

/// One entry for each model channel in which the arm's agent failed at least once, in the order of
/// kModelChannels. `options.ignored` is replaced. Of a kind or a roll-up success_curve tells the
/// same with another ErrorSelector.
/// Source: STATISTICS, "Which channel eats the budget".
[[nodiscard]] std::vector<ChannelAttribution> attribute_channels(const ArmFacts& arm,
                                                                 const CurveOptions& options = {});

/// Points lost to the channel at `budget`, as a fraction: S without c (K) - S(K), an upper bound of
/// what repairing it can win. `low` counts episodes that the budget stopped as failed without the
/// channel too, `high` as passed. Both curves must come from one arm and the same options; empty
/// without tasks.
[[nodiscard]] std::optional<Band> points_lost(const SuccessCurve& curve,
                                              const SuccessCurve& without, int budget);

}  // namespace unmask
