#pragma once

#include <string>
#include <string_view>

#include "unmask/world/value.h"

namespace unmask::world {

class TextBuffer;

/// Appends a JSON string with its quotes as Python's json.dumps with ensure_ascii writes it: every
/// code point outside 0x20-0x7E is escaped, surrogates included. `text` is WTF-8.
void append_json_string(std::string& out, std::string_view text);
void append_json_string(TextBuffer& out, std::string_view text);
/// The same without the quotes.
void append_json_text(TextBuffer& out, std::string_view text);

/// Appends a float as json.dumps does: as python_float, but `NaN`, `Infinity`, `-Infinity`.
void append_json_float(std::string& out, double value);
void append_json_float(TextBuffer& out, double value);

/// Appends `value` as json.dumps writes it: one line, separators `, ` and `: `.
void append_json(std::string& out, const Value& value);
void append_json(TextBuffer& out, const Value& value);

/// json.dumps(value).
[[nodiscard]] std::string dump_json(const Value& value);

/// json.dumps(value, sort_keys=True): keys by code point at every level. The text that state hashes
/// are made of.
[[nodiscard]] std::string dump_sorted_json(const Value& value);
void append_sorted_json(TextBuffer& out, const Value& value);

}  // namespace unmask::world
