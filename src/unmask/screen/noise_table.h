#pragma once

#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/screen/margin_screen.h"

namespace unmask::screen {

/// Margin noise of common methods as it was measured, from data/noise.toml; empty as long as
/// nothing was. Of other models and tasks than the user's: a hint of the size, no prediction.
[[nodiscard]] const std::vector<MarginNoise>& measured_noise();

/// Reads such a table: [[noise]] with `method` (text), `sigma` (nats, > 0), `measured_in` (text),
/// and `bias` (nats, default 0). Errors: bad_input with `source`, line and remedy.
[[nodiscard]] Result<std::vector<MarginNoise>> parse_noise_table(std::string_view text,
                                                                 std::string_view source);

}  // namespace unmask::screen
