#include "unmask/world/calculate_grammar.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/world/calculate_token.h"

namespace unmask::world::calculator {
namespace {

TEST(Tokenize, LongestOperatorAndNumberForms) {
  using enum TokenKind;
  struct Case {
    std::string_view text;
    std::vector<TokenKind> kinds;
  };
  const std::vector<Case> cases = {
      {"", {end}},
      {"  ", {end}},
      {"1***2", {integer, double_star, star, integer, end}},
      {"1///2", {integer, double_slash, slash, integer, end}},
      {"1..2", {real, real, end}},
      {"1...", {real, dot, dot, end}},
      {"....5", {ellipsis, real, end}},
      {"..5", {dot, real, end}},
      {"* *", {star, star, end}},
      {"00 007.", {integer, real, end}},
      {"1 . 5", {integer, dot, integer, end}},
      {"+-()", {plus, minus, open, close, end}},
  };
  for (const Case& c : cases) {
    const Tokens tokens = tokenize_expression(c.text);
    std::vector<TokenKind> kinds;
    kinds.reserve(tokens.tokens.size());
    for (const Token& token : tokens.tokens) kinds.push_back(token.kind);
    EXPECT_EQ(kinds, c.kinds) << c.text;
    EXPECT_EQ(tokens.error, "") << c.text;
  }
}

TEST(Tokenize, DepthAfterEachToken) {
  const Tokens tokens = tokenize_expression("1((2)3");
  std::string depths;
  for (const Token& token : tokens.tokens) depths += std::to_string(token.depth);
  EXPECT_EQ(depths, "0122111");
}

TEST(Tokenize, StopsAtAFault) {
  const Tokens tokens = tokenize_expression("1 + 07 )");
  ASSERT_EQ(tokens.tokens.size(), 3U);
  EXPECT_EQ(tokens.tokens.back().kind, TokenKind::malformed);
  EXPECT_TRUE(tokens.error.starts_with("leading zeros")) << tokens.error;
}

/// A program in one line: literals as they are, actions by a letter each.
std::string program_of(std::string_view expression) {
  const auto program = parse_expression(tokenize_expression(expression));
  if (!program) return program.error();
  constexpr std::string_view kLetters = "##.t~_+-*/d^c1sm";
  std::string text;
  for (const Instruction& instruction : *program) {
    if (!text.empty()) text += ' ';
    if (instruction.literal.empty()) {
      text += kLetters[static_cast<std::size_t>(instruction.action)];
    } else {
      text += instruction.literal;
    }
  }
  return text;
}

TEST(Parse, PostfixOrder) {
  struct Case {
    std::string_view expression;
    std::string_view program;
  };
  const std::vector<Case> cases = {
      {"1 + 2 * 3", "1 2 3 * +"},   {"1 - 2 - 3", "1 2 - 3 -"},
      {"1 // 2 / 3", "1 2 d 3 /"},  {"(1 + 2) * 3", "1 2 + 3 *"},
      {"2 ** 3 ** 4", "2 3 4 ^ ^"}, {"-2 ** -3 ** +4", "2 3 4 ~ ^ _ ^ _"},
      {"- -2 * -3", "2 _ _ 3 _ *"}, {"2 ** 3(4) ** 5", "2 3 4 1 5 ^ ^"},
      {"-2(3)", "2 3 1 _"},         {"1()(*2)(**3)", "1 c 2 s 3 m"},
      {"() + ...", "t . +"},        {"((()))", "t"},
      {"1.5 + .5", "1.5 .5 +"},
  };
  for (const Case& c : cases) EXPECT_EQ(program_of(c.expression), c.program) << c.expression;
}

TEST(Parse, TellsTheFaultThatPythonTells) {
  EXPECT_EQ(program_of(""), "invalid syntax (<string>, line 0)");
  EXPECT_EQ(program_of("1 +"), "invalid syntax (<string>, line 1)");
  EXPECT_EQ(program_of("(1 + 2"), "'(' was never closed (<string>, line 1)");
  // The tokenizer's fault comes last in the text and still wins.
  EXPECT_EQ(program_of("(1 2) * ) 3"), "unmatched ')' (<string>, line 1)");
}

}  // namespace
}  // namespace unmask::world::calculator
