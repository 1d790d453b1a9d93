#include "unmask/ingest/json_values.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

namespace unmask {

namespace {

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

}  // namespace

std::string text_or_number(const json::Value& value) {
  if (const auto text = value.string()) return std::string(*text);
  if (const auto number = value.integer()) return std::to_string(*number);
  return {};
}

std::vector<std::string> texts(const json::Value& array) {
  std::vector<std::string> result;
  for (const json::Value element : array.elements()) {
    if (const auto text = element.string()) result.emplace_back(*text);
  }
  return result;
}

std::optional<double> number_or_text(const json::Value& value) {
  if (const auto number = value.number()) return number;
  if (const auto text = value.string()) return parse_whole<double>(*text);
  return std::nullopt;
}

std::optional<std::int64_t> integer_or_text(const json::Value& value) {
  if (const auto number = value.integer()) return number;
  if (const auto text = value.string()) return parse_whole<std::int64_t>(*text);
  return std::nullopt;
}

std::optional<std::int64_t> count_or_text(const json::Value& value, std::int64_t most) {
  const auto number = integer_or_text(value);
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

std::optional<int> whole_number(const json::Value& value) {
  const auto number = count_or_text(value, std::numeric_limits<int>::max());
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<double> amount(const json::Value& value) {
  const auto number = value.number();
  // NaN fails the comparison.
  return number && *number >= 0.0 && *number < 1e12 ? number : std::nullopt;
}

std::string content_text(const json::Value& content) {
  if (const auto text = content.string()) return std::string(*text);
  std::string joined;
  for (const json::Value part : content.elements()) {
    const std::string_view text = part.is_object() ? part["text"].text() : part.text();
    if (!text.empty() && !joined.empty()) joined += '\n';
    joined += text;
  }
  return joined;
}

}  // namespace unmask
