#include "unmask/power/gamma_grid.h"

#include <algorithm>
#include <cmath>

#include "unmask/base/check.h"

namespace unmask::power {
namespace {

constexpr double kNegligible = 1e-13;  // of the density's peak
constexpr double kConstantShape = 1e5;
constexpr double kZero = -30.0;  // logarithm of a factor that can't be told from 0

double log_density(double shape, double t) { return shape * (t - std::exp(t)); }

}  // namespace

double LogGrid::factor(std::size_t i) const {
  return std::exp(first + static_cast<double>(i) * step);
}

double grid_step(double shape_a, double shape_b) {
  double step = 0.25;
  for (const double shape : {shape_a, shape_b}) {
    if (shape < kConstantShape) step = std::min(step, 1.0 / std::sqrt(shape));
  }
  return step;
}

LogGrid gamma_grid(double shape, double step) {
  UNMASK_CHECK(shape > 0.0 && step > 0.0);
  LogGrid grid{.step = step};
  if (shape >= kConstantShape) return grid;
  const double peak = log_density(shape, 0.0);
  const auto nodes_to = [&](double direction) {
    int nodes = 1;
    while (log_density(shape, direction * nodes * step) - peak > std::log(kNegligible)) ++nodes;
    return nodes;
  };
  const int below = std::min(nodes_to(-1.0), static_cast<int>(std::ceil(-kZero / step)));
  const int above = nodes_to(1.0);
  grid.first = -below * step;
  grid.weights.clear();
  double sum = 0.0;
  for (int i = -below; i <= above; ++i) {
    grid.weights.push_back(std::exp(log_density(shape, i * step) - peak));
    sum += grid.weights.back();
  }
  // Down there the density is exp(shape t): the nodes left out are a geometric series.
  const double next = std::exp(-shape * step);
  const double left_out = grid.weights.front() * next / (1.0 - next);
  grid.weights.front() += left_out;
  sum += left_out;
  for (double& weight : grid.weights) weight /= sum;
  return grid;
}

LogGrid product(const LogGrid& a, const LogGrid& b) {
  UNMASK_CHECK(a.step == b.step);
  LogGrid grid{.first = a.first + b.first,
               .step = a.step,
               .weights = std::vector<double>(a.weights.size() + b.weights.size() - 1)};
  for (std::size_t i = 0; i < a.weights.size(); ++i) {
    for (std::size_t j = 0; j < b.weights.size(); ++j) {
      grid.weights[i + j] += a.weights[i] * b.weights[j];
    }
  }
  return grid;
}

}  // namespace unmask::power
