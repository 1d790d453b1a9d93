#include "unmask/report/markdown_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/report/character_width.h"
#include "unmask/report/terminal_text.h"

namespace unmask::text {
namespace {

std::string one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  std::ranges::replace(line, '\t', ' ');
  return safe(line);
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|~#>").find(c) != std::string_view::npos) result.push_back('\\');
      result.push_back(c);
    }
  }
  return result;
}

std::string markdown_code(std::string_view text) {
  // A backtick would end the code; a pipe would end the table's cell even inside code.
  std::string content = one_line(text);
  std::ranges::replace(content, '`', '\'');
  std::string escaped;
  for (const char c : content) {
    if (c == '|') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return "`" + escaped + "`";
}

std::string markdown_table(const std::vector<std::string>& header, std::string_view aligned,
                           const std::vector<std::vector<std::string>>& rows) {
  UNMASK_CHECK(aligned.size() == header.size());
  std::vector<int> widths;
  widths.reserve(header.size());
  for (const std::string& title : header) widths.push_back(std::max(3, display_width(title)));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  const auto line_of = [&](const std::vector<std::string>& row) {
    std::string line = "|";
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string& cell = i < row.size() ? row[i] : std::string();
      line += " " +
              (aligned[i] == 'r' ? padded_left(cell, widths[i]) : padded_right(cell, widths[i])) +
              " |";
    }
    return line + "\n";
  };
  std::string table = line_of(header) + "|";
  for (std::size_t i = 0; i < widths.size(); ++i) {
    table += aligned[i] == 'r' ? " " + repeated("-", widths[i] - 1) + ": |"
                               : " " + repeated("-", widths[i]) + " |";
  }
  table += "\n";
  for (const auto& row : rows) table += line_of(row);
  return table;
}

}  // namespace unmask::text
