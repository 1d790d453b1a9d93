#include "unmask/report/comparison_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/report/consequence_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/screen_report.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/failure_set.h"

namespace unmask::text {
namespace {

// Beyond it the number of tasks only says that the question can't be settled.
constexpr double kMostTasks = 10'000;

// What every fact of a comparison looks at.
struct View {
  const ArmFindings* ref = nullptr;
  const ArmFindings* arm = nullptr;
  const ComparisonFindings& comparison;
  const AuditSettings& settings;
  const TextStyle& style;
  std::string name;  // of the arm, safe to show

  [[nodiscard]] int first_budget() const {
    return settings.budgets.empty() ? 2 : settings.budgets.front();
  }
};

std::string in_parentheses(std::string_view text) {
  return text.empty() ? std::string() : " (" + std::string(text) + ")";
}

std::string at_budget(int k) { return "K=" + std::to_string(k); }

// The scores are each arm's own, the gap and its tests are of what both have.
std::string whose_tasks(const ComparisonFindings& comparison) {
  if (comparison.left_out_tasks == 0 || comparison.shared_tasks == 0) return {};
  return "; scores of each arm's own tasks, gap and tests of the " +
         grouped(comparison.shared_tasks) + " shared";
}

std::string score_fact(const View& view) {
  const ComparisonFindings& comparison = view.comparison;
  const int k = comparison.k_obs;
  const auto score_of = [&](const ArmFindings* arm) -> std::optional<double> {
    const ScorePoint* point = arm == nullptr ? nullptr : score_at(*arm, k);
    return point == nullptr ? std::nullopt : point->score.value;
  };
  const std::string scores = from_to_percent(score_of(view.ref), score_of(view.arm), view.style);
  const GapPoint* gap = comparison.gap_at(k);
  const EquivalencePoint* equivalence = comparison.equivalence_at(k);
  const std::string margin =
      std::string(glyphs(view.style).plus_minus) + points(view.settings.margin) + " points";

  const std::optional<double> p = gap == nullptr ? std::nullopt : deciding_p(gap->gap);
  const Figure difference = gap == nullptr ? Figure{} : gap->gap.figure;
  std::string sentence;
  if (p && *p < view.settings.alpha && difference.value) {
    const double value = *difference.value;
    sentence = (value > 0 ? "falls at " : "rises at ") + at_budget(k) + ": " + scores + ", by " +
               points(std::abs(value)) + " points";
    Figure shown = difference;
    if (value < 0 && difference.low && difference.high) {
      shown.low = -*difference.high;
      shown.high = -*difference.low;
    }
    sentence += points_interval(shown) + in_parentheses(p_value(p));
    if (equivalence != nullptr && equivalence->equivalent)
      sentence += ", yet equivalent within " + margin + in_parentheses(p_value(equivalence->p));
    return sentence + whose_tasks(comparison);
  }
  if (equivalence != nullptr && equivalence->equivalent)
    return "flat at " + at_budget(k) + ": " + scores + ", equivalent within " + margin +
           in_parentheses(p_value(equivalence->p)) + whose_tasks(comparison);
  sentence = "open at " + at_budget(k) + ": " + scores;
  if (difference.value) {
    sentence += ", gap " + points(*difference.value) + " points" + points_interval(difference) +
                in_parentheses(p_value(p));
  }
  sentence += ", not shown equivalent within " + margin;
  if (equivalence != nullptr) sentence += in_parentheses(p_value(equivalence->p));
  if (equivalence != nullptr && equivalence->non_inferior) sentence += ", but not worse by more";
  return sentence + whose_tasks(comparison);
}

// The gap where the budget shrinks, and both readings of "a budget of K".
std::string budget_fact(const View& view, int k) {
  const ComparisonFindings& comparison = view.comparison;
  const GapPoint* gap = comparison.gap_at(k);
  if (gap == nullptr || k >= comparison.k_obs) return {};
  if (!gap->gap.figure.value) return "no gap at " + at_budget(k) + ": " + gap->gap.figure.reason;
  std::string sentence = "if the " + ordinal(k) + " failed call ends it (" + at_budget(k) +
                         ") the gap is " + points(*gap->gap.figure.value) + " points" +
                         points_interval(gap->gap.figure);
  const WideningPoint* widening = comparison.widening_at(k);
  if (widening != nullptr && widening->widening.figure.value) {
    const double wider = *widening->widening.figure.value;
    const std::string amount = points(std::abs(wider));
    sentence += ", " +
                (amount == "0.0" ? "no wider" : amount + (wider < 0 ? " narrower" : " wider")) +
                " than at " + at_budget(comparison.k_obs) +
                in_parentheses(p_value(deciding_p(widening->widening)));
  }
  const GapPoint* allowed = comparison.gap_at(k + 1);
  if (allowed != nullptr && allowed->gap.figure.value) {
    sentence += "; if " + counted(static_cast<std::uint64_t>(k), "failed call") +
                (k == 1 ? " is" : " are") + " allowed (" + at_budget(k + 1) + ") it is " +
                points(*allowed->gap.figure.value);
  }
  return sentence;
}

// A gap that the headline budgets miss: clear of 0, and larger than all that they show.
std::string other_budget_fact(const View& view) {
  const ComparisonFindings& comparison = view.comparison;
  const auto headline = [&](int k) {
    return k == comparison.k_obs ||
           std::ranges::find(view.settings.budgets, k) != view.settings.budgets.end();
  };
  double shown = 0.0;
  double largest = 0.0;
  const GapPoint* where = nullptr;
  for (const GapPoint& point : comparison.gap) {
    const double gap = point.gap.figure.value.value_or(0.0);
    if (headline(point.k)) {
      shown = std::max(shown, gap);
    } else if (point.gap.figure.low.value_or(0.0) > 0.0 && gap > largest) {
      largest = gap;
      where = &point;
    }
  }
  if (where == nullptr || largest <= shown) return {};
  return "the largest gap is " + points(largest) + " points" + points_interval(where->gap.figure) +
         " at " + at_budget(where->k) + ", where nothing was tested; --budgets " +
         std::to_string(where->k) + " tests it";
}

std::optional<double> per_call(const ArmFindings* arm, std::string_view channel) {
  const ChannelFindings* findings = arm == nullptr ? nullptr : arm->channel(channel);
  return findings == nullptr ? std::nullopt : findings->per_call.value;
}

std::string amplification_fact(const View& view, const AmplificationFindings& channel) {
  const std::string counts = grouped(channel.errors_ref) + " " +
                             std::string(glyphs(view.style).arrow) + " " +
                             grouped(channel.errors_arm);
  std::string sentence = channel_words(channel.channel);
  if (channel.ratio.value) {
    sentence += " " + ratio_text(*channel.ratio.value, view.style) + " an episode";
    if (channel.ratio.low && channel.ratio.high) {
      const int decimals = ratio_decimals(*channel.ratio.value);
      sentence += " [" + fixed(*channel.ratio.low, decimals) + ", " +
                  fixed(*channel.ratio.high, decimals) + "]";
    }
    sentence += ": " + counts;
  } else {
    sentence += " " + counts;
    if (channel.difference.value) {
      sentence += ", " + points(*channel.difference.value) + " more in 100 calls" +
                  points_interval(channel.difference);
    }
    if (!channel.ratio.reason.empty()) sentence += " (no ratio: " + channel.ratio.reason + ")";
  }
  sentence += "; " +
              from_to_percent(per_call(view.ref, channel.channel),
                              per_call(view.arm, channel.channel), view.style) +
              " of calls";
  if (channel.per_call.value)
    sentence += " (" + ratio_text(*channel.per_call.value, view.style) + ")";
  if (channel.longer_not_worse) {
    sentence += "; longer, not worse";
    if (channel.per_successful_call.value)
      sentence +=
          ": " + ratio_text(*channel.per_successful_call.value, view.style) + " a successful call";
  }
  return sentence;
}

// A large study shows even a handful of new names, which are not what the arm's failures are.
std::string outcome_words(const FailureSetFindings& set, double novelty_margin) {
  switch (set.outcome) {
    case stats::FailureSetOutcome::invariant_failure_set:
      return "same failures, louder";
    case stats::FailureSetOutcome::new_failures:
      return set.excess.value.value_or(1.0) < novelty_margin
                 ? "mostly the same failures, louder, and a few new ones"
                 : "new failures";
    case stats::FailureSetOutcome::undecided:
      return "whether the failures are the same is undecided";
    case stats::FailureSetOutcome::too_few_errors:
      return "too few errors to compare";
  }
  return {};
}

std::string failure_set_fact(const FailureSetFindings& set, double novelty_margin) {
  std::string sentence = outcome_words(set, novelty_margin);
  std::vector<std::string> figures;
  if (set.spearman) {
    std::string rank = "rank correlation " + fixed(*set.spearman, 2);
    if (set.ceiling_median) rank += " (noise alone: " + fixed(*set.ceiling_median, 2) + ")";
    figures.push_back(std::move(rank));
  }
  if (set.novel_share) {
    std::string novel = percent(*set.novel_share) + " % novel";
    if (set.novel_expected) novel += " (" + percent(*set.novel_expected) + " % expected)";
    figures.push_back(std::move(novel));
  }
  if (set.shape) {
    figures.push_back("mix differs by " + fixed(*set.shape, 2) +
                      in_parentheses(p_value(set.shape_p)));
  }
  for (std::size_t i = 0; i < figures.size(); ++i) sentence += (i == 0 ? ": " : ", ") + figures[i];
  // The reason of too few errors says it in full.
  if (figures.empty() && !set.reason.empty()) sentence = set.reason;
  return channel_words(set.channel) + ": " + sentence;
}

std::string recovery_fact(const View& view) {
  if (view.ref == nullptr || view.arm == nullptr) return {};
  const RecoveryShare& ref = view.ref->recovery.next_call;
  const RecoveryShare& arm = view.arm->recovery.next_call;
  if (!ref.share.value && !arm.share.value) return {};
  return "the call after a failed one works in " +
         from_to_percent(ref.share.value, arm.share.value, view.style) + " of cases";
}

std::string repair_fact(const View& view, const Attribution& attribution) {
  const int k =
      view.first_budget() < view.comparison.k_obs ? view.first_budget() : view.comparison.k_obs;
  const auto point = std::ranges::find_if(
      attribution.points, [&](const AttributionPoint& entry) { return entry.k == k; });
  const GapPoint* gap = view.comparison.gap_at(k);
  if (point == attribution.points.end() || gap == nullptr) return {};
  const std::optional<double> lost = gap->gap.figure.value;
  const std::optional<double> difference = point->difference.value;
  if (!lost || *lost <= 0 || !difference) return {};
  const double most = point->difference.high.value_or(*difference);
  if (points(most) == points(0.0)) return {};
  const std::string won = most >= *lost ? "all " + points(*lost) + " points"
                                        : "at most " + points(std::max(most, 0.0)) + " of the " +
                                              points(*lost) + " points";
  return "without its " + channel_words(attribution.channel) + " " + view.name +
         " would win back " + won + " at " + at_budget(k);
}

std::string limits_fact(const View& view) {
  const ComparisonFindings& comparison = view.comparison;
  std::vector<std::string> limits;
  if (comparison.largest_ratio_not_excluded) {
    limits.push_back("nothing amplified beyond " +
                     ratio_text(*comparison.largest_ratio_not_excluded, view.style));
  }
  if (comparison.largest_difference_not_excluded) {
    limits.push_back("rare channels by at most " +
                     fixed(100.0 * *comparison.largest_difference_not_excluded, 2) +
                     " in 100 calls");
  }
  if (comparison.largest_gap_not_excluded)
    limits.push_back("no gap beyond " + points(*comparison.largest_gap_not_excluded) + " points");
  return joined(limits);
}

void add_open_facts(const View& view, std::vector<Fact>& facts) {
  bool first = true;
  for (const OpenCondition& open : view.comparison.open) {
    std::string sentence = shown_sentence(open.sentence, view.style);
    if (open.tasks_needed) {
      sentence += *open.tasks_needed > kMostTasks
                      ? " (over " + grouped(static_cast<std::uint64_t>(kMostTasks)) +
                            " tasks would be needed)"
                      : " (about " +
                            grouped(static_cast<std::uint64_t>(std::llround(*open.tasks_needed))) +
                            " tasks would settle it)";
    }
    facts.push_back({std::exchange(first, false) ? "open" : "", std::move(sentence)});
  }
}

// Keeps intervals, p-values and a number with its unit on one line.
std::string kept_together(std::string_view sentence) {
  std::string result;
  int brackets = 0;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const char c = sentence[i];
    if (c == '[') ++brackets;
    if (c == ']') --brackets;
    const std::string_view before = sentence.substr(0, i);
    const std::string_view after = sentence.substr(i + 1);
    const bool glued = brackets > 0 || before.ends_with("(p") || before.ends_with("(p <") ||
                       after.starts_with("% ") || after.starts_with("points");
    if (c == ' ' && glued) {
      result.append(kNoBreak);
    } else {
      result.push_back(c);
    }
  }
  return result;
}

void add(std::vector<Fact>& facts, std::string tag, std::string sentence) {
  if (!sentence.empty()) facts.push_back({std::move(tag), std::move(sentence)});
}

}  // namespace

std::string sensitivity_words(const ComparisonFindings& comparison) {
  if (comparison.sensitivity.empty()) return {};
  std::map<std::string, std::vector<std::string>> differing;  // by verdict
  std::vector<std::string> undecided;
  std::size_t same = 0;
  for (const SemanticsVerdict& entry : comparison.sensitivity) {
    if (!entry.decided) {
      undecided.push_back(name_of(entry.semantics));
    } else if (entry.lower == comparison.verdict) {
      ++same;
    } else {
      differing[std::string(title_of(entry.lower))].push_back(name_of(entry.semantics));
    }
  }
  const std::size_t all = comparison.sensitivity.size();
  if (same == all)
    return "the verdict is the same under all " + std::to_string(all) + " budget semantics";
  std::string sentence = "the verdict is the same under " + std::to_string(same) + " of " +
                         std::to_string(all) + " budget semantics";
  const auto some = [](const std::vector<std::string>& names) {
    constexpr std::size_t kNamed = 2;
    std::vector<std::string> shown(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamed)));
    if (names.size() > kNamed) shown.push_back(std::to_string(names.size() - kNamed) + " more");
    return joined(shown);
  };
  for (const auto& [verdict, names] : differing)
    sentence += "; " + verdict + " under " + some(names);
  if (!undecided.empty()) sentence += "; undecided under " + some(undecided);
  return sentence;
}

std::vector<Fact> comparison_facts(const CellFindings& cell, const ComparisonFindings& comparison,
                                   const AuditSettings& settings, const TextStyle& style) {
  const View view{.ref = reference_arm(cell),
                  .arm = find_arm(cell, comparison.arm),
                  .comparison = comparison,
                  .settings = settings,
                  .style = style,
                  .name = shown_name(comparison.arm, 24, style)};
  const bool clean = comparison.verdict == Verdict::clean;
  std::vector<Fact> facts;
  if (clean) add(facts, "limits", limits_fact(view));
  if (clean && !style.verbose) {
    add(facts, "writes", consequence_fact(cell, comparison, style));
    return facts;
  }

  add(facts, "score", score_fact(view));
  bool any_budget = false;
  for (std::size_t i = 0; i < settings.budgets.size(); ++i) {
    if (i > 0 && !style.verbose) break;
    const std::string sentence = budget_fact(view, settings.budgets[i]);
    add(facts, any_budget ? "" : "budget", sentence);
    any_budget = any_budget || !sentence.empty();
  }
  if (!any_budget && comparison.k_obs <= view.first_budget()) {
    add(facts, "budget",
        "the logs' own budget of " + std::to_string(comparison.k_obs) +
            " leaves no smaller one to look at");
  }
  if (comparison.verdict == Verdict::amplified) {
    add(facts, any_budget ? "" : "budget", other_budget_fact(view));
  }
  bool any_channel = false;
  for (const AmplificationFindings& channel : comparison.amplification) {
    if (!channel.amplified || !channel.in_family) continue;
    add(facts, any_channel ? "" : "failures", amplification_fact(view, channel));
    any_channel = true;
  }
  bool any_set = false;
  for (const FailureSetFindings& set : comparison.failure_sets) {
    const AmplificationFindings* channel = comparison.channel(set.channel);
    const bool relevant = channel != nullptr && channel->amplified && channel->in_family;
    if (!style.verbose && !relevant) continue;
    add(facts, any_set ? "" : "pattern", failure_set_fact(set, settings.novelty_margin));
    any_set = true;
  }
  if (any_channel || style.verbose) add(facts, "recovery", recovery_fact(view));
  bool any_repair = false;
  for (const Attribution& attribution : comparison.attribution) {
    const AmplificationFindings* channel = comparison.channel(attribution.channel);
    const bool relevant = channel != nullptr && channel->amplified && channel->in_family;
    if (!style.verbose && !relevant) continue;
    const std::string sentence = repair_fact(view, attribution);
    add(facts, any_repair ? "" : "repair", sentence);
    any_repair = any_repair || !sentence.empty();
  }
  add(facts, "writes", consequence_fact(cell, comparison, style));
  if (comparison.foretold && (comparison.foretold->reason.empty() || style.verbose))
    add(facts, "foretold", validation_words(*comparison.foretold, style));
  add_open_facts(view, facts);
  add(facts, "semantics", sensitivity_words(comparison));
  return facts;
}

std::vector<std::string> fact_lines(const std::vector<Fact>& facts, int indent, int width,
                                    const TextStyle& style) {
  std::vector<std::string> lines;
  const int room = std::max(20, width - indent - kFactTagWidth);
  const std::string blank(static_cast<std::size_t>(indent), ' ');
  for (const Fact& fact : facts) {
    bool first = true;
    for (const std::string& line : wrapped(kept_together(fact.sentence), room)) {
      const std::string tag =
          padded_right(std::exchange(first, false) ? fact.tag : "", kFactTagWidth);
      std::string full = blank;
      full.append(painted(tag, Paint::dim, style)).append(line);
      lines.push_back(std::move(full));
    }
  }
  return lines;
}

}  // namespace unmask::text
