#include "unmask/screen/risk.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/settings.h"

namespace unmask::screen {
namespace {

constexpr double kPoints = 100.0;

std::string fixed(double value, int decimals) {
  std::array<char, 64> buffer{};
  const double scale = std::pow(10.0, decimals);
  if (std::abs(value) * scale < 0.5) value = 0.0;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

// Without zeros that say nothing: 2, 2.5.
std::string short_number(double value) {
  std::array<char, 64> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::general, 4);
  return {buffer.data(), result.ptr};
}

std::string percent(double fraction) { return fixed(kPoints * fraction, fraction < 0.01 ? 2 : 1); }

bool in_family(const Propensity& propensity) { return propensity.channel != kEntityArgument; }

// Channels that are not near zero, the largest first.
std::vector<const Propensity*> prone(const ArmScreen& screen) {
  std::vector<const Propensity*> channels;
  for (const Propensity& propensity : screen.propensity) {
    if (in_family(propensity) && !propensity.near_zero) channels.push_back(&propensity);
  }
  std::ranges::stable_sort(channels, [](const Propensity* a, const Propensity* b) {
    return a->per_call.value.value_or(0.0) > b->per_call.value.value_or(0.0);
  });
  return channels;
}

std::string propensity_sentence(const Propensity& propensity) {
  return propensity.channel + " errors are " + percent(propensity.per_call.value.value_or(0.0)) +
         " % of calls [" + percent(propensity.per_call.low.value_or(0.0)) + ", " +
         percent(propensity.per_call.high.value_or(1.0)) + "]: not near zero";
}

// Channels that are rare, but not shown to be: in one sentence.
std::string not_shown_sentence(const std::vector<const Propensity*>& channels,
                               const ScreenSettings& settings) {
  std::vector<std::string> parts;
  for (const Propensity* channel : channels) {
    parts.push_back(channel->channel + " (" + std::to_string(channel->errors) +
                    (channel->errors == 1 ? " error" : " errors") + ", up to " +
                    percent(channel->upper.value_or(1.0)) + " % of calls not excluded)");
  }
  return "below " + short_number(kPoints * settings.near_zero_rate) +
         " % of calls is not shown for " + joined(parts, ", ");
}

// The upper end of what is lost; without an interval there is no spread to add.
double upper_end(const stats::Figure& lost) { return lost.high.value_or(lost.value.value_or(0.0)); }

std::string loss_sentence(const ArmScreen& screen, const WhatIf& agent,
                          const ScreenSettings& settings) {
  std::vector<std::string> parts;
  for (const LostPoint& point : agent.points) {
    std::string part = fixed(kPoints * point.lost.value.value_or(0.0), 1);
    if (point.lost.low && point.lost.high) {
      part += " [" + fixed(kPoints * *point.lost.low, 1) + ", " +
              fixed(kPoints * *point.lost.high, 1) + "]";
    }
    parts.push_back(part + " at K=" + std::to_string(point.k));
  }
  std::string sentence = "with x" + short_number(agent.factor) +
                         " the agent's errors the score would lose, in points, " +
                         joined(parts, ", ") + "; from " +
                         short_number(kPoints * settings.serious_loss) + " on a loss is serious";
  if (!screen.censored)
    sentence += " (K=" + std::to_string(screen.k_obs) + " stands for no budget)";
  return sentence;
}

void add_notes(ArmScreen& screen) {
  const SourceWhatIf* agent = screen.source("agent");
  if (agent != nullptr && agent->share < 1.0 && screen.runs.mean > 0.0) {
    screen.reasons.push_back(percent(1.0 - agent->share) +
                             " % of the counted errors of solved episodes are not the agent's; a "
                             "quantized agent need not multiply them");
  }
  if (std::ranges::any_of(screen.propensity, [](const Propensity& propensity) {
        return in_family(propensity) && !propensity.near_zero && propensity.few_clusters;
      })) {
    screen.reasons.emplace_back(
        "few tasks, or few of them with an error: true coverage of the intervals may be below "
        "90 %");
  }
}

}  // namespace

void judge(ArmScreen& screen, const ScreenSettings& settings) {
  screen.reasons.clear();
  screen.risk = RiskClass::unknown;
  for (const Propensity& propensity : screen.propensity) {
    if (propensity.per_call.value && propensity.upper) continue;
    screen.reasons.push_back("no propensity can be given: " + propensity.per_call.reason);
    return;
  }
  if (!screen.reason.empty()) {
    screen.reasons.push_back(screen.reason);
    return;
  }
  const std::vector<const Propensity*> channels = prone(screen);
  const WhatIf& agent = *std::ranges::find_if(
      screen.source("agent")->what_if,
      [&](const WhatIf& each) { return each.factor == settings.judged_factor; });
  const bool serious = std::ranges::any_of(agent.points, [&](const LostPoint& point) {
    return point.lost.value.value_or(0.0) >= settings.serious_loss;
  });
  const bool excluded = std::ranges::all_of(agent.points, [&](const LostPoint& point) {
    return upper_end(point.lost) < settings.serious_loss;
  });
  if (channels.empty()) {
    screen.reasons.push_back("every channel is near zero: 95 % bounds are below " +
                             short_number(kPoints * settings.near_zero_rate) + " % of calls");
  }
  std::vector<const Propensity*> not_shown;
  for (const Propensity* channel : channels) {
    if (channel->per_call.value.value_or(0.0) >= settings.near_zero_rate) {
      screen.reasons.push_back(propensity_sentence(*channel));
    } else {
      not_shown.push_back(channel);
    }
  }
  if (!not_shown.empty()) screen.reasons.push_back(not_shown_sentence(not_shown, settings));
  screen.reasons.push_back(loss_sentence(screen, agent, settings));
  if (!channels.empty() && serious) {
    screen.risk = RiskClass::high;
  } else if (channels.empty() && excluded) {
    screen.risk = RiskClass::low;
  } else {
    screen.risk = RiskClass::guarded;
  }
  add_notes(screen);
}

}  // namespace unmask::screen
