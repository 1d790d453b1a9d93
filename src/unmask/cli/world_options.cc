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
#include "unmask/world/task.h"
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

bool WorldOptions::has_data(std::string_view name) const {
  const world::KnownWorld* known = world::find_known_world(name);
  return known != nullptr &&
         (tau2_data.empty() || world::DataFiles::of_domain(tau2_data, known->data));
}

Result<void> WorldOptions::check() const {
  if (tau2_data.empty()) return {};
  return world::DataFiles::check_root(tau2_data);
}

namespace {

Result<std::shared_ptr<const world::World>> load_world(const world::KnownWorld& known,
                                                       const std::string& tau2_data,
                                                       const world::LoadSettings& settings) {
  if (!tau2_data.empty()) {
    const Result<world::DataFiles> files = world::DataFiles::of_domain(tau2_data, known.data);
    if (!files) return tl::unexpected(files.error());
    return known.load(*files, settings);
  }
  const std::optional<world::generated::GeneratedDomain> own =
      world::generated::generated_domain_of_name(known.data);
  if (!own) {
    return fail(ErrorCode::invalid_argument,
                "unmask has no data of its own for the world " + std::string(known.name) +
                    "; name tau2-bench's with --tau2-data (scripts/get-tau2-data installs them)");
  }
  world::generated::WorldSettings made;
  made.domain = *own;
  return world::generated::own_world(known.name, made, settings);
}

}  // namespace

Result<std::shared_ptr<const world::World>> WorldOptions::load(
    std::string_view name, const world::LoadSettings& settings) {
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  const world::KnownWorld* known = world::find_known_world(name);
  if (known == nullptr) {
    return fail(ErrorCode::invalid_argument, "there is no world `" + std::string(name) +
                                                 "`; there are " + joined(names(), ", "));
  }
  Result<std::shared_ptr<const world::World>> world = load_world(*known, tau2_data, settings);
  if (world) loaded_.emplace(name, *world);
  return world;
}

Result<const world::Task*> WorldOptions::task(const world::World& world, const std::string& id) {
  if (const world::Task* task = world.find_task(id)) return task;
  return fail(ErrorCode::invalid_argument, "the world " + world.name() + " has no task `" + id +
                                               "`; `unmask worlds tasks " + world.name() +
                                               "` lists them");
}

}  // namespace unmask::cli
