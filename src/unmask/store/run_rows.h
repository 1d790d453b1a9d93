#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"
#include "unmask/store/text_packing.h"

namespace unmask::store {

/// Reads the tables of schema.cc. Errors of all: outside, bad_input.
class RunRows {
 public:
  explicit RunRows(const Database& database) : database_(database) {}

  [[nodiscard]] Result<RunInfo> info();
  [[nodiscard]] Result<std::vector<ArmInfo>> arms();
  [[nodiscard]] Result<std::vector<TaskText>> tasks(std::string_view cell);
  [[nodiscard]] Result<std::vector<Unit>> units();
  /// Of one arm.
  [[nodiscard]] Result<std::vector<Unit>> units(std::string_view cell, std::string_view arm);
  [[nodiscard]] Result<std::optional<Outcome>> outcome(UnitId unit);
  [[nodiscard]] Result<std::vector<Turn>> turns(UnitId unit);
  /// What texts are packed with; nullopt if there is none yet.
  [[nodiscard]] Result<std::optional<std::string>> dictionary();

 private:
  [[nodiscard]] Result<Statement> select_units(std::string_view where);
  [[nodiscard]] Result<std::vector<Unit>> read_units(Result<Statement> row);
  /// Of a packed column; a damaged one is remembered for verdict().
  [[nodiscard]] std::string unpacked(const Statement& statement, int column);
  /// Whether all rows of a statement, which ends here, could be read.
  [[nodiscard]] Result<void> verdict(Statement& statement);

  const Database& database_;
  TextPacking packing_;
  std::optional<Statement> outcome_;  ///< prepared at first use: these two are asked per unit
  std::optional<Statement> turns_;
  bool damaged_ = false;
};

}  // namespace unmask::store
