#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "unmask/base/error.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"
#include "unmask/store/text_packing.h"

namespace unmask::store {

/// A new unit.
struct AddUnit {
  UnitId id{};
  std::int64_t arm = 0;  ///< row id
  UnitKey key;
  std::int64_t seed = 0;
};

/// An ended unit goes on.
struct ReopenUnit {
  UnitId id{};
};

struct AddTurn {
  UnitId unit{};
  std::size_t index = 0;
  Turn turn;
};

struct DropTurns {
  UnitId unit{};
  std::size_t keep = 0;
  bool new_attempt = false;
};

struct FinishUnit {
  UnitId id{};
  Outcome outcome;
};

using Change = std::variant<AddUnit, ReopenUnit, AddTurn, DropTurns, FinishUnit>;

/// Bytes of texts in a change.
[[nodiscard]] std::size_t size_of(const Change& change);

/// Writes rows of schema.cc. Errors of all: outside, bad_input.
class RowWriter {
 public:
  /// `dictionary`: the file's, if it has one.
  [[nodiscard]] static Result<RowWriter> prepare(Database& database,
                                                 const std::optional<std::string>& dictionary);

  /// All changes in one transaction, or none.
  [[nodiscard]] Result<void> write(std::span<const Change> changes);
  /// A new arm; gives its row id.
  [[nodiscard]] Result<std::int64_t> add_arm(const ArmInfo& arm);
  /// Another number of trials for an arm.
  [[nodiscard]] Result<void> set_trials(std::int64_t arm_row, std::int64_t num_trials);
  [[nodiscard]] Result<void> add_tasks(std::string_view cell, std::span<const TaskText> tasks);

 private:
  explicit RowWriter(Database& database) : database_(&database) {}

  [[nodiscard]] Result<void> write_one(const Change& change);
  /// Gathers messages for the dictionary, which is used once it is in the file.
  void gather(std::span<const Change> changes);
  [[nodiscard]] Result<void> add_dictionary();
  bool write(const AddUnit& change);
  bool write(const ReopenUnit& change);
  bool write(const AddTurn& change);
  bool write(const DropTurns& change);
  bool write(const FinishUnit& change);
  /// Row id of a text in `texts`, which is added if it isn't there; 0 for an empty one.
  [[nodiscard]] Result<std::int64_t> text_row(std::string_view text);

  Database* database_;
  TextPacking packing_;
  std::string gathered_;  ///< while there is no dictionary
  Statement add_unit_, reopen_unit_, add_turn_, drop_turns_, new_attempt_, finish_unit_;
  Statement* last_ = nullptr;                        ///< the one that a write used
  std::string body_, log_probabilities_, raw_body_;  ///< packed texts
};

}  // namespace unmask::store
