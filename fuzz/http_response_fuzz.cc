// HTTP responses and event streams must read the same however their bytes arrive.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz_support.h"

#include "unmask/net/http_message.h"
#include "unmask/net/response_reader.h"
#include "unmask/net/sse.h"

namespace {

using unmask::fuzz::require;

using unmask::net::HttpResponse;
using unmask::net::ResponseReader;
using State = ResponseReader::State;

constexpr std::uint64_t kMaxBodyBytes = 4096;

struct Read {
  bool whole = false;  ///< else cut off, malformed or too large: which, may depend on the pieces
  HttpResponse response;

  bool operator==(const Read&) const = default;
};

Read read_by(std::string_view text, std::size_t piece) {
  ResponseReader reader(kMaxBodyBytes);
  State state = State::more;
  for (std::size_t at = 0; at < text.size() && state == State::more; at += piece) {
    state = reader.feed(text.substr(at, piece));
  }
  if (state == State::more) state = reader.close();
  Read read;
  if (state == State::done) {
    read.whole = true;
    read.response = reader.take();
    require(read.response.status >= 200);
    require(read.response.body.size() <= kMaxBodyBytes);
  }
  return read;
}

std::vector<std::string> events_by(std::string_view text, std::size_t piece) {
  unmask::net::SseReader reader;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    for (std::string& event : reader.feed(text.substr(at, piece))) {
      events.push_back(std::move(event));
    }
  }
  events.push_back(reader.finish());
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Read whole = read_by(text, size + 1);
  const std::vector<std::string> events = events_by(text, size + 1);
  for (const std::size_t piece : {1U, 7U, 64U}) {
    // Whether a broken trailer behind the last chunk is noticed depends on the pieces: then one of
    // the two is no response. Two responses are the same.
    const Read parts = read_by(text, piece);
    require(parts == whole || !parts.whole || !whole.whole);
    require(events_by(text, piece) == events);
  }
  return 0;
}
