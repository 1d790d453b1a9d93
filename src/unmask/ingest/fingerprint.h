#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace unmask {

/// What a file's content looks like.
enum class Shape : std::uint8_t {
  empty,   ///< no bytes, or white space only
  object,  ///< one JSON object
  array,   ///< one JSON array
  lines,   ///< several JSON values one after another
  html,    ///< a web page, most often an error page that a download left
  zip,     ///< a ZIP archive (Inspect `.eval`)
  utf16,   ///< text that is not UTF-8
  binary,  ///< bytes that are no text
  text,    ///< text that is no JSON
};

/// What sniffing sees of a file: the members that its beginning has, down to a few levels.
struct Fingerprint {
  /// Bytes that are looked at; enough for everything that stands before the first episode.
  static constexpr std::size_t kBytes = std::size_t{1} << 20U;

  Shape shape = Shape::empty;
  /// Paths of members: `info`, `info.agent_info`, `simulations[].messages`, `[].traj`. Of an array
  /// only the first element is looked at. Of several documents only the first.
  std::set<std::string, std::less<>> paths;
  /// Paths whose value is an array, an object, a string ... : the path and its first byte.
  std::set<std::string, std::less<>> kinds;
  std::string schema;   ///< the first document's (or a list's first element's) member `schema`
  bool cut = false;     ///< the file goes on behind the bytes looked at
  std::string problem;  ///< where the file's JSON breaks off or goes wrong; empty if it does not

  [[nodiscard]] bool has(std::string_view path) const { return paths.contains(path); }
  /// `path` is there and its value begins with `first` (`[`, `{`, `"`, `n` for null).
  [[nodiscard]] bool has(std::string_view path, char first) const;
};

/// Looks at a file's first (unpacked) bytes.
[[nodiscard]] Fingerprint fingerprint_of(std::string_view first_bytes);

}  // namespace unmask
