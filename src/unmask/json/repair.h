#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unmask::json {

/// Deepest nesting that is read.
inline constexpr std::size_t kMaxDepth = 1024;

/// What had to be changed so that a text could be parsed.
struct Repairs {
  std::size_t lone_surrogates = 0;     ///< `\ud83d` without its half -> U+FFFD
  std::size_t invalid_utf8 = 0;        ///< bytes -> U+FFFD
  std::size_t control_characters = 0;  ///< raw in a string -> escaped
  std::size_t invalid_escapes = 0;     ///< `\x` -> `\\x`
  std::size_t non_finite_numbers = 0;  ///< NaN, Infinity and numbers beyond a double
  std::size_t huge_integers = 0;       ///< beyond 64 bits -> floating point
  std::uint64_t first_offset = 0;      ///< of the first of them, within the text

  [[nodiscard]] std::size_t total() const {
    return lone_surrogates + invalid_utf8 + control_characters + invalid_escapes +
           non_finite_numbers + huge_integers;
  }
  bool operator==(const Repairs&) const = default;
};

/// `2 lone surrogates, 1 NaN or infinite number`.
[[nodiscard]] std::string to_string(const Repairs& repairs);

/// A text made parsable, or the place where it can't be.
struct RepairedText {
  std::string text;          ///< usable only if `error` is empty
  Repairs repairs;           ///< of the part before an error
  std::string error;         ///< what is wrong, for a person
  std::string place;         ///< path of the value concerned, `messages[3].content`
  std::uint64_t offset = 0;  ///< of the error, within the text
};

/// Strings that stand for numbers JSON can't write; Value::number() knows them.
inline constexpr std::string_view kNanMarker{"\0NaN", 4};
inline constexpr std::string_view kInfinityMarker{"\0Infinity", 9};
inline constexpr std::string_view kMinusInfinityMarker{"\0-Infinity", 10};

/// Checks one JSON value strictly and rewrites what real logs get wrong (see Repairs). Slow and
/// exact: for texts that the fast parser refuses.
[[nodiscard]] RepairedText repair(std::string_view text);

}  // namespace unmask::json
