#include "unmask/report/csv_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace unmask::text {

std::string csv_number(std::optional<double> value, double scale) {
  if (!value || !std::isfinite(*value * scale)) return {};
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), *value * scale,
                                     std::chars_format::general, 12);
  const std::string text(digits.data(), written.ptr);
  return text == "-0" ? "0" : text;
}

void CsvWriter::separate() {
  if (line_started_) content_.push_back(',');
  line_started_ = true;
}

CsvWriter& CsvWriter::text(std::string_view field) {
  separate();
  std::string safe(field);
  if (!safe.empty() && std::string_view("=+-@\t\r").find(safe.front()) != std::string_view::npos)
    safe.insert(0, 1, '\'');
  if (safe.find_first_of(",\"\r\n") == std::string::npos) {
    content_ += safe;
    return *this;
  }
  content_.push_back('"');
  for (const char c : safe) {
    if (c == '"') content_.push_back('"');
    content_.push_back(c);
  }
  content_.push_back('"');
  return *this;
}

CsvWriter& CsvWriter::raw(std::string_view field) {
  separate();
  content_ += field;
  return *this;
}

CsvWriter& CsvWriter::end_line() {
  content_.push_back('\n');
  line_started_ = false;
  return *this;
}

}  // namespace unmask::text
