#pragma once

#include <map>
#include <string>
#include <string_view>

#include "unmask/json/value.h"

namespace unmask {

/// `text` with what looks like a credential (API keys, bearer tokens, `api_key=...`, passwords in
/// URLs) replaced by `[removed]`. For error texts of providers, which like to quote keys.
[[nodiscard]] std::string without_secrets(std::string_view text);

/// Settings of a model call, as text, from an `llm_args` object: what shapes the sampling. Numbers
/// and truth values are kept unless their key names a credential or mere transport (retries, rate
/// limits); strings only for a few known keys; of a URL the host alone (`endpoint`). Nested objects
/// are flattened with dots.
[[nodiscard]] std::map<std::string, std::string> sampling_settings(const json::Value& llm_args);

}  // namespace unmask
