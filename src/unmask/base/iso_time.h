#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace unmask {

/// A moment as tau2-bench writes it, ISO-8601 without a zone; in UTC, so that no clock change puts
/// messages out of order. `time_us`: microseconds since 1970 UTC, of years 1 to 9999.
[[nodiscard]] std::string iso_time(std::int64_t time_us);

/// The same backwards; nullopt for another text.
[[nodiscard]] std::optional<std::int64_t> time_of_iso(std::string_view text);

}  // namespace unmask
