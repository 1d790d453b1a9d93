#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::world {

/// The folder of a domain's data files below `root`: a tau2-bench checkout (data/tau2/domains), its
/// data folder, a folder of domains, or the domain's own. Errors: bad_input, naming the places that
/// were looked at and the remedy, if the domain is in none of them.
[[nodiscard]] Result<std::filesystem::path> find_domain_folder(const std::filesystem::path& root,
                                                               std::string_view domain);

}  // namespace unmask::world
