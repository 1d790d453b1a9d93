#include "unmask/cli/world_options.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/world/data_files.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/world.h"

namespace unmask::cli {

void WorldOptions::add(CLI::App& app) {
  app.add_option("--tau2-data", tau2_data,
                 "official data: a checkout of tau2-bench, or what scripts/get-tau2-data "
                 "installed (default: this project's own worlds)")
      ->type_name("FOLDER");
}

std::vector<std::string> WorldOptions::names() const {
  std::vector<std::string> names;
  for (const world::KnownWorld& world : world::known_worlds()) {
    if (tau2_data.empty() && !world::generated::generated_domain_of_name(world.data)) continue;
    names.emplace_back(world.name);
  }
  return names;
}

Result<std::shared_ptr<const world::World>> WorldOptions::load(std::string_view name,
                                                               bool counted_ids) const {
  const world::KnownWorld* known = world::find_known_world(name);
  if (known == nullptr) {
    return fail(ErrorCode::invalid_argument, "there is no world `" + std::string(name) +
                                                 "`; there are " + joined(names(), ", "));
  }
  const world::LoadSettings settings{.counted_ids = counted_ids};
  if (!tau2_data.empty()) {
    const Result<world::DataFiles> files = world::DataFiles::of_domain(tau2_data, known->data);
    if (!files) return tl::unexpected(files.error());
    return known->load(*files, settings);
  }
  const std::optional<world::generated::GeneratedDomain> own =
      world::generated::generated_domain_of_name(known->data);
  if (!own) {
    return fail(ErrorCode::invalid_argument,
                "unmask has no data of its own for the world " + std::string(name) +
                    "; name tau2-bench's with --tau2-data (scripts/get-tau2-data installs them)");
  }
  world::generated::WorldSettings made;
  made.domain = *own;
  return world::generated::own_world(name, made, settings);
}

}  // namespace unmask::cli
