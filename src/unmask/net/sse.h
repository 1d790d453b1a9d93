#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask::net {

/// Reads server-sent events (WHATWG HTML, 9.2) while their bytes arrive. Only `data` is kept:
/// names, ids and retry times of events are passed over, as chat completions use none.
class SseReader {
 public:
  /// The next bytes; returns the data of the events that they complete, lines joined by `\n`.
  [[nodiscard]] std::vector<std::string> feed(std::string_view bytes);
  /// The stream is over: data of a last event that no blank line ended; empty if there is none.
  /// Stricter readers drop it, but some servers leave out the last line break.
  [[nodiscard]] std::string finish();

 private:
  void end_line(std::vector<std::string>& events);

  std::string line_;
  std::string data_;
  bool has_data_ = false;
  bool after_return_ = false;  ///< a `\n` now belongs to the `\r` before it
  bool first_line_ = true;
};

}  // namespace unmask::net
