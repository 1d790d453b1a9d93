#include "unmask/report/markdown_report.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/report/cell_facts.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/markdown_text.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/single_turn_facts.h"
#include "unmask/report/study_text.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/repair_effect.h"

namespace unmask {
namespace {

using text::markdown_code;
using text::markdown_escaped;

constexpr TextStyle kStyle;
constexpr std::size_t kScoreColumns = 8;

std::string dash() { return std::string(text::glyphs(kStyle).dash); }

std::string gap_cell(const ComparisonFindings& comparison, int k) {
  const GapPoint* point = comparison.gap_at(k);
  if (point == nullptr || !point->gap.figure.value) return dash();
  return text::points(*point->gap.figure.value) + text::points_interval(point->gap.figure);
}

std::string worst_cell(const ComparisonFindings& comparison) {
  const AmplificationFindings* worst = text::worst_channel(comparison);
  if (worst == nullptr) return "quiet";
  const std::string cell = worst->ratio.value ? text::ratio_with_interval(worst->ratio, kStyle)
                                              : std::to_string(worst->errors_ref) + " → " +
                                                    std::to_string(worst->errors_arm);
  return cell + " " + markdown_code(worst->channel);
}

std::string verdict_cell(const ComparisonFindings& comparison) {
  std::string cell = "**" + std::string(title_of(comparison.verdict)) + "**";
  if (comparison.suffix != ScoreSuffix::none)
    cell += ", " + std::string(name_of(comparison.suffix));
  return cell;
}

std::string verdict_table(const AuditFindings& findings) {
  const int first = findings.settings.budgets.empty() ? 2 : findings.settings.budgets.front();
  std::vector<std::vector<std::string>> rows;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      rows.push_back(
          {markdown_escaped(text::cell_title(cell, kStyle)),
           markdown_code(comparison.arm) + " / " + markdown_code(cell.reference),
           verdict_cell(comparison),
           gap_cell(comparison, comparison.k_obs) + " at K=" + std::to_string(comparison.k_obs),
           gap_cell(comparison, first), worst_cell(comparison)});
    }
  }
  if (rows.empty()) return "No arm to compare.\n";
  return text::markdown_table({"cell", "arm / reference", "verdict", "gap, points",
                               "gap at K=" + std::to_string(first), "errors an episode"},
                              "lllrrl", rows);
}

// Budgets that a table has room for: all, or the first ones, the headline ones and the last.
std::vector<int> shown_budgets(const CellFindings& cell, const AuditSettings& settings) {
  std::vector<int> budgets;
  for (const ArmFindings& arm : cell.arms) {
    for (const ScorePoint& point : arm.score) budgets.push_back(point.k);
  }
  std::ranges::sort(budgets);
  const auto repeated = std::ranges::unique(budgets);
  budgets.erase(repeated.begin(), repeated.end());
  if (budgets.size() <= kScoreColumns + 2) return budgets;
  const int last = budgets.back();
  std::erase_if(budgets, [&](int k) {
    const bool headline = std::ranges::find(settings.budgets, k) != settings.budgets.end();
    return k > 3 && k != last && k % 5 != 0 && !headline;
  });
  return budgets;
}

std::string score_table(const CellFindings& cell, const AuditSettings& settings) {
  const std::vector<int> budgets = shown_budgets(cell, settings);
  if (budgets.empty()) return {};
  std::vector<std::string> header{"score, %"};
  std::string aligned = "l";
  for (const int k : budgets) {
    header.push_back("K=" + std::to_string(k));
    aligned.push_back('r');
  }
  std::vector<std::vector<std::string>> rows;
  for (const ArmFindings& arm : cell.arms) {
    std::vector<std::string> row{markdown_code(arm.arm)};
    for (const int k : budgets) {
      const ScorePoint* point = text::score_at(arm, k);
      row.push_back(point != nullptr && point->score.value ? text::points(*point->score.value)
                                                           : dash());
    }
    rows.push_back(std::move(row));
  }
  for (const ComparisonFindings& comparison : cell.comparisons) {
    std::vector<std::string> row{"gap " + markdown_code(comparison.arm)};
    for (const int k : budgets) {
      const GapPoint* point = comparison.gap_at(k);
      row.push_back(point != nullptr && point->gap.figure.value
                        ? text::points(*point->gap.figure.value)
                        : dash());
    }
    rows.push_back(std::move(row));
  }
  return text::markdown_table(header, aligned, rows);
}

std::string channel_table(const CellFindings& cell) {
  std::vector<std::string> header{"errors in 100 calls"};
  std::string aligned = "l";
  for (const ArmFindings& arm : cell.arms) {
    header.push_back(markdown_code(arm.arm));
    aligned.push_back('r');
  }
  for (const ComparisonFindings& comparison : cell.comparisons) {
    header.push_back("ratio an episode, " + markdown_code(comparison.arm));
    aligned.push_back('l');
  }
  std::vector<std::string> names;
  for (const ArmFindings& arm : cell.arms) {
    for (const ChannelFindings& channel : arm.channels) {
      if (std::ranges::find(names, channel.name) == names.end() &&
          (channel.errors > 0 || channel.name == "other"))
        names.push_back(channel.name);
    }
  }
  if (names.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const std::string& name : names) {
    std::vector<std::string> row{markdown_code(name)};
    for (const ArmFindings& arm : cell.arms) {
      const ChannelFindings* channel = arm.channel(name);
      row.push_back(channel != nullptr && channel->per_call.value
                        ? text::percent(*channel->per_call.value)
                        : dash());
    }
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const AmplificationFindings* channel = comparison.channel(name);
      if (channel == nullptr || !channel->ratio.value) {
        std::string missing = dash();
        if (channel != nullptr) missing.append(" ").append(markdown_escaped(channel->reason));
        row.push_back(std::move(missing));
        continue;
      }
      std::string content = text::ratio_with_interval(channel->ratio, kStyle);
      if (channel->amplified && channel->in_family) content.insert(0, "**").append("**");
      const std::string p = text::p_value(channel->p_adjusted);
      if (!p.empty()) content += ", " + p;
      row.push_back(std::move(content));
    }
    rows.push_back(std::move(row));
  }
  return text::markdown_table(header, aligned, rows);
}

std::string outcome_words(const RepairFindings& repair) {
  std::string words(stats::name_of(repair.outcome));
  std::ranges::replace(words, '_', ' ');
  return words;
}

void append_facts(std::string& document, const std::vector<text::Fact>& facts) {
  for (const text::Fact& fact : facts) {
    document += fact.tag.empty() ? "  - " : "- *" + fact.tag + "*: ";
    document += markdown_escaped(fact.sentence) + "\n";
  }
}

}  // namespace

std::string audit_markdown(const AuditFindings& findings) {
  std::string document = "## Audit of tool-call failures\n\n" + verdict_table(findings);
  for (const CellFindings& cell : findings.cells) {
    document += "\n### " + markdown_escaped(text::cell_title(cell, kStyle)) + "\n";
    for (const ComparisonFindings& comparison : cell.comparisons) {
      document += "\n" + markdown_code(comparison.arm) + ": " + verdict_cell(comparison) + "\n\n";
      append_facts(document, text::comparison_facts(cell, comparison, findings.settings, kStyle));
    }
    for (const RepairFindings& repair : cell.repairs) {
      document += "\n" + markdown_code(repair.arm) + ": **" + outcome_words(repair) + "**\n\n";
      append_facts(document, text::repair_facts(repair, kStyle));
    }
    if (!cell.single_turn.arms.empty()) {
      document += "\n";
      append_facts(document, text::single_turn_facts(cell, kStyle));
    }
    const std::string scores = score_table(cell, findings.settings);
    if (!scores.empty()) {
      document +=
          "\nScore if the K-th failed call ends an episode; gaps in points, positive = the "
          "arm is worse:\n\n" +
          scores;
    }
    const std::string channels = channel_table(cell);
    if (!channels.empty()) {
      document +=
          "\nThe agent's errors by channel, ratios with 95 % intervals clustered by task:\n\n" +
          channels;
    }
    document += "\n";
    append_facts(document, text::cell_facts(cell, kStyle));
  }
  const std::vector<text::Fact> study = text::study_facts(findings.study, kStyle);
  if (findings.cells.size() > 1 && !study.empty()) {
    document += "\n### Over cells\n\n";
    append_facts(document, study);
  }
  return document;
}

}  // namespace unmask
