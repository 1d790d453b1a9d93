#include "unmask/report/text_report.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/report/cell_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/single_turn_facts.h"
#include "unmask/report/study_text.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/multiple_comparisons.h"

namespace unmask {
namespace {

constexpr int kLeastWidth = 40;

bool all_clean(const CellFindings& cell) {
  return std::ranges::all_of(cell.comparisons, [](const ComparisonFindings& comparison) {
    return comparison.verdict == Verdict::clean;
  });
}

std::string legend(const AuditFindings& findings, const TextStyle& style) {
  const AuditSettings& settings = findings.settings;
  const std::string correction =
      settings.correction == stats::Correction::holm ? "Holm" : "Benjamini-Hochberg";
  const std::string dot = " " + std::string(text::glyphs(style).dot) + " ";
  const StudyFindings& study = findings.study;
  std::string line = "[ ] 95 % intervals, clustered by task" + dot + "p adjusted (" + correction;
  if (study.family_amplification > 0) {
    line += " over " + text::counted(study.family_scores, "score") + ", " +
            text::counted(study.family_widening, "widening") + ", " +
            text::counted(study.family_amplification, "channel");
  }
  line += "): ";
  for (const std::string_view level : {"*** < 0.001,", "** < 0.01,", "* < 0.05"}) {
    for (const char c : level) {
      if (c == ' ') {
        line.append(text::kNoBreak);
      } else {
        line.push_back(c);
      }
    }
    line.push_back(' ');
  }
  return line.append(text::glyphs(style).dot) + " seed " + std::to_string(settings.seed);
}

}  // namespace

std::string text_report(const AuditFindings& findings, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::max(style.width, kLeastWidth);
  std::vector<std::vector<std::string>> blocks;
  const bool study = findings.cells.size() > 1;
  if (study) {
    blocks.push_back({text::verdict_counts(findings, style)});
    blocks.push_back(text::overview_lines(findings, style));
    blocks.push_back(text::single_turn_lines(findings, style));
  }
  for (const CellFindings& cell : findings.cells) {
    if (study && !style.verbose && all_clean(cell)) continue;
    const bool brief = study && !style.verbose && !text::has_damage(cell);
    std::vector<std::string> block;
    if (study) {
      block.push_back(
          text::painted(text::repeated(text::glyphs(style).rule, std::min(style.width, 112)),
                        text::Paint::dim, style));
    }
    const std::vector<std::string> lines = text::cell_lines(cell, findings.settings, style, brief);
    block.insert(block.end(), lines.begin(), lines.end());
    blocks.push_back(std::move(block));
  }
  if (study) blocks.push_back(text::study_lines(findings, style));
  blocks.push_back(text::warning_lines(findings.diagnostics, style));
  std::vector<std::string> footer = text::wrapped(legend(findings, style), style.width);
  footer.emplace_back("what the words mean: unmask help verdicts, channels, budget");
  for (std::string& line : footer) line = text::painted(line, text::Paint::dim, style);
  blocks.push_back(std::move(footer));

  std::string report;
  for (const std::vector<std::string>& block : blocks) {
    if (block.empty()) continue;
    if (!report.empty()) report += "\n";
    for (const std::string& line : block) report.append(line).append("\n");
  }
  return report;
}

}  // namespace unmask
