#include "unmask/cli/run_display.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "unmask/cli/terminal.h"
#include "unmask/report/terminal_text.h"
#include "unmask/run/run_progress.h"

namespace unmask::cli {
namespace {

constexpr std::size_t kMostArms = 40;  // on a terminal

std::string percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "   -";
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%4.1f",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return buffer.data();
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string time_text(double seconds) {
  const auto whole = std::lround(seconds);
  std::array<char, 32> buffer{};
  if (whole < 60) {
    std::snprintf(buffer.data(), buffer.size(), "%ld s", whole);
  } else if (whole < 3600) {
    std::snprintf(buffer.data(), buffer.size(), "%ld min", (whole + 30) / 60);
  } else {
    std::snprintf(buffer.data(), buffer.size(), "%.1f h", seconds / 3600.0);
  }
  return buffer.data();
}

std::string arm_name(const run::ArmProgress& arm) { return text::safe(arm.cell + " " + arm.arm); }

}  // namespace

std::string short_count(std::uint64_t count) {
  if (count < 1000) return std::to_string(count);
  constexpr std::array<char, 4> kUnits = {'k', 'M', 'G', 'T'};
  double value = static_cast<double>(count);
  std::size_t unit = 0;
  for (value /= 1000.0; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000.0;
  std::array<char, 32> buffer{};
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(buffer.data(), buffer.size(), "%.*f%c", decimals, value, kUnits[unit]);
  return buffer.data();
}

std::string progress_line(const run::ArmProgress& arm, std::size_t name_width) {
  std::string line = padded(arm_name(arm), name_width) + "  " +
                     padded(std::to_string(arm.done) + "/" + std::to_string(arm.planned), 9);
  for (std::size_t i = 0; i < run::kBudgetsSoFar.size(); ++i) {
    line += "  S(" + std::to_string(run::kBudgetsSoFar[i]) + ") " +
            percent(arm.passed_at[i], arm.scored);
  }
  line += "  failed calls " + percent(arm.counts.failed, arm.counts.calls) + " %" +
          ", not offered " + percent(arm.counts.tool_name, arm.counts.calls) + " %";
  if (arm.counts.malformed > 0) {
    line += ", malformed " + percent(arm.counts.malformed, arm.counts.calls) + " %";
  }
  if (arm.infrastructure > 0) line += ", infrastructure " + std::to_string(arm.infrastructure);
  const std::uint64_t tokens = arm.counts.prompt_tokens + arm.counts.completion_tokens;
  if (tokens > 0) line += ", tokens " + short_count(tokens);
  return line;
}

RunDisplay::RunDisplay(bool quiet)
    : quiet_(quiet), on_terminal_(!quiet && isatty(STDERR_FILENO) == 1) {
  winsize size{};
  if (on_terminal_ && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

RunDisplay::~RunDisplay() { erase(); }

void RunDisplay::erase() {
  if (lines_ > 0) std::fprintf(stderr, "\r\033[%zuA\033[J", lines_);
  lines_ = 0;
}

void RunDisplay::say(std::string_view sentence) {
  if (quiet_) return;
  erase();
  complain(sentence);
}

std::string RunDisplay::summary(const run::RunProgress& progress) const {
  std::string line =
      std::to_string(progress.done) + " of " + std::to_string(progress.planned) + " episodes";
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const std::size_t here = progress.done - progress.earlier;
  if (here > 0 && elapsed > 0) {
    const double rate = static_cast<double>(here) / elapsed;
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), ", %.2f a second, ", rate);
    line += buffer.data() +
            time_text(static_cast<double>(progress.planned - progress.done) / rate) + " left";
  }
  if (progress.alive > 0) line += ", " + std::to_string(progress.alive) + " under way";
  if (progress.asking > 0) line += ", " + std::to_string(progress.asking) + " requests";
  if (progress.infrastructure > 0) {
    line += ", " + std::to_string(progress.infrastructure) + " infrastructure errors";
  }
  return line;
}

void RunDisplay::update(const run::RunProgress& progress) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  const auto period =
      on_terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(30'000);
  if (now - std::max(last_, start_) < period) return;
  last_ = now;
  std::vector<std::string> lines = {summary(progress)};
  if (!on_terminal_) {
    complain(lines.front());
    return;
  }
  std::size_t name_width = 0;
  for (const run::ArmProgress& arm : progress.arms) {
    name_width = std::max(name_width, arm_name(arm).size());
  }
  for (std::size_t i = 0; i < std::min(progress.arms.size(), kMostArms); ++i) {
    lines.push_back(progress_line(progress.arms[i], name_width));
  }
  erase();
  for (const std::string& line : lines) {
    std::fprintf(stderr, "%s\n", line.substr(0, width_ - 1).c_str());
  }
  std::fflush(stderr);
  lines_ = lines.size();
}

}  // namespace unmask::cli
