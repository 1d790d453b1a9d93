#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/world.h"

namespace unmask::world::generated {

/// A domain's generated files as its loader takes them.
[[nodiscard]] DataFiles data_files_of(GeneratedDomain domain, std::vector<GeneratedFile> files);

/// A generated world, loaded without a folder. `name` is a world whose data `settings.domain`
/// makes: `telecom-workflow` is telecom's with another policy. Errors as generate; invalid_argument
/// for a name that isn't of that domain.
[[nodiscard]] Result<std::shared_ptr<const World>> own_world(std::string_view name,
                                                             const WorldSettings& settings,
                                                             const LoadSettings& load = {});

/// Our own guidelines for a model that plays a user, with or without tools; those of generate().
[[nodiscard]] std::string_view user_guidelines(bool with_tools);

}  // namespace unmask::world::generated
