#include "unmask/world/calculate.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/world/calculate_evaluate.h"
#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_operand.h"
#include "unmask/world/calculate_simple.h"
#include "unmask/world/calculate_token.h"
#include "unmask/world/python_number.h"
#include "unmask/world/value.h"

// Values and messages are those of CPython 3.12.1: str(round(float(eval(expression)), 2)).
namespace unmask::world {
namespace {

struct Case {
  std::string expression;
  std::string_view answer;
};

std::string times(int count, std::string_view text) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

void expect_answers(const std::vector<Case>& cases, bool error, std::string_view suffix = "") {
  for (const Case& c : cases) {
    const Calculated result = calculate(c.expression);
    EXPECT_EQ(result.text, std::string(c.answer) + std::string(suffix))
        << c.expression.substr(0, 100);
    EXPECT_EQ(result.error, error) << c.expression.substr(0, 100);
  }
}

void expect_values(const std::vector<Case>& cases) { expect_answers(cases, false); }
void expect_errors(const std::vector<Case>& cases) { expect_answers(cases, true); }
void expect_syntax_errors(const std::vector<Case>& cases) {
  expect_answers(cases, true, " (<string>, line 1)");
}

TEST(Calculate, Values) {
  expect_values({
      {"7", "7.0"},
      {" 12 - 30 ", "-18.0"},
      {"19.99 + 5.01*3", "35.02"},
      {"(8 - 3) / 4", "1.25"},
      {"-5 // 3", "-2.0"},
      {"5 // -3", "-2.0"},
      {"-6 // 3", "-2.0"},
      {"2 - 3 - 4", "-5.0"},
      {"64 / 4 / 2", "8.0"},
      {"2 ** 3 ** 2", "512.0"},
      {"-3 ** 2", "-9.0"},
      {"4 ** -1", "0.25"},
      {"2 ** -+-2", "4.0"},
      {"+-+7", "-7.0"},
      {"000", "0.0"},
      {"012.5", "12.5"},
      {".25 + 3.", "3.25"},
      {"2.675", "2.67"},
      {"0.625", "0.62"},
      {"0 / -4", "-0.0"},
      {"-0", "0.0"},
      {"-.0", "-0.0"},
      {"7.5 // -2", "-4.0"},
      {"-0.0 // 5", "-0.0"},
      {"1 // .1", "9.0"},
      {"10 ** 20 + .5", "1e+20"},
      {"10 ** 15 + .25", "1000000000000000.2"},
      {"12345678901234567890123 - 12345678901234567890000", "123.0"},
      {"9 ** 99 // 9 ** 98", "9.0"},
      {"-(7 ** 50) // 7 ** 49", "-7.0"},
      {"7 ** 400 / 7 ** 399", "7.0"},
      {"(2 ** 53 + 1) / 1", "9007199254740992.0"},
      {"(-8) ** 3", "-512.0"},
      {"(-8.0) ** 3", "-512.0"},
      {"1 ** 10 ** 40", "1.0"},
      {"(-1) ** (10 ** 40 + 1)", "-1.0"},
      {"0 ** 10 ** 40", "0.0"},
      {"9 ** .5", "3.0"},
  });
}

TEST(Calculate, BeyondTheDoubles) {
  const std::string infinity = "10.0**300 * 10**300";
  expect_values({
      {infinity, "inf"},
      {"-" + infinity, "-inf"},
      {infinity + " - " + infinity, "nan"},
      {"1" + times(310, "0") + ".", "inf"},
      {"0." + times(400, "0") + "1", "0.0"},
      {"(" + infinity + ") // 2", "nan"},
      {"-3 // (" + infinity + ")", "-1.0"},
      {"3 // (" + infinity + ")", "0.0"},
      {"0.5 ** 10 ** 5", "0.0"},
      {"1 / 10 ** 400", "0.0"},
      {"0 * (" + infinity + ")", "nan"},
  });
  expect_errors({
      {"10 ** 310", "int too large to convert to float"},
      {"10 ** 310 + 1.0", "int too large to convert to float"},
      {"10 ** 310 / 0.0", "int too large to convert to float"},
      {"10 ** 310 / 7", "integer division result too large for a float"},
      {"10.0 ** 310", "(34, 'Numerical result out of range')"},
  });
}

TEST(Calculate, DivisionByZero) {
  expect_errors({
      {"5 / 0", "division by zero"},
      {"5 // 0", "integer division or modulo by zero"},
      {"5. / 0", "float division by zero"},
      {"5 // 0.", "float floor division by zero"},
      {"0 ** -2", "0.0 cannot be raised to a negative power"},
      {"-0.0 ** -2", "0.0 cannot be raised to a negative power"},
      {"(-4) ** .5 / 0", "complex division by zero"},
      {"(0 * (-4) ** .5) ** -1", "0.0 to a negative or complex power"},
      {"0 ** ((-4) ** .5)", "0.0 to a negative or complex power"},
      {"(10.0**200 * (-1) ** .5) ** 2.5", "complex exponentiation"},
  });
}

TEST(Calculate, TypesWithoutArithmetic) {
  expect_errors({
      {"()", "float() argument must be a string or a real number, not 'tuple'"},
      {"() + ()", "float() argument must be a string or a real number, not 'tuple'"},
      {"3 * () * -2", "float() argument must be a string or a real number, not 'tuple'"},
      {"...", "float() argument must be a string or a real number, not 'ellipsis'"},
      {"(-9) ** .5", "float() argument must be a string or a real number, not 'complex'"},
      {"-(-9) ** .5 * 2 - 1", "float() argument must be a string or a real number, not 'complex'"},
      {"() + 2", "can only concatenate tuple (not \"int\") to tuple"},
      {"2 + ()", "unsupported operand type(s) for +: 'int' and 'tuple'"},
      {"() * .5", "can't multiply sequence by non-int of type 'float'"},
      {"() * ...", "can't multiply sequence by non-int of type 'ellipsis'"},
      {"2 ** 64 * ()", "cannot fit 'int' into an index-sized integer"},
      {"... ** 2", "unsupported operand type(s) for ** or pow(): 'ellipsis' and 'int'"},
      {"() // 2.", "unsupported operand type(s) for //: 'tuple' and 'float'"},
      {"(-9) ** .5 // 1", "unsupported operand type(s) for //: 'complex' and 'int'"},
      {"-...", "bad operand type for unary -: 'ellipsis'"},
      {"+()", "bad operand type for unary +: 'tuple'"},
  });
}

TEST(Calculate, Calls) {
  expect_errors({
      {"5(6)", "'int' object is not callable"},
      {"(5 - 1.)(6 + 7)", "'float' object is not callable"},
      {"()(3)()", "'tuple' object is not callable"},
      {"...()", "'ellipsis' object is not callable"},
      {"5(6 / 0)", "division by zero"},
      {"5(*6)", "5 argument after * must be an iterable, not int"},
      {"5(*())", "'int' object is not callable"},
      {"(.5 - 1)(*...)", "-0.5 argument after * must be an iterable, not ellipsis"},
      {"5(**())", "5 argument after ** must be a mapping, not tuple"},
      {"...(**6.)", "Ellipsis argument after ** must be a mapping, not float"},
      {"()(*6)", "() argument after * must be an iterable, not int"},
      {"(0 * (-1) ** .5)(*6)", "0j argument after * must be an iterable, not int"},
      {"(2 + 0 * (-1) ** .5)(*6)", "(2+0j) argument after * must be an iterable, not int"},
      {"(10 ** 20)(*6)", "100000000000000000000 argument after * must be an iterable, not int"},
      {"(10 ** 4300)(*6)",
       "Exceeds the limit (4300 digits) for integer string conversion; use "
       "sys.set_int_max_str_digits() to increase the limit"},
  });
}

TEST(Calculate, SyntaxErrors) {
  expect_errors(
      {{"", "invalid syntax (<string>, line 0)"}, {"     ", "invalid syntax (<string>, line 0)"}});
  expect_syntax_errors({
      {"4 4", "invalid syntax"},
      {"4 +", "invalid syntax"},
      {"4 ***4", "invalid syntax"},
      {"4.. 4", "invalid syntax"},
      {"(4) 4", "invalid syntax"},
      {"4 5 (6 7)", "invalid syntax"},
      {"(4 + / 4)", "invalid syntax"},
      {"(4 4)", "invalid syntax. Perhaps you forgot a comma?"},
      {"2 * (1 + (4 + 4 -5 6.5) ) )", "unmatched ')'"},
      {"2 * (1 + (4 + 4 -5 6.5)", "invalid syntax. Perhaps you forgot a comma?"},
      {"2(4 (5))(6 7)", "invalid syntax. Perhaps you forgot a comma?"},
      {"(4", "'(' was never closed"},
      {"(4 5", "'(' was never closed"},
      {"(4 .", "'(' was never closed"},
      {"(4 + * 5", "invalid syntax"},
      {"4)", "unmatched ')'"},
      {"4 4 )", "unmatched ')'"},
      {"* 04 )",
       "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
       "integers"},
      {"(*4)", "cannot use starred expression here"},
      {"(**4)", "cannot use double starred expression here"},
      {"(*4 5)", "invalid syntax. Perhaps you forgot a comma?"},
      {"(*)", "invalid syntax"},
      {times(201, "(") + "1", "too many nested parentheses"},
      {times(201, "("), "too many nested parentheses"},
  });
}

TEST(Calculate, LiteralsOfManyDigits) {
  const std::string refused =
      "Exceeds the limit (4300 digits) for integer string conversion: value has 4301 digits; use "
      "sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer "
      "literals to avoid decimal conversion limits.";
  const std::string most = times(4300, "3");
  expect_values({{most + "-" + most, "0.0"}, {times(4301, "0"), "0.0"}, {most + "3.5", "inf"}});
  expect_syntax_errors({{most + "3", refused},
                        {"2 " + most + "3", refused},
                        {"*" + most + "3", "invalid syntax"},
                        {"(2 " + most + "3)", refused},
                        {most + "3)", "unmatched ')'"}});
}

// Limits of CPython where eval is called from a shallow stack.
TEST(Calculate, DeepExpressions) {
  const std::string recursion = "maximum recursion depth exceeded during compilation";
  const std::string overflow = "Parser stack overflowed - Python source too complex to parse";
  expect_values({
      {times(200, "(") + "5" + times(200, ")"), "5.0"},
      {times(2994, "-") + "5", "5.0"},
      {"5" + times(2995, "+1"), "3000.0"},
      {times(200, "2*(") + "1" + times(200, ")"), "1.6069380442589903e+60"},
  });
  expect_errors({
      {times(2996, "-") + "5", recursion},
      {"5" + times(2996, "+1"), recursion},
      {"5" + times(2996, "()"), recursion},
      {times(6000, "-") + "5", overflow},
      {"2" + times(2990, "**1"), overflow},
      {times(6000, "-") + ")", overflow},
      {times(200, "(") + "*" + times(200, ")"), overflow},
      {times(200, "(") + times(400, "-") + "1" + times(200, ")"), overflow},
  });
}

TEST(Calculate, StopsAtTooMuchArithmetic) {
  expect_errors({
      {"9 ** 9 ** 9", kTooMuchArithmetic},
      {"2 ** 10 ** 30", kTooMuchArithmetic},
      {"(9 ** 400000)" + times(200, " * 9 ** 400000"), kTooMuchArithmetic},
      {"9 ** 2000000 // 9 ** 1000000", kTooMuchArithmetic},
      {"2 ** (3 ** 4000)", kTooMuchArithmetic},
      {times(400, "9 ** 99999 // 7 ** 55555 + ") + "1", kTooMuchArithmetic},
      {"3 * 9 ** 9 ** 9 / 0", kTooMuchArithmetic},
  });
  // Long, but each step is small.
  EXPECT_EQ(calculate(times(100'000, "9 ** 9 (1) * ")).text, "invalid syntax (<string>, line 1)");
}

TEST(Calculate, RefusesOtherCharacters) {
  for (const std::string_view expression :
       {"2+2=", "1,000 * 2", "$5", "2 x 3", "\t1", "1\n", "5%", "1e5", "0x10", "\xd9\xa3", "3^2"}) {
    EXPECT_EQ(calculate(expression), (Calculated{"Invalid characters in expression", true}))
        << expression;
  }
  EXPECT_EQ(calculate(std::string_view("1\0", 2)).text, "Invalid characters in expression");
}

TEST(Calculate, OtherArguments) {
  const auto answer = [](const Value& argument) {
    const Calculated result = calculate_argument(argument);
    EXPECT_TRUE(result.error);
    return result.text;
  };
  const std::string passed = "eval() arg 1 must be a string, bytes or code object";
  const std::string refused = "Invalid characters in expression";
  EXPECT_EQ(calculate_argument("6*7"), (Calculated{"42.0", false}));
  EXPECT_EQ(answer(Value()), "'NoneType' object is not iterable");
  EXPECT_EQ(answer(false), "'bool' object is not iterable");
  EXPECT_EQ(answer(6), "'int' object is not iterable");
  EXPECT_EQ(answer(Value::integer_of("1" + times(30, "0"))), "'int' object is not iterable");
  EXPECT_EQ(answer(6.5), "'float' object is not iterable");
  EXPECT_EQ(answer(List{}), passed);
  EXPECT_EQ(answer(List{"456", "", "+-", "). "}), passed);
  EXPECT_EQ(answer(List{"46"}), refused);
  EXPECT_EQ(answer(List{"4", 6}), "'in <string>' requires string as left operand, not int");
  EXPECT_EQ(answer(List{"x", 6}), refused);
  EXPECT_EQ(answer(List{List{}}), "'in <string>' requires string as left operand, not list");
  EXPECT_EQ(answer(Object{}), passed);
  EXPECT_EQ(answer(Object{{"789", "x"}}), passed);
  EXPECT_EQ(answer(Object{{"9", 1}, {"x", 1}}), refused);
}

/// What the long way answers, which knows no short cuts.
std::string long_way(std::string_view expression) {
  const auto program = calculator::parse_expression(calculator::tokenize_expression(expression));
  if (!program) return "error";
  const auto result = calculator::evaluate(*program);
  if (!result) return "error";
  const auto value = calculator::to_float(*result);
  return value ? python_float(*value) : "error";
}

TEST(Calculate, SimpleValuesAreThoseOfTheLongWay) {
  constexpr std::array<std::string_view, 19> kPieces = {"0",    "7",
                                                        "00",   "08",
                                                        "12.5", ".5",
                                                        "3.",   "1e",
                                                        "+",    "-",
                                                        "*",    "/",
                                                        "(",    ")",
                                                        " ",    "99999999999999",
                                                        "0.1",  "123456789012345.6",
                                                        "0.0"};
  std::uint64_t state = 1;
  std::size_t simple = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string expression;
    for (int pieces = 1 + i % 9; pieces > 0; --pieces) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      expression += kPieces[(state >> 33U) % kPieces.size()];
    }
    if (expression.find('e') != std::string::npos) continue;
    const auto value = calculator::simple_value(expression);
    if (!value) continue;
    ++simple;
    ASSERT_EQ(python_float(*value), long_way(expression)) << expression;
  }
  EXPECT_GT(simple, 5000U);
  EXPECT_TRUE(calculator::simple_value("(46.66 + 54.04) * 2 - 1.5").has_value());
  for (const char* text : {"", "1//2", "2**3", "007", "1/0", "2(3)", "()", "...", "1 2", "1..2",
                           "(1", "1)", "1234567890123456", "x"}) {
    EXPECT_EQ(calculator::simple_value(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace unmask::world
