#include "unmask/audit/sentences.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "unmask/audit/findings.h"
#include "unmask/stats/equivalence.h"

namespace unmask {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 64> buffer{};
  // Rounding to -0.0 would print a sign that means nothing.
  const double scale = std::pow(10.0, decimals);
  if (std::abs(value) * scale < 0.5) value = 0.0;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                    std::chars_format::fixed, decimals);
  return {buffer.data(), result.ptr};
}

// 1646 -> 1,646
std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string at_budget(int k) { return "K=" + std::to_string(k); }

const AmplificationFindings* loudest(const ComparisonFindings& findings) {
  const AmplificationFindings* best = nullptr;
  for (const AmplificationFindings& channel : findings.amplification) {
    if (!channel.in_family || !channel.amplified) continue;
    if (best == nullptr || channel.errors_arm > best->errors_arm) best = &channel;
  }
  return best;
}

std::string channel_clause(const AmplificationFindings& channel) {
  const std::string counts =
      " (" + grouped(channel.errors_ref) + " -> " + grouped(channel.errors_arm) + ")";
  if (!channel.plain_ratio) return channel.channel + " errors appear" + counts;
  std::string clause =
      channel.channel + " errors x" + ratio_text(*channel.plain_ratio) + " an episode" + counts;
  if (channel.longer_not_worse) clause += "; longer, not worse: not more of them a successful call";
  return clause;
}

std::string gap_clause(const ComparisonFindings& findings) {
  const GapPoint* whole = findings.gap_at(findings.k_obs);
  if (whole == nullptr || !whole->gap.figure.value) return "no score to compare";
  return "gap " + points_text(*whole->gap.figure.value) + " points at " + at_budget(findings.k_obs);
}

std::string tight_clause(const ComparisonFindings& findings) {
  if (findings.widening.empty() || !findings.widening.front().widening.figure.value) return {};
  const WideningPoint& widening = findings.widening.front();
  const GapPoint* tight = findings.gap_at(widening.k);
  return "gap " + points_text(tight->gap.figure.value.value_or(0.0)) + " points at " +
         at_budget(widening.k) + ", " + points_text(*widening.widening.figure.value) + " wider";
}

std::string score_clause(const ComparisonFindings& findings) {
  switch (findings.suffix) {
    case ScoreSuffix::equivalent:
      return "score flat at " + at_budget(findings.k_obs);
    case ScoreSuffix::better:
      return "score better at " + at_budget(findings.k_obs);
    case ScoreSuffix::not_decided:
    case ScoreSuffix::none:
      return gap_clause(findings);
  }
  return {};
}

bool below(const std::optional<double>& p, double alpha) { return p && *p < alpha; }

// Where few tasks differ: as many as the count of them needs, or as make t-tests possible, if those
// then show it (n (SE t / distance)^2).
std::optional<double> counted_tasks_needed(const EquivalencePoint& point, std::uint32_t shared,
                                           std::optional<double> half, double distance) {
  std::optional<double> tasks;
  if (point.tasks_needed) tasks = static_cast<double>(*point.tasks_needed);
  if (point.differing == 0 || !half || *half <= 0.0 || distance <= 0.0) return tasks;
  const double enough = std::ceil(static_cast<double>(stats::kEquivalenceTasks) * shared /
                                  static_cast<double>(point.differing));
  const double shown = std::ceil(shared * (*half / distance) * (*half / distance));
  return std::min(tasks.value_or(std::numeric_limits<double>::infinity()), std::max(enough, shown));
}

}  // namespace

std::string ratio_text(double ratio) {
  return fixed(ratio, ratio < 1.995 ? 2 : ratio < 99.5 ? 1 : 0);
}

std::string points_text(double fraction) { return fixed(100.0 * fraction, 1); }

std::string verdict_sentence(const ComparisonFindings& findings) {
  const AmplificationFindings* channel = loudest(findings);
  const std::string tight = tight_clause(findings);
  switch (findings.verdict) {
    case Verdict::visible_damage:
      return "the score drops: " + gap_clause(findings) +
             (channel == nullptr ? "" : "; " + channel_clause(*channel));
    case Verdict::masked_damage:
      return score_clause(findings) + "; but " + tight + "; " +
             (channel == nullptr ? "" : channel_clause(*channel));
    case Verdict::amplified:
      return score_clause(findings) + "; " + (channel == nullptr ? "" : channel_clause(*channel)) +
             (tight.empty() ? "" : "; no widening shown: " + tight);
    case Verdict::budget_sensitive:
      return "the gap widens as the budget shrinks: " + tight + "; no channel amplified";
    case Verdict::improved:
      return "the score rises: " + gap_clause(findings);
    case Verdict::clean: {
      std::string sentence =
          "equivalent at " + at_budget(findings.k_obs) +
          (findings.widening.empty() ? "" : " and " + at_budget(findings.widening.front().k)) +
          ", every channel quiet";
      if (findings.largest_ratio_not_excluded) {
        sentence += "; no ratio beyond x" + ratio_text(*findings.largest_ratio_not_excluded);
      }
      if (findings.largest_difference_not_excluded) {
        sentence += "; rare channels at most " +
                    fixed(100.0 * *findings.largest_difference_not_excluded, 2) +
                    " more in 100 calls";
      }
      if (findings.largest_gap_not_excluded) {
        sentence += ", no gap beyond " + points_text(*findings.largest_gap_not_excluded) +
                    " points at any K";
      }
      return sentence;
    }
    case Verdict::inconclusive:
      return "no damage shown, none excluded: " + gap_clause(findings) +
             (findings.open.empty() ? "" : "; " + findings.open.front().sentence);
  }
  return {};
}

std::vector<std::string> verdict_reasons(const ComparisonFindings& findings,
                                         const AuditSettings& settings) {
  std::vector<std::string> reasons;
  const GapPoint* whole = findings.gap_at(findings.k_obs);
  if (whole != nullptr && whole->gap.figure.value) {
    const bool significant = below(whole->gap.p_adjusted, settings.alpha);
    reasons.push_back(gap_clause(findings) + (significant ? ", significant" : ", not significant") +
                      " after correction");
  }
  for (const EquivalencePoint& point : findings.equivalence) {
    reasons.push_back(std::string(point.equivalent ? "equivalent" : "not shown equivalent") +
                      " within " + points_text(settings.margin) + " points at " +
                      at_budget(point.k));
  }
  if (!findings.widening.empty()) {
    const bool significant = below(findings.widening.front().widening.p_adjusted, settings.alpha);
    reasons.push_back(tight_clause(findings) +
                      (significant ? ", significant" : ", not significant") + " after correction");
  } else {
    reasons.push_back(
        "the budget of " + std::to_string(findings.k_obs) +
        " is too small for conditions on K=" + std::to_string(settings.budgets.front()));
  }
  for (const AmplificationFindings& channel : findings.amplification) {
    if (channel.in_family && channel.amplified) reasons.push_back(channel_clause(channel));
  }
  return reasons;
}

std::vector<OpenCondition> open_conditions(const ComparisonFindings& findings,
                                           const ScoreEvidence& score,
                                           const AuditSettings& settings) {
  std::vector<OpenCondition> open;
  const auto half_width = [](const Figure& figure) -> std::optional<double> {
    if (!figure.low || !figure.high) return std::nullopt;
    return (*figure.high - *figure.low) / 2.0;
  };
  // n (SE t / distance)^2 with SE t taken from the interval's half width. No answer where that is
  // not more than there are: then something else than their number is missing.
  const auto needed = [&](std::optional<double> half, double distance) -> std::optional<double> {
    if (!half || distance <= 0.0 || findings.shared_tasks < 2) return std::nullopt;
    const double tasks = std::ceil(findings.shared_tasks * (*half / distance) * (*half / distance));
    return tasks > findings.shared_tasks ? std::optional(tasks) : std::nullopt;
  };
  if (findings.shared_tasks == 0)
    return {{.sentence = "the arms share no task", .tasks_needed = {}}};
  for (const EquivalencePoint& point : findings.equivalence) {
    const bool counts =
        point.k == findings.k_obs || (score.has_widening && point.k == settings.budgets.front());
    if (!counts || point.equivalent) continue;
    const Figure& gap = findings.gap_at(point.k)->gap.figure;
    const std::optional<double> half = half_width(gap);
    const double distance = settings.margin - std::abs(gap.value.value_or(0.0));
    if (!point.counted) {
      open.push_back({.sentence = "not shown equivalent at " + at_budget(point.k),
                      .tasks_needed = needed(half, distance)});
      continue;
    }
    open.push_back(
        {.sentence = "not shown equivalent at " + at_budget(point.k) + ": " +
                     (point.differing == 0 ? std::string("no task differs")
                      : point.differing == 1
                          ? std::string("only 1 task differs")
                          : "only " + std::to_string(point.differing) + " tasks differ") +
                     ", so each counts as a whole task",
         .tasks_needed = counted_tasks_needed(point, findings.shared_tasks, half, distance)});
  }
  for (const AmplificationFindings& channel : findings.amplification) {
    if (!channel.in_family) continue;
    const bool rising = channel.rising;
    if (channel.quiet && !rising) continue;
    OpenCondition condition{
        .sentence = channel.channel + (rising ? " errors may rise" : " errors not shown quiet"),
        .tasks_needed = {}};
    if (channel.ratio.value && channel.ratio.low && channel.ratio.high) {
      const double half = (std::log(*channel.ratio.high) - std::log(*channel.ratio.low)) / 2.0;
      condition.sentence += " (x" + ratio_text(*channel.ratio.value) + ")";
      condition.tasks_needed = needed(
          half, std::abs(std::log(settings.amplified_ratio) - std::log(*channel.ratio.value)));
    }
    open.push_back(std::move(condition));
  }
  if (score.has_widening && score.widening > 0.0 && below(score.widening_p, settings.alpha)) {
    const Figure& widening = findings.widening.front().widening.figure;
    open.push_back({.sentence = "the gap may widen at " + at_budget(settings.budgets.front()),
                    .tasks_needed = needed(half_width(widening), score.widening)});
  }
  return open;
}

}  // namespace unmask
