#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace unmask::world {

/// A text that grows at its end, for putting answers together: what is appended is copied in line,
/// without a call for each piece as std::string makes.
class TextBuffer {
 public:
  void clear() { size_ = 0; }
  /// `bytes` is at most the text's size.
  void remove_last(std::size_t bytes) { size_ -= bytes; }
  /// Makes room for `bytes` more bytes, which count as appended; where they are to be written.
  char* extend(std::size_t bytes) {
    if (capacity_ - size_ < bytes) enlarge(bytes);
    char* at = bytes_.get() + size_;
    size_ += bytes;
    return at;
  }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }

  void append(std::string_view text) { copy_bytes(extend(text.size()), text.data(), text.size()); }
  TextBuffer& operator+=(std::string_view text) {
    append(text);
    return *this;
  }
  template <std::size_t bytes>
  TextBuffer& operator+=(const char (&literal)[bytes]) {  // NOLINT(*-avoid-c-arrays): a literal
    std::memcpy(extend(bytes - 1), literal, bytes - 1);
    return *this;
  }
  TextBuffer& operator+=(char byte) {
    *extend(1) = byte;
    return *this;
  }

 private:
  /// Short texts, as names and numbers are, are copied in line: first and last words, which may
  /// overlap.
  static void copy_bytes(char* to, const char* from, std::size_t size) {
    const auto copy_ends = [&](auto word) {
      constexpr std::size_t kWord = sizeof word;
      std::memcpy(to, from, kWord);
      std::memcpy(to + size - kWord, from + size - kWord, kWord);
    };
    using TwoWords = std::array<std::uint64_t, 2>;
    if (size > 2 * sizeof(TwoWords)) {
      copy_long(to, from, size);
    } else if (size >= sizeof(TwoWords)) {
      copy_ends(TwoWords{});
    } else if (size >= sizeof(std::uint64_t)) {
      copy_ends(std::uint64_t{});
    } else if (size >= sizeof(std::uint32_t)) {
      copy_ends(std::uint32_t{});
    } else {
      for (std::size_t at = 0; at < size; ++at) to[at] = from[at];
    }
  }
  /// Out of line, so that a compiler does not think of it where only short texts can come.
  [[gnu::noinline]] static void copy_long(char* to, const char* from, std::size_t size) {
    std::memcpy(to, from, size);
  }
  void enlarge(std::size_t more) {
    constexpr std::size_t kFirst = 4096;
    const std::size_t capacity = std::max({kFirst, 2 * capacity_, size_ + more});
    auto bytes = std::make_unique<char[]>(capacity);  // NOLINT(*-avoid-c-arrays)
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;  // NOLINT(*-avoid-c-arrays)
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The buffer of built_text: one a thread, kept for the next text.
[[nodiscard]] inline TextBuffer& thread_buffer() {
  thread_local TextBuffer buffer;
  return buffer;
}

/// The text that `append(TextBuffer& out)` appends, in one allocation of its size: it is put
/// together in a buffer that the thread keeps. `append` must not call this function.
template <typename Append>
[[nodiscard]] std::string built_text(Append append) {
  TextBuffer& buffer = thread_buffer();
  buffer.clear();
  append(buffer);
  return std::string(buffer.view());
}

/// The pieces one after the other, in one allocation.
[[nodiscard]] inline std::string concatenated(std::initializer_list<std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  std::string text;
  text.reserve(size);
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

}  // namespace unmask::world
