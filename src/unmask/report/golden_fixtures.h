#pragma once

#include <string>
#include <string_view>

namespace unmask::golden {

/// Compares `actual` with src/unmask/report/golden/`name`; fails with the first line that differs.
/// With UNMASK_UPDATE_GOLDEN=1 in the environment the file is written instead: review the diff.
void expect_golden(std::string_view name, const std::string& actual);

}  // namespace unmask::golden
