#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/cli/world_options.h"
#include "unmask/ingest/log_file.h"
#include "unmask/play/vector_check.h"
#include "unmask/replay/result_difference.h"
#include "unmask/report/terminal_text.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

/// Gives `take` each line of a file, plain or packed, until it returns an error. A line has at most
/// kMaxLine bytes, so that no small packed file takes all memory.
Result<void> each_line(const std::string& path, ProgressBar& bar,
                       const std::function<Result<void>(std::string_view, std::uint64_t)>& take) {
  constexpr std::size_t kMaxLine = std::size_t{256} << 20U;
  const Result<LogFile> file = LogFile::open(path);
  if (!file) return tl::unexpected(file.error());
  LogFile::Pass pass = file->start();
  std::vector<char> buffer(std::size_t{1} << 16U);
  std::string rest;
  std::uint64_t line = 0;
  const auto give = [&](std::string_view text) -> Result<void> {
    ++line;
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    return take(text, line);
  };
  while (true) {
    const Result<std::size_t> got = pass.read(buffer);
    if (!got) return tl::unexpected(got.error());
    if (*got == 0) break;
    bar.update(pass.bytes_read(), file->bytes_on_disk(), "B");
    std::size_t from = rest.size();  // what came before has no end of a line
    rest.append(buffer.data(), *got);
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest.find('\n', from)) != std::string::npos;
         from = begin = end + 1) {
      const Result<void> given = give(std::string_view(rest).substr(begin, end - begin));
      if (!given) return given;
    }
    rest.erase(0, begin);
    if (rest.size() > kMaxLine) {
      return fail(ErrorCode::bad_input, file->name() + ": line " + std::to_string(line + 1) +
                                            " has more than 256 MiB; vectors are JSON lines");
    }
  }
  return rest.empty() ? Result<void>{} : give(rest);
}

/// What the checks of one file found.
struct FileCount {
  std::size_t vectors = 0;
  std::size_t equal = 0;
  std::size_t calls = 0;
};

class WorldsCheck final : public Command {
 public:
  explicit WorldsCheck(CLI::App& worlds) {
    app_ = worlds.add_subcommand(
        "check", "Run files of recorded answers against the worlds; fails unless all are equal");
    app_->add_option("files", paths_, "vectors, JSON lines, plain, gzip or zstd (docs/worlds.md)")
        ->required()
        ->type_name("FILE");
    app_->add_option("--domain", domain_,
                     "world of files whose lines do not tell (default: by their fields)")
        ->type_name("WORLD");
    app_->add_option("--show", show_, "differences to print of each file")
        ->capture_default_str()
        ->type_name("N");
    app_->add_flag("-q,--quiet", quiet_, "no progress");
    options_.add(*app_);
  }

  int run() override {
    bool all_equal = true;
    for (const std::string& path : paths_) {
      FileCount count;
      std::size_t shown = 0;
      ProgressBar bar("checking", quiet_);
      const Result<void> checked =
          each_line(path, bar, [&](std::string_view text, std::uint64_t line) -> Result<void> {
            const Result<world::VectorCheck> check = check_line(path, text, line);
            if (!check) return tl::unexpected(check.error());
            ++count.vectors;
            count.calls += check->calls;
            if (check->differences.empty()) {
              ++count.equal;
            } else if (shown++ < show_) {
              show(path, line, *check);
            }
            return interrupted() ? Result<void>(fail(ErrorCode::interrupted, "interrupted"))
                                 : Result<void>{};
          });
      if (!checked) return report_failure(checked.error());
      if (count.vectors == 0) {
        return report_failure({ErrorCode::bad_input, path + ": there is no vector in this file"});
      }
      all_equal = all_equal && count.equal == count.vectors;
      const Result<void> written = write_output(
          "", path + ": " + std::to_string(count.equal) + " of " + std::to_string(count.vectors) +
                  " vectors equal, " + std::to_string(count.calls) + " calls\n");
      if (!written) return report_failure(written.error());
    }
    return all_equal ? kDone : kBadInput;
  }

 private:
  Result<world::VectorCheck> check_line(const std::string& path, std::string_view text,
                                        std::uint64_t number) {
    const std::string place = path + ": line " + std::to_string(number);
    const Result<world::Value> line = world::parse_json(text);
    if (!line) return fail(ErrorCode::bad_input, place + ": " + line.error().message);
    if (!play::is_vector(*line)) return world::no_vector(place);
    const Result<std::string> domain = domain_of(*line, place);
    if (!domain) return tl::unexpected(domain.error());
    const Result<std::shared_ptr<const world::World>> world =
        options_.load(*domain, {.counted_ids = true});
    if (!world) return tl::unexpected(world.error());
    return play::check_any_vector(**world, *line, place);
  }

  Result<std::string> domain_of(const world::Value& line, const std::string& place) const {
    if (!domain_.empty()) return domain_;
    if (std::optional<std::string> domain = play::domain_of_vector(line)) return *domain;
    // The fields of the reference vectors, of which each domain has its own.
    for (const std::string_view key : {"db_hash_after", "evaluation_type"}) {
      if (line.find(key) != nullptr) return std::string("retail");
    }
    for (const std::string_view key : {"agent_db_hash_after", "live_agent_db_hash"}) {
      if (line.find(key) != nullptr) return std::string("telecom");
    }
    return fail(ErrorCode::invalid_argument,
                place + " does not tell its world; name it with --domain");
  }

  static void show(const std::string& path, std::uint64_t line, const world::VectorCheck& check) {
    const world::VectorDifference& first = check.differences.front();
    std::vector<std::string> lines = {
        text::safe(path + ": line " + std::to_string(line) + ", " + check.id + ", " + first.place)};
    const auto add = [&](std::string_view label, std::string_view text, std::string_view other) {
      for (std::string& each : text::hanging_lines(label, replay::around_difference(text, other)))
        lines.push_back(std::move(each));
    };
    add("  expected  ", first.expected, first.found);
    add("  found     ", first.found, first.expected);
    if (check.differences.size() > 1) {
      lines.push_back("  and " + std::to_string(check.differences.size() - 1) +
                      " more in this vector");
    }
    complain_lines(joined(lines, "\n"));
  }

  WorldOptions options_;
  std::vector<std::string> paths_;
  std::string domain_;
  std::size_t show_ = 5;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> worlds_check_command(CLI::App& worlds) {
  return std::make_unique<WorldsCheck>(worlds);
}

}  // namespace unmask::cli
