#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/value.h"

// Values coerced to declared types as pydantic 2.12 does in its lax mode, and its error texts.

namespace unmask::world {

/// Where a value stands in what is being validated: a list from the value up to the root.
struct Place {
  const Place* parent = nullptr;
  std::string_view key;  ///< empty: the element `index` of a list, or the root
  std::size_t index = 0;
};

/// The problems found so far.
class Validation {
 public:
  /// `title` is the name of the class that is being validated.
  explicit Validation(std::string_view title) : title_(title) {}

  /// Adds a problem; `type` is pydantic's identifier of it.
  void add(const Place& place, std::string_view message, std::string_view type, const Value& input);
  [[nodiscard]] bool passed() const { return issues_.empty(); }
  /// The text of pydantic's ValidationError.
  [[nodiscard]] std::string text() const;

 private:
  std::string title_;
  std::vector<std::string> issues_;
};

// Each gives the coerced value, or nothing and a problem in `validation`.

[[nodiscard]] std::optional<std::string> text_from(const Value& value, const Place& place,
                                                   Validation& validation);
[[nodiscard]] std::optional<bool> boolean_from(const Value& value, const Place& place,
                                               Validation& validation);
/// An integer of any size.
[[nodiscard]] std::optional<Value> integer_from(const Value& value, const Place& place,
                                                Validation& validation);
/// May be infinite or NaN: the strings that say so are accepted.
[[nodiscard]] std::optional<double> real_from(const Value& value, const Place& place,
                                              Validation& validation);
/// The place of the one of `texts` that `value` is.
[[nodiscard]] std::optional<std::size_t> choice_from(const Value& value,
                                                     const std::string_view* texts,
                                                     std::size_t count, const Place& place,
                                                     Validation& validation);

}  // namespace unmask::world
