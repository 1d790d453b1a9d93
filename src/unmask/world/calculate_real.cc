#include "unmask/world/calculate_real.h"

#include <cmath>
#include <optional>
#include <string>

#include "unmask/base/check.h"
#include "unmask/world/calculate_grammar.h"

namespace unmask::world::calculator {
namespace {

tl::unexpected<std::string> error(const char* text) { return tl::unexpected<std::string>(text); }

/// CPython's float floor division, step by step: its rounding is part of what it answers.
double floor_quotient(double left, double right) {
  const double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  // NaN counts as a remainder, as in the original.
  if (remainder != 0 && (right < 0) != (remainder < 0)) quotient -= 1.0;
  if (quotient == 0) return std::copysign(0.0, left / right);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1.0 : floor;
}

Complex product(Complex left, Complex right) {
  return {left.real() * right.real() - left.imag() * right.imag(),
          left.real() * right.imag() + left.imag() * right.real()};
}

/// Smith's method; none for division by zero.
std::optional<Complex> quotient(Complex left, Complex right) {
  if (std::fabs(right.real()) >= std::fabs(right.imag())) {
    if (right.real() == 0) return std::nullopt;
    const double ratio = right.imag() / right.real();
    const double denominator = right.real() + right.imag() * ratio;
    return Complex((left.real() + left.imag() * ratio) / denominator,
                   (left.imag() - left.real() * ratio) / denominator);
  }
  if (std::fabs(right.imag()) >= std::fabs(right.real())) {
    const double ratio = right.real() / right.imag();
    const double denominator = right.real() * ratio + right.imag();
    return Complex((left.real() * ratio + left.imag()) / denominator,
                   (left.imag() * ratio - left.real()) / denominator);
  }
  return Complex(std::nan(""), std::nan(""));
}

/// By repeated squaring; `exponent` ≥ 0.
Complex whole_power(Complex base, int exponent) {
  Complex result(1, 0);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = product(result, base);
    base = product(base, base);
  }
  return result;
}

/// None where the angle is infinite, for which CPython has no error of its own: it tells that of a
/// zero base.
std::optional<Complex> polar_power(Complex base, Complex exponent) {
  const double length = std::hypot(base.real(), base.imag());
  const double angle = std::atan2(base.imag(), base.real());
  double new_length = std::pow(length, exponent.real());
  double new_angle = angle * exponent.real();
  if (exponent.imag() != 0) {
    new_length *= std::exp(-angle * exponent.imag());
    new_angle += exponent.imag() * std::log(length);
  }
  if (std::isinf(new_angle)) return std::nullopt;
  return Complex(new_length * std::cos(new_angle), new_length * std::sin(new_angle));
}

tl::expected<Complex, std::string> complex_power(Complex base, Complex exponent) {
  constexpr auto kZeroBase = "0.0 to a negative or complex power";
  // Whole exponents up to this are multiplied out.
  constexpr double kMaxWhole = 100;
  Complex result;
  if (exponent.imag() == 0 && exponent.real() == std::floor(exponent.real()) &&
      std::fabs(exponent.real()) <= kMaxWhole) {
    const int whole = static_cast<int>(exponent.real());
    if (whole > 0) {
      result = whole_power(base, whole);
    } else {
      const auto inverse = quotient({1, 0}, whole_power(base, -whole));
      if (!inverse) return error(kZeroBase);
      result = *inverse;
    }
  } else if (base.real() == 0 && base.imag() == 0) {
    if (exponent.imag() != 0 || exponent.real() < 0) return error(kZeroBase);
  } else {
    const auto power = polar_power(base, exponent);
    if (!power) return error(kZeroBase);
    result = *power;
  }
  if (std::isinf(result.real()) || std::isinf(result.imag())) {
    return error("complex exponentiation");
  }
  return result;
}

}  // namespace

tl::expected<double, std::string> apply_real(Action action, double left, double right) {
  switch (action) {
    case Action::add:
      return left + right;
    case Action::subtract:
      return left - right;
    case Action::multiply:
      return left * right;
    case Action::divide:
      if (right == 0) return error("float division by zero");
      return left / right;
    case Action::floor_divide:
      if (right == 0) return error("float floor division by zero");
      return floor_quotient(left, right);
    default:
      UNMASK_CHECK(false);
  }
}

bool is_complex_power(double base, double exponent) {
  return base < 0 && std::isfinite(base) && std::isfinite(exponent) &&
         exponent != std::floor(exponent);
}

tl::expected<double, std::string> real_power(double base, double exponent) {
  if (base == 0 && exponent < 0 && std::isfinite(exponent)) {
    return error("0.0 cannot be raised to a negative power");
  }
  // The special values of C's pow are Python's.
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) {
    return error("(34, 'Numerical result out of range')");
  }
  return result;
}

tl::expected<Complex, std::string> apply_complex(Action action, Complex left, Complex right) {
  switch (action) {
    case Action::add:
      return left + right;
    case Action::subtract:
      return left - right;
    case Action::multiply:
      return product(left, right);
    case Action::divide:
      if (const auto result = quotient(left, right)) return *result;
      return error("complex division by zero");
    case Action::power:
      return complex_power(left, right);
    default:
      UNMASK_CHECK(false);
  }
}

}  // namespace unmask::world::calculator
