#include "unmask/audit/channel_attribution.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/task_table.h"
#include "unmask/budget/attribution.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/stats/figure.h"

namespace unmask {
namespace {

// Points lost at each budget, by channel and roll-up; channels without an error are not there.
using LostPoints = std::map<std::string, std::vector<std::optional<Band>>, std::less<>>;

LostPoints lost_by_channel(const ArmFacts& arm, int k_obs) {
  const CurveOptions options{.last_budget = k_obs};
  const SuccessCurve curve = success_curve(arm, options);
  LostPoints lost;
  const auto add = [&](std::string_view name, const SuccessCurve& without) {
    std::vector<std::optional<Band>>& points = lost[std::string(name)];
    for (int k = 1; k <= k_obs; ++k) points.push_back(points_lost(curve, without, k));
  };
  for (const ChannelAttribution& attribution : attribute_channels(arm, options)) {
    add(name_of(attribution.without), attribution.curve);
  }
  if (lost.contains(name_of(Channel::arguments)) || lost.contains(name_of(Channel::entity))) {
    CurveOptions without_both = options;
    without_both.ignored = ErrorSelector{.channel = Channel::arguments, .also = Channel::entity};
    add(kEntityArgument, success_curve(arm, without_both));
  }
  return lost;
}

// What is left of a difference of equal sums is nothing.
double without_noise(double value) {
  constexpr double kNoise = 1e-12;
  return std::abs(value) < kNoise ? 0.0 : value;
}

Figure lost_at(const LostPoints& lost, std::string_view channel, int k) {
  const auto found = lost.find(channel);
  if (found == lost.end()) return {0.0, 0.0, 0.0, {}};  // no error: nothing to win
  const std::optional<Band>& band = found->second[static_cast<std::size_t>(k - 1)];
  if (!band) return stats::missing("no episode");
  return {without_noise(band->low), without_noise(band->low), without_noise(band->high), {}};
}

}  // namespace

std::vector<Attribution> attribute(const ArmPair& pair) {
  const LostPoints ref = lost_by_channel(*pair.ref, pair.k_obs);
  const LostPoints arm = lost_by_channel(*pair.arm, pair.k_obs);
  std::vector<std::string> names;
  for (const Channel channel : kModelChannels) names.emplace_back(name_of(channel));
  names.emplace_back(kEntityArgument);
  std::vector<Attribution> all;
  for (const std::string& name : names) {
    if (!ref.contains(name) && !arm.contains(name)) continue;
    Attribution attribution{.channel = name, .points = {}};
    for (int k = 1; k <= pair.k_obs; ++k) {
      AttributionPoint point{
          .k = k, .ref = lost_at(ref, name, k), .arm = lost_at(arm, name, k), .difference = {}};
      if (point.ref.value && point.arm.value) {
        point.difference = {without_noise(*point.arm.value - *point.ref.value),
                            without_noise(*point.arm.low - *point.ref.high),
                            without_noise(*point.arm.high - *point.ref.low),
                            {}};
      } else {
        point.difference = stats::missing("no episode");
      }
      attribution.points.push_back(std::move(point));
    }
    all.push_back(std::move(attribution));
  }
  return all;
}

}  // namespace unmask
