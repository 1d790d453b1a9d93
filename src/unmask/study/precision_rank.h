#pragma once

#include <string>

#include "unmask/audit/audit.h"

namespace unmask {

/// Order of precisions, the highest first: fp64, fp32, bf16 and fp16, 8 bits, 6, 5, 4 ...; unknown
/// words rank below all, at 0.
[[nodiscard]] int precision_rank(const std::string& precision);

/// The rank of an arm: the larger of what its name and what its log's identity say. A reference is
/// chosen by it.
[[nodiscard]] int precision_rank(const ArmInput& arm);

}  // namespace unmask
