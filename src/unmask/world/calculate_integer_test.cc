#include "unmask/world/calculate_integer.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::world::calculator {
namespace {

constexpr std::size_t kAllDigits = 100'000;

/// From decimal text with an optional sign.
Integer integer(std::string_view text) {
  IntegerWork work(kIntegerWork);
  if (!text.starts_with('-')) return Integer::from_digits(text, work).value();
  return Integer::negated(Integer::from_digits(text.substr(1), work).value(), work).value();
}

std::string decimal(const std::optional<Integer>& value) {
  return value ? value->to_decimal(kAllDigits).value() : "none";
}

Integer power_of_two(std::int64_t exponent) {
  IntegerWork work(kIntegerWork);
  return Integer::power(Integer(2), Integer(exponent), work).value();
}

TEST(Integer, CarriesOverThe64BitBoundary) {
  IntegerWork work(kIntegerWork);
  const Integer most(std::numeric_limits<std::int64_t>::max());
  const Integer least(std::numeric_limits<std::int64_t>::min());
  const Integer one(1);
  EXPECT_EQ(decimal(Integer::sum(most, one, work)), "9223372036854775808");
  EXPECT_EQ(decimal(Integer::difference(least, one, work)), "-9223372036854775809");
  EXPECT_EQ(decimal(Integer::negated(least, work)), "9223372036854775808");
  EXPECT_EQ(decimal(Integer::product(least, least, work)),
            "85070591730234615865843651857942052864");
  EXPECT_EQ(decimal(Integer::floor_quotient(least, Integer(-1), work)), "9223372036854775808");
  const Integer beyond = Integer::sum(most, one, work).value();
  EXPECT_FALSE(beyond.to_int64());
  EXPECT_EQ(Integer::difference(beyond, one, work)->to_int64(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(decimal(Integer::negated(beyond, work)), "-9223372036854775808");
  EXPECT_TRUE(Integer::negated(beyond, work)->to_int64());
}

TEST(Integer, FloorsTowardsMinusInfinity) {
  struct Case {
    std::string_view left;
    std::string_view right;
    std::string_view quotient;
  };
  const std::vector<Case> cases = {
      {"0", "-5", "0"},
      {"7", "-2", "-4"},
      {"-7", "-2", "3"},
      {"-8", "2", "-4"},
      {"-1", "100000000000000000000", "-1"},
      {"1", "-100000000000000000000", "-1"},
      {"-300000000000000000000", "100000000000000000000", "-3"},
      {"-300000000000000000001", "100000000000000000000", "-4"},
  };
  IntegerWork work(kIntegerWork);
  for (const Case& c : cases) {
    EXPECT_EQ(decimal(Integer::floor_quotient(integer(c.left), integer(c.right), work)), c.quotient)
        << c.left << " // " << c.right;
  }
}

TEST(Integer, NearestDoubleTiesToEven) {
  EXPECT_EQ(integer("9007199254740993").to_double(), 9007199254740992.0);
  EXPECT_EQ(integer("9007199254740995").to_double(), 9007199254740996.0);
  EXPECT_EQ(integer("18446744073709551615").to_double(), 0x1p64);
  EXPECT_EQ(integer("36893488147419107328").to_double(), 0x1.0000000000000p65);  // halfway: to even
  EXPECT_EQ(integer("36893488147419107329").to_double(), 0x1.0000000000001p65);
  EXPECT_EQ(integer("-36893488147419107329").to_double(), -0x1.0000000000001p65);
  EXPECT_EQ(power_of_two(1023).to_double(), 0x1p1023);
  EXPECT_FALSE(power_of_two(1024).to_double());
  // Below the middle between the largest double and 2^1024, and at it.
  IntegerWork work(kIntegerWork);
  const Integer middle = Integer::difference(power_of_two(1024), power_of_two(970), work).value();
  EXPECT_EQ(Integer::difference(middle, Integer(1), work)->to_double(),
            std::numeric_limits<double>::max());
  EXPECT_FALSE(middle.to_double());
}

TEST(Integer, TrueQuotientIsRoundedOnce) {
  IntegerWork work(kIntegerWork);
  const auto quotient = [&](const Integer& left, const Integer& right) {
    return Integer::true_quotient(left, right, work).value();
  };
  const Integer one(1);
  EXPECT_EQ(quotient(Integer(1), Integer(3)), 1.0 / 3.0);
  EXPECT_EQ(quotient(integer("9007199254740993"), Integer(3)), 3002399751580331.0);
  EXPECT_EQ(quotient(integer("-9007199254740993"), one), -9007199254740992.0);
  EXPECT_TRUE(std::signbit(quotient(Integer(0), integer("-100000000000000000000"))));
  EXPECT_EQ(quotient(one, power_of_two(1074)), 0x1p-1074);
  EXPECT_EQ(quotient(one, power_of_two(1075)), 0.0);  // halfway to the smallest: to even
  EXPECT_EQ(quotient(Integer(3), power_of_two(1076)), 0x1p-1074);
  EXPECT_EQ(quotient(Integer(3), power_of_two(1075)), 0x1p-1073);  // halfway: to even
  EXPECT_TRUE(std::signbit(quotient(Integer(-1), power_of_two(5000))));
  EXPECT_EQ(quotient(power_of_two(5000), power_of_two(4000)), 0x1p1000);
  EXPECT_TRUE(std::isinf(quotient(power_of_two(1024), one)));
  EXPECT_TRUE(std::isinf(quotient(power_of_two(9000), Integer(7))));
}

TEST(Integer, Powers) {
  IntegerWork work(kIntegerWork);
  EXPECT_EQ(decimal(Integer::power(Integer(0), Integer(0), work)), "1");
  EXPECT_EQ(decimal(Integer::power(Integer(-3), Integer(41), work)), "-36472996377170786403");
  EXPECT_EQ(decimal(Integer::power(integer("-100000000000000000000"), Integer(2), work)),
            "1" + std::string(40, '0'));
  EXPECT_EQ(decimal(Integer::power(Integer(-1), power_of_two(100), work)), "1");
}

TEST(Integer, DecimalLimit) {
  EXPECT_EQ(integer("-123").to_decimal(3), "-123");
  EXPECT_FALSE(integer("-1234").to_decimal(3));
  const std::string digits = "1" + std::string(60, '0');
  EXPECT_EQ(integer(digits).to_decimal(61), digits);
  EXPECT_FALSE(integer(digits).to_decimal(60));
  EXPECT_FALSE(integer(digits).to_decimal(5));
  EXPECT_EQ(integer(std::string(50, '0')).to_decimal(1), "0");
}

TEST(Integer, WorkEnds) {
  IntegerWork work(1000);
  const Integer large = power_of_two(1920);
  EXPECT_TRUE(Integer::product(large, large, work));
  EXPECT_FALSE(Integer::product(large, large, work));
  EXPECT_FALSE(Integer::sum(large, large, work));  // nothing after the end
  EXPECT_TRUE(Integer::sum(Integer(1), Integer(1), work)) << "small integers cost nothing";
  IntegerWork fresh(kIntegerWork);
  EXPECT_FALSE(Integer::power(Integer(2), Integer(std::int64_t{1} << 40), fresh));
  EXPECT_FALSE(Integer::power(Integer(2), large, fresh));
}

}  // namespace
}  // namespace unmask::world::calculator
