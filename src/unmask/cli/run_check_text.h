#pragma once

#include <string>
#include <vector>

#include "unmask/run/endpoint_check.h"
#include "unmask/run/run_plan.h"

namespace unmask::cli {

/// What `unmask run --check` prints: of each endpoint what it can do and what follows for the
/// study, then what the run will ask of it.
[[nodiscard]] std::string check_text(const run::RunPlan& plan,
                                     const std::vector<run::EndpointReport>& reports,
                                     const std::vector<run::RunEstimate>& estimates);

}  // namespace unmask::cli
