#include "unmask/store/json_members.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/json/text.h"

namespace unmask::store {

void append_member(std::string& out, std::string_view key, std::string_view json) {
  if (!out.empty() && out.back() != '{') out += ',';
  const bool plain = std::ranges::all_of(
      key, [](char byte) { return (byte >= 'a' && byte <= 'z') || byte == '_'; });
  if (plain) {  // nearly always, and often
    out += '"';
    out += key;
    out += '"';
  } else {
    json::append_quoted(out, key);
  }
  out += ':';
  out += json;
}

void append_nulls(std::string& out, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) append_member(out, key, "null");
}

std::string json_string(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

std::string string_or_null(std::string_view text) {
  return text.empty() ? std::string("null") : json_string(text);
}

std::string real_or_null(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return "null";
  std::string out;
  json::append_real(out, *value);
  return out;
}

}  // namespace unmask::store
