#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/screen_report.h"
#include "unmask/report/study_text.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/margin_screen.h"
#include "unmask/screen/noise_table.h"

namespace unmask {
namespace {

using screen::ArmScreen;
using screen::LostPoint;
using screen::MarginKindScreen;
using screen::MarginScreen;
using screen::PredictedShare;
using screen::Propensity;
using screen::SourceWhatIf;
using screen::WhatIf;
using text::Align;
using text::Paint;
using text::TableCell;
using text::TextTable;

using Lines = std::vector<std::string>;

constexpr int kLeastWidth = 40;
constexpr int kReadingWidth = 112;
constexpr int kIndent = 4;

void append(Lines& lines, Lines more, int indent = 0) {
  const std::string blank(static_cast<std::size_t>(indent), ' ');
  for (std::string& line : more) lines.push_back(line.empty() ? line : blank + line);
}

std::string title_of(const CellInfo& info, const TextStyle& style) {
  std::string title = text::safe(info.cell, !style.unicode);
  if (!info.domain.empty() && info.cell.find(info.domain) == std::string::npos) {
    title.append(" ").append(text::glyphs(style).dot).append(" ");
    title += text::safe(info.domain, !style.unicode);
  }
  return title;
}

std::string upper_case(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return result;
}

std::string percent_interval(const stats::Figure& figure) {
  if (!figure.low || !figure.high) return {};
  return "[" + text::percent(*figure.low) + ", " + text::percent(*figure.high) + "]";
}

std::string share_text(const stats::Figure& figure, const TextStyle& style) {
  if (!figure.value) return std::string(text::glyphs(style).dash);
  const std::string interval = percent_interval(figure);
  return text::percent(*figure.value) + (interval.empty() ? "" : " " + interval);
}

std::string lost_text(const LostPoint* point, bool intervals, const TextStyle& style) {
  if (point == nullptr || !point->lost.value) return std::string(text::glyphs(style).dash);
  return text::points(*point->lost.value) +
         (intervals ? text::points_interval(point->lost) : std::string());
}

TextTable propensity_table(const ArmScreen& arm, const screen::ScreenSettings& settings,
                           bool intervals, const TextStyle& style) {
  const std::string dash(text::glyphs(style).dash);
  TextTable table;
  table.columns = {{.header = "errors in 100 calls"}, {.header = "", .align = Align::right}};
  if (intervals) table.columns.push_back({.header = "95 %"});
  table.columns.push_back({.header = "bound", .align = Align::right});
  table.columns.push_back({.header = "under " + text::percent(settings.near_zero_rate) + " %"});
  for (const Propensity& each : arm.propensity) {
    std::vector<TableCell>& row = table.rows.emplace_back();
    row.push_back({text::channel_label(each.channel)});
    row.push_back({each.per_call.value ? text::percent_aligned(*each.per_call.value) : dash});
    // Of a count of zero the bound says more.
    if (intervals) row.push_back({each.errors > 0 ? percent_interval(each.per_call) : ""});
    row.push_back({each.upper ? text::percent(*each.upper) : dash});
    row.push_back({each.near_zero ? "yes" : "no", each.near_zero ? Paint::none : Paint::yellow});
  }
  return table;
}

TextTable lost_table(const ArmScreen& arm, const std::string& title) {
  TextTable table;
  table.columns = {{.header = title}};
  for (const int k : arm.budgets)
    table.columns.push_back({.header = "K=" + std::to_string(k), .align = Align::right});
  return table;
}

std::vector<TableCell> lost_row(std::string label, const WhatIf& curve, const ArmScreen& arm,
                                bool intervals, const TextStyle& style) {
  std::vector<TableCell> row{{std::move(label)}};
  for (const int k : arm.budgets) row.push_back({lost_text(curve.at(k), intervals, style)});
  return row;
}

std::string times(double factor, const TextStyle& style) {
  return std::string(text::glyphs(style).times) + text::factor_words(factor);
}

TextTable factor_table(const ArmScreen& arm, bool intervals, const TextStyle& style) {
  TextTable table = lost_table(arm, "points lost, all counted errors");
  for (const WhatIf& curve : arm.what_if) {
    table.rows.push_back(lost_row("  " + times(curve.factor, style), curve, arm, intervals, style));
  }
  for (const WhatIf& curve : arm.what_if) {
    std::vector<TableCell> row{{"  " + times(curve.factor, style) + " at least*", Paint::dim}};
    for (const int k : arm.budgets) {
      const LostPoint* point = curve.at(k);
      row.push_back({point != nullptr && point->lost_simple ? text::points(*point->lost_simple)
                                                            : std::string(text::glyphs(style).dash),
                     Paint::dim});
    }
    if (style.verbose) table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable source_table(const ArmScreen& arm, double factor, bool intervals,
                       const TextStyle& style) {
  TextTable table = lost_table(arm, times(factor, style) + " only the errors of");
  for (const SourceWhatIf& source : arm.by_source) {
    const auto curve = std::ranges::find(source.what_if, factor, &WhatIf::factor);
    if (curve == source.what_if.end()) continue;
    const std::string label =
        source.source == "agent" ? "the agent" : text::channel_label(source.source);
    table.rows.push_back(lost_row("  " + label + " (" + text::percent(source.share) + " %)", *curve,
                                  arm, intervals, style));
  }
  return table;
}

// With intervals where they fit.
template <typename Make>
Lines fitting(const Make& make, int width, const TextStyle& style) {
  const TextTable full = make(true);
  return text::table_lines(full.natural_width() <= width ? full : make(false), width, style);
}

std::string model_words(const ArmScreen& arm) {
  std::string words = "runs of failed calls in a solved episode: mean " +
                      text::fixed(arm.runs.mean, 2) + ", variance " +
                      text::fixed(arm.runs.variance, 2);
  words += arm.runs.shape ? ", negative binomial of shape " + text::fixed(*arm.runs.shape, 2)
                          : ", Poisson";
  return words + "; " + text::percent(arm.runs.continuation) +
         " % of failed calls are followed by another failed one";
}

Lines arm_lines(const ArmScreen& arm, const screen::ScreenSettings& settings,
                const TextStyle& style) {
  const std::string dot = " " + std::string(text::glyphs(style).dot) + " ";
  Lines lines;
  lines.push_back(
      "  " + text::painted(text::shown_name(arm.arm, 24, style), Paint::bold, style) + "  " +
      text::painted(upper_case(name_of(arm.risk)) + " RISK", text::paint_of(arm.risk), style));
  const int width = std::min(style.width, kReadingWidth);
  append(lines,
         text::wrapped(
             text::counted(arm.tasks, "task") + dot + text::counted(arm.episodes, "episode") +
                 ", " + std::to_string(arm.solved) + " solved" + dot +
                 (arm.censored ? "budget K=" + std::to_string(arm.k_obs)
                               : "no budget in force, shown to K=" + std::to_string(arm.k_obs)),
             width - kIndent),
         kIndent);
  std::vector<text::Fact> facts;
  for (const std::string& reason : arm.reasons)
    facts.push_back({facts.empty() ? "because" : "", text::shown_sentence(reason, style)});
  if (arm.reason.empty()) facts.push_back({"model", model_words(arm)});
  append(lines, text::fact_lines(facts, kIndent, width, style));
  const int room = style.width - kIndent;
  if (arm.episodes > 0) {
    lines.emplace_back();
    append(
        lines,
        fitting([&](bool intervals) { return propensity_table(arm, settings, intervals, style); },
                room, style),
        kIndent);
  }
  if (arm.what_if.empty()) return lines;
  lines.emplace_back();
  append(lines,
         fitting([&](bool intervals) { return factor_table(arm, intervals, style); }, room, style),
         kIndent);
  if (style.verbose) {
    append(lines,
           text::wrapped("* extra errors one by one, an error-free episode stays error-free: a "
                         "lower bound at small K",
                         room),
           kIndent);
  }
  lines.emplace_back();
  append(lines,
         fitting(
             [&](bool intervals) {
               return source_table(arm, settings.judged_factor, intervals, style);
             },
             room, style),
         kIndent);
  return lines;
}

TextTable margin_table(const MarginScreen& screened, bool intervals, const TextStyle& style) {
  TextTable table;
  table.columns = {{.header = "inadmissible choices, %"},
                   {.header = "now", .align = Align::right},
                   {.header = "predicted", .align = Align::right},
                   {.header = "ratio", .align = Align::right}};
  const auto plain = [&](stats::Figure figure) {
    if (!intervals) figure.low = figure.high = std::nullopt;
    return figure;
  };
  const auto add = [&](const std::string& label, const PredictedShare& share) {
    const std::string ratio = text::ratio_with_interval(plain(share.amplification), style);
    table.rows.push_back({{label},
                          {share_text(plain(share.now), style)},
                          {share_text(plain(share.predicted), style)},
                          {ratio.empty() ? std::string(text::glyphs(style).dash) : ratio}});
  };
  for (const MarginKindScreen& kind : screened.kinds) {
    const std::string label = kind.kind + " (" + text::grouped(kind.decisions) + ")";
    add(label + ", likeliest", kind.greedy);
    add(label + ", sampled at T=1", kind.sampled);
  }
  return table;
}

Lines margin_lines(const ScreenReport& report, const TextStyle& style) {
  Lines lines;
  if (report.margins.empty()) return lines;
  lines.push_back(text::painted("from logit margins", Paint::bold, style));
  const int width = std::min(style.width, kReadingWidth);
  for (const MarginScreen& each : report.margins) {
    std::string head = text::safe(each.noise.label, !style.unicode) + ": noise " +
                       text::fixed(each.noise.sigma, 3) + " nats";
    if (each.noise.bias != 0.0) head += ", bias " + text::fixed(each.noise.bias, 3);
    head +=
        each.noise.measured_in.empty()
            ? " (assumed)"
            : " (measured elsewhere: " + text::safe(each.noise.measured_in, !style.unicode) + ")";
    append(lines, text::wrapped(head, width - 2), 2);
    append(lines,
           fitting([&](bool intervals) { return margin_table(each, intervals, style); },
                   style.width - kIndent, style),
           kIndent);
  }
  if (screen::measured_noise().empty()) {
    append(lines, text::wrapped("no method's noise has been measured yet", width - 2), 2);
  }
  append(
      lines,
      text::wrapped("contexts are the arm's own: this speaks of the first deviation, not of what "
                    "follows it",
                    width - 2),
      2);
  return lines;
}

}  // namespace

std::string screen_text(const ScreenReport& report, const TextStyle& requested) {
  TextStyle style = requested;
  style.width = std::max(style.width, kLeastWidth);
  std::vector<Lines> blocks;
  for (const ScreenReport::Cell& cell : report.cells) {
    Lines lines{text::painted(
        text::truncated(title_of(cell.info, style), style.width, text::glyphs(style).ellipsis),
        Paint::bold, style)};
    for (const ArmScreen& arm : cell.arms) {
      lines.emplace_back();
      append(lines, arm_lines(arm, report.settings, style));
    }
    blocks.push_back(std::move(lines));
  }
  blocks.push_back(margin_lines(report, style));
  blocks.push_back(text::warning_lines(report.diagnostics, style));
  Lines footer = text::wrapped(
      "[ ] 95 % intervals, clustered by task; losses are a model's: failed calls in solved "
      "episodes "
      "come more often, nothing else changes",
      style.width);
  append(footer,
         text::wrapped("what the words mean: unmask help screen, channels, budget", style.width));
  for (std::string& line : footer) line = text::painted(line, Paint::dim, style);
  blocks.push_back(std::move(footer));
  std::string result;
  for (const Lines& block : blocks) {
    if (block.empty()) continue;
    if (!result.empty()) result += "\n";
    for (const std::string& line : block) result.append(line).append("\n");
  }
  return result;
}

}  // namespace unmask
