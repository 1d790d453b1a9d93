#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::world::calculator {

/// Tokens of Python that the characters `0123456789+-*/(). ` can form.
enum class TokenKind : std::uint8_t {
  integer,
  real,
  ellipsis,
  dot,
  plus,
  minus,
  star,
  slash,
  double_star,
  double_slash,
  open,
  close,
  end,        ///< End of the text; always last where nothing is malformed.
  malformed,  ///< Where the tokenizer gave up; then it is last.
};

struct Token {
  std::string_view text;
  TokenKind kind = TokenKind::end;
  std::uint8_t depth = 0;  ///< Open parentheses just after the token, at most 200.

  bool operator==(const Token&) const = default;
};

struct Tokens {
  std::vector<Token> tokens;  ///< Never empty: ends with `end` or `malformed`.
  std::string error;          ///< The tokenizer's message where the last token is malformed.
};

/// Most parentheses that Python's tokenizer lets nest.
inline constexpr int kMaxParentheses = 200;

/// Splits an expression as Python's tokenizer does: the longest operator wins, spaces separate.
/// `expression` holds no other characters and must outlive the result.
[[nodiscard]] Tokens tokenize_expression(std::string_view expression);

}  // namespace unmask::world::calculator
