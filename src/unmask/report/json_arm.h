#pragma once

#include "unmask/audit/findings.h"
#include "unmask/report/json_values.h"

namespace unmask::json_report {

/// One arm of a cell: counts, channels, scores, recovery, names, lengths, identity.
[[nodiscard]] Json arm(const ArmFindings& arm);

/// Rates of one channel, without its kinds.
[[nodiscard]] Json channel(const ChannelFindings& channel);

/// Channels by name, each with its `kinds`.
[[nodiscard]] Json channels(const ArmFindings& arm);

}  // namespace unmask::json_report
