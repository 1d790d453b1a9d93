#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "unmask/world/outcome.h"
#include "unmask/world/value.h"

// What Python raises where a value of an unexpected type meets an operator or attribute.

namespace unmask::world::telecom {

/// `'int' object has no attribute 'lower'`.
[[nodiscard]] tl::unexpected<Raised> raise_no_attribute(const Value& value,
                                                        std::string_view attribute);

/// `'<=' not supported between instances of 'str' and 'int'`.
[[nodiscard]] tl::unexpected<Raised> raise_not_comparable(std::string_view op,
                                                          std::string_view left_type,
                                                          std::string_view right_type);

/// `int too large to convert to float`.
[[nodiscard]] tl::unexpected<Raised> raise_too_large();

[[nodiscard]] tl::unexpected<Raised> raise_value_error(std::string text,
                                                       std::optional<Cause> cause = {});

/// Python's bool(value).
[[nodiscard]] bool python_truth(const Value& value);

}  // namespace unmask::world::telecom
