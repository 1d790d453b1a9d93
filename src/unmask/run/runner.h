#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "unmask/run/run_progress.h"

namespace unmask::run {

struct RunnerSettings {
  unsigned threads = 1;  ///< that play episodes without models behind endpoints
  /// So many failed requests in a row, over all episodes, pause an endpoint.
  std::uint32_t failures_in_row = 5;
  /// How long a paused endpoint is left alone before one request tries it again; when the last wait
  /// was in vain, the endpoint is given up.
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::seconds(5), std::chrono::seconds(15), std::chrono::seconds(60),
      std::chrono::seconds(300)};
  /// How long requests under way are waited for when the run is to stop.
  std::chrono::milliseconds grace{5'000};
};

/// What a run tells while it runs. All are called on the thread that called the runner.
struct RunnerHooks {
  /// Several times a second; false asks the run to stop. May be empty.
  std::function<bool(const RunProgress&)> progress;
  /// A sentence about what happened to an endpoint. May be empty.
  std::function<void(const std::string&)> notice;

  [[nodiscard]] bool goes_on(const RunProgress& so_far) const {
    return !progress || progress(so_far);
  }
  void tell(const std::string& sentence) const {
    if (notice) notice(sentence);
  }
};

/// How a run, or a part of it, ended.
struct RunEnd {
  bool interrupted = false;
  std::vector<std::string> lost_endpoints;  ///< given up, each with its last error
};

}  // namespace unmask::run
