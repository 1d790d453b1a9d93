#pragma once

#include <string>
#include <vector>

#include "unmask/report/text_style.h"

namespace unmask::text {

enum class Align { left, right };

struct TableColumn {
  std::string header;
  Align align = Align::left;
  int gap = 2;  ///< spaces before the column (the first has none)
};

struct TableCell {
  std::string content;
  Paint paint = Paint::none;
};

/// Rows may be shorter than the columns, missing cells are blank; a row of one cell spans them all.
struct TextTable {
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> rows;

  /// Columns that it takes untruncated.
  [[nodiscard]] int natural_width() const;
};

/// Header and rows without trailing spaces. A table wider than `width` has its first column cut.
[[nodiscard]] std::vector<std::string> table_lines(const TextTable& table, int width,
                                                   const TextStyle& style);

}  // namespace unmask::text
