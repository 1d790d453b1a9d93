#include "unmask/report/csv_text.h"

#include <string_view>

namespace unmask::text {

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
