#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "unmask/episode/log_header.h"
#include "unmask/report/producer.h"
#include "unmask/stats/figure.h"

/// Pieces that several documents share. Keys keep the order in which they are written. What can't
/// be had is null, with the reason beside it; nothing here ever writes NaN or infinity.
namespace unmask::json_report {

using Json = nlohmann::ordered_json;

/// `json`, as nlohmann writes it, with control characters, bidirectional and zero-width marks
/// written as \u escapes: the same document, which a terminal or an editor shows as it is.
[[nodiscard]] std::string with_escapes(std::string_view json);

/// Scale that turns a fraction into points.
inline constexpr double kPoints = 100.0;

/// A finite number to twelve significant digits, else null.
[[nodiscard]] Json number(std::optional<double> value, double scale = 1.0);
[[nodiscard]] Json integer(std::optional<int> value);
/// null for empty text: a field that the log does not have.
[[nodiscard]] Json text_or_null(std::string_view text);

/// Writes value (under `key`), low and high into `object`, and `reason` if one of them is null.
void put_figure(Json& object, const stats::Figure& figure, double scale = 1.0,
                const char* key = "value");
/// {value, low, high[, reason]}.
[[nodiscard]] Json figure(const stats::Figure& figure, double scale = 1.0);

[[nodiscard]] Json producer(const Producer& producer);
[[nodiscard]] Json harness(const Harness& harness);
[[nodiscard]] Json budget(const BudgetRegime& budget);
[[nodiscard]] Json identity(const ArmIdentity& identity);

/// Two spaces of indentation, final newline; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string document(const Json& json);

}  // namespace unmask::json_report
