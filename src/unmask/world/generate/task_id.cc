#include "unmask/world/generate/task_id.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace unmask::world::generated {

std::string numbered_id(std::uint32_t number, std::uint32_t count, std::string_view kinds) {
  const std::string digits = std::to_string(number);
  const std::size_t width = std::max<std::size_t>(3, std::to_string(count - 1).size());
  return std::string(width - digits.size(), '0') + digits + "-" + std::string(kinds);
}

}  // namespace unmask::world::generated
