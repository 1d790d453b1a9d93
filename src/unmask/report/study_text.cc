#include "unmask/report/study_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/diagnostics.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {
namespace {

constexpr int kCellWidth = 36;
constexpr int kArmWidth = 16;
constexpr int kReadingWidth = 112;

std::string gap_cell(const ComparisonFindings& comparison, int k, const TextStyle& style) {
  const GapPoint* point = comparison.gap_at(k);
  return point != nullptr && point->gap.figure.value ? points(*point->gap.figure.value)
                                                     : std::string(glyphs(style).dash);
}

std::string channel_cell(const ComparisonFindings& comparison, const TextStyle& style) {
  const AmplificationFindings* worst = worst_channel(comparison);
  if (worst == nullptr) return "quiet";
  std::string content = worst->ratio.value
                            ? ratio_text(*worst->ratio.value, style)
                            : grouped(worst->errors_ref) + " " + std::string(glyphs(style).arrow) +
                                  " " + grouped(worst->errors_arm);
  content.append(" ").append(worst->channel);
  if (worst->amplified) content.append(" ").append(stars(worst->p_adjusted));
  return content;
}

int first_budget(const AuditSettings& settings) {
  return settings.budgets.empty() ? 2 : settings.budgets.front();
}

std::vector<TableCell> comparison_cells(const ComparisonFindings& comparison,
                                        const AuditSettings& settings, const TextStyle& style) {
  const AmplificationFindings* worst = worst_channel(comparison);
  const bool amplified = worst != nullptr && worst->amplified;
  return {{std::string(title_of(comparison.verdict)), paint_of(comparison.verdict)},
          {gap_cell(comparison, comparison.k_obs, style)},
          {gap_cell(comparison, first_budget(settings), style)},
          {channel_cell(comparison, style), amplified ? Paint::none : Paint::dim}};
}

// "gap K=10" if all comparisons have that budget.
std::string header_of_gap(const AuditFindings& findings) {
  std::optional<int> budget;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      if (budget && *budget != comparison.k_obs) return "gap";
      budget = comparison.k_obs;
    }
  }
  return budget ? "gap K=" + std::to_string(*budget) : "gap";
}

void add_comparison_columns(TextTable& table, std::string verdict_header,
                            const AuditFindings& findings) {
  table.columns.push_back({.header = std::move(verdict_header), .gap = 3});
  table.columns.push_back({.header = header_of_gap(findings), .align = Align::right});
  table.columns.push_back({.header = "gap K=" + std::to_string(first_budget(findings.settings)),
                           .align = Align::right});
  table.columns.push_back({.header = "errors an episode"});
}

// A row a cell, a group of columns an arm.
TextTable wide_overview(const AuditFindings& findings, const TextStyle& style) {
  std::vector<std::string> arms;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      if (std::ranges::find(arms, comparison.arm) == arms.end()) arms.push_back(comparison.arm);
    }
  }
  TextTable table;
  table.columns.push_back({.header = "cell"});
  for (const std::string& arm : arms)
    add_comparison_columns(table, shown_name(arm, kArmWidth, style), findings);
  for (const CellFindings& cell : findings.cells) {
    std::vector<TableCell> row{
        {truncated(cell_title(cell, style), kCellWidth, glyphs(style).ellipsis)}};
    for (const std::string& arm : arms) {
      const auto found = std::ranges::find_if(
          cell.comparisons,
          [&](const ComparisonFindings& comparison) { return comparison.arm == arm; });
      const std::vector<TableCell> cells = found == cell.comparisons.end()
                                               ? std::vector<TableCell>(4)
                                               : comparison_cells(*found, findings.settings, style);
      row.insert(row.end(), cells.begin(), cells.end());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// A row an arm; the cell's name beside its first arm, or on a row of its own above them.
TextTable narrow_overview(const AuditFindings& findings, bool own_row, const TextStyle& style) {
  TextTable table;
  table.columns = {{.header = own_row ? "cell, arm" : "cell"}};
  if (!own_row) table.columns.push_back({.header = "arm"});
  add_comparison_columns(table, "verdict", findings);
  for (const CellFindings& cell : findings.cells) {
    const int width = own_row ? style.width : kCellWidth;
    std::string title = truncated(cell_title(cell, style), width, glyphs(style).ellipsis);
    if (own_row) table.rows.push_back({{title, Paint::bold}});
    if (cell.comparisons.empty())
      table.rows.push_back({{own_row ? "  no arm to compare" : title + ": no arm to compare"}});
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const std::string arm = shown_name(comparison.arm, kArmWidth, style);
      std::vector<TableCell> row;
      if (own_row) {
        row = {{"  " + arm}};
      } else {
        row = {{std::exchange(title, "")}, {arm}};
      }
      const std::vector<TableCell> cells = comparison_cells(comparison, findings.settings, style);
      row.insert(row.end(), cells.begin(), cells.end());
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string correlation_words(double spearman, std::optional<double> p) {
  std::string words = "Spearman " + fixed(spearman, 2);
  if (p) words += " (" + p_value(p) + ")";
  return words;
}

std::string by_domain_words(const StudyFindings& study, const TextStyle& style) {
  std::string sentence;
  for (const auto& [domain, channels] : study.channel_by_domain) {
    std::vector<std::string> parts;
    for (const auto& [channel, arms] : channels) {
      if (arms > 0) parts.push_back(channel + " in " + counted(arms, "arm"));
    }
    if (!sentence.empty()) sentence += "; ";
    sentence += safe(domain, !style.unicode) + ": " + (parts.empty() ? "none" : joined(parts));
  }
  return sentence;
}

}  // namespace

std::string verdict_counts(const AuditFindings& findings, const TextStyle& style) {
  std::array<std::size_t, kVerdictCount> counts{};
  std::size_t comparisons = 0;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      ++counts.at(static_cast<std::size_t>(comparison.verdict));
      ++comparisons;
    }
  }
  std::string line = painted(counted(findings.cells.size(), "cell"), Paint::bold, style) + ", " +
                     counted(comparisons, "comparison");
  bool first = true;
  for (std::size_t i = 0; i < kVerdictCount; ++i) {
    if (counts.at(i) == 0) continue;
    const auto verdict = static_cast<Verdict>(i);
    line += first ? ": " : ", ";
    first = false;
    line +=
        std::to_string(counts.at(i)) + " " + painted(title_of(verdict), paint_of(verdict), style);
  }
  return line;
}

std::vector<std::string> overview_lines(const AuditFindings& findings, const TextStyle& style) {
  for (const TextTable& table :
       {wide_overview(findings, style), narrow_overview(findings, false, style)}) {
    if (table.natural_width() <= style.width) return table_lines(table, style.width, style);
  }
  return table_lines(narrow_overview(findings, true, style), style.width, style);
}

std::vector<Fact> study_facts(const StudyFindings& study, const TextStyle& style) {
  std::vector<Fact> facts;
  if (study.equivalence_tests > 0) {
    facts.push_back(
        {"scores", "equivalent in " + std::to_string(study.equivalent) + " of " +
                       counted(study.cells, "cell") + " (" +
                       counted(study.equivalence_tests, "test") + "); " +
                       (study.gaps_surviving == 0 ? "no score change"
                                                  : counted(study.gaps_surviving, "score change")) +
                       (study.gaps_surviving <= 1 ? " survives" : " survive") + " the correction"});
  }
  if (study.spearman_amplification_widening) {
    facts.push_back(
        {"link", "the more a channel is amplified, the more the gap widens: " +
                     correlation_words(*study.spearman_amplification_widening, study.spearman_p) +
                     " over " + counted(study.cells, "cell")});
  } else if (!study.reason.empty()) {
    facts.push_back({"link", "amplification against widening: " + study.reason});
  }
  bool first = true;
  for (const Predictor& predictor : study.predictors) {
    std::string sentence = safe(predictor.name, !style.unicode) + " of the reference: ";
    sentence += predictor.spearman
                    ? correlation_words(*predictor.spearman, predictor.p)
                    : std::string(glyphs(style).dash) + " (" + predictor.reason + ")";
    facts.push_back({std::exchange(first, false) ? "predicts" : "", std::move(sentence)});
  }
  if (study.foretold.spearman && study.foretold.mean_absolute_error) {
    facts.push_back({"foretold", "points lost at K=" + std::to_string(study.foretold.k) +
                                     ", from the reference alone against those that came: " +
                                     correlation_words(*study.foretold.spearman, study.foretold.p) +
                                     ", off by " + points(*study.foretold.mean_absolute_error) +
                                     " points on average, over " +
                                     counted(study.foretold.cells, "cell")});
  }
  const std::string domains = by_domain_words(study, style);
  if (!domains.empty()) facts.push_back({"amplified", domains});
  return facts;
}

std::vector<std::string> study_lines(const AuditFindings& findings, const TextStyle& style) {
  const std::vector<Fact> facts = study_facts(findings.study, style);
  if (facts.empty()) return {};
  std::vector<std::string> lines{painted("over cells", Paint::bold, style)};
  const std::vector<std::string> more =
      fact_lines(facts, 2, std::min(style.width, kReadingWidth), style);
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

std::vector<std::string> warning_lines(const Diagnostics& diagnostics, const TextStyle& style) {
  std::vector<std::string> lines;
  const int width = std::min(style.width, kReadingWidth);
  // The first of each code, the gravest first.
  std::vector<std::vector<Diagnostic>::const_iterator> firsts;
  for (const auto& [code, count] : diagnostics.counts()) {
    const auto first = std::ranges::find(diagnostics.kept(), code, &Diagnostic::code);
    if (first != diagnostics.kept().end()) firsts.push_back(first);
  }
  std::ranges::stable_sort(firsts,
                           [](const auto& a, const auto& b) { return a->severity > b->severity; });
  for (const auto& first : firsts) {
    const std::size_t count = diagnostics.count(first->code);
    std::string sentence = first->code;
    if (count > 1) sentence += " (" + grouped(count) + " times), first";
    sentence += ": ";
    std::string place = first->file;
    if (!first->episode.empty()) place += (place.empty() ? "" : ", ") + first->episode;
    const std::optional<std::size_t> offset = first->offset;
    if (offset) place += (place.empty() ? "byte " : ", byte ") + std::to_string(*offset);
    if (!place.empty()) sentence += place + ": ";
    sentence += first->sentence;
    bool start = true;
    for (const std::string& line : wrapped(safe(sentence, !style.unicode), width - 4)) {
      const char* mark = first->severity == Severity::info ? "  . " : "  ! ";
      lines.push_back((std::exchange(start, false) ? mark : "    ") + line);
    }
  }
  if (!lines.empty()) lines.insert(lines.begin(), painted("about the input", Paint::bold, style));
  return lines;
}

}  // namespace unmask::text
