#pragma once

#include <string>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask {

/// What differs between two arms besides the precision, one sentence each: a comparison is only as
/// good as what was held equal. Fields that a log does not tell are passed over.
[[nodiscard]] std::vector<std::string> identity_differences(const ArmFacts& ref,
                                                            const ArmFacts& arm);

}  // namespace unmask
