#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <unistd.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/page_output.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/view_source.h"
#include "unmask/net/http_server.h"
#include "unmask/report/page_selection.h"
#include "unmask/report/page_status.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookEvery{500};
constexpr std::chrono::milliseconds kTick{100};  // how late an interrupt may be noticed

// What is served at the moment. The main thread writes, the server's thread reads.
class Board {
 public:
  void show(std::string page) {
    const std::string version = sha256_hex(page).substr(0, 16);
    auto shared = std::make_shared<const std::string>(std::move(page));
    const std::scoped_lock lock(mutex_);
    page_ = std::move(shared);
    status_.version = version;
    status_.problem.clear();
  }
  void complain(std::string problem) {
    const std::scoped_lock lock(mutex_);
    status_.problem = std::move(problem);
  }

  [[nodiscard]] net::ServedResponse answer(std::string_view target) const {
    target = target.substr(0, target.find('?'));
    const std::scoped_lock lock(mutex_);
    if (target == "/status") {
      return {.headers = {{"Content-Type", "application/json"}},
              .body = std::make_shared<const std::string>(page_status_json(status_))};
    }
    if (target != "/") {
      return {.status = 404,
              .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
              .body = std::make_shared<const std::string>("The page is at /\n")};
    }
    // A header that the page can read: the page itself is the file that `report` writes.
    return {.headers = {{"Content-Type", "text/html; charset=utf-8"},
                        {"Server-Timing", "unmask;desc=\"" + status_.version + "\""}},
            .body = page_};
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> page_;
  PageStatus status_;
};

// What is said of the first log that could not be used; empty if all could.
std::string first_left_out(const Diagnostics& diagnostics) {
  for (const Diagnostic& each : diagnostics.kept())
    if (each.code == kLogLeftOut) return each.file + ": " + each.sentence;
  return {};
}

// Asks the desktop to open an address; whether that works is the desktop's business.
void open_browser(std::string address) {
  std::string program = "xdg-open";
  char* const arguments[] = {program.data(), address.data(), nullptr};
  // What a browser says is none of ours; standard output holds the address alone.
  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), &silence, nullptr, arguments, environ) != 0)
    complain("there is no xdg-open to open the page with; open " + address);
  posix_spawn_file_actions_destroy(&silence);
}

class View final : public Command {
 public:
  explicit View(CLI::App& root) {
    app_ = root.add_subcommand(
        "view", "Serve the report page on this machine, and keep it up to date with its logs");
    options_.add_inputs(*app_);
    options_.add_knowledge(*app_);
    options_.add_settings(*app_);
    add_page_selection(*app_, episodes_);
    app_->add_option("--port", port_, "port on 127.0.0.1 (default: any that is free)")
        ->type_name("NUMBER")
        ->check(CLI::Range(0, 65535));
    app_->add_flag("--open", open_, "open the page in the desktop's browser");
    options_.add_general(*app_);
    app_->footer(
        "PATH may also be the folder of a run, while `unmask run` goes on: the page takes each "
        "episode\nas it ends, and leaves the reader where he is. Only this machine can see it. "
        "Ctrl-C ends it.\nWhat is in the page: docs/report-page.md");
  }

  int run() override {
    if (const Result<void> there = page_is_there(); !there) return report_failure(there.error());
    const Result<ViewSource> source = ViewSource::open(options_);
    if (!source) return report_failure(source.error());
    Board board;
    // Listened on before the logs are read: a port that is taken shows at once.
    const Result<std::unique_ptr<net::HttpServer>> server = net::HttpServer::listen(
        port_,
        [this, &board](const net::ServedRequest& request) { return answer(board, request); });
    if (!server) return report_failure(server.error());
    std::string shown = source->state();
    Clock::duration took{};
    if (const Result<void> made = make_page(*source, board, took); !made)
      return report_failure(made.error());
    ready_ = true;
    const std::string address = "http://127.0.0.1:" + std::to_string((*server)->port()) + "/";
    std::printf("%s\n", address.c_str());
    std::fflush(stdout);
    if (!options_.quiet) complain("the page is served until Ctrl-C");
    if (open_) open_browser(address);
    follow(*source, board, std::move(shown), took);
    return kDone;
  }

 private:
  [[nodiscard]] net::ServedResponse answer(const Board& board,
                                           const net::ServedRequest& request) const {
    if (ready_) return board.answer(request.target);
    return {.status = 503,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Refresh", "1"}},
            .body = std::make_shared<const std::string>("The logs are being read.\n")};
  }

  // Reads and audits the source and shows the page; `took` says how long that was.
  Result<void> make_page(const ViewSource& source, Board& board, Clock::duration& took) {
    const Clock::time_point start = Clock::now();
    const Result<AuditedStudy> audited = source.read(ready_);
    if (!audited) return tl::unexpected(audited.error());
    const Diagnostics& diagnostics = audited->findings.diagnostics;
    const std::string left_out = first_left_out(diagnostics);
    const std::size_t count = diagnostics.count(kLogLeftOut);
    // A log that could be read before: the page with it is better than one without.
    if (ready_ && count > left_out_) return fail(ErrorCode::bad_input, left_out);
    left_out_ = count;
    // The option's check let nothing else through.
    const PageSelection selection = page_selection(episodes_).value_or(PageSelection{});
    Result<std::string> page =
        report_page(audited->study, audited->findings, selection, options_.quiet || ready_);
    if (!page) return tl::unexpected(page.error());
    board.show(std::move(*page));
    if (!left_out.empty()) board.complain(left_out);
    took = Clock::now() - start;
    if (!options_.quiet && !ready_) print_diagnostics(diagnostics, options_.verbose);
    return {};
  }

  // Until an interrupt. However long a page takes to make, half of the time is left to others.
  void follow(const ViewSource& source, Board& board, std::string shown, Clock::duration took) {
    Clock::time_point next = Clock::now() + std::max<Clock::duration>(kLookEvery, took);
    while (!interrupted()) {
      std::this_thread::sleep_for(kTick);
      if (Clock::now() < next) continue;
      std::string state = source.state();
      if (state != shown) {
        shown = std::move(state);
        if (const Result<void> made = make_page(source, board, took); !made)
          board.complain(made.error().message);
      }
      next = Clock::now() + std::max<Clock::duration>(kLookEvery, took);
    }
  }

  StudyOptions options_;
  std::string episodes_ = "all";
  std::uint16_t port_ = 0;
  bool open_ = false;
  std::size_t left_out_ = 0;  // logs, of the page that is shown
  std::atomic<bool> ready_ = false;
};

}  // namespace

std::unique_ptr<Command> view_command(CLI::App& root) { return std::make_unique<View>(root); }

}  // namespace unmask::cli
