#pragma once

#include <complex>
#include <string>

#include <tl/expected.hpp>

#include "unmask/world/calculate_grammar.h"

namespace unmask::world::calculator {

using Complex = std::complex<double>;

/// Arithmetic of Python's float; `action` is one of apply_operator's (calculate_operand.h), but for
/// power. The error is the message of Python's exception.
[[nodiscard]] tl::expected<double, std::string> apply_real(Action action, double left,
                                                           double right);

/// Whether Python's `base ** exponent` of floats is a complex number.
[[nodiscard]] bool is_complex_power(double base, double exponent);

/// Python's `base ** exponent` of floats where that is a float.
[[nodiscard]] tl::expected<double, std::string> real_power(double base, double exponent);

/// Arithmetic of Python's complex with its formulas, which decide what overflows; `action` is not
/// floor_divide.
[[nodiscard]] tl::expected<Complex, std::string> apply_complex(Action action, Complex left,
                                                               Complex right);

}  // namespace unmask::world::calculator
