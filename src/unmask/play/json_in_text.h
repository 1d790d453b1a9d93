#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace unmask::play {

/// The `{...}` that begins at `at`, braces within strings passed over; nullopt if there is none or
/// it doesn't end. What is in it need not be JSON.
[[nodiscard]] std::optional<std::string_view> object_at(std::string_view text, std::size_t at);

}  // namespace unmask::play
