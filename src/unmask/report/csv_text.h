#pragma once

#include <string>
#include <string_view>

namespace unmask::text {

/// Lines of comma-separated values (RFC 4180; lines end in a single line feed, which every reader
/// takes).
class CsvWriter {
 public:
  /// A field of free text, quoted where commas, quotes or line breaks ask for it. Text that a
  /// spreadsheet would run as a formula (begins with = + - @, a tab or a carriage return) gets an
  /// apostrophe in front.
  CsvWriter& text(std::string_view field);
  /// A field that can't hold a comma or a formula: a number, a key of ours; or nothing.
  CsvWriter& raw(std::string_view field);
  CsvWriter& end_line();

  [[nodiscard]] const std::string& content() const { return content_; }

 private:
  void separate();

  std::string content_;
  bool line_started_ = false;
};

}  // namespace unmask::text
