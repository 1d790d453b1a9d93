#include "unmask/report/svg_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "unmask/base/check.h"

namespace unmask::svg {
namespace {

double warped(Scale::Kind kind, double number) {
  switch (kind) {
    case Scale::Kind::linear:
      return number;
    case Scale::Kind::root:
      return std::sqrt(std::max(0.0, number));
    case Scale::Kind::log:
      return std::log(number);
  }
  UNMASK_CHECK(false);
}

double step_of(double from, double to, int about) {
  const double raw = (to - from) / std::max(1, about);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double times : {1.0, 2.0, 5.0}) {
    // The bounds are the geometric means of neighbours, as d3 chooses them.
    if (raw / power < std::sqrt(times * (times == 2.0 ? 5.0 : 2.0 * times))) return times * power;
  }
  return 10.0 * power;
}

constexpr double kHair = 1e-9;  // of a step: what rounding may have taken

}  // namespace

double Scale::operator()(double number) const {
  const double inside = std::clamp(number, from, to);
  const double share =
      (warped(kind, inside) - warped(kind, from)) / (warped(kind, to) - warped(kind, from));
  return start + share * (end - start);
}

std::vector<double> ticks(double from, double to, int about) {
  UNMASK_CHECK(from < to);
  const double step = step_of(from, to, about);
  std::vector<double> all;
  for (double i = std::ceil(from / step - kHair); i * step <= to + kHair * step; ++i)
    all.push_back(i * step);
  return all;
}

Scale rounded(Scale scale, int about) {
  const double step = step_of(scale.from, scale.to, about);
  scale.from = std::floor(scale.from / step + kHair) * step;
  scale.to = std::ceil(scale.to / step - kHair) * step;
  return scale;
}

std::vector<double> spaced(const Scale& scale, const std::vector<double>& candidates, double room,
                           double always) {
  std::vector<double> kept;
  for (const double tick : candidates) {
    if (tick < scale.from || tick > scale.to) continue;
    const bool close = !kept.empty() && std::abs(scale(tick) - scale(kept.back())) < room;
    if (close && tick != always) continue;
    if (close) kept.pop_back();
    kept.push_back(tick);
  }
  return kept;
}

}  // namespace unmask::svg
