// The scanner must see the same pieces however the bytes arrive; the parser must take what another
// parser accepts, and read back what it writes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_support.h"
#include <nlohmann/json.hpp>

#include "unmask/json/parser.h"
#include "unmask/json/scanner.h"
#include "unmask/json/write.h"

namespace {

using unmask::fuzz::require;

using unmask::json::Parsed;
using unmask::json::Parser;
using unmask::json::Place;
using unmask::json::Take;

/// Writes down all that a scanner says; goes two levels down and skips every third value there.
class Recorder : public unmask::json::PieceSink {
 public:
  Take begin(const Place& place, char first, std::uint64_t offset) override {
    events.push_back("begin " + to_string(place) + ' ' + first + ' ' + std::to_string(offset));
    if (whole_documents) return Take::whole;
    if (place.depth() < 2) return Take::inside;
    return place.path.back().index % 3 == 2 ? Take::skip : Take::whole;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    events.push_back("piece " + to_string(place) + ' ' + std::to_string(offset) + ' ' +
                     std::string(text));
    return true;
  }
  void end(const Place& place) override { events.push_back("end " + to_string(place)); }

  bool whole_documents = false;  ///< as JSON lines are read
  std::vector<std::string> events;
};

unmask::json::ScanReport scan(std::string_view text, std::size_t chunk, Recorder& recorder) {
  unmask::json::Scanner scanner(recorder, 1U << 16U);
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    if (!scanner.feed(text.substr(at, chunk))) break;
  }
  return scanner.finish();
}

/// The text in pieces of lengths that the input itself draws, so that the fuzzer can move the cuts.
unmask::json::ScanReport scan_in_drawn_pieces(std::string_view text, Recorder& recorder) {
  unmask::json::Scanner scanner(recorder, 1U << 16U);
  std::uint32_t state = 2166136261U;  // FNV-1a
  for (std::size_t at = 0; at < text.size();) {
    state = (state ^ static_cast<unsigned char>(text[at])) * 16777619U;
    const std::size_t length = 1 + (state >> 16U) % 97;
    if (!scanner.feed(text.substr(at, length))) break;
    at += length;
  }
  return scanner.finish();
}

void check_scanner(std::string_view text, bool whole_documents) {
  Recorder whole;
  whole.whole_documents = whole_documents;
  const unmask::json::ScanReport report = scan(text, std::max<std::size_t>(text.size(), 1), whole);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
    Recorder parts;
    parts.whole_documents = whole_documents;
    require(scan(text, chunk, parts) == report);
    require(parts.events == whole.events);
  }
  Recorder drawn;
  drawn.whole_documents = whole_documents;
  require(scan_in_drawn_pieces(text, drawn) == report);
  require(drawn.events == whole.events);
}

void check_parser(std::string_view text) {
  static Parser parser;
  static Parser second;
  const unmask::Result<Parsed> parsed = parser.parse(text);
  if (!parsed) {
    require(!parsed.error().message.empty());
    // Only depth may be refused. The other parser takes a zero byte for the end, and passes over a
    // byte order mark, which is the scanner's business here.
    require(!nlohmann::json::accept(text) || text.size() > unmask::json::kMaxDepth ||
            text.find('\0') != std::string_view::npos || text.starts_with("\xEF\xBB\xBF"));
    return;
  }
  const std::string canonical = to_canonical_json(parsed->root);
  const unmask::Result<Parsed> again = second.parse(to_json(parsed->root));
  require(again.has_value());
  require(to_canonical_json(again->root) == canonical);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_scanner(text, false);
  check_scanner(text, true);
  check_parser(text);
  return 0;
}
