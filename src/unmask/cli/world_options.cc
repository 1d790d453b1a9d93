#include "unmask/cli/world_options.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/world/world.h"

namespace unmask::cli {

void WorldOptions::add(CLI::App& app) {
  app.add_option("--tau2-data", tau2_data,
                 "official data: a checkout of tau2-bench, or what scripts/get-tau2-data "
                 "installed (default: this project's own worlds)")
      ->type_name("FOLDER");
}

std::vector<std::string> WorldOptions::names() {
  std::vector<std::string> names;
  for (const world::KnownWorld& world : world::known_worlds()) names.emplace_back(world.name);
  return names;
}

}  // namespace unmask::cli
