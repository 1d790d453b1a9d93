#include "unmask/world/validation.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

/// pydantic's identifier of the one problem of `text`.
std::string issue_type(const Validation& validation) {
  const std::string text = validation.text();
  const std::size_t at = text.find("[type=") + 6;
  return text.substr(at, text.find(',', at) - at);
}

struct Case {
  Value value;
  std::string expected;  ///< as JSON, or the problem's type
};

TEST(Validation, Integers) {
  const std::vector<Case> cases{
      {Value(7), "7"},
      {Value(true), "1"},
      {Value(-7.0), "-7"},
      {Value::integer_of("123456789012345678901234567890"), "123456789012345678901234567890"},
      {Value("42"), "42"},
      {Value(" +042.00\u2003"), "42"},
      {Value("-0"), "0"},
      {Value("0__1"), "1"},
      {Value("1_0"), "10"},
      {Value("0"), "0"},
      {Value("0.0"), "0"},
      {Value("0_"), "int_parsing"},
      {Value("1__0"), "int_parsing"},
      {Value("_1"), "int_parsing"},
      {Value("1_"), "int_parsing"},
      {Value(""), "int_parsing"},
      {Value("-"), "int_parsing"},
      {Value("4."), "int_parsing"},
      {Value(".0"), "int_parsing"},
      {Value("4.5"), "int_parsing"},
      {Value("4e1"), "int_parsing"},
      {Value("0x1"), "int_parsing"},
      {Value("--1"), "int_parsing"},
      {Value(std::string(4300, '9')), std::string(4300, '9')},
      {Value("-" + std::string(4300, '9')), "int_parsing_size"},
      {Value(1.5), "int_from_float"},
      {Value(1e19), "int_parsing_size"},
      {Value(std::numeric_limits<double>::quiet_NaN()), "finite_number"},
      {Value(), "int_type"},
      {Value(List{}), "int_type"},
      {Value(Object{}), "int_type"}};
  for (const Case& expected : cases) {
    Validation validation("M");
    const auto value = integer_from(expected.value, Place{}, validation);
    EXPECT_EQ(value ? dump_json(*value) : issue_type(validation), expected.expected);
    EXPECT_EQ(value.has_value(), validation.passed());
  }
}

TEST(Validation, Booleans) {
  const std::vector<Case> cases{{Value(false), "false"},
                                {Value(1), "true"},
                                {Value(-0.0), "false"},
                                {Value("ON"), "true"},
                                {Value("n"), "false"},
                                {Value(" true"), "bool_parsing"},
                                {Value(2), "bool_parsing"},
                                {Value(2.0), "bool_parsing"},
                                {Value(0.5), "bool_type"},
                                {Value(1e19), "bool_type"},
                                {Value::integer_of("99999999999999999999"), "bool_type"},
                                {Value(), "bool_type"}};
  for (const Case& expected : cases) {
    Validation validation("M");
    const auto value = boolean_from(expected.value, Place{}, validation);
    EXPECT_EQ(value ? dump_json(Value(*value)) : issue_type(validation), expected.expected)
        << dump_json(expected.value);
  }
}

TEST(Validation, Reals) {
  const std::vector<Case> cases{{Value(3), "3.0"},
                                {Value(true), "1.0"},
                                {Value(" 7 "), "7.0"},
                                {Value("1E-2"), "0.01"},
                                {Value("+_1"), "1.0"},
                                {Value("1_.0"), "1.0"},
                                {Value(".5"), "0.5"},
                                {Value("5."), "5.0"},
                                {Value("1e_1"), "10.0"},
                                {Value("-INFINITY"), "-Infinity"},
                                {Value("nan"), "NaN"},
                                {Value("1e999"), "Infinity"},
                                {Value("-1e-999"), "-0.0"},
                                {Value("0e999999999999999"), "0.0"},
                                {Value("0.0001e309"), "1e+305"},
                                {Value("1e99999999999999999999"), "Infinity"},
                                {Value("_1"), "float_parsing"},
                                {Value("1__0"), "float_parsing"},
                                {Value("1_"), "float_parsing"},
                                {Value("."), "float_parsing"},
                                {Value(""), "float_parsing"},
                                {Value("e5"), "float_parsing"},
                                {Value("1e"), "float_parsing"},
                                {Value("1,5"), "float_parsing"},
                                {Value("0x1"), "float_parsing"},
                                {Value("infin"), "float_parsing"},
                                {Value("+-1"), "float_parsing"},
                                {Value::integer_of("1" + std::string(400, '0')), "float_type"},
                                {Value(), "float_type"}};
  for (const Case& expected : cases) {
    Validation validation("M");
    const auto value = real_from(expected.value, Place{}, validation);
    EXPECT_EQ(value ? dump_json(Value(*value)) : issue_type(validation), expected.expected)
        << dump_json(expected.value);
  }
}

TEST(Validation, TextNamesPlaceChoicesAndAShortenedInput) {
  constexpr std::array<std::string_view, 3> kChoices{"a", "b", "it's"};
  Validation validation("Model");
  EXPECT_TRUE(validation.passed());
  const Place root;
  const Place rows{.parent = &root, .key = "rows"};
  const Place row{.parent = &rows, .index = 2};
  EXPECT_EQ(choice_from(Value("it's"), kChoices.data(), 3, row, validation), 2U);
  EXPECT_EQ(choice_from(Value(std::string(30, 'x') + "é" + std::string(30, 'y')), kChoices.data(),
                        3, row, validation),
            std::nullopt);
  EXPECT_EQ(text_from(Value(5), Place{.parent = &root, .key = ""}, validation), std::nullopt);
  EXPECT_EQ(
      validation.text(),
      "2 validation errors for Model\nrows.2\n  Input should be 'a', 'b' or \"it's\" "
      "[type=enum, input_value='" +
          std::string(24, 'x') + "..." + std::string(23, 'y') +
          "', input_type=str]\n    For further information visit "
          "https://errors.pydantic.dev/2.12/v/enum\n\n  Input should be a valid string "
          "[type=string_type, input_value=5, input_type=int]\n    For further information visit "
          "https://errors.pydantic.dev/2.12/v/string_type");
}

}  // namespace
}  // namespace unmask::world
