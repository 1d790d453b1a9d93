#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "unmask/llm/chat.h"
#include "unmask/run/runner.h"

namespace unmask::run {

/// Whether an endpoint is worth asking, from what became of its requests. Those have been retried
/// by the client already, so each failure counts. Thread-compatible.
class EndpointHealth {
 public:
  using Time = std::chrono::steady_clock::time_point;

  enum class State : std::uint8_t {
    open,
    paused,  ///< left alone, then tried with one request
    lost,    ///< given up
  };
  /// What becomes of the episode whose request failed.
  enum class Verdict : std::uint8_t {
    end_episode,   ///< the fault may be its own; it is taken up by the next run
    keep_episode,  ///< it waits for the endpoint
  };

  explicit EndpointHealth(const RunnerSettings& settings) : settings_(&settings) {}

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] const std::string& last_error() const { return last_error_; }

  /// There was an answer, or an error that shows that somebody is there.
  void answered();
  /// There was none. `was_trial`: of the request that tried a paused endpoint.
  [[nodiscard]] Verdict failed(const llm::ChatError& error, bool was_trial, Time now);

  /// Whether a paused endpoint is to be tried now; not while a trial is under way.
  [[nodiscard]] bool is_trial_due(Time now) const;
  void trial_sent() { trying_ = true; }
  /// When it is to be tried. Of a paused one.
  [[nodiscard]] Time trial_at() const { return trial_at_; }

 private:
  void lose() { state_ = State::lost; }

  const RunnerSettings* settings_;
  State state_ = State::open;
  std::uint32_t in_row_ = 0;
  std::uint32_t refused_in_row_ = 0;
  std::size_t pause_ = 0;  ///< index into the settings' pauses
  bool trying_ = false;
  Time trial_at_{};
  std::string last_error_;
};

}  // namespace unmask::run
