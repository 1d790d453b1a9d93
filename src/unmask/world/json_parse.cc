#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/base/utf8.h"
#include "unmask/world/python_text.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

constexpr int kMaxDepth = 1000;
/// Python's sys.get_int_max_str_digits().
constexpr std::size_t kMaxDigits = 4300;

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Whether a number's text that from_chars found out of range is near zero rather than huge: by the
/// decimal place of its first digit that is not 0.
bool is_tiny(std::string_view number) {
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  if (mark < number.size()) {
    // An exponent that is itself out of range decides alone.
    const bool negative = number[mark + 1] == '-';
    const std::size_t digits = mark + 1 + static_cast<std::size_t>(!is_digit(number[mark + 1]));
    std::int64_t exponent = 0;
    const auto read =
        std::from_chars(number.data() + digits, number.data() + number.size(), exponent);
    if (read.ec != std::errc{}) return negative;
    const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    return place + (negative ? -exponent : exponent) < 0;
  }
  return first > point;
}

/// Recursive descent; the first fault ends it.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  Result<Value> document() {
    skip_space();
    std::optional<Value> value = read_value(0);
    if (value) {
      skip_space();
      if (at_ != text_.size()) {
        value.reset();
        fault_ = "more text after the value";
      }
    }
    if (value) return std::move(*value);
    return fail(ErrorCode::bad_input, place() + ": " + fault_);
  }

 private:
  [[nodiscard]] std::string place() const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    const std::size_t column =
        1 + before.size() - (newline == std::string_view::npos ? 0 : newline + 1);
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
  }

  [[nodiscard]] bool done() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return done() ? '\0' : text_[at_]; }

  void skip_space() {
    while (!done() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::nullopt_t broken(std::string fault) {
    fault_ = std::move(fault);
    return std::nullopt;
  }

  std::optional<Value> read_value(int depth) {
    if (depth > kMaxDepth) return broken("nested more than 1000 levels deep");
    switch (peek()) {
      case '"': {
        std::optional<std::string> text = read_string();
        if (!text) return std::nullopt;
        return Value(std::move(*text));
      }
      case '[':
        return read_list(depth);
      case '{':
        return read_object(depth);
      case 'n':
        if (take("null")) return Value();
        break;
      case 't':
        if (take("true")) return Value(true);
        break;
      case 'f':
        if (take("false")) return Value(false);
        break;
      case 'N':
        if (take("NaN")) return Value(std::numeric_limits<double>::quiet_NaN());
        break;
      case 'I':
        if (take("Infinity")) return Value(std::numeric_limits<double>::infinity());
        break;
      case '-':
        if (take("-Infinity")) return Value(-std::numeric_limits<double>::infinity());
        return read_number();
      default:
        if (is_digit(peek())) return read_number();
        break;
    }
    return broken(done() ? "the text ends where a value is due" : "a value is due here");
  }

  std::optional<Value> read_list(int depth) {
    List list;
    ++at_;
    skip_space();
    if (take("]")) return Value(std::move(list));
    while (true) {
      skip_space();
      std::optional<Value> element = read_value(depth + 1);
      if (!element) return std::nullopt;
      list.push_back(std::move(*element));
      skip_space();
      if (take("]")) return Value(std::move(list));
      if (!take(",")) return broken("`,` or `]` is due here");
    }
  }

  std::optional<Value> read_object(int depth) {
    Object object;
    ++at_;
    skip_space();
    if (take("}")) return Value(std::move(object));
    // Large objects, as databases have, are checked for repeated keys through an index.
    std::unordered_map<std::string, std::size_t> seen;
    while (true) {
      skip_space();
      if (peek() != '"') return broken("a key in double quotes is due here");
      std::optional<std::string> key = read_string();
      if (!key) return std::nullopt;
      skip_space();
      if (!take(":")) return broken("`:` is due here");
      skip_space();
      std::optional<Value> value = read_value(depth + 1);
      if (!value) return std::nullopt;
      add(object, seen, std::move(*key), std::move(*value));
      skip_space();
      if (take("}")) return Value(std::move(object));
      if (!take(",")) return broken("`,` or `}` is due here");
    }
  }

  static void add(Object& object, std::unordered_map<std::string, std::size_t>& seen,
                  std::string key, Value value) {
    constexpr std::size_t kSmall = 32;
    if (object.size() < kSmall) {
      object.set(std::move(key), std::move(value));
      return;
    }
    if (seen.empty()) {
      std::size_t place = 0;
      for (const Member& member : object) seen.emplace(member.key, place++);
    }
    const auto [found, fresh] = seen.emplace(key, object.size());
    if (fresh) {
      object.append(std::move(key), std::move(value));
    } else {
      object.set(std::move(key), std::move(value));
    }
  }

  std::optional<Value> read_number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (!is_digit(peek())) return broken("a digit is due here");
    const std::size_t first_digit = at_;
    if (peek() == '0') {
      ++at_;
    } else {
      while (is_digit(peek())) ++at_;
    }
    const std::size_t digits = at_ - first_digit;
    bool whole = true;
    if (peek() == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])) {
      whole = false;
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    if (peek() == 'e' || peek() == 'E') {
      std::size_t exponent = at_ + 1;
      if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
      if (exponent < text_.size() && is_digit(text_[exponent])) {
        whole = false;
        at_ = exponent;
        while (is_digit(peek())) ++at_;
      }
    }
    const std::string_view number = text_.substr(start, at_ - start);
    if (whole) {
      if (digits > kMaxDigits) return broken("an integer of more than 4300 digits");
      std::int64_t small = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), small).ec == std::errc{}) {
        return Value(small);
      }
      return Value::integer_of(std::string(number));
    }
    double real = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), real);
    if (read.ec == std::errc::result_out_of_range) {
      real = is_tiny(number) ? 0.0 : std::numeric_limits<double>::infinity();
      if (number.front() == '-') real = -real;
    }
    return Value(real);
  }

  std::optional<std::string> read_string() {
    std::string out;
    ++at_;
    while (true) {
      const std::size_t start = at_;
      while (!done() && text_[at_] >= 0x20 && text_[at_] < 0x7F && text_[at_] != '"' &&
             text_[at_] != '\\') {
        ++at_;
      }
      out.append(text_, start, at_ - start);
      if (done()) return broken("the text ends within a string");
      const char byte = text_[at_];
      if (byte == '"') {
        ++at_;
        return out;
      }
      if (byte == '\\') {
        if (!read_escape(out)) return std::nullopt;
        continue;
      }
      if (byte >= 0 && byte < 0x20) return broken("a control character within a string");
      const CodePoint next = decode_code_point(text_.substr(at_));
      if (next.bytes == 1 && byte != 0x7F) return broken("a byte that is no UTF-8");
      out.append(text_, at_, next.bytes);
      at_ += next.bytes;
    }
  }

  bool read_escape(std::string& out) {
    ++at_;
    const char kind = peek();
    switch (kind) {
      case '"':
      case '\\':
      case '/':
        out += kind;
        break;
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u':
        return read_unicode_escape(out);
      default:
        fault_ = "an escape that JSON does not know";
        return false;
    }
    ++at_;
    return true;
  }

  bool read_unicode_escape(std::string& out) {
    const std::optional<UnicodeEscape> escape = unicode_escape(text_.substr(at_ - 1));
    if (!escape) {
      fault_ = "four hexadecimal digits are due here";
      return false;
    }
    at_ += escape->length - 1;
    append_utf8(out, escape->code_point);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string fault_;
};

}  // namespace

Result<Value> parse_json(std::string_view text) { return JsonReader(text).document(); }

}  // namespace unmask::world
