#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unmask/margins/noise.h"
#include "unmask/stats/figure.h"

namespace unmask::margins {

/// The decisions of a group that have margins in both arms. Tasks are numbered 0 .. tasks-1 and
/// each has a decision.
struct PairedGroup {
  std::size_t tasks = 0;
  std::vector<PairedMargin> decisions;
};

/// The sums of a group's noise inside of its window, by task, from which those without a task or
/// a fold are had.
struct WindowedNoise {
  double window = 0.0;
  NoiseOrigin origin;
  NoiseSums total;
  std::vector<NoiseSums> by_task;

  [[nodiscard]] Noise noise() const { return noise_of(total, origin); }
  [[nodiscard]] Noise without(std::size_t task) const;
};

/// Empty, with `reason` set, where there is no window: fewer than two decisions, or errors that are
/// all the same.
struct WindowedNoiseOrReason {
  std::optional<WindowedNoise> noise;
  std::string reason;
};
[[nodiscard]] WindowedNoiseOrReason windowed_noise(const PairedGroup& group);

/// Share of the decisions of `group` for which `counts` holds, among those for which `of` does;
/// Wilson at the effective number of observations over the tasks that have any. Missing with
/// `none` where there are none.
using Chosen = std::function<bool(const PairedMargin&)>;
[[nodiscard]] stats::Figure share_of(const PairedGroup& group, const Chosen& counts,
                                     const Chosen& of, const char* none);

}  // namespace unmask::margins
