#include "unmask/run/unit_seed.h"

#include <charconv>
#include <cstdint>
#include <string>

#include "unmask/base/sha256.h"

namespace unmask::run {

std::uint64_t unit_seed(const SeededUnit& unit) {
  std::string key = unit.null_arm ? "null" : "unit";
  key += '\n';
  key += std::to_string(unit.study_seed);
  key += '\n';
  // Lengths, so that no two units have one text.
  key += std::to_string(unit.cell.size());
  key += ':';
  key += unit.cell;
  key += std::to_string(unit.task.size());
  key += ':';
  key += unit.task;
  key += std::to_string(unit.trial);
  const std::string digest = sha256_hex(key);
  std::uint32_t bits = 0;
  std::from_chars(digest.data(), digest.data() + 8, bits, 16);
  return bits >> 1U;
}

}  // namespace unmask::run
