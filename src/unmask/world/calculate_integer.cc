#include "unmask/world/calculate_integer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/multiprecision/cpp_int.hpp>

namespace unmask::world::calculator {

namespace mp = boost::multiprecision;
using Big = mp::number<mp::cpp_int_backend<>, mp::et_off>;

struct Integer::Large {
  Big value;
};

namespace {

constexpr std::uint64_t kWordBits = 64;
constexpr int kSignificandBits = 53;
constexpr int kSmallestExponent = -1074;  // of the smallest subnormal
/// Digits that any 64-bit integer can hold.
constexpr std::size_t kSafeDigits = 18;
/// Integers up to this are doubles exactly.
constexpr std::int64_t kExactDouble = std::int64_t{1} << kSignificandBits;

/// Products of words that Boost needs for a product of integers of so many words: above 40 words it
/// saves a quarter at each halving (Karatsuba's method).
std::uint64_t product_work(std::uint64_t left_words, std::uint64_t right_words) {
  constexpr std::uint64_t kKaratsubaWords = 40;
  std::uint64_t work = left_words * right_words;
  for (std::uint64_t words = std::min(left_words, right_words); words > kKaratsubaWords;
       words /= 2) {
    work -= work / 4;
  }
  return work;
}

std::int64_t bit_length(const Big& magnitude) {
  return magnitude.is_zero() ? 0 : static_cast<std::int64_t>(mp::msb(magnitude)) + 1;
}

/// `significand` * 2^exponent as the nearest double, ties to even; infinite beyond all doubles. The
/// top bit of `significand` is set, and its lowest bit also stands for what was cut off below.
double nearest_double(std::uint64_t significand, std::int64_t exponent) {
  constexpr std::int64_t kUsual = 64 - kSignificandBits;
  const std::int64_t dropped = std::max(kUsual, kSmallestExponent - exponent);
  if (dropped > 64) return 0;
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63U;
  if (dropped == 64) return significand > kTop ? std::ldexp(1.0, kSmallestExponent) : 0;
  const auto shift = static_cast<unsigned>(dropped);
  std::uint64_t kept = significand >> shift;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (kept & 1U) == 1)) ++kept;
  const std::int64_t scale = std::min<std::int64_t>(exponent + dropped, 2000);
  return std::ldexp(static_cast<double>(kept), static_cast<int>(scale));
}

/// The 64 bits from the top of a magnitude of at least 64 bits; the lowest one is also set if any
/// bit below it is.
std::uint64_t top_bits(const Big& magnitude) {
  const auto cut = static_cast<unsigned>(bit_length(magnitude) - 64);
  auto top = static_cast<std::uint64_t>(magnitude >> cut);
  if (mp::lsb(magnitude) < cut) top |= 1U;
  return top;
}

}  // namespace

Integer Integer::of(Large value) {
  Integer result;
  if (value.value >= std::numeric_limits<std::int64_t>::min() &&
      value.value <= std::numeric_limits<std::int64_t>::max()) {
    result.small_ = static_cast<std::int64_t>(value.value);
  } else {
    result.large_ = std::make_shared<const Large>(std::move(value));
  }
  return result;
}

Integer::Large Integer::large() const { return large_ ? *large_ : Large{small_}; }

std::uint64_t Integer::words() const {
  return large_ ? static_cast<std::uint64_t>(large_->value.backend().size()) : 1;
}

std::optional<Integer> Integer::from_digits(std::string_view digits, IntegerWork& work) {
  if (digits.front() == '0') return Integer();
  if (digits.size() <= kSafeDigits) {
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return Integer(value);
  }
  const std::uint64_t parts = digits.size() / kSafeDigits + 1;
  if (!work.spend(parts * parts)) return std::nullopt;
  return of({Big(std::string(digits))});
}

bool Integer::is_negative() const { return large_ ? large_->value.sign() < 0 : small_ < 0; }

std::optional<std::int64_t> Integer::to_int64() const {
  if (large_) return std::nullopt;
  return small_;
}

std::optional<double> Integer::to_double() const {
  if (!large_) return static_cast<double>(small_);
  const Big magnitude = mp::abs(large_->value);
  const std::int64_t bits = bit_length(magnitude);
  // From 64 bits on: only -2^63 has as many and is small.
  const double nearest = nearest_double(top_bits(magnitude), bits - 64);
  if (std::isinf(nearest)) return std::nullopt;
  return is_negative() ? -nearest : nearest;
}

std::optional<std::string> Integer::to_decimal(std::size_t max_digits) const {
  if (large_) {
    // Ten bits hold three digits and a little: more bits than this are more digits for sure.
    const auto bits = static_cast<std::uint64_t>(bit_length(mp::abs(large_->value)));
    if (bits > max_digits * 10 / 3 + 10) return std::nullopt;
  }
  std::string text = large_ ? large_->value.str() : std::to_string(small_);
  if (text.size() - (is_negative() ? 1 : 0) > max_digits) return std::nullopt;
  return text;
}

std::optional<Integer> Integer::negated(const Integer& value, IntegerWork& work) {
  return difference(Integer(), value, work);
}

std::optional<Integer> Integer::sum(const Integer& left, const Integer& right, IntegerWork& work) {
  std::int64_t small = 0;
  if (!left.large_ && !right.large_ && !__builtin_add_overflow(left.small_, right.small_, &small)) {
    return Integer(small);
  }
  if (!work.spend(left.words() + right.words())) return std::nullopt;
  return of({left.large().value + right.large().value});
}

std::optional<Integer> Integer::difference(const Integer& left, const Integer& right,
                                           IntegerWork& work) {
  std::int64_t small = 0;
  if (!left.large_ && !right.large_ && !__builtin_sub_overflow(left.small_, right.small_, &small)) {
    return Integer(small);
  }
  if (!work.spend(left.words() + right.words())) return std::nullopt;
  return of({left.large().value - right.large().value});
}

std::optional<Integer> Integer::product(const Integer& left, const Integer& right,
                                        IntegerWork& work) {
  std::int64_t small = 0;
  if (!left.large_ && !right.large_ && !__builtin_mul_overflow(left.small_, right.small_, &small)) {
    return Integer(small);
  }
  if (!work.spend(product_work(left.words(), right.words()))) return std::nullopt;
  return of({left.large().value * right.large().value});
}

std::optional<Integer> Integer::floor_quotient(const Integer& left, const Integer& right,
                                               IntegerWork& work) {
  const std::uint64_t left_words = left.words();
  const std::uint64_t right_words = right.words();
  const std::uint64_t quotient_words = left_words > right_words ? left_words - right_words + 1 : 1;
  if (!work.spend(quotient_words * right_words + left_words)) return std::nullopt;
  Big quotient;
  Big remainder;
  mp::divide_qr(left.large().value, right.large().value, quotient, remainder);
  if (!remainder.is_zero() && left.is_negative() != right.is_negative()) --quotient;
  return of({std::move(quotient)});
}

std::optional<double> Integer::true_quotient(const Integer& left, const Integer& right,
                                             IntegerWork& work) {
  const auto is_exact = [](const Integer& value) {
    return !value.large_ && value.small_ <= kExactDouble && value.small_ >= -kExactDouble;
  };
  if (is_exact(left) && is_exact(right)) {
    return static_cast<double>(left.small_) / static_cast<double>(right.small_);
  }
  const double sign = left.is_negative() != right.is_negative() ? -1.0 : 1.0;
  if (left.is_zero()) return sign * 0.0;
  if (!work.spend(left.words() + 4 * right.words())) return std::nullopt;
  Big numerator = mp::abs(left.large().value);
  Big denominator = mp::abs(right.large().value);
  const std::int64_t difference = bit_length(numerator) - bit_length(denominator);
  if (difference > 1024) return sign * std::numeric_limits<double>::infinity();
  if (difference < kSmallestExponent - 1) return sign * 0.0;
  // A quotient of 65 or 66 bits, and whether anything is left over.
  const std::int64_t shift = 65 - difference;
  if (shift >= 0) {
    numerator <<= static_cast<unsigned>(shift);
  } else {
    denominator <<= static_cast<unsigned>(-shift);
  }
  Big quotient;
  Big remainder;
  mp::divide_qr(numerator, denominator, quotient, remainder);
  const std::int64_t cut = bit_length(quotient) - 64;
  std::uint64_t top = top_bits(quotient);
  if (!remainder.is_zero()) top |= 1U;
  return sign * nearest_double(top, cut - shift);
}

std::optional<Integer> Integer::power(const Integer& base, const Integer& exponent,
                                      IntegerWork& work) {
  if (exponent.is_zero()) return Integer(1);
  if (!base.large_ && base.small_ >= -1 && base.small_ <= 1) {
    const bool is_odd = exponent.large_ ? mp::bit_test(mp::abs(exponent.large_->value), 0)
                                        : (exponent.small_ & 1) == 1;
    return Integer(is_odd ? base.small_ : base.small_ * base.small_);
  }
  // A base of at least two: an exponent of 32 bits would need more work than there ever is.
  constexpr std::int64_t kMaxExponent = std::numeric_limits<std::uint32_t>::max();
  if (exponent.large_ || exponent.small_ > kMaxExponent) return std::nullopt;
  const Big value = base.large().value;
  const auto bits = static_cast<std::uint64_t>(bit_length(mp::abs(value)));
  const std::uint64_t words = bits * static_cast<std::uint64_t>(exponent.small_) / kWordBits + 1;
  if (words > kMaxExponent || !work.spend(product_work(words, words))) return std::nullopt;
  return of({mp::pow(value, static_cast<unsigned>(exponent.small_))});
}

}  // namespace unmask::world::calculator
