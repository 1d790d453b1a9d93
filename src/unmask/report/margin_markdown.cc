#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/margin_words.h"
#include "unmask/report/markdown_text.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"

namespace unmask {
namespace {

using margins::MarginComparison;
using margins::MarginGroup;
using text::markdown_code;
using text::markdown_escaped;

constexpr TextStyle kStyle;
constexpr std::size_t kListed = 10;

std::string dash() { return std::string(text::glyphs(kStyle).dash); }

// A figure of a table: without the reason, for which there is no room.
std::string cell(const stats::Figure& figure, std::string words) {
  return figure.value ? markdown_escaped(words) : dash();
}

std::string group_table(const MarginComparison& comparison) {
  std::vector<std::vector<std::string>> rows;
  for (const MarginGroup& group : comparison.groups) {
    if (group.points.empty()) continue;
    const stats::Figure mass = text::mass_ratio(group);
    rows.push_back({markdown_escaped(text::margin_group_words(group)),
                    text::grouped(group.points.size()),
                    cell(group.noise.bias, text::number_words(group.noise.bias, 2, kStyle)),
                    cell(group.noise.sigma, text::number_words(group.noise.sigma, 2, kStyle)),
                    cell(group.thin_share, text::share_words(group.thin_share, kStyle)),
                    cell(group.good.observed, text::share_words(group.good.observed, kStyle)),
                    cell(group.good.normal, text::share_words(group.good.normal, kStyle)),
                    cell(mass, mass.value ? text::ratio_with_interval(mass, kStyle) : "")});
  }
  return text::markdown_table({"decisions", "number", "bias", "sigma", "thin", "good turn bad",
                               "predicted", "inadmissible mass"},
                              "lrrrrrrr", rows);
}

std::string carrier_table(const margins::Carriers& carriers) {
  std::vector<std::vector<std::string>> rows;
  for (const margins::CarrierDecision& carrier : carriers.decisions) {
    if (rows.size() == kListed) break;
    rows.push_back({markdown_code(carrier.inadmissible), markdown_escaped(carrier.provenance),
                    markdown_code(carrier.task_id), std::to_string(carrier.trial),
                    std::to_string(carrier.message),
                    text::from_to_percent(carrier.mass_ref, carrier.mass_arm, kStyle),
                    carrier.flipped ? "yes" : ""});
  }
  return rows.empty() ? ""
                      : text::markdown_table({"inadmissible choice", "where from", "task", "trial",
                                              "message", "mass", "flips"},
                                             "lllrrrl", rows);
}

}  // namespace

std::string margin_markdown(const margins::MarginFindings& findings) {
  std::string report = "## Margins\n\n";
  if (!findings.reason.empty())
    return report + "No margins to compare: " + markdown_escaped(findings.reason) + ".\n";
  report += text::grouped(findings.decisions) + " recorded decisions of " +
            markdown_code(findings.reference.name) + ", " + text::counted(findings.tasks, "task") +
            ", " + text::counted(findings.episodes, "episode") + ".\n";
  for (const MarginComparison& comparison : findings.comparisons) {
    report += "\n### " + markdown_code(comparison.arm.name) + " against " +
              markdown_code(findings.reference.name) + "\n\n";
    if (comparison.control) {
      report +=
          "The arm is the reference itself: what differs here is the noise floor of replay.\n\n";
    }
    report += group_table(comparison);
    for (const MarginGroup& group : comparison.groups) {
      const std::string left_out = text::left_out_words(group);
      if (group.by == margins::GroupBy::kind && !left_out.empty()) {
        report +=
            "\n" + markdown_escaped(text::margin_group_words(group) + ": " + left_out) + ".\n";
      }
    }
    const std::string carriers = carrier_table(comparison.carriers);
    if (!carriers.empty()) report += "\nDecisions that carry the damage:\n\n" + carriers;
  }
  report +=
      "\nMargins are in nats; intervals 95 % over tasks; mass at temperature 1. "
      "Contexts are the reference's own: figures speak of the first deviation, not of what "
      "follows.\n";
  return report;
}

}  // namespace unmask
