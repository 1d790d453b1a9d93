#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// `text` with what looks like a credential (API keys, bearer tokens, `api_key=...`, passwords in
/// URLs) replaced by `[removed]`. For error texts of providers, which like to quote keys.
[[nodiscard]] std::string without_secrets(std::string_view text);

}  // namespace unmask
