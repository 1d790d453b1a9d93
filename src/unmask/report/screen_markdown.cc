#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "unmask/report/markdown_text.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/screen_report.h"
#include "unmask/report/text_style.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/margin_screen.h"

namespace unmask {
namespace {

using text::markdown_code;
using text::markdown_escaped;

constexpr TextStyle kStyle;

std::string dash() { return std::string(text::glyphs(kStyle).dash); }

std::string share_cell(const stats::Figure& figure) {
  if (!figure.value) return dash();
  std::string cell = text::percent(*figure.value);
  if (figure.low && figure.high)
    cell += " [" + text::percent(*figure.low) + ", " + text::percent(*figure.high) + "]";
  return cell;
}

std::string lost_cell(const screen::WhatIf& curve, int k) {
  const screen::LostPoint* point = curve.at(k);
  if (point == nullptr || !point->lost.value) return dash();
  return text::points(*point->lost.value) + text::points_interval(point->lost);
}

std::string risk_table(const ScreenReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const ScreenReport::Cell& cell : report.cells) {
    for (const screen::ArmScreen& arm : cell.arms) {
      rows.push_back({markdown_escaped(cell.info.cell), markdown_code(arm.arm),
                      "**" + std::string(name_of(arm.risk)) + "**", std::to_string(arm.tasks),
                      std::to_string(arm.episodes)});
    }
  }
  if (rows.empty()) return "No log to screen.\n";
  return text::markdown_table({"cell", "arm", "risk", "tasks", "episodes"}, "lllrr", rows);
}

std::string propensity_table(const screen::ArmScreen& arm) {
  std::vector<std::vector<std::string>> rows;
  for (const screen::Propensity& each : arm.propensity) {
    rows.push_back({markdown_code(each.channel), std::to_string(each.errors),
                    share_cell(each.per_call), each.upper ? text::percent(*each.upper) : dash(),
                    each.near_zero ? "yes" : "no"});
  }
  return text::markdown_table({"channel", "errors", "% of calls", "95 % bound", "near zero"},
                              "lrrrl", rows);
}

std::string lost_table(const screen::ArmScreen& arm, double judged) {
  std::vector<std::string> header{"points lost"};
  std::string aligned = "l";
  for (const int k : arm.budgets) {
    header.push_back("K=" + std::to_string(k));
    aligned.push_back('r');
  }
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string label, const screen::WhatIf& curve) {
    std::vector<std::string> row{std::move(label)};
    for (const int k : arm.budgets) row.push_back(lost_cell(curve, k));
    rows.push_back(std::move(row));
  };
  for (const screen::WhatIf& curve : arm.what_if)
    add("all counted errors ×" + text::factor_words(curve.factor), curve);
  for (const screen::SourceWhatIf& source : arm.by_source) {
    for (const screen::WhatIf& curve : source.what_if) {
      if (curve.factor == judged)
        add("only " + markdown_code(source.source) + " ×" + text::factor_words(judged), curve);
    }
  }
  return text::markdown_table(header, aligned, rows);
}

std::string margins_part(const screen::MarginScreen& each) {
  std::string part = "\n" + markdown_code(each.noise.label) + ": noise of " +
                     text::fixed(each.noise.sigma, 3) + " nats" +
                     (each.noise.measured_in.empty()
                          ? ", assumed"
                          : ", measured elsewhere: " + markdown_escaped(each.noise.measured_in)) +
                     "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const screen::MarginKindScreen& kind : each.kinds) {
    const auto add = [&](const std::string& how, const screen::PredictedShare& share) {
      const std::string ratio = text::ratio_with_interval(share.amplification, kStyle);
      rows.push_back({markdown_code(kind.kind) + ", " + how, share_cell(share.now),
                      share_cell(share.predicted), ratio.empty() ? dash() : ratio});
    };
    add("likeliest", kind.greedy);
    add("sampled at T=1", kind.sampled);
  }
  return part + text::markdown_table({"inadmissible choices, %", "now", "predicted", "ratio"},
                                     "lrrr", rows);
}

}  // namespace

std::string screen_markdown(const ScreenReport& report) {
  std::string document = "## Risk screen\n\n" + risk_table(report);
  for (const ScreenReport::Cell& cell : report.cells) {
    for (const screen::ArmScreen& arm : cell.arms) {
      document += "\n### " + markdown_escaped(cell.info.cell) + ", " + markdown_code(arm.arm) +
                  ": " + std::string(name_of(arm.risk)) + "\n\n";
      for (const std::string& reason : arm.reasons) {
        document += "- " + markdown_escaped(text::shown_sentence(reason, kStyle)) + "\n";
      }
      document += "\n" + propensity_table(arm);
      if (!arm.what_if.empty()) document += "\n" + lost_table(arm, report.settings.judged_factor);
    }
  }
  if (!report.margins.empty()) document += "\n### From logit margins\n";
  for (const screen::MarginScreen& each : report.margins) document += margins_part(each);
  document +=
      "\n95 % intervals, clustered by task. Losses are a model's: failed calls in solved episodes "
      "come more often, nothing else changes.\n";
  return document;
}

}  // namespace unmask
