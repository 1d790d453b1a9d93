#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "unmask/episode/facts.h"
#include "unmask/synthetic/process.h"

namespace unmask::synthetic {

/// Writes a simulated arm as a results file of tau2-bench's current single-file layout (the layout
/// that its own reader loads), piece by piece into `sink`. All texts are short and made up, and the
/// file's own header says that it is simulated. Reading the file back gives `arm`'s episodes: same
/// calls, channels, message numbers, ends and costs.
/// `arm` must come from simulate_arm(process, ...); `seed` is recorded in the header.
void write_tau2_log(const CellProcess& process, const ArmFacts& arm, std::uint64_t seed,
                    const std::function<void(std::string_view)>& sink);

}  // namespace unmask::synthetic
