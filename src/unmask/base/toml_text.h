#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// `text`, UTF-8, as a basic string of TOML, with its quotes.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace unmask
