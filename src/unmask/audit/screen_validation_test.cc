#include "unmask/audit/screen_validation.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/screen/validation.h"

namespace unmask {
namespace {

ComparisonFindings with_prediction(double factor, double predicted, double observed) {
  ComparisonFindings comparison;
  comparison.foretold = screen::Validation{};
  comparison.foretold->factor.value = factor;
  screen::ValidationPoint point;
  point.k = 2;
  point.predicted.value = predicted;
  point.observed.value = observed;
  comparison.foretold->points = {point};
  return comparison;
}

CellFindings cell_of(std::vector<ComparisonFindings> comparisons) {
  CellFindings cell;
  cell.comparisons = std::move(comparisons);
  return cell;
}

TEST(ForetoldFindings, NeedFourCells) {
  const ForetoldFindings none = foretold_findings({}, {});
  EXPECT_EQ(none.cells, 0U);
  EXPECT_FALSE(none.reason.empty());
  const CellFindings one = cell_of({with_prediction(2.0, 0.1, 0.1)});
  const ForetoldFindings three = foretold_findings({one, one, one}, {});
  EXPECT_EQ(three.cells, 3U);
  EXPECT_FALSE(three.spearman.has_value());
  EXPECT_FALSE(three.mean_error.has_value());
}

TEST(ForetoldFindings, TakeTheLoudestArmOfEachCell) {
  const std::vector<CellFindings> cells = {
      cell_of({with_prediction(1.1, 0.9, 0.0), with_prediction(2.0, 0.10, 0.12)}),
      cell_of({with_prediction(1.5, 0.05, 0.03)}), cell_of({with_prediction(1.2, 0.02, 0.02)}),
      cell_of({with_prediction(3.0, 0.20, 0.24), with_prediction(0.8, 0.5, 0.0)}),
      cell_of({ComparisonFindings{}})};
  const ForetoldFindings findings = foretold_findings(cells, {});
  EXPECT_EQ(findings.k, 2);
  EXPECT_EQ(findings.cells, 4U);
  EXPECT_NEAR(*findings.spearman, 1.0, 1e-15);
  EXPECT_NEAR(*findings.p, 2.0 / 24.0, 1e-12);
  EXPECT_NEAR(*findings.mean_error, 0.01, 1e-15);
  EXPECT_NEAR(*findings.mean_absolute_error, 0.02, 1e-15);
  EXPECT_EQ(findings.reason, "");
}

TEST(ForetoldFindings, EqualPredictionsHaveNoCorrelation) {
  const CellFindings cell = cell_of({with_prediction(2.0, 0.1, 0.1)});
  const ForetoldFindings findings = foretold_findings({cell, cell, cell, cell}, {});
  EXPECT_FALSE(findings.spearman.has_value());
  EXPECT_FALSE(findings.reason.empty());
  EXPECT_NEAR(*findings.mean_absolute_error, 0.0, 1e-15);
}

TEST(ScreenSettings, AreTheAuditsOwn) {
  AuditSettings settings;
  settings.near_zero_rate = 0.02;
  settings.margin = 0.05;
  settings.budgets = {3};
  settings.shown_budget = 7;
  const screen::ScreenSettings screened = screen_settings(settings);
  EXPECT_EQ(screened.near_zero_rate, 0.02);
  EXPECT_EQ(screened.serious_loss, 0.05);
  EXPECT_EQ(screened.budgets, std::vector<int>{3});
  EXPECT_EQ(screened.shown_budget, 7);
}

}  // namespace
}  // namespace unmask
