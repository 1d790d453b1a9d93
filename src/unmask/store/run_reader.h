#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/store/run.h"

namespace unmask::store {

/// A run's file, open for reading, also while a run writes it, in this process or another: each
/// call sees what has been committed. Thread-compatible; any number of readers may be open.
///
/// Errors of all calls: outside, with file and remedy; bad_input for a damaged file.
class RunReader {
 public:
  /// Errors: also bad_input for what is no run's file or of a newer version of it.
  [[nodiscard]] static Result<RunReader> open(const std::filesystem::path& path);
  ~RunReader();
  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const;
  [[nodiscard]] Result<RunInfo> info() const;
  /// In the order in which they were added.
  [[nodiscard]] Result<std::vector<ArmInfo>> arms() const;
  [[nodiscard]] Result<std::vector<TaskText>> tasks(std::string_view cell) const;
  /// In the order in which they were first opened.
  [[nodiscard]] Result<std::vector<Unit>> units() const;
  /// Of one arm.
  [[nodiscard]] Result<std::vector<Unit>> units(std::string_view cell, std::string_view arm) const;
  /// nullopt for a unit that has not ended.
  [[nodiscard]] Result<std::optional<Outcome>> outcome(UnitId unit) const;
  [[nodiscard]] Result<std::vector<Turn>> turns(UnitId unit) const;
  /// Checks the whole file, which takes about as long as reading it. Errors: bad_input with what is
  /// wrong.
  [[nodiscard]] Result<void> check() const;

 private:
  struct State;
  explicit RunReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace unmask::store
