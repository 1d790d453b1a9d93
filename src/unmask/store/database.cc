#include "unmask/store/database.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sqlite3.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"

namespace unmask::store {

namespace {

constexpr int kBusyMilliseconds = 10'000;

/// A path as SQLite's URI, which alone can say that a file does not change.
std::string uri_of(const std::filesystem::path& path, bool fixed) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char byte : std::filesystem::absolute(path).string()) {
    if (byte == '%' || byte == '?' || byte == '#') {
      const auto value = static_cast<unsigned char>(byte);
      uri += '%';
      uri += kDigits[value >> 4U];
      uri += kDigits[value & 15U];
    } else {
      uri += byte;
    }
  }
  if (fixed) uri += "?immutable=1";
  return uri;
}

int flags_of(Access access) {
  constexpr int kCommon = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
  switch (access) {
    case Access::create:
      return kCommon | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Access::write:
      return kCommon | SQLITE_OPEN_READWRITE;
    case Access::read:
    case Access::read_fixed:
      return kCommon | SQLITE_OPEN_READONLY;
  }
  UNMASK_CHECK(false);
  return 0;
}

std::string reason(int error_number) {
  return std::error_code(error_number, std::generic_category()).message();
}

/// SQLite tells a full disk from other failures, but not a quota or a limit on a file's size.
bool is_write_failure(int code) {
  return code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC ||
         code == SQLITE_IOERR_DIR_FSYNC || code == SQLITE_IOERR_TRUNCATE ||
         code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_SHMMAP ||
         code == SQLITE_IOERR_SHMOPEN;
}

constexpr std::string_view kNotWritten =
    ": can't be written: no space is left for it (a quota, a limit on files), or the disk fails. "
    "Free some or mend it, then run the same command again; it goes on where it stopped, and "
    "nothing that was stored is lost.";
constexpr std::string_view kNotRead =
    ": can't be read. Check the disk and the file's folder, then run the same command again.";
constexpr std::string_view kNoSpace =
    ": no space is left for it. Free some, then run the same command again; it goes on where it "
    "stopped, and nothing that was stored is lost.";

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::note(int code) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE || error_) return;
  error_ = database_->failure(code);
}

void Statement::start() {
  if (running_) reset();
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  start();
  note(sqlite3_bind_int64(statement_.get(), parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  start();
  note(sqlite3_bind_double(statement_.get(), parameter, value));
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  start();
  // A null pointer would bind null.
  const char* const data = text.empty() ? "" : text.data();
  note(sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC,
                           SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view bytes) {
  start();
  const char* const data = bytes.empty() ? "" : bytes.data();
  note(sqlite3_bind_blob64(statement_.get(), parameter, data, bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  start();
  note(sqlite3_bind_null(statement_.get(), parameter));
  return *this;
}

Statement& Statement::bind(int parameter, const std::optional<double>& value) {
  return value ? bind(parameter, *value) : bind_null(parameter);
}

Statement& Statement::bind(int parameter, const std::optional<std::int64_t>& value) {
  return value ? bind(parameter, *value) : bind_null(parameter);
}

Statement& Statement::bind_unless_empty(int parameter, std::string_view text) {
  return text.empty() ? bind_null(parameter) : bind(parameter, text);
}

bool Statement::next() {
  if (error_) return false;
  running_ = true;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  note(code);
  reset();
  return false;
}

bool Statement::run() {
  while (next()) {
  }
  return ok();
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool Statement::is_blob(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::bytes(int column) const {
  const void* const data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

const Error& Statement::error() const {
  UNMASK_CHECK(error_.has_value());
  return *error_;
}

Error Statement::take_error() {
  UNMASK_CHECK(error_.has_value());
  Error error = std::move(*error_);
  error_.reset();
  return error;
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  running_ = false;
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& path, Access access) {
  std::unique_ptr<Database> database(new Database(path));
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(uri_of(path, access == Access::read_fixed).c_str(), &handle,
                                   flags_of(access), nullptr);
  database->handle_.reset(handle);
  if (code != SQLITE_OK) return tl::unexpected<Error>(database->failure(code));
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  return database;
}

Result<void> Database::execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(failure(code));
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) const {
  Statement statement;
  statement.database_ = this;
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &prepared, nullptr);
  statement.statement_.reset(prepared);
  if (code != SQLITE_OK) return tl::unexpected<Error>(failure(code));
  return statement;
}

Result<std::int64_t> Database::number(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return tl::unexpected<Error>(statement.error());
  const std::int64_t value = statement->next() ? statement->integer(0) : 0;
  if (!statement->ok()) return tl::unexpected<Error>(statement->error());
  return value;
}

Result<std::string> Database::text(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return tl::unexpected<Error>(statement.error());
  std::string value = statement->next() ? statement->text(0) : std::string();
  if (!statement->ok()) return tl::unexpected<Error>(statement->error());
  return value;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

Error Database::failure(int code) const {
  const std::string file = path_.string();
  const int system = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_.get());
  switch (code & 0xFF) {  // the part that is not the extension
    case SQLITE_FULL:
      return {ErrorCode::outside, file + std::string(kNoSpace)};
    case SQLITE_IOERR:
      return {ErrorCode::outside,
              file + std::string(is_write_failure(code) ? kNotWritten : kNotRead)};
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY:
      return {ErrorCode::outside,
              file + ": can't be opened" +
                  (system == 0 ? std::string() : " (" + reason(system) + ")") +
                  ". Choose a file in a folder that exists and that you may write to."};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::outside,
              file +
                  ": another program keeps it locked. Close that program (sqlite3, a backup "
                  "...) and try again."};
    case SQLITE_NOTADB:
      return {ErrorCode::bad_input, file + ": is no run of unmask (not a SQLite database at all)."};
    case SQLITE_CORRUPT:
      return {ErrorCode::bad_input,
              file +
                  ": is damaged. What can be saved of it: sqlite3 FILE .recover | sqlite3 "
                  "NEWFILE"};
    case SQLITE_TOOBIG:
      return {ErrorCode::invalid_argument, file + ": a text is too long to be stored (1 GB)."};
    case SQLITE_NOMEM:
      return {ErrorCode::outside, file + ": there is not enough memory."};
    default:
      return {ErrorCode::bad_input,
              file + ": " +
                  (handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_.get()))};
  }
}

Transaction::~Transaction() {
  // A full disk may have ended it already.
  if (database_.in_transaction()) (void)database_.execute("ROLLBACK");
}

Result<void> Transaction::begin() { return database_.execute("BEGIN IMMEDIATE"); }
Result<void> Transaction::commit() { return database_.execute("COMMIT"); }

}  // namespace unmask::store
