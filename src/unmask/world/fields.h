#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// Reads the members of a JSON object of known shape. The first fault is kept, with its place, and
/// later reads give defaults, so that a reader checks once at its end.
class Fields {
 public:
  /// `place` is where `value` stands: a file's name alone at its root, `db.json: orders.#W1` below.
  /// A value that is no object is a fault.
  Fields(const Value& value, std::string place);
  Fields(Value&& value, std::string place) = delete;
  Fields(const Object& members, std::string place);

  [[nodiscard]] bool has(std::string_view key) const;
  /// Null if absent or JSON null.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// A text; a fault if it is absent or something else.
  [[nodiscard]] std::string text(std::string_view key);
  /// A text or null or absent.
  [[nodiscard]] std::optional<std::string> optional_text(std::string_view key);
  /// An integer or float.
  [[nodiscard]] double number(std::string_view key);
  [[nodiscard]] bool boolean(std::string_view key);
  [[nodiscard]] bool boolean_or(std::string_view key, bool absent);
  /// An object; empty if absent or null.
  [[nodiscard]] Object object_or_empty(std::string_view key);
  /// The elements of a list; a fault if it is absent. Valid as long as the value.
  [[nodiscard]] const List& list(std::string_view key);
  /// A list or null or absent (null).
  [[nodiscard]] const List* optional_list(std::string_view key);
  /// The members of an object; a fault if it is absent.
  [[nodiscard]] const Object& object(std::string_view key);
  /// A list of texts; a fault if it is absent.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key);
  [[nodiscard]] std::optional<std::vector<std::string>> optional_texts(std::string_view key);

  /// `db.json: orders.#W1.address`.
  [[nodiscard]] std::string place_of(std::string_view key) const;
  [[nodiscard]] std::string place_of(std::string_view key, std::size_t index) const;
  /// Notes a fault at `key`; the first stands.
  void fault(std::string_view key, std::string_view what);
  void fault_at(std::string place, std::string_view what);
  /// Takes over the fault of a part.
  void adopt(const std::optional<Error>& error);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  const Object* members_ = nullptr;
  std::string place_;
  std::optional<Error> error_;
};

}  // namespace unmask::world
