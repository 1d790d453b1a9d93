// A study file, from memory.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "unmask/study/study_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto cells = unmask::parse_study_file(text, "folder/study.toml");
  if (!cells) {
    if (cells.error().message.find("study.toml") == std::string::npos) std::abort();
    return 0;
  }
  // What the reader may rely on.
  if (cells->empty()) std::abort();
  std::set<std::string> ids;
  for (const unmask::CellSource& cell : *cells) {
    if (cell.info.cell.empty() || !ids.insert(cell.info.cell).second) std::abort();
    std::set<std::string> names;
    for (const unmask::ArmSource& arm : cell.arms) {
      if (arm.name.empty() || arm.paths.empty() || !names.insert(arm.name).second) std::abort();
    }
    if (!cell.reference.empty() && !names.contains(cell.reference)) std::abort();
    for (const unmask::ArmSource& arm : cell.arms) {
      if (arm.role == unmask::ArmRole::repaired && !names.contains(arm.unrepaired)) std::abort();
    }
  }
  return 0;
}
