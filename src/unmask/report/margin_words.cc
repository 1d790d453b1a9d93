#include "unmask/report/margin_words.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/figure.h"

namespace unmask::text {
namespace {

using margins::MarginGroup;

std::string without_value(const stats::Figure& figure, const TextStyle& style) {
  return std::string(glyphs(style).dash) + " (" + figure.reason + ")";
}

std::string bracketed(const stats::Figure& figure, std::string (*write)(double, int), int decimals,
                      double scale) {
  if (!figure.low || !figure.high) return {};
  return " [" + write(*figure.low * scale, decimals) + ", " +
         write(*figure.high * scale, decimals) + "]";
}

std::string ratio_words(const stats::Figure& figure, const TextStyle& style) {
  return figure.value ? ratio_with_interval(figure, style)
                      : "ratio " + without_value(figure, style);
}

}  // namespace

std::string scored_arm_words(const ScoredArm& arm) {
  std::vector<std::string> known;
  if (!arm.model.empty()) known.push_back(arm.model);
  if (!arm.precision.empty()) known.push_back(arm.precision);
  if (arm.bits_per_weight && std::isfinite(*arm.bits_per_weight))
    known.push_back(fixed(*arm.bits_per_weight, 2) + " bits a weight");
  std::string words = arm.name;
  for (std::size_t i = 0; i < known.size(); ++i) words += (i == 0 ? " (" : ", ") + known[i];
  return known.empty() ? words : words + ")";
}

std::string margin_group_words(const MarginGroup& group) {
  if (group.by == margins::GroupBy::provenance) return "tool_name, " + group.name;
  return group.name +
         (group.side == margins::MarginSide::golden ? ", the right one against the rest" : "");
}

std::string left_out_words(const MarginGroup& group) {
  std::uint64_t all = 0;
  std::vector<std::string> parts;
  for (const margins::LeftOut& left : group.left_out) {
    all += left.reference + left.arm;
    std::string part = grouped(left.reference + left.arm) + " " + left.reason;
    if (left.reference == 0) part += " in the arm only";
    parts.push_back(std::move(part));
  }
  return all == 0 ? "" : grouped(all) + " left out: " + joined(parts);
}

std::string number_words(const stats::Figure& figure, int decimals, const TextStyle& style) {
  if (!figure.value) return without_value(figure, style);
  return fixed(*figure.value, decimals) + bracketed(figure, fixed, decimals, 1.0);
}

std::string share_words(const stats::Figure& figure, const TextStyle& style) {
  if (!figure.value) return without_value(figure, style);
  return fixed(100.0 * *figure.value, 1) + " %" + bracketed(figure, fixed, 1, 100.0);
}

std::vector<margins::HistogramBin> coarser(std::vector<margins::HistogramBin> bins,
                                           std::size_t most) {
  while (bins.size() > most) {
    std::vector<margins::HistogramBin> wider;
    // Pairs that meet at 0 keep it as a border.
    const auto below = static_cast<std::size_t>(std::ranges::count_if(
        bins, [](const margins::HistogramBin& bin) { return bin.high <= 0.0; }));
    for (std::size_t i = 0; i < bins.size(); ++i) {
      if (i == 0 || (i + below) % 2 == 0) {
        wider.push_back(bins[i]);
        continue;
      }
      margins::HistogramBin& last = wider.back();
      last.high = bins[i].high;
      last.outcomes.good_good += bins[i].outcomes.good_good;
      last.outcomes.good_bad += bins[i].outcomes.good_bad;
      last.outcomes.bad_good += bins[i].outcomes.bad_good;
      last.outcomes.bad_bad += bins[i].outcomes.bad_bad;
    }
    bins = std::move(wider);
  }
  return bins;
}

std::string noise_words(const MarginGroup& group, const TextStyle& style) {
  const margins::NoiseFindings& noise = group.noise;
  if (!noise.bias.value) return without_value(noise.bias, style);
  return "bias " + number_words(noise.bias, 2, style) + ", sigma " +
         number_words(noise.sigma, 2, style) + ", slope on the margin " +
         number_words(noise.slope, 2, style) + ", over " + counted(noise.inside, "decision") +
         " with |m| up to " + fixed(noise.window.value_or(0.0), 2);
}

std::string flip_words(const margins::FlipFindings& flips, bool good, const TextStyle& style) {
  if (flips.decisions == 0) return {};
  std::string words = grouped(flips.flipped) + " of " + grouped(flips.decisions) +
                      (good ? " good decisions turn bad, " : " bad decisions turn good, ") +
                      share_words(flips.observed, style);
  words += "; predicted " + share_words(flips.normal, style);
  if (flips.empirical.value)
    words += ", " + share_words(flips.empirical, style) + " from the errors as they are";
  if (flips.difference.value) {
    words += "; observed less predicted " + fixed(100.0 * *flips.difference.value, 1) + " points" +
             bracketed(flips.difference, fixed, 1, 100.0);
  }
  return words;
}

std::string mass_words(const margins::MassFindings& mass, const TextStyle& style) {
  std::string temperature = fixed(mass.temperature, 2);
  while (temperature.ends_with('0')) temperature.pop_back();
  if (temperature.ends_with('.')) temperature.pop_back();
  const std::string head = "T=" + temperature + ": ";
  if (mass.decisions == 0) return head + without_value(mass.amplification, style);
  return head + from_to_percent(mass.reference.value, mass.arm.value, style) + ", " +
         ratio_words(mass.amplification, style) + ", over " + counted(mass.decisions, "decision");
}

std::string top_words(const margins::TopChoiceFindings& top, const TextStyle& style) {
  std::string words = "an inadmissible choice on top in " + grouped(top.reference) + " " +
                      std::string(glyphs(style).arrow) + " " + grouped(top.arm) + " of " +
                      counted(top.decisions, "decision") + ", " +
                      ratio_words(top.amplification, style);
  if (top.logged.value)
    words += "; in the arms' own logs " + ratio_with_interval(top.logged, style) + " a call";
  return words;
}

std::string side_test_words(const margins::SideTest& test, const TextStyle& style) {
  if (test.decisions == 0) return {};
  std::string words = counted(test.flipped, "flip") + " of " + counted(test.decisions, "decision");
  if (test.auc_thinness.value || test.auc_divergence.value) {
    words += ", AUC: thin margins " + number_words(test.auc_thinness, 2, style) +
             ", KL divergence " + number_words(test.auc_divergence, 2, style) + ", difference " +
             number_words(test.auc_difference, 2, style);
  }
  if (test.rank_thinness.value || test.rank_divergence.value) {
    words += "; rise in mass, rank correlation: thin margins " +
             number_words(test.rank_thinness, 2, style) + ", KL divergence " +
             number_words(test.rank_divergence, 2, style);
  }
  return words;
}

stats::Figure mass_ratio(const margins::MarginGroup& group) {
  for (const margins::MassFindings& mass : group.mass) {
    if (mass.temperature == 1.0) return mass.amplification;
  }
  return stats::missing("not of this side");
}

}  // namespace unmask::text
