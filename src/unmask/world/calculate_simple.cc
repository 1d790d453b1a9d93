#include "unmask/world/calculate_simple.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask::world::calculator {
namespace {

/// Longer expressions could nest deeper than Python's parser allows.
constexpr std::size_t kMaxBytes = 128;
/// Integers below this are exact as doubles, and so are their sums and products below it.
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr std::size_t kMaxDigits = 15;
constexpr std::array<double, kMaxDigits + 1> kPowersOfTen = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Python's int or float.
struct Number {
  double value = 0;
  bool is_integer = false;
};

/// A recursive descent that computes as it goes; `failed` once something is not simple.
class Simple {
 public:
  explicit Simple(std::string_view text) : text_(text) {}

  std::optional<double> run() {
    const Number result = sum();
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return result.value;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// The next character that is no space, which stays.
  char next() {
    while (peek() == ' ') ++at_;
    return peek();
  }

  Number fail() {
    failed_ = true;
    return {};
  }

  Number of(double value, bool is_integer) {
    if (!is_integer) return {value, false};
    if (!(std::fabs(value) < kExactIntegers)) return fail();
    return {value + 0.0, true};  // an integer has no negative zero
  }

  Number sum() {
    Number left = term();
    while (!failed_) {
      const char sign = next();
      if (sign != '+' && sign != '-') break;
      ++at_;
      const Number right = term();
      left = of(sign == '+' ? left.value + right.value : left.value - right.value,
                left.is_integer && right.is_integer);
    }
    return left;
  }

  Number term() {
    Number left = factor();
    while (!failed_) {
      const char sign = next();
      if (sign != '*' && sign != '/') break;
      ++at_;
      if (peek() == sign) return fail();  // `**` or `//`
      const Number right = factor();
      if (sign == '*') {
        left = of(left.value * right.value, left.is_integer && right.is_integer);
      } else {
        if (right.value == 0) return fail();
        left = of(left.value / right.value, false);
      }
    }
    return left;
  }

  Number factor() {
    bool is_negative = false;
    char first = next();
    while (first == '+' || first == '-') {
      is_negative = is_negative != (first == '-');
      ++at_;
      first = next();
    }
    const Number operand = primary(first);
    return is_negative ? of(-operand.value, operand.is_integer) : operand;
  }

  Number primary(char first) {
    if (first != '(') return number();
    ++at_;
    const Number inside = sum();
    if (failed_ || next() != ')') return fail();
    ++at_;
    return inside;
  }

  Number number() {
    const std::size_t begin = at_;
    std::uint64_t digits = 0;
    std::size_t count = 0;
    for (; is_digit(peek()) && count <= kMaxDigits; ++count) take_digit(digits);
    const std::size_t whole = count;
    const bool is_integer = peek() != '.';
    if (!is_integer) {
      ++at_;
      for (; is_digit(peek()) && count <= kMaxDigits; ++count) take_digit(digits);
    }
    if (count == 0 || count > kMaxDigits) return fail();
    if (is_integer && text_[begin] == '0' && count > 1) return fail();
    // Both exact, so that the quotient is the double nearest to the literal.
    return {static_cast<double>(digits) / kPowersOfTen[count - whole], is_integer};
  }

  void take_digit(std::uint64_t& digits) {
    digits = digits * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<double> simple_value(std::string_view expression) {
  if (expression.size() > kMaxBytes) return std::nullopt;
  return Simple(expression).run();
}

}  // namespace unmask::world::calculator
