#pragma once

#include <string>
#include <string_view>

#include "unmask/power/power.h"

namespace unmask::power {

/// The answer for people, at most 80 columns wide: the process in a line, a table of designs an
/// effect, the smallest designs that reach the target. Ends with a newline. `ascii`: only ASCII.
[[nodiscard]] std::string power_text(const PowerAnswer& answer, bool ascii = false);

/// The answer as JSON, schema `unmask.power/1` (docs/schemas/power.json). `version` and `commit`
/// are those of the program that writes it. Shares are fractions, gaps and widenings points.
[[nodiscard]] std::string power_json(const PowerAnswer& answer, std::string_view version,
                                     std::string_view commit);

}  // namespace unmask::power
