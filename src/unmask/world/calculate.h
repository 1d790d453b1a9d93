#pragma once

#include <string>
#include <string_view>

namespace unmask::world {

class Value;

/// What the tool `calculate` answers: the text of the result, or the message of the exception that
/// the original raises (without the `Error: ` that the environment puts before it).
struct Calculated {
  std::string text;
  bool error = false;

  bool operator==(const Calculated&) const = default;
};

/// Evaluates an expression of the characters `0123456789+-*/(). ` as Python 3.12's eval does,
/// rounds it to two places and writes it as a float. Pure and thread-safe. Time and memory grow
/// with the expression's length; arithmetic on large integers is bounded besides
/// (kIntegerWork).
///
/// Three answers differ from the original's or aren't settled by it (docs/calculate.md):
/// - Integers that need too much arithmetic, such as `9**9**9`, on which the original hangs or runs
///   out of memory, give the error kTooMuchArithmetic.
/// - Python's limits on nesting depend on where eval was called from; here they are those of a
///   shallow stack (`maximum recursion depth exceeded during compilation` from 2996 signs or
///   operators in a row, `Parser stack overflowed - Python source too complex to parse`).
/// - Powers of floats are those of this machine's C library, as they are Python's.
[[nodiscard]] Calculated calculate(std::string_view expression);

/// The answer to any argument: that of calculate for a string, and an error for everything else,
/// which for a list or object depends on its elements or keys.
[[nodiscard]] Calculated calculate_argument(const Value& expression);

/// The error of an expression whose integers are too large to compute with.
inline constexpr std::string_view kTooMuchArithmetic =
    "expression needs integers too large to calculate";

}  // namespace unmask::world
