#pragma once

#include <string>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask::world {

/// Unpacks gzip data, several members in a row included. `file` begins the errors. Errors:
/// bad_input for what is no gzip or ends early.
[[nodiscard]] Result<std::string> gunzip(std::string_view packed, std::string_view file);

}  // namespace unmask::world
