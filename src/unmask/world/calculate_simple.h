#pragma once

#include <optional>
#include <string_view>

namespace unmask::world::calculator {

/// The value of a short expression of numbers of at most 15 digits, `+ - * /` and parentheses,
/// as a float, found without tokens and programs on the way. nullopt: it is not that simple, or it
/// has a fault; the long way (parse_expression, evaluate) tells. Where there is a value, it is that
/// of the long way.
[[nodiscard]] std::optional<double> simple_value(std::string_view expression);

}  // namespace unmask::world::calculator
