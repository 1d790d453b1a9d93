#include "unmask/cli/world_options.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/world/data_files.h"
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

Result<std::shared_ptr<const world::World>> WorldOptions::load(std::string_view name,
                                                               bool counted_ids) const {
  const world::KnownWorld* known = world::find_known_world(name);
  if (known == nullptr) {
    return fail(ErrorCode::invalid_argument, "there is no world `" + std::string(name) +
                                                 "`; there are " + joined(names(), ", "));
  }
  const Result<world::DataFiles> files = world::DataFiles::of_domain(tau2_data, known->data);
  if (!files) return tl::unexpected(files.error());
  return known->load(*files, world::LoadSettings{.counted_ids = counted_ids});
}

}  // namespace unmask::cli
