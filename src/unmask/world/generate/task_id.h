#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unmask::world::generated {

/// `0042-kinds`: zeros to the width of `count`, so that ids sort as the tasks stand.
[[nodiscard]] std::string numbered_id(std::uint32_t number, std::uint32_t count,
                                      std::string_view kinds);

}  // namespace unmask::world::generated
