#pragma once

#include <nlohmann/json_fwd.hpp>

#include "unmask/report/json_values.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/margin_screen.h"
#include "unmask/screen/validation.h"

/// Parts of documents that tell of screens; keys as docs/schemas/screen.json has them.
namespace unmask::json_report {

[[nodiscard]] Json arm_screen(const screen::ArmScreen& arm);
[[nodiscard]] Json validation(const screen::Validation& validation);
[[nodiscard]] Json margin_screen(const screen::MarginScreen& screened);

}  // namespace unmask::json_report
