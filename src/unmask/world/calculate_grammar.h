#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "unmask/world/calculate_token.h"

namespace unmask::world::calculator {

/// A step of an evaluation on a stack of operands.
enum class Action : std::uint8_t {
  push_integer,
  push_real,
  push_ellipsis,
  push_tuple,  ///< `()`, the only tuple that there can be.
  plus,
  negate,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  power,
  call,              ///< `f()`
  call_one,          ///< `f(x)`
  call_star,         ///< `f(*x)`
  call_double_star,  ///< `f(**x)`
};

struct Instruction {
  Action action = Action::push_tuple;
  std::string_view literal;  ///< Of a number; into the expression.

  bool operator==(const Instruction&) const = default;
};

/// An expression in postfix order: operands before what is done with them, left before right.
using Program = std::vector<Instruction>;

/// Integer literals of more digits are refused, as is writing such integers.
inline constexpr std::size_t kMaxIntegerDigits = 4300;

/// Parses what CPython 3.12 parses in `eval`; the error is the text of the exception, and which of
/// several faults is told is CPython's choice too.
///
/// CPython parses twice: first plainly, fetching tokens only as it needs them, and after a failure
/// once more with rules that look for known mistakes. Here as there a fault that a fetched token
/// shows (a parenthesis never closed) ends either pass at once, and a fault of the tokenizer
/// anywhere in the text outdoes every message of the grammar.
[[nodiscard]] tl::expected<Program, std::string> parse_expression(const Tokens& tokens);

}  // namespace unmask::world::calculator
