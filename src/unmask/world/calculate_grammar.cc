#include "unmask/world/calculate_grammar.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "unmask/world/calculate_token.h"

namespace unmask::world::calculator {
namespace {

/// CPython's parser gives up where its rules nest too deep ("stack overflow"). What each construct
/// adds to that depth, and what is left for them below the rules of the whole text; measured with
/// CPython 3.12.1, plain and with the rules that look for mistakes.
struct ParserLevels {
  unsigned group;         ///< `(`
  unsigned star_group;    ///< `(*`
  unsigned double_group;  ///< `(**`
  unsigned call;          ///< `1(`
  unsigned star_call;     ///< `1(*`
  unsigned double_call;   ///< `1(**`
};
constexpr ParserLevels kPlainLevels{28, 22, 27, 24, 27, 27};
constexpr ParserLevels kDiagnosingLevels{30, 22, 27, 25, 27, 29};
constexpr unsigned kSignLevels = 1;
constexpr unsigned kPowerLevels = 2;
constexpr unsigned kNumberLevels = 1;
constexpr unsigned kFirstPassLevels = 5976;
constexpr unsigned kSecondPassLevels = 5974;

/// Depth of the syntax tree at which CPython's compiler gives up, where it is called from a shallow
/// stack (measured with 3.12.1; each Python function called from C lowers it by a few).
constexpr unsigned kMaxTreeDepth = 2997;

std::string in_line_one(std::string_view message) {
  return std::string(message) + " (<string>, line 1)";
}

bool is_sign(TokenKind kind) { return kind == TokenKind::plus || kind == TokenKind::minus; }

std::optional<Action> additive(TokenKind kind) {
  if (kind == TokenKind::plus) return Action::add;
  if (kind == TokenKind::minus) return Action::subtract;
  return std::nullopt;
}

std::optional<Action> multiplicative(TokenKind kind) {
  if (kind == TokenKind::star) return Action::multiply;
  if (kind == TokenKind::slash) return Action::divide;
  if (kind == TokenKind::double_slash) return Action::floor_divide;
  return std::nullopt;
}

/// Where a rule's match ends: the index of the token after it. None: the rule doesn't match.
using Match = std::optional<std::size_t>;

/// A recursive descent over the tokens. Rules backtrack: one whose continuation fails matches what
/// came before it. Only parentheses recurse, so the depth is bounded by kMaxParentheses.
class Parser {
 public:
  explicit Parser(const Tokens& tokens) : tokens_(tokens) {
    program_.reserve(tokens.tokens.size());
  }

  tl::expected<Program, std::string> run() {
    const Match whole = expression(0, 0);
    if (whole && kind(*whole) == TokenKind::end && !raised_) return std::move(program_);
    if (!raised_) {
      diagnosing_ = true;
      max_levels_ = kSecondPassLevels;
      std::ignore = expression(0, 0);
    }
    if (raised_ && outdoes_tokenizer_) return tl::unexpected(*raised_);
    if (!tokens_.error.empty()) return tl::unexpected(in_line_one(tokens_.error));
    return tl::unexpected(raised_.value_or(in_line_one("invalid syntax")));
  }

 private:
  /// Fetches a token. After an error was raised every token is malformed, so that no rule goes on.
  TokenKind kind(std::size_t at) {
    if (raised_) return TokenKind::malformed;
    const Token& token = tokens_.tokens[at];
    if (token.kind == TokenKind::malformed) raise(in_line_one(tokens_.error));
    if (token.kind == TokenKind::end && token.depth > 0) {
      raise(in_line_one("'(' was never closed"));
    }
    return raised_ ? TokenKind::malformed : token.kind;
  }

  void raise(std::string text) {
    if (!raised_) raised_ = std::move(text);
  }

  void emit(Action action) { program_.push_back({action, {}}); }

  [[nodiscard]] const ParserLevels& costs() const {
    return diagnosing_ ? kDiagnosingLevels : kPlainLevels;
  }

  /// False, and an error raised, if CPython's parser stack would not hold `levels`.
  bool fits_stack(unsigned levels) {
    if (levels < max_levels_) return true;
    if (!raised_) outdoes_tokenizer_ = true;
    raise("Parser stack overflowed - Python source too complex to parse");
    return false;
  }

  /// A sum where Python has its rule `expression`.
  Match expression(std::size_t at, unsigned levels) {
    const Match end = sum(at, levels);
    if (end) look_for_missing_comma(*end, levels);
    return raised_ ? std::nullopt : end;
  }

  /// `1 2` inside parentheses. After a sum only a number or `...` can begin another: a sign or a
  /// parenthesis would have continued the first, and where that failed, the second fails alike.
  void look_for_missing_comma(std::size_t at, unsigned levels) {
    if (!diagnosing_) return;
    const TokenKind next = kind(at);
    if (next != TokenKind::integer && next != TokenKind::real && next != TokenKind::ellipsis)
      return;
    diagnosing_ = false;
    const Match end = sum(at, levels);
    diagnosing_ = true;
    if (!end || raised_ || tokens_.tokens[*end - 1].depth == 0) return;
    raise(in_line_one("invalid syntax. Perhaps you forgot a comma?"));
  }

  Match sum(std::size_t at, unsigned levels) {
    Match end = term(at, levels);
    while (end) {
      const auto action = additive(kind(*end));
      if (!action) break;
      const std::size_t mark = program_.size();
      const Match operand = term(*end + 1, levels);
      if (!operand) {
        program_.resize(mark);
        break;
      }
      emit(*action);
      end = operand;
    }
    return end;
  }

  Match term(std::size_t at, unsigned levels) {
    Match end = factor(at, levels);
    while (end) {
      const auto action = multiplicative(kind(*end));
      if (!action) break;
      const std::size_t mark = program_.size();
      const Match operand = factor(*end + 1, levels);
      if (!operand) {
        program_.resize(mark);
        break;
      }
      emit(*action);
      end = operand;
    }
    return end;
  }

  /// Signs and powers, which nest to the right: `-2**-3` is -(2**(-3)). What they do is kept back
  /// until the innermost operand is there.
  Match factor(std::size_t at, unsigned levels) {
    const std::size_t outer = pending_.size();
    std::size_t complete = outer;  // pending actions whose operands are all there
    Match end;
    while (true) {
      for (TokenKind sign = kind(at); is_sign(sign); sign = kind(++at)) {
        pending_.push_back(sign == TokenKind::plus ? Action::plus : Action::negate);
        levels += kSignLevels;
        if (!fits_stack(levels)) break;
      }
      const Match operand = fits_stack(levels) ? primary(at, levels) : std::nullopt;
      if (!operand) break;
      end = operand;
      complete = pending_.size();
      if (kind(*end) != TokenKind::double_star) break;
      pending_.push_back(Action::power);
      levels += kPowerLevels;
      at = *end + 1;
    }
    for (; complete > outer; --complete) emit(pending_[complete - 1]);
    pending_.resize(outer);
    return end;
  }

  Match primary(std::size_t at, unsigned levels) {
    Match end = atom(at, levels);
    while (end) {
      const TokenKind next = kind(*end);
      // An attribute's name is looked for after a point, which fetches a token.
      if (next == TokenKind::dot) std::ignore = kind(*end + 1);
      if (next != TokenKind::open) break;
      const Match called = call(*end, levels);
      if (!called) break;
      end = called;
    }
    return end;
  }

  /// The parentheses of a call, from the one at `open`.
  Match call(std::size_t open, unsigned levels) {
    if (!fits_stack(levels + costs().call)) return std::nullopt;
    const std::size_t mark = program_.size();
    std::size_t at = open + 1;
    Action action = Action::call_one;
    unsigned cost = costs().call;
    switch (kind(at)) {
      case TokenKind::close:
        emit(Action::call);
        return at + 1;
      case TokenKind::star:
        action = Action::call_star;
        cost = costs().star_call;
        ++at;
        break;
      case TokenKind::double_star:
        action = Action::call_double_star;
        cost = costs().double_call;
        ++at;
        break;
      default:
        break;
    }
    const Match argument = expression(at, levels + cost);
    if (argument && kind(*argument) == TokenKind::close) {
      emit(action);
      return *argument + 1;
    }
    program_.resize(mark);
    return std::nullopt;
  }

  Match atom(std::size_t at, unsigned levels) {
    const Token& token = tokens_.tokens[at];
    const TokenKind first = kind(at);
    const bool is_number = first == TokenKind::integer || first == TokenKind::real;
    if (is_number && !fits_stack(levels + kNumberLevels)) return std::nullopt;
    switch (first) {
      case TokenKind::integer:
        if (token.text.size() > kMaxIntegerDigits && token.text.front() != '0') {
          raise(in_line_one(
              "Exceeds the limit (4300 digits) for integer string conversion: value has " +
              std::to_string(token.text.size()) +
              " digits; use sys.set_int_max_str_digits() to increase the limit - Consider "
              "hexadecimal for huge integer literals to avoid decimal conversion limits."));
          return std::nullopt;
        }
        program_.push_back({Action::push_integer, token.text});
        return at + 1;
      case TokenKind::real:
        program_.push_back({Action::push_real, token.text});
        return at + 1;
      case TokenKind::ellipsis:
        emit(Action::push_ellipsis);
        return at + 1;
      case TokenKind::open:
        return group(at, levels);
      default:
        return std::nullopt;
    }
  }

  /// `()` or a sum in parentheses, from the one at `open`.
  Match group(std::size_t open, unsigned levels) {
    if (!fits_stack(levels + costs().group)) return std::nullopt;
    const std::size_t mark = program_.size();
    const std::size_t at = open + 1;
    switch (kind(at)) {
      case TokenKind::close:
        emit(Action::push_tuple);
        return at + 1;
      case TokenKind::star:
        starred_group(at + 1, levels + costs().star_group);
        break;
      case TokenKind::double_star:
        if (!diagnosing_) break;
        if (const Match end = expression(at + 1, levels + costs().double_group);
            end && kind(*end) == TokenKind::close) {
          raise(in_line_one("cannot use double starred expression here"));
        }
        break;
      default:
        if (const Match end = expression(at, levels + costs().group);
            end && kind(*end) == TokenKind::close) {
          return *end + 1;
        }
    }
    program_.resize(mark);
    return std::nullopt;
  }

  /// `(*sum`: never valid without a comma, but either pass tries to read it as a tuple's element.
  void starred_group(std::size_t at, unsigned levels) {
    const Match end = sum(at, levels);
    if (!end) return;
    const TokenKind next = kind(*end);
    look_for_missing_comma(*end, levels);
    if (diagnosing_ && next == TokenKind::close) {
      raise(in_line_one("cannot use starred expression here"));
    }
  }

  const Tokens& tokens_;
  Program program_;
  std::vector<Action> pending_;
  bool diagnosing_ = false;
  unsigned max_levels_ = kFirstPassLevels;
  std::optional<std::string> raised_;
  bool outdoes_tokenizer_ = false;  // the raised error is no syntax error
};

/// Depth of the syntax tree, a leaf counting 1.
unsigned tree_depth(const Program& program) {
  std::vector<unsigned> depths;
  for (const Instruction& instruction : program) {
    switch (instruction.action) {
      case Action::push_integer:
      case Action::push_real:
      case Action::push_ellipsis:
      case Action::push_tuple:
        depths.push_back(1);
        break;
      case Action::plus:
      case Action::negate:
      case Action::call:
        ++depths.back();
        break;
      default: {
        const unsigned right = depths.back() + (instruction.action == Action::call_star ? 1 : 0);
        depths.pop_back();
        depths.back() = std::max(depths.back(), right) + 1;
      }
    }
  }
  return depths.back();
}

}  // namespace

tl::expected<Program, std::string> parse_expression(const Tokens& tokens) {
  if (tokens.tokens.front().kind == TokenKind::end) {
    return tl::unexpected<std::string>("invalid syntax (<string>, line 0)");
  }
  auto program = Parser(tokens).run();
  if (program && program->size() >= kMaxTreeDepth && tree_depth(*program) >= kMaxTreeDepth) {
    return tl::unexpected<std::string>("maximum recursion depth exceeded during compilation");
  }
  return program;
}

}  // namespace unmask::world::calculator
