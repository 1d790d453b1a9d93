#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"

namespace unmask::cli {

/// How standard output is to be written to.
struct Terminal {
  bool is_terminal = false;
  int width = 100;       ///< columns; COLUMNS or the terminal's own, 100 if it is none
  bool color = false;    ///< a terminal, and NO_COLOR is not set
  bool unicode = false;  ///< the locale's character set is UTF-8
};
[[nodiscard]] Terminal standard_output();

/// True once the user has pressed Ctrl-C (or SIGTERM came). The first signal only sets this; a
/// second one ends the process.
[[nodiscard]] bool interrupted();
void catch_interrupts();

/// A file that would grow beyond the limit of its size (ulimit -f) ends no process: the write fails
/// like one to a full disk, and is reported.
void let_writes_fail();

/// A progress bar on standard error: drawn only if that is a terminal and not `quiet`, at most ten
/// times a second, with rate and time left. Erased by its destructor.
class ProgressBar {
 public:
  ProgressBar(std::string what, bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `unit` is `B` for bytes (printed as MB) or a word such as `steps`.
  void update(std::uint64_t done, std::uint64_t total, std::string_view unit);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool shown_ = false;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
};

/// Writes `text` to the file `path`, or to standard output if it is empty or `-`. A file is written
/// under a temporary name and renamed, so that nobody ever sees half of it, and packed if its name
/// ends in `.gz` or `.zst`.
[[nodiscard]] Result<void> write_output(const std::string& path, std::string_view text);

/// `text` of a format for other programs that has no escapes of its own (CSV, Markdown): as it is
/// if it goes to a file or a pipe, so that programs get the log's own bytes; on a terminal with
/// control characters and bidirectional marks made visible.
[[nodiscard]] std::string for_destination(const std::string& path, std::string text);

/// Whether a file can be put at `path` at all: its folder is there, and it is neither a run's file
/// nor one of `inputs`, files that are to be read. To be asked before the work whose result goes
/// there, which may take long.
[[nodiscard]] Result<void> output_place(const std::string& path,
                                        std::span<const std::string> inputs = {});

/// Reads a whole small file (settings, rules, tools, a card). Errors name the file and the remedy.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path);

/// Prints `message` to standard error as `unmask: message`, on one line. What logs, files and their
/// names put into it can't steer the terminal: see text::safe.
void complain(std::string_view message);

/// The same with all lines of `message`.
void complain_lines(std::string_view message);

/// Prints diagnostics to standard error, grouped by code: the first of each with file and place,
/// then how many more there are. `verbose` prints all that were kept, and the informative ones.
void print_diagnostics(const Diagnostics& diagnostics, bool verbose);

}  // namespace unmask::cli
