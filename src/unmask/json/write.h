#pragma once

#include <string>

#include "unmask/json/value.h"

namespace unmask::json {

/// Compact JSON text of `value`, keys in the document's order; of a duplicate key the last value
/// stands. Non-ASCII text is written as UTF-8, NaN and infinities as `NaN`, `Infinity` (not JSON,
/// but what Python writes and what the log had).
[[nodiscard]] std::string to_json(const Value& value);

/// The same for hashing: keys sorted by their bytes, numbers without a fraction as integers, so
/// that a rewritten file (Python, JavaScript, sorted or not, escaped or not) gives the same bytes.
[[nodiscard]] std::string to_canonical_json(const Value& value);

}  // namespace unmask::json
