#pragma once

#include <complex>
#include <string>
#include <string_view>
#include <variant>

#include <tl/expected.hpp>

#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_integer.h"

namespace unmask::world::calculator {

/// Python's `()`.
struct EmptyTuple {};
/// Python's `...`.
struct Ellipsis {};

/// What an expression of calculate's characters can evaluate to.
using Operand = std::variant<Integer, double, std::complex<double>, EmptyTuple, Ellipsis>;

/// An operand, or the message of the exception that Python 3.12 raises.
using Evaluated = tl::expected<Operand, std::string>;

/// Python's name of the operand's type, as error texts have it.
[[nodiscard]] std::string_view type_name_of(const Operand& operand);

/// Python's str of the operand; the error is that of an integer of too many digits.
[[nodiscard]] tl::expected<std::string, std::string> text_of(const Operand& operand);

/// Python's float(operand).
[[nodiscard]] tl::expected<double, std::string> to_float(const Operand& operand);

/// `action` is plus or negate.
[[nodiscard]] Evaluated apply_sign(Action action, const Operand& operand, IntegerWork& work);

/// `action` is add, subtract, multiply, divide, floor_divide or power.
[[nodiscard]] Evaluated apply_operator(Action action, const Operand& left, const Operand& right,
                                       IntegerWork& work);

/// The message of a call, which always fails: nothing that an expression can make is callable.
/// `action` is one of the calls; `argument` is not looked at where there is none.
[[nodiscard]] std::string call_error(Action action, const Operand& callee, const Operand& argument);

}  // namespace unmask::world::calculator
