#pragma once

#include <string>
#include <string_view>

namespace unmask::json {

/// Decodes the escapes of a JSON string's inside. Escapes that JSON does not know stay as they are;
/// lone surrogates become U+FFFD.
[[nodiscard]] std::string unescape(std::string_view raw);

/// Appends `text` as a JSON string with its quotes; non-ASCII bytes are written as they are.
void append_quoted(std::string& out, std::string_view text);

/// Appends the shortest digits that read back as `value`, which is finite, with a point or an
/// exponent, so that it stays a floating-point number for whoever reads it next.
void append_real(std::string& out, double value);

/// A byte for an error message: `'x'` or `byte 0x07`.
[[nodiscard]] std::string describe_byte(char byte);

}  // namespace unmask::json
