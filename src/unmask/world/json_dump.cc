#include "unmask/world/json_dump.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/python_number.h"
#include "unmask/world/python_text.h"
#include "unmask/world/text_buffer.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

template <typename Out>
void append_escape(Out& out, std::uint32_t unit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 0xFU];
}

template <typename Out>
void append_escaped(Out& out, std::uint32_t code_point) {
  if (code_point < 0x10000) {
    append_escape(out, code_point);
    return;
  }
  const std::uint32_t offset = code_point - 0x10000;
  append_escape(out, 0xD800U + (offset >> 10U));
  append_escape(out, 0xDC00U + (offset & 0x3FFU));
}

/// Whether a byte stands for itself in a string.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> result{};
  for (std::size_t byte = 0x20; byte < 0x7F; ++byte) result[byte] = byte != '"' && byte != '\\';
  return result;
}();

bool is_plain(char byte) { return kIsPlain[static_cast<unsigned char>(byte)]; }

/// Whether eight bytes all are plain; false also for the rare ones that only look otherwise.
bool are_plain(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighBits = 0x80 * kOnes;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  // The high bit of some byte is set if one is zero, and of none otherwise.
  const auto has_zero = [](std::uint64_t x) { return (x - kOnes) & ~x; };
  const std::uint64_t special = word | (word - 0x20 * kOnes) | has_zero(word ^ ('"' * kOnes)) |
                                has_zero(word ^ ('\\' * kOnes)) | has_zero(word ^ (0x7F * kOnes));
  return (special & kHighBits) == 0;
}

/// How many bytes from `at` on need no escape.
std::size_t plain_bytes(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end + 8 <= text.size() && are_plain(text.data() + end)) end += 8;
  while (end < text.size() && is_plain(text[end])) ++end;
  return end - at;
}

/// The text as between the quotes of a JSON string.
template <typename Out>
void append_escaped_text(Out& out, std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t plain = plain_bytes(text, at);
    out += text.substr(at, plain);
    at += plain;
    if (at == text.size()) break;
    switch (text[at]) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default: {
        const CodePoint next = decode_code_point(text.substr(at));
        append_escaped(out, next.value);
        at += next.bytes - 1;
      }
    }
    ++at;
  }
}

template <typename Out>
void append_number(Out& out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-Infinity" : "Infinity";
  } else {
    append_python_float(out, value);
  }
}

template <typename Out>
void append_number_or_word(Out& out, const Value& value) {
  if (const bool* truth = value.boolean()) {
    out += std::string_view(*truth ? "true" : "false");
  } else if (const std::int64_t* small = value.integer()) {
    out += std::string_view(std::to_string(*small));
  } else if (const LargeInteger* large = value.large_integer()) {
    out += std::string_view(large->digits);
  } else if (const double* real = value.real()) {
    append_number(out, *real);
  } else {
    out += "null";
  }
}

template <typename Out>
void quoted(Out& out, std::string_view text) {
  out += '"';
  append_escaped_text(out, text);
  out += '"';
}

template <typename Out>
void append(Out& out, const Value& value, bool sorted) {
  if (const std::string* text = value.string()) {
    quoted(out, *text);
  } else if (const List* list = value.list()) {
    out += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out += ", ";
      append(out, (*list)[i], sorted);
    }
    out += ']';
  } else if (const Object* object = value.object()) {
    std::vector<const Member*> members;
    members.reserve(object->size());
    for (const Member& member : *object) members.push_back(&member);
    if (sorted) {
      std::ranges::sort(members, [](const Member* a, const Member* b) { return a->key < b->key; });
    }
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0) out += ", ";
      quoted(out, members[i]->key);
      out += ": ";
      append(out, members[i]->value, sorted);
    }
    out += '}';
  } else {
    append_number_or_word(out, value);
  }
}

/// Appends a text that needs no escapes; false, and nothing appended, if it needs one.
bool append_if_plain(TextBuffer& out, std::string_view text) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::size_t size = text.size();
  const char* from = text.data();
  char* to = out.extend(size);
  bool plain = true;
  if (size < kWord) {
    for (std::size_t at = 0; at < size; ++at) {
      plain = plain && is_plain(from[at]);
      to[at] = from[at];
    }
  } else {
    // The last word overlaps the one before.
    for (std::size_t at = 0; plain && at < size; at += kWord) {
      const std::size_t begin = std::min(at, size - kWord);
      plain = are_plain(from + begin);
      std::memcpy(to + begin, from + begin, kWord);
    }
  }
  if (!plain) out.remove_last(size);
  return plain;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) { quoted(out, text); }

void append_json_string(TextBuffer& out, std::string_view text) {
  out += '"';
  append_json_text(out, text);
  out += '"';
}

void append_json_text(TextBuffer& out, std::string_view text) {
  if (!append_if_plain(out, text)) append_escaped_text(out, text);
}

void append_json_float(std::string& out, double value) { append_number(out, value); }
void append_json_float(TextBuffer& out, double value) { append_number(out, value); }

void append_json(std::string& out, const Value& value) { append(out, value, false); }
void append_json(TextBuffer& out, const Value& value) { append(out, value, false); }
void append_sorted_json(TextBuffer& out, const Value& value) { append(out, value, true); }

std::string dump_json(const Value& value) {
  std::string out;
  append(out, value, false);
  return out;
}

std::string dump_sorted_json(const Value& value) {
  std::string out;
  append(out, value, true);
  return out;
}

}  // namespace unmask::world
