#include "unmask/world/validation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "unmask/world/pydantic_text.h"
#include "unmask/world/python_text.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

constexpr double kBeyond64Bits = 9223372036854775808.0;
constexpr std::size_t kLongestInteger = 4300;  // Python's limit for digits

bool is_white_space(std::uint32_t code_point) {
  return (code_point >= 0x09 && code_point <= 0x0D) || code_point == 0x20 || code_point == 0x85 ||
         code_point == 0xA0 || code_point == 0x1680 ||
         (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F ||
         code_point == 0x3000;
}

/// Without Unicode White_Space at both ends.
std::string_view trimmed(std::string_view text) {
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_code_point(text.substr(at));
    if (!is_white_space(next.value)) {
      begin = std::min(begin, at);
      end = at + next.bytes;
    }
    at += next.bytes;
  }
  return end == 0 ? std::string_view{} : text.substr(begin, end - begin);
}

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

char ascii_lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char byte) { return ascii_lower(byte); });
  return lower;
}

struct IntegerText {
  bool too_long = false;
  std::string digits;  ///< with a leading `-` if negative
};

/// Digits with single `_` between them, from the front of `text`; empty if they are not well
/// formed.
std::string take_digits(std::string_view& text) {
  std::string digits;
  std::size_t at = 0;
  while (at < text.size() && (is_digit(text[at]) || text[at] == '_')) {
    if (text[at] == '_') {
      const bool between =
          at > 0 && text[at - 1] != '_' && at + 1 < text.size() && is_digit(text[at + 1]);
      if (!between) {
        return {};
      }
    } else {
      digits += text[at];
    }
    ++at;
  }
  text.remove_prefix(at);
  return digits;
}

std::optional<IntegerText> integer_text(std::string_view text) {
  text = trimmed(text);
  IntegerText read;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    read.digits = text.front() == '-' ? "-" : "";
    text.remove_prefix(1);
  }
  bool zero = false;
  if (!text.empty() && text.front() == '0') {
    const std::size_t end = std::min(text.find_first_not_of("0_"), text.size());
    zero = text[end - 1] == '0';
    text.remove_prefix(end);
  }
  if (!text.empty() && is_digit(text.front())) {
    const std::string digits = take_digits(text);
    if (digits.empty()) {
      return std::nullopt;
    }
    read.digits += digits;
  } else if (zero) {
    read.digits = "0";
  } else {
    return std::nullopt;
  }
  if (!text.empty()) {
    const bool zero_fraction = text.front() == '.' && text.size() > 1 &&
                               text.find_first_not_of('0', 1) == std::string_view::npos;
    if (!zero_fraction) {
      return std::nullopt;
    }
  }
  read.too_long = read.digits.size() > kLongestInteger;
  return read;
}

/// Whether a decimal number is zero, infinite or in between, where from_chars can't hold it.
double out_of_range_value(std::string_view text) {
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, exponent_at);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) {
    return 0.0;
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string_view exponent = text.substr(std::min(exponent_at + 1, text.size()));
  const bool small = !exponent.empty() && exponent.front() == '-';
  if (!exponent.empty() && (exponent.front() == '-' || exponent.front() == '+')) {
    exponent.remove_prefix(1);
  }
  std::int64_t power = 0;
  if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec ==
      std::errc::result_out_of_range) {
    power = std::numeric_limits<std::int64_t>::max() / 2;
  }
  power = small ? -power : power;
  const std::int64_t whole_digits = first < point ? static_cast<std::int64_t>(point - first)
                                                  : -static_cast<std::int64_t>(first - point);
  return whole_digits + power > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/// An unsigned decimal number: `5`, `5.`, `.5`, each with an exponent or not.
std::optional<double> unsigned_real(std::string_view text) {
  const auto digits_from = [text](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) {
      ++end;
    }
    return end - at;
  };
  std::size_t at = digits_from(0);
  std::size_t mantissa_digits = at;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_from(at + 1);
    mantissa_digits += fraction;
    at += 1 + fraction;
  }
  if (mantissa_digits == 0) {
    return std::nullopt;
  }
  if (at < text.size() && ascii_lower(text[at]) == 'e') {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
      ++at;
    }
    const std::size_t exponent_digits = digits_from(at);
    if (exponent_digits == 0) {
      return std::nullopt;
    }
    at += exponent_digits;
  }
  if (at != text.size()) {
    return std::nullopt;
  }
  double value = 0.0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec ==
      std::errc::result_out_of_range) {
    return out_of_range_value(text);
  }
  return value;
}

std::optional<double> real_text(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text.front() == '_' || text.back() == '_' ||
      text.find("__") != std::string_view::npos) {
    return std::nullopt;
  }
  std::string plain = ascii_lower(text);
  std::erase(plain, '_');
  std::string_view rest = plain;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) {
    rest.remove_prefix(1);
  }
  std::optional<double> value;
  if (rest == "inf" || rest == "infinity") {
    value = std::numeric_limits<double>::infinity();
  } else if (rest == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    value = unsigned_real(rest);
  }
  return value && negative ? std::optional(-*value) : value;
}

void append_place(std::string& out, const Place& place) {
  if (place.parent == nullptr) {
    return;
  }
  append_place(out, *place.parent);
  if (!out.empty()) {
    out += '.';
  }
  if (place.key.data() != nullptr) {
    out += place.key;
  } else {
    out += std::to_string(place.index);
  }
}

}  // namespace

void Validation::add(const Place& place, std::string_view message, std::string_view type,
                     const Value& input) {
  std::string issue;
  append_place(issue, place);
  issue += "\n  ";
  issue += message;
  issue += " [type=";
  issue += type;
  issue += ", input_value=" + shortened_repr(input) + ", input_type=";
  issue += type_name(input);
  issue += "]\n    For further information visit https://errors.pydantic.dev/2.12/v/";
  issue += type;
  issues_.push_back(std::move(issue));
}

std::string Validation::text() const {
  std::string text = std::to_string(issues_.size());
  text += issues_.size() == 1 ? " validation error for " : " validation errors for ";
  text += title_;
  for (const std::string& issue : issues_) {
    text += '\n';
    text += issue;
  }
  return text;
}

std::optional<std::string> text_from(const Value& value, const Place& place,
                                     Validation& validation) {
  if (const std::string* text = value.string()) {
    return *text;
  }
  validation.add(place, "Input should be a valid string", "string_type", value);
  return std::nullopt;
}

std::optional<bool> boolean_from(const Value& value, const Place& place, Validation& validation) {
  bool interpretable = false;
  if (const bool* truth = value.boolean()) {
    return *truth;
  }
  if (const std::int64_t* number = value.integer()) {
    if (*number == 0 || *number == 1) {
      return *number == 1;
    }
    interpretable = true;
  } else if (const double* real = value.real()) {
    if (*real == 0.0 || *real == 1.0) {
      return *real == 1.0;
    }
    interpretable = std::trunc(*real) == *real && std::abs(*real) < kBeyond64Bits;
  } else if (const std::string* text = value.string()) {
    const std::string lower = ascii_lower(*text);
    for (const std::string_view no : {"0", "off", "f", "false", "n", "no"}) {
      if (lower == no) {
        return false;
      }
    }
    for (const std::string_view yes : {"1", "on", "t", "true", "y", "yes"}) {
      if (lower == yes) {
        return true;
      }
    }
    interpretable = true;
  }
  if (interpretable) {
    validation.add(place, "Input should be a valid boolean, unable to interpret input",
                   "bool_parsing", value);
  } else {
    validation.add(place, "Input should be a valid boolean", "bool_type", value);
  }
  return std::nullopt;
}

std::optional<Value> integer_from(const Value& value, const Place& place, Validation& validation) {
  constexpr std::string_view kTooLarge =
      "Unable to parse input string as an integer, exceeded maximum size";
  if (const bool* truth = value.boolean()) {
    return Value(*truth ? 1 : 0);
  }
  if (value.type() == Type::integer) {
    return value;
  }
  if (const double* real = value.real()) {
    if (!std::isfinite(*real)) {
      validation.add(place, "Input should be a finite number", "finite_number", value);
    } else if (std::trunc(*real) != *real) {
      validation.add(place, "Input should be a valid integer, got a number with a fractional part",
                     "int_from_float", value);
    } else if (std::abs(*real) >= kBeyond64Bits) {
      validation.add(place, kTooLarge, "int_parsing_size", value);
    } else {
      return Value(static_cast<std::int64_t>(*real));
    }
    return std::nullopt;
  }
  if (const std::string* text = value.string()) {
    const std::optional<IntegerText> read = integer_text(*text);
    if (!read) {
      validation.add(place, "Input should be a valid integer, unable to parse string as an integer",
                     "int_parsing", value);
    } else if (read->too_long) {
      validation.add(place, kTooLarge, "int_parsing_size", value);
    } else {
      return Value::integer_of(read->digits);
    }
    return std::nullopt;
  }
  validation.add(place, "Input should be a valid integer", "int_type", value);
  return std::nullopt;
}

std::optional<double> real_from(const Value& value, const Place& place, Validation& validation) {
  if (const bool* truth = value.boolean()) {
    return *truth ? 1.0 : 0.0;
  }
  if (value.is_number()) {
    if (const std::optional<double> number = to_double(value)) {
      return number;
    }
  } else if (const std::string* text = value.string()) {
    if (const std::optional<double> number = real_text(*text)) {
      return number;
    }
    validation.add(place, "Input should be a valid number, unable to parse string as a number",
                   "float_parsing", value);
    return std::nullopt;
  }
  validation.add(place, "Input should be a valid number", "float_type", value);
  return std::nullopt;
}

std::optional<std::size_t> choice_from(const Value& value, const std::string_view* texts,
                                       std::size_t count, const Place& place,
                                       Validation& validation) {
  if (const std::string* text = value.string()) {
    const std::string_view* end = texts + count;
    if (const std::string_view* found = std::find(texts, end, *text); found != end) {
      return static_cast<std::size_t>(found - texts);
    }
  }
  std::string message = "Input should be ";
  for (std::size_t at = 0; at < count; ++at) {
    if (at > 0) {
      message += at + 1 == count ? " or " : ", ";
    }
    message += python_repr(texts[at]);
  }
  validation.add(place, message, "enum", value);
  return std::nullopt;
}

}  // namespace unmask::world
