#include "unmask/store/run_reader.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"
#include "unmask/store/run_rows.h"
#include "unmask/store/schema.h"

namespace unmask::store {

namespace {

/// Changes that a dead process left beside the file; without them nobody needs to write there.
bool has_log_beside(const std::filesystem::path& path) {
  std::filesystem::path log = path;
  log += "-wal";
  std::error_code error;
  const auto size = std::filesystem::file_size(log, error);
  return !error && size > 0;
}

Result<std::unique_ptr<Database>> opened(const std::filesystem::path& path, Access access) {
  auto database = Database::open(path, access);
  if (!database) return database;
  if (auto checked = check_schema(**database); !checked) {
    return tl::unexpected<Error>(checked.error());
  }
  return database;
}

}  // namespace

struct RunReader::State {
  explicit State(std::unique_ptr<Database> opened) : database(std::move(opened)), rows(*database) {}

  std::unique_ptr<Database> database;
  RunRows rows;
};

RunReader::RunReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

Result<RunReader> RunReader::open(const std::filesystem::path& path) {
  if (auto usable = check_run_file(path); !usable) return tl::unexpected<Error>(usable.error());
  auto database = opened(path, Access::read);
  if (!database && database.error().code == ErrorCode::outside) {
    // SQLite wants to make files beside one that was not closed; in a folder where it may not, a
    // file that nobody writes can be read as it is.
    if (has_log_beside(path)) {
      return fail(ErrorCode::outside,
                  path.string() +
                      ": was not closed, and its folder can't be written to. Copy it and " +
                      path.filename().string() + "-wal to a folder where you may write.");
    }
    database = opened(path, Access::read_fixed);
  }
  if (!database) return tl::unexpected<Error>(database.error());
  return RunReader(std::make_unique<State>(std::move(*database)));
}

const std::filesystem::path& RunReader::path() const { return state_->database->path(); }
Result<RunInfo> RunReader::info() const { return state_->rows.info(); }
Result<std::vector<ArmInfo>> RunReader::arms() const { return state_->rows.arms(); }
Result<std::vector<TaskText>> RunReader::tasks(std::string_view cell) const {
  return state_->rows.tasks(cell);
}
Result<std::vector<Unit>> RunReader::units() const { return state_->rows.units(); }
Result<std::vector<Unit>> RunReader::units(std::string_view cell, std::string_view arm) const {
  return state_->rows.units(cell, arm);
}
Result<std::optional<Outcome>> RunReader::outcome(UnitId unit) const {
  return state_->rows.outcome(unit);
}
Result<std::vector<Turn>> RunReader::turns(UnitId unit) const { return state_->rows.turns(unit); }

Result<void> RunReader::check() const {
  const auto answer = state_->database->text("PRAGMA integrity_check(1)");
  if (!answer) return tl::unexpected<Error>(answer.error());
  if (*answer == "ok") return {};
  return fail(ErrorCode::bad_input,
              path().string() + ": is damaged (" + *answer +
                  "). What can be saved of it: sqlite3 FILE .recover | sqlite3 NEWFILE");
}

}  // namespace unmask::store
