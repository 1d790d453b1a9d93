// The what-if vectors: the negative binomial run model and the two simple forms.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/screen/run_model.h"
#include "unmask/screen/simple_form.h"

namespace unmask::screen {
namespace {

using nlohmann::json;

// `a=1.5,K=2`.
struct Point {
  double factor = 0.0;
  int budget = 0;
};
Point point_of(const std::string& key) {
  const std::size_t comma = key.find(',');
  return {.factor = std::stod(key.substr(2, comma - 2)),
          .budget = std::stoi(key.substr(comma + 3))};
}
bool is_point(const std::string& key) { return key.starts_with("a="); }

void expect_close(double actual, const json& expected, const std::string& what) {
  const double value = expected.get<double>();
  EXPECT_NEAR(actual, value, 1e-12 + 1e-9 * std::abs(value)) << what;
}

TEST(WhatIfReference, SimpleForms) {
  reference::Vectors file("stats/whatif.json", 14);
  if (!file.available()) return;
  const json vectors = file.json();
  for (const json& each : vectors["cases"]) {
    const json& input = each["input"];
    const double rho = input["rho"].get<double>();
    std::vector<EpisodeErrors> episodes;
    for (std::size_t i = 0; i < input["y"].size(); ++i)
      episodes.push_back(
          {.success = input["y"][i].get<int>() == 1, .errors = input["E"][i].get<int>()});
    const auto n = static_cast<double>(episodes.size());
    std::size_t points = 0;
    for (const auto& [key, expected] : each["expected"].items()) {
      if (!is_point(key)) continue;
      const Point at = point_of(key);
      double before = 0.0;
      double simple = 0.0;
      double in_runs = 0.0;
      for (const EpisodeErrors& episode : episodes) {
        before += simple_success(episode, 1.0, at.budget);
        simple += simple_success(episode, at.factor, at.budget);
        in_runs += simple_success_in_runs(episode, at.factor, at.budget, rho);
      }
      const std::string what = each["id"].get<std::string>() + " " + key;
      expect_close(before / n, expected["S_ref"], what);
      expect_close(simple / n, expected["S"], what);
      expect_close((before - simple) / n, expected["lost"], what);
      expect_close(in_runs / n, expected["S_runs"], what);
      expect_close((before - in_runs) / n, expected["lost_runs"], what);
      ++points;
    }
    EXPECT_EQ(points, 12U);
    file.count();
  }
  file.finish();
}

TEST(WhatIfReference, RunModel) {
  reference::Vectors file("stats/runs_model.json", 6);
  if (!file.available()) return;
  const json vectors = file.json();
  for (const json& each : vectors["cases"]) {
    const json& input = each["input"];
    std::vector<std::uint32_t> runs;
    for (std::size_t i = 0; i < input["y"].size(); ++i) {
      if (input["y"][i].get<int>() == 1) runs.push_back(input["runs"][i].get<std::uint32_t>());
    }
    const json& expected = each["expected"];
    const std::string id = each["id"].get<std::string>();
    const RunModel model = fit_runs(run_sums(runs), input["rho"].get<double>());
    EXPECT_EQ(runs.size(), expected["solved"].get<std::size_t>());
    expect_close(model.mean, expected["mu"], id);
    expect_close(model.variance, expected["var"], id);
    ASSERT_EQ(model.shape.has_value(), !expected["kappa"].is_null()) << id;
    if (model.shape) expect_close(*model.shape, expected["kappa"], id);
    std::size_t points = 0;
    for (const auto& [key, point] : expected.items()) {
      if (!is_point(key)) continue;
      const Point at = point_of(key);
      const double score = point["S_ref"].get<double>();
      const double left = score * surviving_shares(model, at.factor, at.budget).back();
      expect_close(left, point["S"], id + " " + key);
      expect_close(score - left, point["lost"], id + " " + key);
      ++points;
    }
    EXPECT_GE(points, 9U);
    file.count();
  }
  file.finish();
}

}  // namespace
}  // namespace unmask::screen
