#include "unmask/world/calculate_token.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace unmask::world::calculator {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {
    result_.tokens.reserve(text.size() / 2 + 2);
  }

  Tokens run() {
    while (true) {
      while (peek() == ' ') ++at_;
      if (at_ == text_.size()) {
        add(TokenKind::end, 0);
        return std::move(result_);
      }
      if (!next()) return std::move(result_);
    }
  }

 private:
  /// The character `ahead` places on; a zero byte beyond the end.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  [[nodiscard]] std::size_t digits(std::size_t ahead) const {
    std::size_t end = ahead;
    while (is_digit(peek(end))) ++end;
    return end - ahead;
  }

  void add(TokenKind kind, std::size_t size) {
    result_.tokens.push_back({text_.substr(at_, size), kind, depth_});
    at_ += size;
  }

  bool fail(std::string_view message) {
    add(TokenKind::malformed, 0);
    result_.error = message;
    return false;
  }

  /// Adds the token that begins here. False: there is none.
  bool next() {
    switch (peek()) {
      case '+':
        add(TokenKind::plus, 1);
        return true;
      case '-':
        add(TokenKind::minus, 1);
        return true;
      case '*':
        add_operator(TokenKind::star, TokenKind::double_star);
        return true;
      case '/':
        add_operator(TokenKind::slash, TokenKind::double_slash);
        return true;
      case '(':
        if (depth_ == kMaxParentheses) return fail("too many nested parentheses");
        ++depth_;
        add(TokenKind::open, 1);
        return true;
      case ')':
        if (depth_ == 0) return fail("unmatched ')'");
        --depth_;
        add(TokenKind::close, 1);
        return true;
      case '.':
        if (is_digit(peek(1))) {
          add(TokenKind::real, 1 + digits(1));
        } else if (peek(1) == '.' && peek(2) == '.') {
          add(TokenKind::ellipsis, 3);
        } else {
          add(TokenKind::dot, 1);
        }
        return true;
      default:
        return number();
    }
  }

  void add_operator(TokenKind single, TokenKind twice) {
    const bool is_twice = peek() == peek(1);
    add(is_twice ? twice : single, is_twice ? 2 : 1);
  }

  bool number() {
    const std::size_t whole = digits(0);
    if (peek(whole) == '.') {
      add(TokenKind::real, whole + 1 + digits(whole + 1));
      return true;
    }
    const std::string_view text = text_.substr(at_, whole);
    if (text.front() == '0' && text.find_first_not_of('0') != std::string_view::npos) {
      return fail(
          "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal "
          "integers");
    }
    add(TokenKind::integer, whole);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint8_t depth_ = 0;
  Tokens result_;
};

}  // namespace

Tokens tokenize_expression(std::string_view expression) { return Tokenizer(expression).run(); }

}  // namespace unmask::world::calculator
