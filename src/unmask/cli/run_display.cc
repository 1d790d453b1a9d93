#include "unmask/cli/run_display.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

#include "unmask/base/joined.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/character_width.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/run/run_progress.h"

namespace unmask::cli {
namespace {

struct TerminalSize {
  int columns = 80;
  int rows = 24;
};

// Asked each time: windows change.
TerminalSize terminal_size() {
  TerminalSize found;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 1) found.columns = size.ws_col;
    if (size.ws_row > 1) found.rows = size.ws_row;
  }
  if (size.ws_col == 0) {
    const char* columns = std::getenv("COLUMNS");
    if (const int given = columns == nullptr ? 0 : std::atoi(columns); given > 1)
      found.columns = given;
  }
  return found;
}

std::string percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return "   -";
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%4.1f",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return buffer.data();
}

// Items two columns apart, on as few lines as take them; those after the first are indented.
std::vector<std::string> filled(const std::vector<std::string>& items, int width) {
  std::vector<std::string> lines;
  for (const std::string& item : items) {
    if (!lines.empty() &&
        text::display_width(lines.back()) + 2 + text::display_width(item) <= width) {
      lines.back() += "  " + item;
    } else {
      lines.push_back((lines.empty() ? "" : "    ") + item);
    }
  }
  return lines;
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
  auto value = static_cast<double>(count);
  std::size_t unit = 0;
  for (value /= 1000.0; value >= 999.5 && unit + 1 < kUnits.size(); ++unit) value /= 1000.0;
  std::array<char, 32> buffer{};
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  std::snprintf(buffer.data(), buffer.size(), "%.*f%c", decimals, value, kUnits[unit]);
  return buffer.data();
}

std::vector<std::string> progress_items(const run::ArmProgress& arm, int name_width) {
  std::vector<std::string> items = {
      text::padded_right(arm_name(arm), name_width),
      text::padded_right(std::to_string(arm.done) + "/" + std::to_string(arm.planned), 9)};
  for (std::size_t i = 0; i < run::kBudgetsSoFar.size(); ++i) {
    items.push_back("S(" + std::to_string(run::kBudgetsSoFar[i]) + ") " +
                    percent(arm.passed_at[i], arm.scored));
  }
  items.push_back("failed calls " + percent(arm.counts.failed, arm.counts.calls) + " %");
  items.push_back("not offered " + percent(arm.counts.tool_name, arm.counts.calls) + " %");
  if (arm.counts.malformed > 0)
    items.push_back("malformed " + percent(arm.counts.malformed, arm.counts.calls) + " %");
  if (arm.infrastructure > 0)
    items.push_back("infrastructure " + std::to_string(arm.infrastructure));
  const std::uint64_t tokens = arm.counts.prompt_tokens + arm.counts.completion_tokens;
  if (tokens > 0) items.push_back("tokens " + short_count(tokens));
  return items;
}

RunDisplay::RunDisplay(bool quiet)
    : quiet_(quiet), on_terminal_(!quiet && isatty(STDERR_FILENO) == 1) {}

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
  const double elapsed = std::chrono::duration<double>(Clock::now() - phase_start_).count();
  if (const std::optional<double> rate = progress.rate(elapsed)) {
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), ", %.2f a second", *rate);
    line += buffer.data();
  }
  if (const std::optional<double> left = progress.seconds_left(elapsed))
    line += ", " + time_text(*left) + " left";
  if (progress.alive > 0) line += ", " + std::to_string(progress.alive) + " under way";
  if (progress.asking > 0) line += ", " + std::to_string(progress.asking) + " requests";
  if (progress.infrastructure > 0) {
    line += ", " + std::to_string(progress.infrastructure) + " infrastructure errors";
  }
  return line;
}

std::vector<std::string> RunDisplay::block(const run::RunProgress& progress, int width,
                                           int height) const {
  int name_width = 0;
  for (const run::ArmProgress& arm : progress.arms)
    name_width = std::max(name_width, text::display_width(arm_name(arm)));
  std::vector<std::string> whole = {summary(progress)};
  std::vector<std::string> folded = text::wrapped(whole.front(), width);
  for (const run::ArmProgress& arm : progress.arms) {
    const std::vector<std::string> items = progress_items(arm, name_width);
    whole.push_back(joined(items, "  "));
    for (std::string& line : filled(items, width)) folded.push_back(std::move(line));
  }
  // Lines that have scrolled away can't be drawn again.
  const auto most = static_cast<std::size_t>(std::max(height, 2));
  std::vector<std::string>& lines = folded.size() <= most ? folded : whole;
  if (lines.size() > most) {
    const std::size_t left_out = lines.size() - (most - 1);
    lines.resize(most - 1);
    lines.push_back("and " + text::counted(left_out, "more arm"));
  }
  for (std::string& line : lines) line = text::truncated(line, width, "...");
  return lines;
}

void RunDisplay::update(const run::RunProgress& progress) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  if (progress.playing_remote && !playing_remote_) {
    playing_remote_ = true;
    phase_start_ = now;
  }
  const auto period =
      on_terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(30'000);
  if (now - std::max(last_, start_) < period) return;
  last_ = now;
  if (!on_terminal_) {
    complain(summary(progress));
    return;
  }
  const TerminalSize size = terminal_size();
  const std::vector<std::string> lines = block(progress, size.columns - 1, size.rows - 1);
  erase();
  for (const std::string& line : lines) std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
  lines_ = lines.size();
}

}  // namespace unmask::cli
