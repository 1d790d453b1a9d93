#include "unmask/json/repair.h"

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "unmask/base/utf8.h"
#include "unmask/json/scanner.h"
#include "unmask/json/text.h"

namespace unmask::json {

namespace {

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

void append_count(std::string& out, std::size_t count, std::string_view one,
                  std::string_view many) {
  if (count == 0) return;
  if (!out.empty()) out += ", ";
  out += std::to_string(count) + ' ';
  out += count == 1 ? one : many;
}

/// A strict JSON reader without recursion that copies as it goes.
class Repairer {
 public:
  explicit Repairer(std::string_view text) : text_(text) { result_.text.reserve(text.size() + 64); }

  RepairedText run() {
    if (!values() && result_.error.empty()) fail("the text ends too early");
    return std::move(result_);
  }

 private:
  bool fail(std::string message) {
    result_.error = std::move(message);
    result_.place = to_string(place_);
    result_.offset = at_;
    return false;
  }
  bool unexpected(std::string_view expected) {
    if (at_ >= text_.size()) return fail("the text ends too early");
    return fail("expected " + std::string(expected) + ", found " + describe_byte(text_[at_]));
  }
  void note(std::size_t& counter) {
    if (result_.repairs.total() == 0) result_.repairs.first_offset = at_;
    ++counter;
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void copy() { result_.text += text_[at_++]; }
  void space() {
    while (at_ < text_.size()) {
      const char byte = text_[at_];
      if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') return;
      copy();
    }
  }

  bool values() {
    if (!value()) return false;
    for (;;) {
      space();
      if (place_.path.empty()) return at_ == text_.size() || unexpected("the end");
      Step& step = place_.path.back();
      const char byte = peek();
      if (byte == ',') {
        copy();
        ++step.index;
        if (!step.is_element && !key()) return false;
        if (!value()) return false;
      } else if (byte == (step.is_element ? ']' : '}')) {
        copy();
        place_.path.pop_back();
      } else {
        return unexpected(step.is_element ? "',' or ']'" : "',' or '}'");
      }
    }
  }

  /// One value, or a container's beginning up to and including its first innermost value.
  bool value() {
    for (;;) {
      space();
      const char byte = peek();
      if (byte != '{' && byte != '[') return scalar(byte);
      // The parser's limit counts the document itself.
      if (place_.path.size() + 1 >= kMaxDepth) {
        return fail("nested more than " + std::to_string(kMaxDepth) + " deep");
      }
      const bool is_element = byte == '[';
      copy();
      place_.path.push_back({{}, 0, is_element});
      space();
      if (peek() == (is_element ? ']' : '}')) {
        copy();
        place_.path.pop_back();
        return true;
      }
      if (!is_element && !key()) return false;
    }
  }

  bool key() {
    space();
    if (peek() != '"') return unexpected("a key in double quotes");
    const std::size_t from = result_.text.size();
    if (!string()) return false;
    const std::string_view written{result_.text};
    place_.path.back().key = unescape(written.substr(from + 1, written.size() - from - 2));
    space();
    if (peek() != ':') return unexpected("':'");
    copy();
    return true;
  }

  bool scalar(char byte) {
    if (byte == '"') return string();
    if (literal("true") || literal("false") || literal("null")) return true;
    if (non_finite("NaN", kNanMarker) || non_finite("Infinity", kInfinityMarker) ||
        non_finite("-Infinity", kMinusInfinityMarker) || non_finite("nan", kNanMarker)) {
      return true;
    }
    if (byte == '-' || is_digit(byte)) return number();
    return unexpected("a value");
  }

  bool literal(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    result_.text += word;
    at_ += word.size();
    return true;
  }

  bool non_finite(std::string_view word, std::string_view marker) {
    if (text_.substr(at_, word.size()) != word) return false;
    note(result_.repairs.non_finite_numbers);
    append_quoted(result_.text, marker);
    at_ += word.size();
    return true;
  }

  bool number() {
    const std::size_t from = at_;
    std::size_t at = at_;
    const auto digits = [&] {
      const std::size_t first = at;
      while (at < text_.size() && is_digit(text_[at])) ++at;
      return at - first;
    };
    if (text_[at] == '-') ++at;
    const std::size_t whole_from = at;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && text_[whole_from] == '0')) return fail("a malformed number");
    bool integral = true;
    if (at < text_.size() && text_[at] == '.') {
      integral = false;
      ++at;
      if (digits() == 0) return fail("a malformed number");
    }
    if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
      integral = false;
      ++at;
      if (at < text_.size() && (text_[at] == '+' || text_[at] == '-')) ++at;
      if (digits() == 0) return fail("a malformed number");
    }
    const std::string_view token = text_.substr(from, at - from);
    double parsed = 0.0;
    const auto status = std::from_chars(token.data(), token.data() + token.size(), parsed);
    if (status.ec == std::errc::result_out_of_range && !underflows(token)) {
      note(result_.repairs.non_finite_numbers);
      append_quoted(result_.text, token[0] == '-' ? kMinusInfinityMarker : kInfinityMarker);
    } else if (integral && !fits_64_bits(token)) {
      note(result_.repairs.huge_integers);
      result_.text += token;
      result_.text += "e0";
    } else {
      result_.text += token;
    }
    at_ = at;
    return true;
  }

  /// A number out of a double's range is tiny rather than huge.
  static bool underflows(std::string_view token) {
    const std::size_t exponent = token.find_first_of("eE");
    return exponent != std::string_view::npos && token.substr(exponent + 1).starts_with('-');
  }

  static bool fits_64_bits(std::string_view token) {
    std::int64_t with_sign = 0;
    std::uint64_t without = 0;
    const char* end = token.data() + token.size();
    return std::from_chars(token.data(), end, with_sign).ec == std::errc{} ||
           std::from_chars(token.data(), end, without).ec == std::errc{};
  }

  bool string() {
    copy();
    while (at_ < text_.size()) {
      const char byte = text_[at_];
      if (byte == '"') {
        copy();
        return true;
      }
      if (byte == '\\') {
        escape();
      } else if (static_cast<std::uint8_t>(byte) < 0x20) {
        note(result_.repairs.control_characters);
        std::string quoted;
        append_quoted(quoted, std::string_view(&text_[at_], 1));
        result_.text += std::string_view(quoted).substr(1, quoted.size() - 2);
        ++at_;
      } else if (const std::size_t length = utf8_length(text_.substr(at_)); length == 0) {
        note(result_.repairs.invalid_utf8);
        append_utf8(result_.text, 0xFFFD);
        ++at_;
      } else {
        result_.text += text_.substr(at_, length);
        at_ += length;
      }
    }
    return fail("the text ends within a string");
  }

  void escape() {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < 2) {
      at_ = text_.size();
      return;
    }
    constexpr std::string_view kKnown = "\"\\/bfnrt";
    if (kKnown.find(rest[1]) != std::string_view::npos) {
      copy();
      copy();
      return;
    }
    const std::optional<UnicodeEscape> unicode = unicode_escape(rest);
    if (!unicode) {
      note(result_.repairs.invalid_escapes);
      result_.text += "\\\\";
      ++at_;
      return;
    }
    if (!is_surrogate(unicode->code_point)) {
      result_.text += rest.substr(0, unicode->length);
      at_ += unicode->length;
      return;
    }
    note(result_.repairs.lone_surrogates);
    append_utf8(result_.text, 0xFFFD);
    at_ += unicode->length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Place place_;
  RepairedText result_;
};

}  // namespace

std::string to_string(const Repairs& repairs) {
  std::string text;
  append_count(text, repairs.lone_surrogates, "lone surrogate", "lone surrogates");
  append_count(text, repairs.invalid_utf8, "invalid UTF-8 byte", "invalid UTF-8 bytes");
  append_count(text, repairs.control_characters, "raw control character", "raw control characters");
  append_count(text, repairs.invalid_escapes, "unknown escape", "unknown escapes");
  append_count(text, repairs.non_finite_numbers, "NaN or infinite number",
               "NaN or infinite numbers");
  append_count(text, repairs.huge_integers, "integer beyond 64 bits", "integers beyond 64 bits");
  return text;
}

RepairedText repair(std::string_view text) { return Repairer(text).run(); }

}  // namespace unmask::json
