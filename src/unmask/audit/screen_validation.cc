#include "unmask/audit/screen_validation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/settings.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/validation.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rank_correlation.h"

namespace unmask {
namespace {

constexpr std::size_t kFewestCells = 4;
// Streams 0 to 3 are those of the other correlations over cells.
constexpr std::uint64_t kStream = 4;

const screen::ValidationPoint* point_at(const screen::Validation& validation, int k) {
  const auto found = std::ranges::find(validation.points, k, &screen::ValidationPoint::k);
  return found == validation.points.end() ? nullptr : &*found;
}

// The prediction at `k` for the cell's loudest arm.
const screen::ValidationPoint* loudest_at(const CellFindings& cell, int k) {
  const screen::ValidationPoint* loudest = nullptr;
  double factor = 0.0;
  for (const ComparisonFindings& comparison : cell.comparisons) {
    if (!comparison.foretold || !comparison.foretold->factor.value) continue;
    const screen::ValidationPoint* point = point_at(*comparison.foretold, k);
    if (point == nullptr || *comparison.foretold->factor.value <= factor) continue;
    factor = *comparison.foretold->factor.value;
    loudest = point;
  }
  return loudest;
}

}  // namespace

screen::ScreenSettings screen_settings(const AuditSettings& settings) {
  screen::ScreenSettings screened;
  screened.near_zero_rate = settings.near_zero_rate;
  screened.budgets = settings.budgets;
  screened.serious_loss = settings.margin;
  screened.shown_budget = settings.shown_budget;
  return screened;
}

screen::Validation validate_screen(const ArmPair& pair, const AuditSettings& settings) {
  return screen::validate(*pair.ref, *pair.arm, {.ref = pair.tasks.ref, .arm = pair.tasks.arm},
                          pair.k_obs, screen_settings(settings));
}

ForetoldFindings foretold_findings(const std::vector<CellFindings>& cells,
                                   const AuditSettings& settings) {
  ForetoldFindings findings;
  findings.k = settings.budgets.front();
  std::vector<double> predicted;
  std::vector<double> observed;
  std::vector<double> errors;
  std::vector<double> absolute;
  for (const CellFindings& cell : cells) {
    const screen::ValidationPoint* point = loudest_at(cell, findings.k);
    if (point == nullptr) continue;
    predicted.push_back(*point->predicted.value);
    observed.push_back(*point->observed.value);
    errors.push_back(observed.back() - predicted.back());
    absolute.push_back(std::abs(errors.back()));
  }
  findings.cells = static_cast<std::uint32_t>(predicted.size());
  if (predicted.size() < kFewestCells) {
    findings.reason = "fewer than 4 cells have a prediction at this budget";
    return findings;
  }
  findings.mean_error = stats::moments_of(errors).mean;
  findings.mean_absolute_error = stats::moments_of(absolute).mean;
  const stats::RankCorrelation rank = stats::rank_correlation(predicted, observed);
  findings.spearman = rank.spearman;
  findings.reason = rank.reason;
  findings.p = stats::spearman_permutation_test(
                   predicted, observed,
                   {.seed = settings.seed, .index = kStream, .replicates = settings.sign_flips})
                   .p;
  return findings;
}

}  // namespace unmask
