#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/run/run_progress.h"

namespace unmask::cli {

/// What a run shows while it runs, on standard error: a block of lines that is drawn again twice a
/// second where that is a terminal, otherwise a line now and then. Nothing if `quiet`.
class RunDisplay {
 public:
  explicit RunDisplay(bool quiet);
  /// Erases the block.
  ~RunDisplay();
  RunDisplay(const RunDisplay&) = delete;
  RunDisplay& operator=(const RunDisplay&) = delete;

  void update(const run::RunProgress& progress);
  /// Prints a sentence above the block.
  void say(std::string_view sentence);
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::string summary(const run::RunProgress& progress) const;
  /// Summary and arms; long lines go on below where there is room for all.
  [[nodiscard]] std::vector<std::string> block(const run::RunProgress& progress, int width,
                                               int height) const;

  bool quiet_ = false;
  bool on_terminal_ = false;
  bool playing_remote_ = false;
  std::size_t lines_ = 0;  ///< of the block that is drawn
  Clock::time_point start_ = Clock::now();
  Clock::time_point phase_start_ = start_;  ///< of the episodes that are being played now
  Clock::time_point last_;
};

/// An arm so far: its name, episodes, score so far at the budgets shown, share of calls that failed
/// and of those with a name that is not offered, infrastructure errors, tokens.
[[nodiscard]] std::vector<std::string> progress_items(const run::ArmProgress& arm, int name_width);

/// `950`, `12.3k`, `4.56M`: at most five characters below 10^12.
[[nodiscard]] std::string short_count(std::uint64_t count);

}  // namespace unmask::cli
