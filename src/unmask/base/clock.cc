#include "unmask/base/clock.h"

#include <chrono>
#include <cmath>
#include <cstdint>

namespace unmask {

std::int64_t SystemClock::wall_microseconds() const {
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(since_epoch).count();
}

double SystemClock::monotonic_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void ManualClock::pass(double seconds) {
  seconds_ += seconds;
  wall_ += std::llround(seconds * 1e6);
}

}  // namespace unmask
