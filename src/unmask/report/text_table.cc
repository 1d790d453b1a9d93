#include "unmask/report/text_table.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "unmask/report/character_width.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"

namespace unmask::text {
namespace {

constexpr int kLeastFirstColumn = 8;

bool spans(const TextTable& table, const std::vector<TableCell>& row) {
  return row.size() == 1 && table.columns.size() > 1;
}

std::vector<int> column_widths(const TextTable& table) {
  std::vector<int> widths;
  widths.reserve(table.columns.size());
  for (const TableColumn& column : table.columns) widths.push_back(display_width(column.header));
  for (const auto& row : table.rows) {
    if (spans(table, row)) continue;
    for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i].content));
    }
  }
  return widths;
}

int total_width(const TextTable& table, const std::vector<int>& widths) {
  int total = std::accumulate(widths.begin(), widths.end(), 0);
  for (std::size_t i = 1; i < table.columns.size(); ++i) total += table.columns[i].gap;
  return total;
}

void trim_right(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

}  // namespace

int TextTable::natural_width() const { return total_width(*this, column_widths(*this)); }

std::vector<std::string> table_lines(const TextTable& table, int width, const TextStyle& style) {
  std::vector<int> widths = column_widths(table);
  if (widths.empty()) return {};
  const int excess = total_width(table, widths) - width;
  if (excess > 0) {
    widths.front() = std::max(std::min(widths.front(), kLeastFirstColumn), widths.front() - excess);
  }
  const auto line_of = [&](const auto& cell_at) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const TableCell cell = cell_at(i);
      if (i > 0) line.append(static_cast<std::size_t>(table.columns[i].gap), ' ');
      const std::string content = truncated(cell.content, widths[i], glyphs(style).ellipsis);
      const int blank = widths[i] - display_width(content);
      const std::string space(static_cast<std::size_t>(std::max(0, blank)), ' ');
      const std::string shown = painted(content, cell.paint, style);
      line += table.columns[i].align == Align::left ? shown + space : space + shown;
    }
    trim_right(line);
    return line;
  };
  std::vector<std::string> lines;
  lines.push_back(line_of([&](std::size_t i) {
    return TableCell{.content = table.columns[i].header, .paint = Paint::dim};
  }));
  for (const auto& row : table.rows) {
    if (spans(table, row)) {
      const std::string content = truncated(row.front().content, width, glyphs(style).ellipsis);
      lines.push_back(painted(content, row.front().paint, style));
      continue;
    }
    lines.push_back(line_of([&](std::size_t i) { return i < row.size() ? row[i] : TableCell{}; }));
  }
  return lines;
}

}  // namespace unmask::text
