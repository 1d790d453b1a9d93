#include "unmask/json/write.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "unmask/json/text.h"

namespace unmask::json {

namespace {

enum class Form : std::uint8_t { as_is, canonical };

void append_number(std::string& out, const Value& value, Form form) {
  const double number = value.number().value_or(0.0);
  if (std::isnan(number)) {
    out += "NaN";
    return;
  }
  if (std::isinf(number)) {
    out += number < 0 ? "-Infinity" : "Infinity";
    return;
  }
  std::array<char, 32> digits{};
  char* const first = digits.data();
  char* const last = first + digits.size();
  const auto integer = value.integer();
  if (integer && (form == Form::canonical || value.is_integer_literal())) {
    out.append(first, std::to_chars(first, last, *integer).ptr);
    return;
  }
  if (const auto large = value.unsigned_integer(); large && value.is_integer_literal()) {
    out.append(first, std::to_chars(first, last, *large).ptr);
    return;
  }
  if (form == Form::as_is) return append_real(out, number);
  out.append(first, std::to_chars(first, last, number).ptr);
}

void append(std::string& out, const Value& value, Form form);

void append_object(std::string& out, const Value& object, Form form) {
  std::vector<Member> members;
  for (const Member member : object.members()) {
    const auto same = std::find_if(members.begin(), members.end(),
                                   [&](const Member& other) { return other.key == member.key; });
    if (same != members.end()) {
      same->value = member.value;
    } else {
      members.push_back(member);
    }
  }
  if (form == Form::canonical) {
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.key < b.key; });
  }
  out += '{';
  bool first = true;
  for (const Member& member : members) {
    if (!first) out += ',';
    first = false;
    append_quoted(out, member.key);
    out += ':';
    append(out, member.value, form);
  }
  out += '}';
}

// Recursion is bounded by the parser's depth limit.
void append(std::string& out, const Value& value, Form form) {
  switch (value.kind()) {
    case Kind::missing:
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += value.boolean().value_or(false) ? "true" : "false";
      break;
    case Kind::number:
      append_number(out, value, form);
      break;
    case Kind::string:
      append_quoted(out, value.text());
      break;
    case Kind::array: {
      out += '[';
      bool first = true;
      for (const Value element : value.elements()) {
        if (!first) out += ',';
        first = false;
        append(out, element, form);
      }
      out += ']';
      break;
    }
    case Kind::object:
      append_object(out, value, form);
      break;
  }
}

}  // namespace

std::string to_json(const Value& value) {
  std::string out;
  append(out, value, Form::as_is);
  return out;
}

std::string to_canonical_json(const Value& value) {
  std::string out;
  append(out, value, Form::canonical);
  return out;
}

}  // namespace unmask::json
