#include "unmask/ingest/fingerprint.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "unmask/json/scanner.h"
#include "unmask/json/text.h"

namespace unmask {

namespace {

constexpr std::size_t kDeepest = 4;

std::string path_of(const json::Place& place) {
  std::string path;
  for (const json::Step& step : place.path) {
    if (step.is_element) {
      path += "[]";
    } else {
      if (!path.empty()) path += '.';
      path += step.key;
    }
  }
  return path;
}

/// Notes the first document's members and each array's first element.
class Sniffer final : public json::PieceSink {
 public:
  explicit Sniffer(Fingerprint& result) : result_(result) {}

  json::Take begin(const json::Place& place, char first, std::uint64_t /*offset*/) override {
    documents = place.document + 1;
    if (place.document > 0) return json::Take::skip;
    if (place.depth() == 0) {
      result_.shape = first == '[' ? Shape::array : first == '{' ? Shape::object : Shape::text;
      return json::Take::inside;
    }
    if (place.path.back().is_element && place.path.back().index > 0) return json::Take::skip;
    std::string path = path_of(place);
    result_.kinds.insert(path + ' ' + first);
    result_.paths.insert(std::move(path));
    return place.depth() < kDeepest ? json::Take::inside : json::Take::skip;
  }
  // Scalars inside containers arrive here.
  bool piece(const json::Place& place, std::string_view text, std::uint64_t /*offset*/) override {
    constexpr std::size_t kLongestSchema = 100;
    const bool in_document = place.depth() == 1 || (place.depth() == 2 && place.path[0].is_element);
    if (in_document && place.path.back().key == "schema" && text.starts_with('"') &&
        text.size() >= 2 && text.size() < kLongestSchema) {
      result_.schema = json::unescape(text.substr(1, text.size() - 2));
    }
    return true;
  }

  std::size_t documents = 0;

 private:
  Fingerprint& result_;
};

bool looks_like_html(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (from == std::string_view::npos || text[from] != '<') return false;
  std::string start(text.substr(from, 256));
  std::transform(start.begin(), start.end(), start.begin(), [](char byte) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  });
  return start.starts_with("<!doctype") || start.starts_with("<html") ||
         start.starts_with("<head") || start.starts_with("<?xml") || start.starts_with("<body");
}

bool looks_binary(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  const auto control = std::count_if(head.begin(), head.end(), [](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    return value < 0x20 && value != '\t' && value != '\n' && value != '\r';
  });
  return control > 0;
}

}  // namespace

bool Fingerprint::has(std::string_view path, char first) const {
  std::string key(path);
  key += ' ';
  key += first;
  return kinds.contains(key);
}

Fingerprint fingerprint_of(std::string_view first_bytes) {
  Fingerprint result;
  result.cut = first_bytes.size() >= Fingerprint::kBytes;
  if (first_bytes.starts_with("PK\x03\x04")) {
    result.shape = Shape::zip;
    return result;
  }
  if (first_bytes.starts_with("\xFF\xFE") || first_bytes.starts_with("\xFE\xFF")) {
    result.shape = Shape::utf16;
    return result;
  }
  if (looks_like_html(first_bytes)) {
    result.shape = Shape::html;
    return result;
  }
  Sniffer sniffer(result);
  json::Scanner scanner(sniffer);
  scanner.feed(first_bytes);
  const json::ScanReport report = scanner.finish();
  if (report.end == json::ScanEnd::empty) return result;
  if (report.end == json::ScanEnd::malformed ||
      (report.end == json::ScanEnd::truncated && !result.cut)) {
    result.problem = report.message + " at byte " + std::to_string(report.offset);
  }
  if (sniffer.documents > 1 && result.shape != Shape::text) {
    result.shape = Shape::lines;
  } else if (sniffer.documents == 0 ||
             (report.end == json::ScanEnd::malformed && result.paths.empty())) {
    result.shape = looks_binary(first_bytes) ? Shape::binary : Shape::text;
  }
  return result;
}

}  // namespace unmask
