#include "unmask/audit/study_findings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include "unmask/audit/screen_validation.h"
#include "unmask/stats/rank_correlation.h"

namespace unmask {
namespace {

constexpr std::size_t kFewestCells = 4;

// One cell: its most damaged arm (largest amplification of any channel that was tested).
struct CellPoint {
  const CellInfo* info = nullptr;
  double propensity = 0.0;  // reference's errors a call in that channel
  double rise = 0.0;        // arm's errors a call less the reference's
  double amplification = 0.0;
  double widening = 0.0;
  bool has_widening = false;
};

double rate_in(const CellFindings& cell, const std::string& arm, const std::string& channel) {
  for (const ArmFindings& each : cell.arms) {
    if (each.arm != arm) continue;
    const ChannelFindings* found = each.channel(channel);
    return found == nullptr ? 0.0 : found->per_call.value.value_or(0.0);
  }
  return 0.0;
}

std::optional<CellPoint> cell_point(const CellFindings& cell, const AuditSettings& settings) {
  std::optional<CellPoint> worst;
  for (const ComparisonFindings& comparison : cell.comparisons) {
    const WideningPoint* widening = comparison.widening_at(settings.budgets.front());
    for (const AmplificationFindings& channel : comparison.amplification) {
      if (!channel.in_family || !channel.tested || !channel.ratio.value) continue;
      if (worst && *channel.ratio.value <= worst->amplification) continue;
      CellPoint point;
      point.info = &cell.info;
      point.propensity = rate_in(cell, cell.reference, channel.channel);
      point.rise = rate_in(cell, comparison.arm, channel.channel) - point.propensity;
      point.amplification = *channel.ratio.value;
      point.has_widening = widening != nullptr && widening->widening.figure.value.has_value();
      if (point.has_widening) point.widening = *widening->widening.figure.value;
      worst = point;
    }
  }
  return worst;
}

// `27B`, `1.7b`, `350M` as billions of parameters.
std::optional<double> size_in_billions(const std::string& size) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), value);
  if (error != std::errc() || value <= 0.0) return std::nullopt;
  const char unit = end == size.data() + size.size() ? 'b' : *end;
  switch (std::tolower(static_cast<unsigned char>(unit))) {
    case 'b':
      return value;
    case 'm':
      return value / 1000.0;
    case 't':
      return value * 1000.0;
    default:
      return std::nullopt;
  }
}

Predictor predictor(std::string name, const std::vector<double>& x, const std::vector<double>& rise,
                    const AuditSettings& settings, std::uint64_t stream) {
  Predictor result{.name = std::move(name)};
  if (x.size() < kFewestCells) {
    result.reason = "fewer than 4 cells tell it";
    return result;
  }
  const stats::RankCorrelation rank = stats::rank_correlation(x, rise);
  result.spearman = rank.spearman;
  result.reason = rank.reason;
  result.p =
      stats::spearman_permutation_test(
          x, rise, {.seed = settings.seed, .index = stream, .replicates = settings.sign_flips})
          .p;
  return result;
}

}  // namespace

StudyFindings study_findings(const std::vector<CellFindings>& cells,
                             const AuditSettings& settings) {
  StudyFindings study;
  std::vector<CellPoint> points;
  for (const CellFindings& cell : cells) {
    if (cell.comparisons.empty()) continue;
    ++study.cells;
    bool equivalent = true;
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const EquivalencePoint* whole = comparison.equivalence_at(comparison.k_obs);
      equivalent = equivalent && whole != nullptr && whole->equivalent;
      ++study.equivalence_tests;
      const GapPoint* gap = comparison.gap_at(comparison.k_obs);
      study.gaps_surviving +=
          gap != nullptr && gap->gap.p_adjusted && *gap->gap.p_adjusted < settings.alpha;
      for (const AmplificationFindings& channel : comparison.amplification) {
        if (channel.in_family && channel.amplified)
          ++study.channel_by_domain[cell.info.domain][channel.channel];
      }
    }
    study.equivalent += equivalent;
    if (const std::optional<CellPoint> point = cell_point(cell, settings)) points.push_back(*point);
  }
  if (study.cells < kFewestCells) {
    study.reason =
        "too few cells: findings over cells need at least 4 with a reference and another arm";
    return study;
  }
  if (!settings.details) return study;  // no verdict needs the correlations, and they take long
  std::vector<double> amplification, widening;
  for (const CellPoint& point : points) {
    if (!point.has_widening) continue;
    amplification.push_back(point.amplification);
    widening.push_back(point.widening);
  }
  study.spearman_amplification_widening = stats::rank_correlation(amplification, widening).spearman;
  study.spearman_p = stats::spearman_permutation_test(
                         amplification, widening,
                         {.seed = settings.seed, .index = 0, .replicates = settings.sign_flips})
                         .p;

  std::vector<double> propensity, propensity_rise, size, size_rise, dense, dense_rise;
  for (const CellPoint& point : points) {
    propensity.push_back(point.propensity);
    propensity_rise.push_back(point.rise);
    if (const std::optional<double> billions = size_in_billions(point.info->size)) {
      size.push_back(*billions);
      size_rise.push_back(point.rise);
    }
    if (point.info->architecture == "dense" || point.info->architecture == "moe") {
      dense.push_back(point.info->architecture == "dense" ? 1.0 : 0.0);
      dense_rise.push_back(point.rise);
    }
  }
  study.predictors = {predictor("propensity", propensity, propensity_rise, settings, 1),
                      predictor("size", size, size_rise, settings, 2),
                      predictor("dense", dense, dense_rise, settings, 3)};
  study.foretold = foretold_findings(cells, settings);
  return study;
}

}  // namespace unmask
