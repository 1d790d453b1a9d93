#pragma once

#include "unmask/margins/findings.h"
#include "unmask/margins/paired_group.h"

namespace unmask::margins {

/// b, s and slope of the decisions inside of the window, with delete-a-task jackknife intervals.
/// The window is taken as given: it moves neither where the noise is the same at all margins.
[[nodiscard]] NoiseFindings noise_findings(const PairedGroup& group,
                                           const WindowedNoiseOrReason& windowed);

/// Share of the decisions with |m_ref| < 2 s. The interval (jackknife) knows that s is itself
/// estimated: s without a task moves the share by the density of |m_ref| around 2 s, taken from
/// 1.5 s to 2.5 s, since a share moves by steps.
[[nodiscard]] stats::Figure thin_share(const PairedGroup& group,
                                       const WindowedNoiseOrReason& windowed);

}  // namespace unmask::margins
