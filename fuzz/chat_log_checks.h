#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace unmask::fuzz {

/// Reads bytes as a log and, if they are one of `format`, checks that what was read is consistent.
/// Ends the program if not.
void check_chat_log(const std::uint8_t* data, std::size_t size, std::string_view format);

}  // namespace unmask::fuzz
