#pragma once

#include <vector>

namespace unmask::svg {

/// From numbers to places along an axis. `start` may lie beyond `end`: the vertical axis grows up.
struct Scale {
  enum class Kind { linear, root, log };  ///< root: square root, for rates near 0
  Kind kind = Kind::linear;
  double from = 0.0, to = 1.0;    ///< numbers; from < to, and above 0 for log
  double start = 0.0, end = 1.0;  ///< their places

  /// Numbers outside [from, to] stand at its ends.
  [[nodiscard]] double operator()(double number) const;
};

/// Round numbers in [from, to], `about` of them: multiples of 1, 2 or 5 times a power of ten.
[[nodiscard]] std::vector<double> ticks(double from, double to, int about);

/// `scale`, its ends moved out to round numbers.
[[nodiscard]] Scale rounded(Scale scale, int about);

/// Those of ascending `candidates` that lie on the scale, at least `room` apart; `always` stays if
/// it is among them.
[[nodiscard]] std::vector<double> spaced(const Scale& scale, const std::vector<double>& candidates,
                                         double room, double always);

}  // namespace unmask::svg
