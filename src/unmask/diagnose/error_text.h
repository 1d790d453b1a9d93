#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace unmask {

/// Bytes of an error text that rules see; the rest is cut (hostile or enormous results).
inline constexpr std::size_t kMatchedBytes = 2000;

/// `text` in lower case: ASCII letters and the accented capitals of Latin-1 in UTF-8.
[[nodiscard]] std::string lower_case(std::string_view text);

/// `text` as rules see it: cut to kMatchedBytes, runs of white space made one space, lower case,
/// and without wrappers: `Error: ` and `Error executing tool x: ` in front, `{"error": "..."}`
/// around, within which JSON's escapes are decoded.
[[nodiscard]] std::string prepared_error_text(std::string_view text);

/// Whether `pattern` covers all of `text`; `*` stands for any text, also none. No recursion; time
/// at most O(|pattern| x |text|).
[[nodiscard]] bool covers(std::string_view pattern, std::string_view text);

/// Position of `word` (a word or phrase) in `text` with no letter, digit or underscore beside it;
/// npos if absent.
[[nodiscard]] std::size_t find_word(std::string_view text, std::string_view word);

}  // namespace unmask
