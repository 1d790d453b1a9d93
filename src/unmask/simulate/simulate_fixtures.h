#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/world.h"

namespace unmask::simulate::fixtures {

/// A world of this project with invented tasks.
inline std::shared_ptr<const world::World> own_world(std::string_view name, std::uint32_t tasks) {
  world::generated::WorldSettings settings;
  settings.domain = name == "retail" ? world::generated::GeneratedDomain::retail
                                     : world::generated::GeneratedDomain::telecom;
  settings.tasks = tasks;
  settings.seed = 11;
  auto world = world::generated::own_world(name, settings);
  if (!world) throw std::runtime_error(world.error().message);
  return *world;
}

}  // namespace unmask::simulate::fixtures
