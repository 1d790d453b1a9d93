#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// Base64 with padding, no line ends. RFC 4648.
[[nodiscard]] std::string base64(std::string_view bytes);

/// `text` compressed with gzip (no name, no time: equal text gives equal bytes), in base64: what a
/// browser's DecompressionStream reads.
[[nodiscard]] std::string packed_for_page(std::string_view text);

}  // namespace unmask
