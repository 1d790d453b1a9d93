#include "unmask/cli/terminal.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <langinfo.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/ingest/missing_path.h"
#include "unmask/output/output_file.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"

namespace unmask::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int signal) {
  if (g_interrupted != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  g_interrupted = 1;
}

std::string mark_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "note: ";
    case Severity::data_loss:
      return "warning: ";
    case Severity::error:
      return "error: ";
  }
  return {};
}

// SQLite's first bytes. A run's file is no log, and so never among the inputs.
bool is_database(const std::string& path) {
  constexpr std::string_view kStart = "SQLite format 3";
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;  // nothing is taken from a pipe
  std::ifstream file(path, std::ios::binary);
  std::string start(kStart.size(), '\0');
  return file.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kStart;
}

std::string seconds_text(double seconds) {
  const auto whole = std::lround(seconds);
  std::array<char, 32> buffer{};
  if (whole < 60) {
    std::snprintf(buffer.data(), buffer.size(), "%lds", whole);
  } else {
    std::snprintf(buffer.data(), buffer.size(), "%ldm%02lds", whole / 60, whole % 60);
  }
  return buffer.data();
}

}  // namespace

Terminal standard_output() {
  Terminal terminal;
  terminal.is_terminal = isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (terminal.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    terminal.width = size.ws_col;
  }
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const int given = std::atoi(columns);
    if (given > 0) terminal.width = given;
  }
  const char* no_color = std::getenv("NO_COLOR");
  terminal.color = terminal.is_terminal && (no_color == nullptr || *no_color == '\0');
  // Only the character set is asked for; numbers are printed without any locale.
  std::setlocale(LC_CTYPE, "");
  const std::string_view codeset = nl_langinfo(CODESET);
  terminal.unicode = codeset == "UTF-8" || codeset == "utf8";
  return terminal;
}

bool interrupted() { return g_interrupted != 0; }

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void let_writes_fail() { std::signal(SIGXFSZ, SIG_IGN); }

ProgressBar::ProgressBar(std::string what, bool quiet)
    : what_(std::move(what)), shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total, std::string_view unit) {
  const Clock::time_point now = Clock::now();
  if (!shown_ || total == 0 || (drawn_ && now - last_ < std::chrono::milliseconds(100))) return;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed < 0.3) return;  // short work needs no bar
  last_ = now;
  drawn_ = true;
  const double share = static_cast<double>(done) / static_cast<double>(total);
  constexpr int kCells = 24;
  const int filled = static_cast<int>(share * kCells);
  std::string bar(static_cast<std::size_t>(filled), '#');
  bar.resize(kCells, '.');
  const bool bytes = unit == "B";
  const double rate = elapsed > 0.0 ? static_cast<double>(done) / elapsed : 0.0;
  const double left = rate > 0.0 ? static_cast<double>(total - done) / rate : 0.0;
  std::fprintf(stderr, "\r\033[K%s [%s] %3d %%  %.1f %s/s  %s left", what_.c_str(), bar.c_str(),
               static_cast<int>(100.0 * share), bytes ? rate / 1e6 : rate,
               bytes ? "MB" : std::string(unit).c_str(), seconds_text(left).c_str());
  std::fflush(stderr);
}

Result<void> write_output(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
        std::fflush(stdout) != 0) {
      return fail(ErrorCode::outside,
                  std::string("can't write to standard output: ") + std::strerror(errno));
    }
    return {};
  }
  Result<OutputFile> file = OutputFile::create(path, packing_of(path));
  if (!file) return tl::unexpected(file.error());
  file->write(text);
  return file->commit();
}

std::string for_destination(const std::string& path, std::string text) {
  const Terminal terminal = standard_output();
  if ((!path.empty() && path != "-") || !terminal.is_terminal) return text;
  return text::safe_lines(text);
}

Result<void> output_place(const std::string& path, std::span<const std::string> inputs) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (path.empty() || path == "-") return {};
  if (std::filesystem::is_directory(path, error)) {
    return fail(ErrorCode::outside, path + ": is a folder; give a file with -o");
  }
  if (is_database(path)) {
    return fail(ErrorCode::invalid_argument,
                path +
                    ": is a database, as a run's file is, and would be lost; give another place "
                    "with -o");
  }
  for (const std::string& input : inputs) {
    if (std::filesystem::equivalent(path, input, error)) {
      return fail(ErrorCode::invalid_argument,
                  path + ": is read here, and would be lost; give another place with -o");
    }
  }
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return {};
  return fail(ErrorCode::outside, path + ": the folder " + folder.string() +
                                      " is not there; make it (mkdir -p) or give another place "
                                      "with -o");
}

Result<std::string> read_text_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return fail(ErrorCode::bad_input, path + ": is a folder; give a file");
  }
  if (!std::filesystem::exists(path, error) && !error) {
    return fail(ErrorCode::bad_input, path + ": no such file" + missing_path_hint(path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(errno == EACCES ? ErrorCode::outside : ErrorCode::bad_input,
                path + ": can't be opened (" + std::strerror(errno) + "); check the path");
  }
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void complain(std::string_view message) {
  std::fprintf(stderr, "unmask: %s\n", text::safe(message).c_str());
}

void complain_lines(std::string_view message) {
  std::fprintf(stderr, "unmask: %s\n", text::safe_lines(message).c_str());
}

void print_diagnostics(const Diagnostics& diagnostics, bool verbose) {
  std::map<std::string_view, std::size_t> printed;
  std::size_t hidden = 0;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.severity == Severity::info && !verbose) {
      ++hidden;
      continue;
    }
    if (printed[diagnostic.code]++ > 0 && !verbose) continue;
    std::string line = mark_of(diagnostic.severity);
    if (!diagnostic.file.empty()) line += diagnostic.file + ": ";
    if (!diagnostic.episode.empty()) line += diagnostic.episode + ": ";
    line += diagnostic.sentence;
    if (diagnostic.offset) line += " (byte " + std::to_string(*diagnostic.offset) + ")";
    line += " [" + diagnostic.code + "]";
    const std::size_t all = diagnostics.count(diagnostic.code);
    if (!verbose && all > 1) line += " and " + std::to_string(all - 1) + " more like it";
    complain(line);
  }
  if (hidden > 0) {
    complain(text::counted(hidden, "note") + " not shown; --verbose shows " +
             (hidden == 1 ? "it" : "them"));
  }
}

}  // namespace unmask::cli
