#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "unmask/base/error.h"
#include "unmask/report/figures.h"

namespace unmask::cli {

/// Whether a report may be written as a folder at `folder`: an `index.html` and numbered blocks
/// that are there already are of a report. To be asked before the work. Errors: invalid_argument,
/// with the file that no report wrote.
[[nodiscard]] Result<void> report_folder_is_ours(const std::string& folder);

/// Removes the numbered blocks of an earlier report from `first` on.
void remove_blocks_from(std::size_t first, const std::string& folder);

/// Writes figures into a folder that is there, and removes other figures that an earlier report
/// left in it; files that no report wrote stay. Gives how many were removed. Errors:
/// invalid_argument where such a file has a figure's name, before anything is written; outside
/// where one can't be written.
[[nodiscard]] Result<std::size_t> write_figures(const std::string& folder,
                                                std::span<const FigureFile> figures);

}  // namespace unmask::cli
