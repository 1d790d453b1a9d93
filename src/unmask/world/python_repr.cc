#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/base/utf8.h"
#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

void append_hex(std::string& out, char kind, std::uint32_t code_point, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '\\';
  out += kind;
  for (int digit = digits - 1; digit >= 0; --digit) {
    out += kDigits[(code_point >> (4U * static_cast<unsigned>(digit))) & 0xFU];
  }
}

void append_text_repr(std::string& out, std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  out += quote;
  while (!text.empty()) {
    const CodePoint next = decode_code_point(text);
    if (next.value == '\n') {
      out += "\\n";
    } else if (next.value == '\r') {
      out += "\\r";
    } else if (next.value == '\t') {
      out += "\\t";
    } else if (next.value == '\\' || next.value == static_cast<unsigned char>(quote)) {
      out += '\\';
      out += static_cast<char>(next.value);
    } else if (is_printable(next.value)) {
      append_utf8(out, next.value);
    } else if (next.value < 0x100) {
      append_hex(out, 'x', next.value, 2);
    } else if (next.value < 0x10000) {
      append_hex(out, 'u', next.value, 4);
    } else {
      append_hex(out, 'U', next.value, 8);
    }
    text.remove_prefix(next.bytes);
  }
  out += quote;
}

void append_repr(std::string& out, const Value& value) {
  if (const bool* truth = value.boolean()) {
    out += *truth ? "True" : "False";
  } else if (const std::int64_t* small = value.integer()) {
    out += std::to_string(*small);
  } else if (const LargeInteger* large = value.large_integer()) {
    out += large->digits;
  } else if (const double* real = value.real()) {
    append_python_float(out, *real);
  } else if (const std::string* text = value.string()) {
    append_text_repr(out, *text);
  } else if (const List* list = value.list()) {
    out += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out += ", ";
      append_repr(out, (*list)[i]);
    }
    out += ']';
  } else if (const Object* object = value.object()) {
    out += '{';
    bool first = true;
    for (const Member& member : *object) {
      if (!first) out += ", ";
      first = false;
      append_text_repr(out, member.key);
      out += ": ";
      append_repr(out, member.value);
    }
    out += '}';
  } else {
    out += "None";
  }
}

}  // namespace

std::string python_repr(const Value& value) {
  std::string out;
  append_repr(out, value);
  return out;
}

std::string python_text_repr(std::string_view text) {
  std::string out;
  append_text_repr(out, text);
  return out;
}

std::string python_str(const Value& value) {
  if (const std::string* text = value.string()) return *text;
  return python_repr(value);
}

}  // namespace unmask::world
