#pragma once

#include <string>

namespace unmask::world {

class TextBuffer;

/// Python's repr of a float: the shortest digits that read back as `value`, positional where the
/// decimal exponent is in [-4, 16), with a fraction always (`46.0`, `1e+16`, `-0.0`, `inf`, `nan`).
[[nodiscard]] std::string python_float(double value);

/// Appends python_float(value).
void append_python_float(std::string& out, double value);
void append_python_float(TextBuffer& out, double value);

/// Python's round(x, 2): the double nearest to the exact decimal expansion of `value` rounded to
/// two places, ties to even. Infinities and NaN stay.
[[nodiscard]] double round2(double value);

/// Python's `{value:.2f}`; `inf`, `-inf` and `nan` as Python spells them.
[[nodiscard]] std::string two_decimals(double value);

/// Appends two_decimals(value).
void append_two_decimals(TextBuffer& out, double value);

}  // namespace unmask::world
