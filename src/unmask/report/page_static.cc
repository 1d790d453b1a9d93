#include "unmask/report/page_static.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/report/cell_facts.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

constexpr TextStyle kStyle;

std::string dash() { return std::string(text::glyphs(kStyle).dash); }

struct Row {
  std::string heading;             ///< not escaped
  std::vector<std::string> cells;  ///< not escaped
};

std::string table(std::string_view caption, const std::vector<std::string>& header,
                  const std::vector<Row>& rows) {
  std::string html = "<table><caption>" + html_escaped(caption) + "</caption><thead><tr>";
  for (const std::string& title : header)
    html += "<th scope=\"col\">" + html_escaped(title) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    html += "<tr><th scope=\"row\">" + html_escaped(row.heading) + "</th>";
    for (const std::string& cell : row.cells) html += "<td>" + html_escaped(cell) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string facts_list(const std::vector<text::Fact>& facts) {
  if (facts.empty()) return {};
  std::string html = "<ul>\n";
  for (const text::Fact& fact : facts) {
    html += "<li>";
    if (!fact.tag.empty()) html += "<b>" + html_escaped(fact.tag) + "</b> ";
    html += html_escaped(fact.sentence) + "</li>\n";
  }
  return html + "</ul>\n";
}

std::string verdict_words(const ComparisonFindings& comparison) {
  std::string words(title_of(comparison.verdict));
  if (comparison.suffix != ScoreSuffix::none) words.append(", ").append(name_of(comparison.suffix));
  return words;
}

std::string score_table(const CellFindings& cell) {
  std::size_t budgets = 0;
  for (const ArmFindings& arm : cell.arms) budgets = std::max(budgets, arm.score.size());
  if (budgets == 0) return {};
  std::vector<std::string> header{"arm"};
  for (std::size_t k = 1; k <= budgets; ++k) header.push_back("K=" + std::to_string(k));
  std::vector<Row> rows;
  for (const ArmFindings& arm : cell.arms) {
    Row row{.heading = arm.arm, .cells = std::vector<std::string>(budgets, dash())};
    for (std::size_t i = 0; i < arm.score.size(); ++i) {
      const Figure& score = arm.score[i].score;
      if (score.value) row.cells[i] = text::points(*score.value);
    }
    rows.push_back(std::move(row));
  }
  for (const ComparisonFindings& comparison : cell.comparisons) {
    Row row{.heading = "gap of " + comparison.arm,
            .cells = std::vector<std::string>(budgets, dash())};
    for (std::size_t i = 0; i < std::min(budgets, comparison.gap.size()); ++i) {
      const Figure& gap = comparison.gap[i].gap.figure;
      if (gap.value) row.cells[i] = text::points(*gap.value);
    }
    rows.push_back(std::move(row));
  }
  return table(
      "Score in % if the K-th failed call ends an episode; gaps in points, positive = the "
      "arm is worse",
      header, rows);
}

std::string channel_table(const CellFindings& cell) {
  std::vector<std::string> header{"channel"};
  for (const ArmFindings& arm : cell.arms) header.push_back(arm.arm + ", errors in 100 calls");
  for (const ComparisonFindings& comparison : cell.comparisons)
    header.push_back(comparison.arm + ", ratio an episode");
  std::vector<Row> rows;
  const ArmFindings* reference = text::reference_arm(cell);
  if (reference == nullptr) return {};
  for (const ChannelFindings& channel : reference->channels) {
    Row row{.heading = text::channel_words(channel.name), .cells = {}};
    for (const ArmFindings& arm : cell.arms) {
      const ChannelFindings* found = arm.channel(channel.name);
      row.cells.push_back(found != nullptr && found->per_call.value
                              ? text::percent(*found->per_call.value)
                              : dash());
    }
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const AmplificationFindings* found = comparison.channel(channel.name);
      if (found == nullptr) {
        row.cells.push_back(dash());
      } else if (found->ratio.value) {
        const std::string p = text::p_value(found->p_adjusted);
        row.cells.push_back(text::ratio_with_interval(found->ratio, kStyle) +
                            (p.empty() ? "" : ", " + p));
      } else {
        row.cells.push_back(dash() + " " + found->reason);
      }
    }
    rows.push_back(std::move(row));
  }
  return table("The agent's errors by channel; ratios with 95 % intervals clustered by task",
               header, rows);
}

std::string cell_html(const CellFindings& cell, const AuditSettings& settings) {
  std::string html = "<h2>" + html_escaped(text::cell_title(cell, kStyle)) + "</h2>\n";
  for (const ComparisonFindings& comparison : cell.comparisons) {
    html += "<h3>" + html_escaped(comparison.arm) + ": " + html_escaped(verdict_words(comparison)) +
            "</h3>\n";
    html += facts_list(text::comparison_facts(cell, comparison, settings, kStyle));
  }
  return html + score_table(cell) + channel_table(cell) +
         facts_list(text::cell_facts(cell, kStyle));
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string html;
  for (const char c : text::safe(text)) {
    switch (c) {
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '&':
        html += "&amp;";
        break;
      case '"':
        html += "&quot;";
        break;
      case '\'':
        html += "&#39;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

std::string page_static(const AuditFindings& findings) {
  std::string html =
      "<noscript><main class=\"static\">\n<h1>Audit of tool-call failures</h1>\n"
      "<p>This browser runs no script: here are the verdicts and main tables; the "
      "figures and the episodes need JavaScript.</p>\n";
  std::vector<Row> verdicts;
  for (const CellFindings& cell : findings.cells) {
    for (const ComparisonFindings& comparison : cell.comparisons) {
      verdicts.push_back({.heading = text::cell_title(cell, kStyle),
                          .cells = {comparison.arm, verdict_words(comparison),
                                    text::shown_sentence(comparison.sentence, kStyle)}});
    }
  }
  html += verdicts.empty() ? "<p>No arm to compare.</p>\n"
                           : table("Verdicts", {"cell", "arm", "verdict", "why"}, verdicts);
  for (const CellFindings& cell : findings.cells) html += cell_html(cell, findings.settings);
  return html + "</main></noscript>\n";
}

}  // namespace unmask
