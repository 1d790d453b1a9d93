// Margins, flips and inadmissible mass against vectors made with numpy and scipy.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_data.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/analyse.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/margins/noise.h"

namespace unmask::margins {
namespace {

using Json = nlohmann::json;
using reference::Vectors;

constexpr double kEverywhere = std::numeric_limits<double>::infinity();

void expect_near(const Json& expected, std::optional<double> actual, const std::string& what) {
  if (expected.is_null()) {
    EXPECT_EQ(actual, std::nullopt) << what;
    return;
  }
  ASSERT_TRUE(actual.has_value()) << what;
  const double value = expected.get<double>();
  EXPECT_NEAR(*actual, value, std::max(1e-12, 1e-9 * std::abs(value))) << what;
}

// The vectors take b and s from all decisions, without window and folds.
std::optional<double> predicted(const std::vector<PairedMargin>& decisions, const Noise& noise,
                                bool good) {
  if (!noise.sigma || *noise.sigma == 0.0) return std::nullopt;
  double sum = 0.0;
  double count = 0.0;
  for (const PairedMargin& decision : decisions) {
    if ((decision.reference > 0) != good) continue;
    sum += flip_probability(decision.reference, *noise.bias, *noise.sigma, kEverywhere);
    count += 1.0;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<double> predicted_empirical(const std::vector<PairedMargin>& decisions) {
  std::vector<double> errors;
  errors.reserve(decisions.size());
  for (const PairedMargin& decision : decisions) errors.push_back(decision.error());
  std::ranges::sort(errors);
  double sum = 0.0;
  double count = 0.0;
  for (const PairedMargin& decision : decisions) {
    if (decision.reference <= 0) continue;
    sum += flip_share(decision.reference, errors, kEverywhere);
    count += 1.0;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::optional<double> thin_share_of(const std::vector<PairedMargin>& decisions,
                                    const Noise& noise) {
  if (!noise.sigma) return std::nullopt;
  const auto thin = std::ranges::count_if(decisions, [&](const PairedMargin& decision) {
    return std::abs(decision.reference) < 2.0 * *noise.sigma;
  });
  return static_cast<double>(thin) / static_cast<double>(decisions.size());
}

TEST(MarginsReference, NoiseFlipsAndPredictions) {
  Vectors vectors("stats/margins.json", 13);
  if (!vectors.available()) return;
  const Json file = vectors.json();
  for (const Json& one : file.at("cases")) {
    const std::string id = one.at("id");
    const Json& expected = one.at("expected");
    std::vector<PairedMargin> decisions;
    ScoredDecisions scored;
    scored.arms = {{.name = "ref"}, {.name = "arm"}};
    for (std::size_t i = 0; i < one.at("input").at("m_ref").size(); ++i) {
      const double reference = one.at("input").at("m_ref").at(i);
      const double arm = one.at("input").at("m_arm").at(i);
      decisions.push_back({.task = i, .reference = reference, .arm = arm});
      ScoredDecision decision{.task_id = std::to_string(i)};
      decision.options = {{.text = "a", .admissible = true}, {.text = "b"}};
      decision.arms = {{.log_probability = {reference, 0.0}}, {.log_probability = {arm, 0.0}}};
      scored.decisions.push_back(std::move(decision));
    }
    const Noise noise = noise_of(decisions, kEverywhere);
    expect_near(expected.at("bias"), noise.bias, id + " bias");
    expect_near(expected.at("sigma"), noise.sigma, id + " sigma");
    vectors.count();
    if (!expected.contains("flip_matrix")) continue;
    expect_near(expected.at("thin_share"), thin_share_of(decisions, noise), id + " thin");
    expect_near(expected.at("pred_flip_pos"), predicted(decisions, noise, true), id + " good");
    expect_near(expected.at("pred_flip_neg"), predicted(decisions, noise, false), id + " bad");
    expect_near(expected.at("pred_flip_pos_ecdf"), predicted_empirical(decisions), id + " ecdf");
    const MarginFindings findings = analyse(scored);
    const MarginGroup& group = findings.comparisons.at(0).groups.at(0);
    expect_near(expected.at("obs_flip_pos"), group.good.observed.value, id + " observed good");
    expect_near(expected.at("obs_flip_neg"), group.bad.observed.value, id + " observed bad");
    const Json& matrix = expected.at("flip_matrix");
    EXPECT_EQ(group.matrix, (FlipMatrix{.good_good = matrix.at("ref_pos_arm_pos"),
                                        .good_bad = matrix.at("ref_pos_arm_nonpos"),
                                        .bad_good = matrix.at("ref_nonpos_arm_pos"),
                                        .bad_bad = matrix.at("ref_nonpos_arm_nonpos")}))
        << id;
  }
  vectors.finish();
}

TEST(MarginsReference, InadmissibleMass) {
  Vectors vectors("stats/inadmissible.json", 6);
  if (!vectors.available()) return;
  const Json file = vectors.json();
  for (const Json& one : file.at("cases")) {
    const std::string id = one.at("id");
    const std::vector<double> logs = one.at("input").at("logprob");
    ScoredDecision decision;
    for (const bool admissible : one.at("input").at("admissible"))
      decision.options.push_back({.text = "x", .admissible = admissible});
    decision.arms = {{.log_probability = logs}};
    // One-token options: their log-probability at T is logprob/T less a constant.
    for (const double temperature : {0.25, 0.7, 1.5}) {
      TemperedScores tempered{.temperature = temperature, .log_probability = {}};
      for (const double value : logs) tempered.log_probability.push_back(value / temperature);
      decision.arms[0].tempered.push_back(std::move(tempered));
    }
    const Json& expected = one.at("expected");
    expect_near(expected.at("T=0.25"), inadmissible_mass(decision, 0, 0.25), id);
    expect_near(expected.at("T=0.7"), inadmissible_mass(decision, 0, 0.7), id);
    expect_near(expected.at("T=1.0"), inadmissible_mass(decision, 0, 1.0), id);
    expect_near(expected.at("T=1.5"), inadmissible_mass(decision, 0, 1.5), id);
    expect_near(expected.at("margin"), margin_of(decision, 0), id);
    vectors.count();
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask::margins
