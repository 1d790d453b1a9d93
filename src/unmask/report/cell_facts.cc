#include "unmask/report/cell_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/episode/channel.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/consequence_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask::text {
namespace {

// "bf16 0, int4 3": a word on each arm; empty if no arm has any.
std::string by_arm(const CellFindings& cell, const TextStyle& style,
                   const std::function<std::string(const ArmFindings&)>& words_of) {
  std::string sentence;
  for (const ArmFindings& arm : cell.arms) {
    const std::string words = words_of(arm);
    if (words.empty()) continue;
    if (!sentence.empty()) sentence += ", ";
    sentence += shown_name(arm.arm, 16, style) + " " + words;
  }
  return sentence;
}

std::string not_equal_fact(const CellFindings& cell, const TextStyle& style) {
  std::string sentence;
  for (const ComparisonFindings& comparison : cell.comparisons) {
    if (comparison.not_equal.empty()) continue;
    std::vector<std::string> shown;
    shown.reserve(comparison.not_equal.size());
    for (const std::string& difference : comparison.not_equal)
      shown.push_back(safe(difference, !style.unicode));
    if (!sentence.empty()) sentence += "; ";
    sentence += shown_name(comparison.arm, 16, style) + ": " + joined(shown);
  }
  return sentence.empty() ? "nothing recorded besides the precision" : sentence;
}

std::string bounds_words(const ComparisonFindings& comparison) {
  if (!comparison.verdict_vanished_failed || !comparison.verdict_vanished_passed) return {};
  const bool holds = *comparison.verdict_vanished_failed == comparison.verdict &&
                     *comparison.verdict_vanished_passed == comparison.verdict;
  if (holds) return "the verdict holds with all of them failed or passed";
  return "counted failed it is " + std::string(title_of(*comparison.verdict_vanished_failed)) +
         ", counted passed " + std::string(title_of(*comparison.verdict_vanished_passed));
}

std::string vanished_fact(const CellFindings& cell, const TextStyle& style) {
  const bool any =
      std::ranges::any_of(cell.arms, [](const ArmFindings& arm) { return arm.vanished() > 0; });
  if (!any) return "none";
  std::string sentence = by_arm(cell, style, [](const ArmFindings& arm) {
    std::string words = std::to_string(arm.vanished());
    std::vector<std::string> why;
    if (arm.excluded_infrastructure > 0)
      why.push_back(std::to_string(arm.excluded_infrastructure) + " by infrastructure");
    if (arm.excluded_no_reward > 0)
      why.push_back(std::to_string(arm.excluded_no_reward) + " without a reward");
    if (arm.missing_trials > 0) why.push_back(std::to_string(arm.missing_trials) + " not recorded");
    if (!why.empty()) words += " (" + joined(why) + ")";
    if (arm.lost_tasks > 0)
      words += ", which leaves " + counted(arm.lost_tasks, "task") + " without any";
    return words;
  });
  for (const ComparisonFindings& comparison : cell.comparisons) {
    const std::string bounds = bounds_words(comparison);
    if (!bounds.empty()) sentence += "; " + shown_name(comparison.arm, 16, style) + ": " + bounds;
  }
  return sentence;
}

std::string stopped_fact(const CellFindings& cell, const TextStyle& style) {
  return by_arm(cell, style, [](const ArmFindings& arm) -> std::string {
    if (!arm.budget.enforced || arm.episodes == 0) return {};
    return percent(static_cast<double>(arm.stopped_by_budget) / arm.episodes) + " %";
  });
}

std::string contradiction_fact(const CellFindings& cell, const TextStyle& style) {
  return by_arm(cell, style, [](const ArmFindings& arm) -> std::string {
    if (arm.contradictions == 0) return {};
    std::string words =
        counted(arm.contradictions, "episode") + " solved with more errors than the budget allows";
    if (arm.contradictions > kContradictionWarningShare * arm.episodes)
      words += ": the counted errors are not those of the harness";
    return words;
  });
}

std::string user_fact(const CellFindings& cell, const TextStyle& style) {
  return by_arm(cell, style, [](const ArmFindings& arm) -> std::string {
    if (arm.user_calls == 0) return {};
    return percent(static_cast<double>(arm.user_failed) / static_cast<double>(arm.user_calls)) +
           " % of " + grouped(arm.user_calls);
  });
}

std::string left_out_fact(const CellFindings& cell, const TextStyle& style) {
  std::string sentence;
  for (const ComparisonFindings& comparison : cell.comparisons) {
    if (comparison.left_out_tasks == 0) continue;
    if (!sentence.empty()) sentence += "; ";
    sentence += shown_name(comparison.arm, 16, style) + ": " +
                counted(comparison.shared_tasks, "task") + " shared, " +
                std::to_string(comparison.left_out_tasks) + " left out";
  }
  return sentence;
}

// Channels whose noise matters: amplified ones, and the reference's largest.
bool noise_matters(const CellFindings& cell, const std::string& channel) {
  const ArmFindings* reference = reference_arm(cell);
  if (reference != nullptr) {
    const ChannelFindings* own = reference->channel(channel);
    bool largest = own != nullptr && own->errors > 0;
    for (const Channel other : kModelChannels) {
      const ChannelFindings* candidate = reference->channel(name_of(other));
      if (largest && candidate != nullptr) largest = candidate->errors <= own->errors;
    }
    if (largest) return true;
  }
  return std::ranges::any_of(cell.comparisons, [&](const ComparisonFindings& comparison) {
    const AmplificationFindings* found = comparison.channel(channel);
    return found != nullptr && found->amplified;
  });
}

std::string noise_fact(const CellFindings& cell, const TextStyle& style) {
  const NullFindings& null = cell.null;
  const std::string reference = shown_name(cell.reference, 16, style);
  const std::string what = null.from_null_arm ? "null arm " + shown_name(null.arm, 16, style)
                                              : "no null arm given; split halves of " + reference;
  if (!null.reason.empty()) return what + ": " + null.reason;
  std::vector<std::string> figures;
  if (null.gap.value)
    figures.push_back("gap " + points(*null.gap.value) + " points" + points_interval(null.gap));
  for (const AmplificationFindings& channel : null.amplification) {
    if (!channel.in_family || !channel.ratio.value || !noise_matters(cell, channel.channel))
      continue;
    figures.push_back(channel_words(channel.channel) + " " +
                      ratio_with_interval(channel.ratio, style));
  }
  return what + ": " + (figures.empty() ? "too few errors" : joined(figures));
}

void add(std::vector<Fact>& facts, std::string tag, std::string sentence) {
  if (!sentence.empty()) facts.push_back({std::move(tag), std::move(sentence)});
}

// The one with the most errors in both arms; null if there are none.
const AmplificationFindings* commonest_channel(const RepairFindings& repair) {
  const AmplificationFindings* most = nullptr;
  for (const AmplificationFindings& channel : repair.amplification) {
    const std::uint64_t errors = channel.errors_ref + channel.errors_arm;
    if (!channel.in_family || errors == 0) continue;
    if (most == nullptr || errors > most->errors_ref + most->errors_arm) most = &channel;
  }
  return most;
}

// "31 wrong calls held back in 12 episodes, ...: 30 hallucinated tool names ...; score ...".
std::string intercepted_words(const InterceptedFindings& found) {
  std::string words = counted(found.calls, "wrong call") + " in " +
                      counted(found.episodes_with, "episode") + ", which are no failed calls here";
  std::vector<std::string> parts;
  for (const Channel channel : kModelChannels) {
    const std::uint64_t count = found.by_channel[static_cast<std::size_t>(channel)];
    if (count > 0) parts.push_back(grouped(count) + " " + channel_words(name_of(channel)));
  }
  if (!parts.empty()) words += ": " + joined(parts);
  if (found.scores.empty() || found.calls == 0) return words;
  const auto score_at = [&](const InterceptedScore& at) -> std::string {
    if (!at.score.value || !at.score_counted.value) return {};
    return percent(*at.score.value) + " % at K=" + std::to_string(at.k) + ", with them counted " +
           percent(*at.score_counted.value) + " %";
  };
  words += "; score " + score_at(found.scores.back());
  if (found.scores.size() > 2) words += "; " + score_at(found.scores[1]);
  return words;
}

std::string more_or_fewer(double extra, int decimals, std::string_view what) {
  return fixed(std::abs(extra), decimals) + (extra < 0 ? " fewer " : " more ") + std::string(what);
}

}  // namespace

std::vector<Fact> cell_facts(const CellFindings& cell, const TextStyle& style) {
  std::vector<Fact> facts;
  add(facts, "not equal", not_equal_fact(cell, style));
  add(facts, "tasks", left_out_fact(cell, style));
  add(facts, "vanished", vanished_fact(cell, style));
  add(facts, "conflict", contradiction_fact(cell, style));
  const std::string stopped = stopped_fact(cell, style);
  if (!stopped.empty()) add(facts, "stopped", stopped + " of episodes by the budget");
  const std::string user = user_fact(cell, style);
  if (!user.empty()) add(facts, "user", "simulated user's failed calls: " + user);
  add(facts, "evidence", evidence_fact(cell, style));
  add(facts, "writes", writes_fact(cell, style));
  add(facts, "noise", noise_fact(cell, style));
  if (cell.screen && cell.screen->risk != screen::RiskClass::unknown) {
    add(facts, "risk",
        shown_name(cell.reference, 16, style) + " alone, before any other arm: " +
            std::string(name_of(cell.screen->risk)) + " (details: unmask screen)");
  }
  return facts;
}

std::vector<Fact> repair_facts(const RepairFindings& repair, const TextStyle& style) {
  std::vector<Fact> facts;
  std::string sentence = "against " + shown_name(repair.unrepaired, 16, style);
  if (!repair.mode.empty()) sentence += " (" + shown_name(repair.mode, 24, style) + ")";
  const std::optional<double> lost =
      repair.gap.empty() ? std::nullopt : repair.gap.back().gap.figure.value;
  if (lost) {
    const double won = -*lost;
    sentence += ": score " + std::string(won < 0 ? "loses " : "gains ") + points(std::abs(won)) +
                " points at K=" + std::to_string(repair.gap.back().k);
    if (repair.p_adjusted) sentence += " (" + p_value(repair.p_adjusted) + ")";
  }
  facts.push_back({"repair", std::move(sentence)});
  if (repair.recovered_share.value)
    add(facts, "", "wins back " + percent(*repair.recovered_share.value) + " % of the gap");
  if (repair.harm_bound)
    add(facts, "", "harm of more than " + points(*repair.harm_bound) + " points is excluded");
  if (const AmplificationFindings* channel = commonest_channel(repair)) {
    add(facts, "",
        channel_words(channel->channel) + " " + grouped(channel->errors_ref) + " and " +
            grouped(channel->errors_arm) +
            (channel->ratio.value
                 ? ", " + ratio_with_interval(channel->ratio, style) + " an episode"
                 : ""));
  }
  std::string cost;
  if (repair.extra_calls.value) cost = more_or_fewer(*repair.extra_calls.value, 1, "calls");
  if (repair.extra_tokens.value) {
    if (!cost.empty()) cost += " and ";
    cost += more_or_fewer(*repair.extra_tokens.value, 0, "tokens");
  }
  if (!cost.empty()) add(facts, "cost", cost + " an episode");
  if (repair.intercepted) add(facts, "held back", intercepted_words(*repair.intercepted));
  return facts;
}

}  // namespace unmask::text
