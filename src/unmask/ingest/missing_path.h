#pragma once

#include <string>

namespace unmask {

/// What to tell someone whose `path` leads to no file, to be put behind `no such file`: names in
/// the same folder that are near, the first folder on the way that is missing, what else the folder
/// holds. Begins with `; `.
[[nodiscard]] std::string missing_path_hint(const std::string& path);

}  // namespace unmask
