#include "unmask/net/sse.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace unmask::net {

void SseReader::end_line(std::vector<std::string>& events) {
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.empty()) {
    if (std::exchange(has_data_, false)) events.push_back(std::exchange(data_, {}));
  } else if (const std::size_t colon = line.find(':'); line.substr(0, colon) == "data") {
    std::string_view value =
        colon == std::string_view::npos ? std::string_view{} : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (std::exchange(has_data_, true)) data_ += '\n';
    data_ += value;
  }
  line_.clear();
}

std::vector<std::string> SseReader::feed(std::string_view bytes) {
  std::vector<std::string> events;
  while (!bytes.empty()) {
    if (std::exchange(after_return_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const std::size_t end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(events);
  }
  return events;
}

std::string SseReader::finish() {
  std::vector<std::string> events;
  if (!line_.empty()) end_line(events);
  end_line(events);
  return events.empty() ? std::string{} : std::move(events.back());
}

}  // namespace unmask::net
