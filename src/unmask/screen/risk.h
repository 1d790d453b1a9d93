#pragma once

#include "unmask/screen/arm_screen.h"
#include "unmask/screen/settings.h"

namespace unmask::screen {

/// Fills `risk` and `reasons` from the rest of `screen`:
/// - unknown: no interval of a propensity (no calls, one task) or no solved episode;
/// - high: some channel is not near zero, and at the judged factor on the agent's errors at least
///   the serious loss is expected at one of the headline budgets;
/// - low: every channel is near zero, and the upper ends of those losses are below it;
/// - guarded: else.
void judge(ArmScreen& screen, const ScreenSettings& settings);

}  // namespace unmask::screen
