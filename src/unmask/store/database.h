#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace unmask::store {

enum class Access : std::uint8_t {
  create,      ///< must not exist yet
  write,       ///< must exist
  read,        ///< must exist
  read_fixed,  ///< must exist, and nobody may change it: reads without files beside it
};

class Database;

/// A prepared statement, used again and again. A failure is remembered: later calls do nothing, and
/// error() tells. Columns and parameters count from 0 and 1, as SQLite's.
class Statement {
 public:
  Statement() = default;

  /// For the next run: resets, then binds. Texts must live until then.
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view text);
  Statement& bind_blob(int parameter, std::string_view bytes);
  Statement& bind_null(int parameter);
  /// Absent is null.
  Statement& bind(int parameter, const std::optional<double>& value);
  Statement& bind(int parameter, const std::optional<std::int64_t>& value);
  /// Empty is null.
  Statement& bind_unless_empty(int parameter, std::string_view text);

  /// The next row; false at the end and on failure.
  [[nodiscard]] bool next();
  /// Runs to the end; false on failure.
  bool run();

  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_blob(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  /// Text or bytes; lives until the next call of next(), bind() or reset().
  [[nodiscard]] std::string_view bytes(int column) const;
  [[nodiscard]] std::string text(int column) const { return std::string(bytes(column)); }

  void reset();
  [[nodiscard]] bool ok() const { return !error_; }
  /// What failed first.
  [[nodiscard]] const Error& error() const;
  /// The same, and forgets it: the statement may be tried again.
  [[nodiscard]] Error take_error();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  void note(int code);
  void start();

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const Database* database_ = nullptr;
  std::optional<Error> error_;
  bool running_ = false;
};

/// An open SQLite database. Not movable: its statements point to it.
class Database {
 public:
  /// Errors: outside, bad_input; with file and remedy.
  [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path,
                                                              Access access);
  ~Database() = default;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  Database(Database&&) = delete;
  Database& operator=(Database&&) = delete;

  /// Runs SQL without results.
  [[nodiscard]] Result<void> execute(const char* sql);
  [[nodiscard]] Result<Statement> prepare(std::string_view sql) const;
  /// The first column of the first row, for statements that give one number or text.
  [[nodiscard]] Result<std::int64_t> number(std::string_view sql) const;
  [[nodiscard]] Result<std::string> text(std::string_view sql) const;
  /// In a transaction that has been begun and not ended.
  [[nodiscard]] bool in_transaction() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// What SQLite's last failure means, for a person.
  [[nodiscard]] Error failure(int code) const;

 private:
  explicit Database(std::filesystem::path path) : path_(std::move(path)) {}
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A transaction that is undone unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction(Transaction&&) = delete;
  Transaction& operator=(Transaction&&) = delete;

  [[nodiscard]] Result<void> begin();
  [[nodiscard]] Result<void> commit();

 private:
  Database& database_;
};

}  // namespace unmask::store
