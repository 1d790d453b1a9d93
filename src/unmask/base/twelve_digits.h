#pragma once

namespace unmask {

/// `value` rounded to the twelve significant digits that documents keep; never -0. What follows
/// them is rounding noise of the arithmetic. What is not finite stays as it is.
[[nodiscard]] double twelve_digits(double value);

}  // namespace unmask
