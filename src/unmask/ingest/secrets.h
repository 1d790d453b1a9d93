#pragma once

#include <map>
#include <string>

#include "unmask/base/secrets.h"  // IWYU pragma: export
#include "unmask/json/value.h"

namespace unmask {

/// Settings of a model call, as text, from an `llm_args` object: what shapes the sampling. Numbers
/// and truth values are kept unless their key names a credential or mere transport (retries, rate
/// limits); strings only for a few known keys; of a URL the host alone (`endpoint`). Nested objects
/// are flattened with dots.
[[nodiscard]] std::map<std::string, std::string> sampling_settings(const json::Value& llm_args);

}  // namespace unmask
