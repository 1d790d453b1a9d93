#include "unmask/world/calculate_operand.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "unmask/world/calculate.h"
#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_integer.h"
#include "unmask/world/calculate_real.h"
#include "unmask/world/python_number.h"

namespace unmask::world::calculator {
namespace {

using Text = std::string;

constexpr std::string_view kTooLargeForFloat = "int too large to convert to float";

tl::unexpected<Text> error(std::string_view text) { return tl::unexpected(Text(text)); }

template <typename T>
bool is(const Operand& operand) {
  return std::holds_alternative<T>(operand);
}

bool is_number(const Operand& operand) {
  return !is<EmptyTuple>(operand) && !is<Ellipsis>(operand);
}

std::string quoted_type(const Operand& operand) {
  return "'" + std::string(type_name_of(operand)) + "'";
}

std::string_view symbol_of(Action action) {
  switch (action) {
    case Action::add:
      return "+";
    case Action::subtract:
      return "-";
    case Action::multiply:
      return "*";
    case Action::divide:
      return "/";
    case Action::floor_divide:
      return "//";
    case Action::power:
      return "** or pow()";
    default:
      return "";
  }
}

tl::unexpected<Text> unsupported(Action action, const Operand& left, const Operand& right) {
  return error("unsupported operand type(s) for " + Text(symbol_of(action)) + ": " +
               quoted_type(left) + " and " + quoted_type(right));
}

template <typename T>
Evaluated within_work(std::optional<T> result) {
  if (!result) return error(kTooMuchArithmetic);
  return Operand(*std::move(result));
}

template <typename T>
Evaluated as_operand(tl::expected<T, Text> result) {
  if (!result) return tl::unexpected(std::move(result).error());
  return Operand(*result);
}

/// A number as the complex that Python makes of it.
std::optional<Complex> to_complex(const Operand& operand) {
  if (const auto* integer = std::get_if<Integer>(&operand)) {
    if (const auto real = integer->to_double()) return Complex(*real, 0);
    return std::nullopt;
  }
  if (const auto* real = std::get_if<double>(&operand)) return Complex(*real, 0);
  return std::get<Complex>(operand);
}

/// `tuple * count`, in either order.
Evaluated repeated_tuple(const Operand& count) {
  const auto* integer = std::get_if<Integer>(&count);
  if (integer == nullptr) {
    return error("can't multiply sequence by non-int of type " + quoted_type(count));
  }
  if (!integer->to_int64()) return error("cannot fit 'int' into an index-sized integer");
  return EmptyTuple{};
}

Evaluated apply_integers(Action action, const Integer& left, const Integer& right,
                         IntegerWork& work) {
  switch (action) {
    case Action::add:
      return within_work(Integer::sum(left, right, work));
    case Action::subtract:
      return within_work(Integer::difference(left, right, work));
    case Action::multiply:
      return within_work(Integer::product(left, right, work));
    case Action::divide: {
      if (right.is_zero()) return error("division by zero");
      const auto result = Integer::true_quotient(left, right, work);
      if (result && std::isinf(*result)) {
        return error("integer division result too large for a float");
      }
      return within_work(result);
    }
    case Action::floor_divide:
      if (right.is_zero()) return error("integer division or modulo by zero");
      return within_work(Integer::floor_quotient(left, right, work));
    default:
      return within_work(Integer::power(left, right, work));
  }
}

/// Numbers of which at least one is a float, none is complex; or a power of integers that isn't
/// one.
Evaluated apply_reals(Action action, double left, double right) {
  if (action != Action::power) return as_operand(apply_real(action, left, right));
  if (is_complex_power(left, right)) return as_operand(apply_complex(action, left, right));
  return as_operand(real_power(left, right));
}

Evaluated apply_numbers(Action action, const Operand& left, const Operand& right,
                        IntegerWork& work) {
  const auto* left_integer = std::get_if<Integer>(&left);
  const auto* right_integer = std::get_if<Integer>(&right);
  if (left_integer != nullptr && right_integer != nullptr &&
      !(action == Action::power && right_integer->is_negative())) {
    return apply_integers(action, *left_integer, *right_integer, work);
  }
  const bool complex = is<Complex>(left) || is<Complex>(right);
  if (complex && action == Action::floor_divide) return unsupported(action, left, right);
  const auto left_number = to_complex(left);
  const auto right_number = to_complex(right);
  if (!left_number || !right_number) return error(kTooLargeForFloat);
  if (complex) return as_operand(apply_complex(action, *left_number, *right_number));
  return apply_reals(action, left_number->real(), right_number->real());
}

/// Python's repr of a part of a complex number: a float without `.0`.
Text part_text(double part) {
  Text text = python_float(part);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

Text complex_text(Complex value) {
  if (value.real() == 0 && !std::signbit(value.real())) return part_text(value.imag()) + "j";
  const Text imaginary = part_text(value.imag());
  return "(" + part_text(value.real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j)";
}

}  // namespace

std::string_view type_name_of(const Operand& operand) {
  if (is<Integer>(operand)) return "int";
  if (is<double>(operand)) return "float";
  if (is<Complex>(operand)) return "complex";
  return is<EmptyTuple>(operand) ? "tuple" : "ellipsis";
}

tl::expected<std::string, std::string> text_of(const Operand& operand) {
  if (const auto* integer = std::get_if<Integer>(&operand)) {
    if (auto text = integer->to_decimal(kMaxIntegerDigits)) return *std::move(text);
    return error(
        "Exceeds the limit (4300 digits) for integer string conversion; use "
        "sys.set_int_max_str_digits() to increase the limit");
  }
  if (const auto* real = std::get_if<double>(&operand)) return python_float(*real);
  if (const auto* complex = std::get_if<Complex>(&operand)) return complex_text(*complex);
  return is<EmptyTuple>(operand) ? "()" : "Ellipsis";
}

tl::expected<double, std::string> to_float(const Operand& operand) {
  if (const auto* real = std::get_if<double>(&operand)) return *real;
  if (const auto* integer = std::get_if<Integer>(&operand)) {
    if (const auto real = integer->to_double()) return *real;
    return error(kTooLargeForFloat);
  }
  return error("float() argument must be a string or a real number, not " + quoted_type(operand));
}

Evaluated apply_sign(Action action, const Operand& operand, IntegerWork& work) {
  const bool is_plus = action == Action::plus;
  if (!is_number(operand)) {
    return error("bad operand type for unary " + Text(is_plus ? "+" : "-") + ": " +
                 quoted_type(operand));
  }
  if (is_plus) return operand;
  if (const auto* integer = std::get_if<Integer>(&operand)) {
    return within_work(Integer::negated(*integer, work));
  }
  if (const auto* real = std::get_if<double>(&operand)) return Operand(-*real);
  return Operand(-std::get<Complex>(operand));
}

Evaluated apply_operator(Action action, const Operand& left, const Operand& right,
                         IntegerWork& work) {
  if (is_number(left) && is_number(right)) return apply_numbers(action, left, right, work);
  if (action == Action::add && is<EmptyTuple>(left)) {
    if (is<EmptyTuple>(right)) return left;
    return error("can only concatenate tuple (not \"" + Text(type_name_of(right)) + "\") to tuple");
  }
  if (action == Action::multiply && is<EmptyTuple>(left)) return repeated_tuple(right);
  if (action == Action::multiply && is<EmptyTuple>(right)) return repeated_tuple(left);
  return unsupported(action, left, right);
}

std::string call_error(Action action, const Operand& callee, const Operand& argument) {
  const bool is_star = action == Action::call_star;
  if ((is_star && !is<EmptyTuple>(argument)) || action == Action::call_double_star) {
    const auto text = text_of(callee);
    if (!text) return text.error();
    return *text +
           (is_star ? " argument after * must be an iterable, not "
                    : " argument after ** must be a mapping, not ") +
           Text(type_name_of(argument));
  }
  return quoted_type(callee) + " object is not callable";
}

}  // namespace unmask::world::calculator
