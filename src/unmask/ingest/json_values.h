#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/json/value.h"

namespace unmask {

/// An id: a string as it is, a whole number as its digits, empty for anything else.
[[nodiscard]] std::string text_or_number(const json::Value& value);

/// The strings of an array; other elements are left out.
[[nodiscard]] std::vector<std::string> texts(const json::Value& array);

/// A number, or a string that holds one (tau2-bench's own reader takes both).
[[nodiscard]] std::optional<double> number_or_text(const json::Value& value);
/// As `number_or_text`, without a fraction.
[[nodiscard]] std::optional<std::int64_t> integer_or_text(const json::Value& value);

/// As `integer_or_text`, from 0 to `most`.
[[nodiscard]] std::optional<std::int64_t> count_or_text(const json::Value& value,
                                                        std::int64_t most);
/// The same, of an int.
[[nodiscard]] std::optional<int> whole_number(const json::Value& value);

/// A number from 0 to 10^12: of seconds or of money.
[[nodiscard]] std::optional<double> amount(const json::Value& value);

/// A message's content: a string, or the text parts of a list of parts; empty if neither.
[[nodiscard]] std::string content_text(const json::Value& content);

}  // namespace unmask
