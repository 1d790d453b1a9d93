#include "unmask/budget/attribution.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/budget/stop_profile.h"
#include "unmask/budget/success_curve.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

std::map<Channel, std::uint64_t> count_agent_errors(const ArmFacts& arm) {
  std::map<Channel, std::uint64_t> errors;
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    for (const CallFacts& call : episode.calls) {
      if (call.failed && call.party == Party::agent) ++errors[call.channel];
    }
  }
  return errors;
}

}  // namespace

std::vector<ChannelAttribution> attribute_channels(const ArmFacts& arm,
                                                   const CurveOptions& options) {
  const std::map<Channel, std::uint64_t> errors = count_agent_errors(arm);
  std::vector<ChannelAttribution> attributions;
  for (const Channel channel : kModelChannels) {
    const auto found = errors.find(channel);
    if (found == errors.end()) continue;
    CurveOptions without = options;
    without.ignored = ErrorSelector{.channel = channel};
    attributions.push_back(
        {.without = channel, .errors = found->second, .curve = success_curve(arm, without)});
  }
  return attributions;
}

std::optional<Band> points_lost(const SuccessCurve& curve, const SuccessCurve& without,
                                int budget) {
  UNMASK_CHECK(curve.tasks.size() == without.tasks.size());
  const std::optional<Band> with_channel = score(curve, budget);
  const std::optional<Band> without_channel = score(without, budget);
  if (!with_channel || !without_channel) return std::nullopt;
  // An episode that is unknown with the channel is unknown without it, too; so the ends pair up.
  return Band{.low = without_channel->low - with_channel->low,
              .high = without_channel->high - with_channel->high};
}

}  // namespace unmask
