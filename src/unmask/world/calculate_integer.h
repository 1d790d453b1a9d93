#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace unmask::world::calculator {

/// Arithmetic that one expression may still spend on integers beyond 64 bits, in products of two
/// 64-bit words.
class IntegerWork {
 public:
  explicit IntegerWork(std::uint64_t products) : left_(products) {}

  /// False: there is not so much left. Nothing can be spent after that.
  [[nodiscard]] bool spend(std::uint64_t products) {
    left_ = products > left_ ? 0 : left_ - products;
    return left_ > 0;
  }

 private:
  std::uint64_t left_;
};

/// What an expression may spend: some tenths of a second, or one power of about four million bits.
inline constexpr std::uint64_t kIntegerWork = std::uint64_t{1} << 28U;

/// An immutable integer of any size with the arithmetic of Python's int; copies share what is
/// large. Operations give nullopt where the work left does not suffice.
class Integer {
 public:
  Integer() = default;
  explicit Integer(std::int64_t value) : small_(value) {}

  /// From decimal digits, at least one, without a sign; leading zeros only if all are zeros.
  [[nodiscard]] static std::optional<Integer> from_digits(std::string_view digits,
                                                          IntegerWork& work);

  [[nodiscard]] bool is_zero() const { return !large_ && small_ == 0; }
  [[nodiscard]] bool is_negative() const;
  /// None if it has more than 64 bits.
  [[nodiscard]] std::optional<std::int64_t> to_int64() const;
  /// The nearest double, ties to even; none if the value exceeds all doubles.
  [[nodiscard]] std::optional<double> to_double() const;
  /// In decimal; none if there are more than `max_digits` digits.
  [[nodiscard]] std::optional<std::string> to_decimal(std::size_t max_digits) const;

  [[nodiscard]] static std::optional<Integer> negated(const Integer& value, IntegerWork& work);
  [[nodiscard]] static std::optional<Integer> sum(const Integer& left, const Integer& right,
                                                  IntegerWork& work);
  [[nodiscard]] static std::optional<Integer> difference(const Integer& left, const Integer& right,
                                                         IntegerWork& work);
  [[nodiscard]] static std::optional<Integer> product(const Integer& left, const Integer& right,
                                                      IntegerWork& work);
  /// Rounded towards minus infinity. `right` is not zero.
  [[nodiscard]] static std::optional<Integer> floor_quotient(const Integer& left,
                                                             const Integer& right,
                                                             IntegerWork& work);
  /// The double nearest to left / right, ties to even; infinite where that exceeds all doubles.
  /// `right` is not zero. Zero over a negative number is -0.0.
  [[nodiscard]] static std::optional<double> true_quotient(const Integer& left,
                                                           const Integer& right, IntegerWork& work);
  /// `exponent` is not negative; anything to the zeroth is 1.
  [[nodiscard]] static std::optional<Integer> power(const Integer& base, const Integer& exponent,
                                                    IntegerWork& work);

 private:
  struct Large;

  static Integer of(Large value);
  [[nodiscard]] Large large() const;
  [[nodiscard]] std::uint64_t words() const;

  std::int64_t small_ = 0;              // the value unless large_ is set
  std::shared_ptr<const Large> large_;  // set only for what small_ can't hold
};

}  // namespace unmask::world::calculator
