#include "unmask/cli/report_places.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/figures.h"
#include "unmask/report/page_report.h"
#include "unmask/report/page_template.h"

namespace unmask::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPageStart = 2048;  // the mark stands before the page's style

std::string start_of(const fs::path& file, std::size_t bytes) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(bytes, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(bytes));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  return start;
}

bool is_page(const fs::path& file) {
  return start_of(file, kPageStart).find(kPageMark) != std::string::npos;
}

bool starts_with(const fs::path& file, std::string_view mark) {
  return start_of(file, mark.size()) == mark;
}

// The number of `<number>.js`, as a report writes it.
std::optional<std::size_t> block_number(const fs::path& file) {
  if (file.extension() != ".js") return std::nullopt;
  const std::string stem = file.stem().string();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  const bool whole = error == std::errc() && end == stem.data() + stem.size();
  if (!whole || std::to_string(number) != stem) return std::nullopt;
  return number;
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Error not_ours(const fs::path& file, std::string_view option) {
  return {.code = ErrorCode::invalid_argument,
          .message = file.string() +
                     ": no report wrote this file, and it would be lost; move it, " +
                     "or give another folder to " + std::string(option)};
}

}  // namespace

Result<void> report_folder_is_ours(const std::string& folder) {
  const fs::path index = fs::path(folder) / "index.html";
  std::error_code none;
  if (fs::exists(index, none) && !is_page(index))
    return tl::unexpected(not_ours(index, "--folder"));
  for (const fs::path& file : files_of(fs::path(folder) / "blocks")) {
    if (block_number(file) && !starts_with(file, kBlockMark))
      return tl::unexpected(not_ours(file, "--folder"));
  }
  return {};
}

void remove_blocks_from(std::size_t first, const std::string& folder) {
  for (const fs::path& file : files_of(fs::path(folder) / "blocks")) {
    const std::optional<std::size_t> number = block_number(file);
    std::error_code none;
    if (number && *number >= first && starts_with(file, kBlockMark)) fs::remove(file, none);
  }
}

Result<std::size_t> write_figures(const std::string& folder, std::span<const FigureFile> figures) {
  std::vector<fs::path> places;
  for (const FigureFile& figure : figures) {
    fs::path place = fs::path(folder) / figure.name;
    std::error_code none;
    if (fs::exists(place, none) && !starts_with(place, kFigureMark))
      return tl::unexpected(not_ours(place, "--figures"));
    places.push_back(std::move(place));
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (Result<void> written = write_output(places[i].string(), figures[i].svg); !written)
      return tl::unexpected(written.error());
  }
  std::size_t removed = 0;
  for (const fs::path& file : files_of(folder)) {
    if (file.extension() != ".svg" || std::ranges::find(places, file) != places.end()) continue;
    std::error_code none;
    if (starts_with(file, kFigureMark) && fs::remove(file, none)) ++removed;
  }
  return removed;
}

}  // namespace unmask::cli
