#include "unmask/report/cell_text.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/check.h"
#include "unmask/report/cell_facts.h"
#include "unmask/report/channel_table.h"
#include "unmask/report/character_width.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/score_chart.h"
#include "unmask/report/single_turn_facts.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"
#include "unmask/report/verbose_tables.h"
#include "unmask/stats/repair_effect.h"

namespace unmask::text {
namespace {

constexpr int kBesideWidth = 120;   // from here on the table may stand beside the chart
constexpr int kReadingWidth = 112;  // sentences get no wider
constexpr int kGutter = 3;
constexpr std::size_t kRatioColumns = 3;

using Lines = std::vector<std::string>;

void append(Lines& lines, Lines more) { std::ranges::move(more, std::back_inserter(lines)); }

void append_indented(Lines& lines, const Lines& more, int indent) {
  const std::string blank(static_cast<std::size_t>(indent), ' ');
  for (const std::string& line : more) lines.push_back(line.empty() ? line : blank + line);
}

Verdict verdict_of(const CellFindings& cell, std::string_view arm) {
  const auto found = std::ranges::find_if(
      cell.comparisons,
      [&](const ComparisonFindings& comparison) { return comparison.arm == arm; });
  return found == cell.comparisons.end() ? Verdict::clean : found->verdict;
}

// Said once if all arms agree, else arm by arm.
std::string shared_words(const CellFindings& cell, const TextStyle& style,
                         std::string (*words_of)(const ArmFindings&)) {
  if (cell.arms.empty()) return {};
  std::string first = words_of(cell.arms.front());
  const bool same = std::ranges::all_of(
      cell.arms, [&](const ArmFindings& arm) { return words_of(arm) == first; });
  if (same) return first;
  std::string words;
  for (const ArmFindings& arm : cell.arms) {
    if (!words.empty()) words += "; ";
    words += shown_name(arm.arm, 16, style) + ": " + words_of(arm);
  }
  return words;
}

Lines heading(const CellFindings& cell, const TextStyle& style) {
  Lines lines{painted(truncated(cell_title(cell, style), style.width, glyphs(style).ellipsis),
                      Paint::bold, style)};
  const std::string dot = " " + std::string(glyphs(style).dot) + " ";
  std::string facts = "reference " + shown_name(cell.reference, 24, style);
  if (const ArmFindings* reference = reference_arm(cell))
    facts += dot + size_words(*reference, style);
  const std::string harness =
      shared_words(cell, style, [](const ArmFindings& arm) { return harness_words(arm.harness); });
  const std::string budget =
      shared_words(cell, style, [](const ArmFindings& arm) { return budget_words(arm.budget); });
  if (!harness.empty()) facts += dot + safe(harness, !style.unicode);
  if (!budget.empty()) facts += dot + budget;
  append(lines, wrapped(facts, style.width));
  return lines;
}

Lines comparison_lines(const CellFindings& cell, const ComparisonFindings& comparison,
                       const AuditSettings& settings, const TextStyle& style) {
  std::string head = "  " + painted(shown_name(comparison.arm, 24, style), Paint::bold, style) +
                     "  " +
                     painted(title_of(comparison.verdict), paint_of(comparison.verdict), style);
  if (comparison.suffix != ScoreSuffix::none) {
    head.append(" ").append(glyphs(style).dot).append(" ").append(name_of(comparison.suffix));
  }
  Lines lines{std::move(head)};
  append(lines, fact_lines(comparison_facts(cell, comparison, settings, style), 4,
                           std::min(style.width, kReadingWidth), style));
  return lines;
}

std::string title_of_chart(const CellFindings& cell) {
  const bool censored = std::ranges::any_of(
      cell.comparisons, [](const ComparisonFindings& comparison) { return comparison.censored; });
  return censored || cell.comparisons.empty() ? "score % if the K-th failed call ends an episode"
                                              : "score % by error budget K (log not censored)";
}

// Arms in drawing order: the reference, then from clean to damaged, so that damage is on top.
ScoreChart chart_of(const CellFindings& cell, const AuditSettings& settings,
                    const TextStyle& style) {
  ScoreChart chart;
  chart.title = title_of_chart(cell);
  std::vector<const ArmFindings*> arms;
  for (const ArmFindings& arm : cell.arms) {
    arms.push_back(&arm);
    for (const ScorePoint& point : arm.score) {
      if (std::ranges::find(chart.budgets, point.k) == chart.budgets.end())
        chart.budgets.push_back(point.k);
    }
  }
  std::ranges::sort(chart.budgets);
  chart.keep = settings.budgets;
  const auto rank = [&](const ArmFindings* arm) {
    if (arm->arm == cell.reference) return -1;
    return static_cast<int>(kVerdictCount) - static_cast<int>(verdict_of(cell, arm->arm));
  };
  std::ranges::stable_sort(
      arms, [&](const ArmFindings* a, const ArmFindings* b) { return rank(a) < rank(b); });
  for (const ArmFindings* arm : arms) {
    ChartSeries series{.label = shown_name(arm->arm, 12, style),
                       .values = {},
                       .reference = arm->arm == cell.reference};
    if (!series.reference) series.paint = paint_of(verdict_of(cell, arm->arm));
    for (const int k : chart.budgets) {
      const ScorePoint* point = score_at(*arm, k);
      std::optional<double> value = point == nullptr ? std::nullopt : point->score.value;
      if (value) *value *= 100.0;
      series.values.push_back(value);
    }
    chart.series.push_back(std::move(series));
  }
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const auto comparison = std::ranges::find_if(
        cell.comparisons,
        [&](const ComparisonFindings& entry) { return entry.arm == arms[i]->arm; });
    if (comparison == cell.comparisons.end()) continue;
    ChartRow row{.label = "gap", .values = {}};
    if (cell.comparisons.size() > 1) row.label.append(" ").append(marker_of(chart, i, style));
    for (const int k : chart.budgets) {
      const GapPoint* gap = comparison->gap_at(k);
      row.values.push_back(gap != nullptr && gap->gap.figure.value
                               ? points(*gap->gap.figure.value)
                               : std::string(glyphs(style).dash));
    }
    chart.rows.insert(chart.rows.begin(), std::move(row));  // the most damaged arm first
  }
  return chart;
}

// The comparisons whose ratios are shown: the damaged ones, or all.
std::vector<const ComparisonFindings*> with_ratios(const CellFindings& cell,
                                                   const TextStyle& style) {
  std::vector<const ComparisonFindings*> chosen;
  const bool any_unclean = std::ranges::any_of(
      cell.comparisons,
      [](const ComparisonFindings& comparison) { return comparison.verdict != Verdict::clean; });
  for (const ComparisonFindings& comparison : cell.comparisons) {
    if (style.verbose || !any_unclean || comparison.verdict != Verdict::clean)
      chosen.push_back(&comparison);
  }
  return chosen;
}

// One table if it fits, else one a comparison.
Lines channel_lines(const CellFindings& cell, int width, Footnotes& footnotes,
                    const TextStyle& style) {
  const std::string title = "errors in 100 agent calls, by channel";
  std::vector<const ArmFindings*> arms;
  arms.reserve(cell.arms.size());
  for (const ArmFindings& arm : cell.arms) arms.push_back(&arm);
  const std::vector<const ComparisonFindings*> ratios = with_ratios(cell, style);
  Footnotes notes = footnotes;
  const TextTable whole = channel_table(cell, arms, ratios, notes, style);
  Lines lines{painted(title, Paint::dim, style)};
  if ((whole.natural_width() <= width && ratios.size() <= kRatioColumns) || ratios.size() <= 1) {
    footnotes = std::move(notes);
    append(lines, table_lines(whole, width, style));
    return lines;
  }
  for (const ComparisonFindings* comparison : ratios) {
    std::vector<const ArmFindings*> pair;
    for (const ArmFindings* arm : arms) {
      if (arm->arm == cell.reference || arm->arm == comparison->arm) pair.push_back(arm);
    }
    if (lines.size() > 1) lines.emplace_back();
    append(lines,
           table_lines(channel_table(cell, pair, {comparison}, footnotes, style), width, style));
  }
  return lines;
}

int widest(const Lines& lines, const TextStyle& style) {
  UNMASK_CHECK(!style.color);  // codes have no width
  int width = 0;
  for (const std::string& line : lines) width = std::max(width, display_width(line));
  return width;
}

// Chart and table next to each other if the terminal is wide enough for both as they are.
Lines picture_lines(const CellFindings& cell, const AuditSettings& settings, Footnotes& footnotes,
                    const TextStyle& style) {
  const ScoreChart chart = chart_of(cell, settings, style);
  const int room = style.width - 2;
  if (style.width >= kBesideWidth) {
    TextStyle plain = style;
    plain.color = false;
    Footnotes trial = footnotes;
    const int table_width = widest(channel_lines(cell, room, trial, plain), plain);
    const int chart_room = room - kGutter - table_width;
    const Lines plain_chart = chart_lines(chart, chart_room, plain);
    const int chart_width = widest(plain_chart, plain);
    if (chart_width <= chart_room) {
      const Lines left = chart_lines(chart, chart_room, style);
      const Lines right = channel_lines(cell, table_width, footnotes, style);
      Lines lines;
      lines.reserve(std::max(left.size(), right.size()));
      for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        std::string line = i < left.size() ? left[i] : "";
        if (i < right.size() && !right[i].empty()) {
          const int used = i < plain_chart.size() ? display_width(plain_chart[i]) : 0;
          const int blank = chart_width - used + kGutter;
          line.append(static_cast<std::size_t>(blank), ' ').append(right[i]);
        }
        lines.push_back(std::move(line));
      }
      return lines;
    }
  }
  Lines lines = chart_lines(chart, room, style);
  lines.emplace_back();
  append(lines, channel_lines(cell, room, footnotes, style));
  return lines;
}

}  // namespace

bool has_damage(const CellFindings& cell) {
  return std::ranges::any_of(cell.comparisons, [](const ComparisonFindings& comparison) {
    return is_damage(comparison.verdict);
  });
}

std::vector<std::string> cell_lines(const CellFindings& cell, const AuditSettings& settings,
                                    const TextStyle& style, bool brief) {
  Lines lines = heading(cell, style);
  std::vector<const ComparisonFindings*> comparisons;
  comparisons.reserve(cell.comparisons.size());
  for (const ComparisonFindings& comparison : cell.comparisons) comparisons.push_back(&comparison);
  std::ranges::stable_sort(comparisons,
                           [](const auto* a, const auto* b) { return a->verdict < b->verdict; });
  for (const ComparisonFindings* comparison : comparisons) {
    lines.emplace_back();
    append(lines, comparison_lines(cell, *comparison, settings, style));
  }
  if (cell.comparisons.empty() && cell.arms.empty()) {
    lines.emplace_back();
    lines.emplace_back("  first calls only: no episodes");
  } else if (cell.comparisons.empty()) {
    lines.emplace_back();
    lines.emplace_back(cell.arms.size() < 2 ? "  one arm: nothing to compare it with"
                                            : "  no arm could be compared with the reference");
  }
  for (const RepairFindings& repair : cell.repairs) {
    lines.emplace_back();
    std::string outcome(stats::name_of(repair.outcome));
    std::ranges::replace(outcome, '_', ' ');
    lines.push_back("  " + painted(shown_name(repair.arm, 24, style), Paint::bold, style) + "  " +
                    outcome);
    append(lines,
           fact_lines(repair_facts(repair, style), 4, std::min(style.width, kReadingWidth), style));
  }
  if (!cell.single_turn.arms.empty()) {
    lines.emplace_back();
    append(lines, fact_lines(single_turn_facts(cell, style), 2,
                             std::min(style.width, kReadingWidth), style));
  }
  const bool any_episode =
      std::ranges::any_of(cell.arms, [](const ArmFindings& arm) { return arm.episodes > 0; });
  if (brief || !any_episode) return lines;
  Footnotes footnotes;
  lines.emplace_back();
  append_indented(lines, picture_lines(cell, settings, footnotes, style), 2);
  if (!footnotes.empty()) {
    lines.emplace_back();
    append_indented(lines, footnotes.lines(std::min(style.width - 2, kReadingWidth)), 2);
  }
  if (style.verbose) {
    for (const Lines& table : verbose_tables(cell, style)) {
      lines.emplace_back();
      append_indented(lines, table, 2);
    }
  }
  lines.emplace_back();
  append(lines,
         fact_lines(cell_facts(cell, style), 2, std::min(style.width, kReadingWidth), style));
  return lines;
}

}  // namespace unmask::text
