#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace unmask::text {

/// Twelve significant digits of `value` times `scale`, as in JSON; nothing for what is not finite.
[[nodiscard]] std::string csv_number(std::optional<double> value, double scale = 1.0);

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
