#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/margin_words.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask {
namespace {

using margins::MarginComparison;
using margins::MarginFindings;
using margins::MarginGroup;
using text::Fact;

constexpr int kLeastWidth = 40;
constexpr int kReadingWidth = 112;
constexpr std::size_t kHistogramRows = 12;
constexpr int kBarWidth = 40;
constexpr std::size_t kCarriersShown = 8;  // unless verbose
constexpr int kNameWidth = 28;

using Lines = std::vector<std::string>;

void append(Lines& lines, Lines more) {
  for (std::string& line : more) lines.push_back(std::move(line));
}

std::vector<Fact> group_facts(const MarginGroup& group, const TextStyle& style) {
  std::vector<Fact> facts;
  const auto add = [&](std::string tag, std::string sentence) {
    if (!sentence.empty()) facts.push_back({std::move(tag), text::safe(sentence, !style.unicode)});
  };
  add("decisions", text::grouped(group.points.size()) + " of " + text::grouped(group.decisions) +
                       " with margins in both arms, in " + text::counted(group.tasks, "task"));
  add("", text::left_out_words(group));
  if (group.points.empty()) return facts;
  add("noise", text::noise_words(group, style));
  add("thin", text::share_words(group.thin_share, style) + " of margins closer to 0 than 2 sigma");
  add("flips", text::flip_words(group.good, true, style));
  add(group.good.decisions == 0 ? "flips" : "", text::flip_words(group.bad, false, style));
  if (group.side == margins::MarginSide::admissible) {
    bool first = true;
    for (const margins::MassFindings& mass : group.mass)
      add(std::exchange(first, false) ? "mass" : "", text::mass_words(mass, style));
    add("on top", text::top_words(group.top, style));
  }
  add("predicts", text::side_test_words(group.side_test, style));
  return facts;
}

std::string bar(const margins::HistogramBin& bin, double scale, const TextStyle& style) {
  const margins::FlipMatrix& matrix = bin.outcomes;
  const std::uint32_t flipped = matrix.good_bad + matrix.bad_good;
  const std::uint32_t all = flipped + matrix.good_good + matrix.bad_bad;
  // What is there has at least one column.
  const auto columns = [&](std::uint32_t count) {
    return count == 0 ? 0 : std::max(1, static_cast<int>(scale * count + 0.5));
  };
  return text::repeated(style.unicode ? "█" : "#", columns(all - flipped)) +
         text::repeated(style.unicode ? "░" : "o", columns(flipped));
}

Lines histogram_lines(const MarginGroup& group, const TextStyle& style) {
  const std::vector<margins::HistogramBin> bins = text::coarser(group.histogram, kHistogramRows);
  std::uint32_t most = 1;
  for (const margins::HistogramBin& bin : bins) {
    const margins::FlipMatrix& matrix = bin.outcomes;
    most = std::max(most, matrix.good_good + matrix.good_bad + matrix.bad_good + matrix.bad_bad);
  }
  const double scale =
      static_cast<double>(std::min(kBarWidth, std::max(8, style.width - 38))) / most;
  text::TextTable table{.columns = {{.header = "margin of the reference"},
                                    {.header = "kept", .align = text::Align::right},
                                    {.header = "flip", .align = text::Align::right},
                                    {.header = ""}},
                        .rows = {}};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const margins::HistogramBin& bin = bins[i];
    const margins::FlipMatrix& matrix = bin.outcomes;
    const std::string low = text::fixed(bin.low, 1);
    const std::string high = text::fixed(bin.high, 1);
    std::string label = low + " to " + high;
    if (i == 0 && bins.size() > 1) label = "up to " + high;
    if (i + 1 == bins.size() && bins.size() > 1) label = "above " + low;
    table.rows.push_back({{.content = std::move(label)},
                          {.content = text::grouped(matrix.good_good + matrix.bad_bad)},
                          {.content = text::grouped(matrix.good_bad + matrix.bad_good)},
                          {.content = bar(bin, scale, style)}});
  }
  return text::table_lines(table, style.width - 4, style);
}

// A row a provenance: what a table has room for.
Lines provenance_lines(const MarginComparison& comparison, const TextStyle& style) {
  text::TextTable table{.columns = {{.header = "tool names by the tempting one"},
                                    {.header = "decisions", .align = text::Align::right},
                                    {.header = "flips", .align = text::Align::right},
                                    {.header = "predicted", .align = text::Align::right},
                                    {.header = "mass", .align = text::Align::right}},
                        .rows = {}};
  const std::string dash(text::glyphs(style).dash);
  for (const MarginGroup& group : comparison.groups) {
    if (group.by != margins::GroupBy::provenance) continue;
    const auto share = [&](const stats::Figure& figure) {
      return figure.value ? text::fixed(100.0 * *figure.value, 1) + " %" : dash;
    };
    const std::optional<double> mass = text::mass_ratio(group).value;
    table.rows.push_back({{.content = text::safe(group.name, !style.unicode)},
                          {.content = text::grouped(group.points.size())},
                          {.content = share(group.good.observed)},
                          {.content = share(group.good.normal)},
                          {.content = mass ? text::ratio_text(*mass, style) : dash}});
  }
  return table.rows.empty() ? Lines{} : text::table_lines(table, style.width - 4, style);
}

Lines carrier_lines(const margins::Carriers& carriers, const TextStyle& style) {
  if (carriers.decisions.empty()) return {};
  const std::size_t shown = style.verbose ? carriers.decisions.size()
                                          : std::min(kCarriersShown, carriers.decisions.size());
  Lines lines;
  std::string head = "decisions that carry the damage";
  if (carriers.rise > 0.0) {
    head += ": the " + std::to_string(carriers.decisions.size()) + " worst hold " +
            text::fixed(100.0 * carriers.listed_rise / carriers.rise, 0) +
            " % of the rise in inadmissible mass";
  }
  append(lines, text::wrapped(head, style.width - 4));
  text::TextTable table{.columns = {{.header = "inadmissible choice"},
                                    {.header = "task"},
                                    {.header = "trial", .align = text::Align::right},
                                    {.header = "message", .align = text::Align::right},
                                    {.header = "mass", .align = text::Align::right},
                                    {.header = ""}},
                        .rows = {}};
  for (std::size_t i = 0; i < shown; ++i) {
    const margins::CarrierDecision& carrier = carriers.decisions[i];
    table.rows.push_back(
        {{.content = text::shown_name(carrier.inadmissible, kNameWidth, style)},
         {.content = text::shown_name(carrier.task_id, 12, style)},
         {.content = std::to_string(carrier.trial)},
         {.content = std::to_string(carrier.message)},
         {.content = text::from_to_percent(carrier.mass_ref, carrier.mass_arm, style)},
         {.content = carrier.flipped ? "flips" : ""}});
  }
  append(lines, text::table_lines(table, style.width - 4, style));
  if (shown < carriers.decisions.size())
    lines.push_back(std::to_string(carriers.decisions.size() - shown) + " more with --verbose");
  return lines;
}

Lines name_lines(const margins::Carriers& carriers, const TextStyle& style) {
  if (carriers.names.empty()) return {};
  text::TextTable table{.columns = {{.header = "names that gain most"},
                                    {.header = "where from"},
                                    {.header = "decisions", .align = text::Align::right},
                                    {.header = "gain", .align = text::Align::right},
                                    {.header = "flips to it", .align = text::Align::right}},
                        .rows = {}};
  const std::size_t shown =
      style.verbose ? carriers.names.size() : std::min(kCarriersShown, carriers.names.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const margins::CarrierName& name = carriers.names[i];
    table.rows.push_back({{.content = text::shown_name(name.name, kNameWidth, style)},
                          {.content = text::shown_name(name.provenance, 16, style)},
                          {.content = text::grouped(name.decisions)},
                          {.content = text::fixed(name.rise, 2)},
                          {.content = text::grouped(name.flipped_to)}});
  }
  return text::table_lines(table, style.width - 4, style);
}

void add_block(std::string& report, const Lines& lines) {
  if (lines.empty()) return;
  report += "\n";
  for (const std::string& line : lines) report.append("    ").append(line).append("\n");
}

std::string comparison_text(const MarginComparison& comparison, const MarginFindings& findings,
                            const TextStyle& style) {
  const auto safe = [&](std::string_view words) { return text::safe(words, !style.unicode); };
  std::string report =
      text::painted(safe(comparison.arm.name) + " against " + safe(findings.reference.name),
                    text::Paint::bold, style) +
      "\n";
  std::string about = text::scored_arm_words(comparison.arm) + " on the contexts of " +
                      text::scored_arm_words(findings.reference);
  if (comparison.control)
    about += ". The arm is the reference itself: what differs here is the noise floor of replay";
  for (const std::string& line : text::wrapped(safe(about), style.width - 2))
    report.append("  ").append(line).append("\n");
  for (const MarginGroup& group : comparison.groups) {
    if (group.by == margins::GroupBy::provenance) continue;
    report.append("\n  ").append(safe(text::margin_group_words(group))).append("\n");
    for (const std::string& line :
         text::fact_lines(group_facts(group, style), 4, style.width, style)) {
      report.append(line).append("\n");
    }
    if (group.side == margins::MarginSide::admissible && !group.points.empty())
      add_block(report, histogram_lines(group, style));
  }
  add_block(report, provenance_lines(comparison, style));
  add_block(report, carrier_lines(comparison.carriers, style));
  add_block(report, name_lines(comparison.carriers, style));
  return report;
}

}  // namespace

std::string margin_text(const MarginFindings& findings, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::clamp(style.width, kLeastWidth, kReadingWidth);
  if (!findings.reason.empty()) return "no margins to compare: " + findings.reason + "\n";
  std::string report = text::grouped(findings.decisions) + " recorded decisions of " +
                       text::safe(findings.reference.name, !style.unicode) + ", " +
                       text::counted(findings.tasks, "task") + ", " +
                       text::counted(findings.episodes, "episode") + "\n";
  for (const MarginComparison& comparison : findings.comparisons)
    report += "\n" + comparison_text(comparison, findings, style);
  report += "\n";
  for (const std::string& line :
       text::wrapped("Margins are in nats, intervals 95 % over tasks. Contexts are the "
                     "reference's own: figures speak of the first deviation, not of what follows.",
                     style.width)) {
    report.append(line).append("\n");
  }
  return report;
}

}  // namespace unmask
