#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace unmask::json {

/// Finds where a JSON container ends while its bytes arrive in chunks of any size. Looks at
/// strings, escapes and depth only, 64 bytes at a time, so that skipping an episode costs little
/// more than reading it. Opening and closing brackets of the two kinds are not told apart: the
/// parser does.
class ContainerEnd {
 public:
  /// Starts in front of a container's first byte, which must be `{` or `[`.
  void start() { *this = ContainerEnd{}; }

  /// Consumes bytes up to and including the container's last byte; returns how many. Less than
  /// `chunk.size()` only if the container ended, and then `done()` is true.
  std::size_t consume(std::string_view chunk);
  [[nodiscard]] bool done() const { return done_; }
  /// Truncated here, the text would end inside a string.
  [[nodiscard]] bool in_string() const { return in_string_ != 0; }
  [[nodiscard]] std::uint64_t depth() const { return depth_; }

 private:
  bool consume_byte(char byte);

  std::uint64_t depth_ = 0;
  std::uint64_t in_string_ = 0;  ///< all ones inside a string, else 0
  std::uint64_t escaped_ = 0;    ///< 1 if the next byte is escaped by a backslash before it
  bool done_ = false;
};

}  // namespace unmask::json
