#pragma once

#include <cstdint>
#include <filesystem>

#include "unmask/base/error.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"

namespace unmask::store {

/// Of this program's files; docs/store.md describes it.
inline constexpr std::int64_t kSchemaVersion = 1;

/// A turn's row id is its unit's number times this, plus the turn's index: turns of a unit lie
/// together and need no index of their own.
inline constexpr std::int64_t kTurnsPerUnit = std::int64_t{1} << 20U;

/// The row id of turn `index` of `unit`.
[[nodiscard]] constexpr std::int64_t turn_row(UnitId unit, std::int64_t index) {
  return static_cast<std::int64_t>(unit) * kTurnsPerUnit + index;
}

/// Makes the tables in an empty database. To be called in a transaction.
[[nodiscard]] Result<void> create_schema(Database& database);

/// What can be said of a run's file before SQLite opens it. Errors: outside if it is not there;
/// bad_input, with the remedy, for a folder or an empty file.
[[nodiscard]] Result<void> check_run_file(const std::filesystem::path& path);

/// Errors: bad_input if the database is none of unmask's, or of a newer version.
[[nodiscard]] Result<void> check_schema(const Database& database);

}  // namespace unmask::store
