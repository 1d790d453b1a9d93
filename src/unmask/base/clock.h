#pragma once

#include <cstdint>

namespace unmask {

/// Where time comes from. Safe to use from several threads.
class Clock {
 public:
  virtual ~Clock() = default;

  /// Microseconds since 1970 UTC. May step back when the system's time is set.
  [[nodiscard]] virtual std::int64_t wall_microseconds() const = 0;
  /// Seconds since some fixed moment; never steps back.
  [[nodiscard]] virtual double monotonic_seconds() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t wall_microseconds() const override;
  [[nodiscard]] double monotonic_seconds() const override;
};

/// A clock that moves only when told to: for tests and for simulated episodes, whose logs must not
/// depend on the time of day. Thread-compatible.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t wall_microseconds = 0) : wall_(wall_microseconds) {}

  [[nodiscard]] std::int64_t wall_microseconds() const override { return wall_; }
  [[nodiscard]] double monotonic_seconds() const override { return seconds_; }
  /// Lets `seconds` pass on both clocks.
  void pass(double seconds);
  /// Sets the wall clock alone, as an administrator does.
  void set_wall(std::int64_t microseconds) { wall_ = microseconds; }

 private:
  std::int64_t wall_ = 0;
  double seconds_ = 0;
};

}  // namespace unmask
