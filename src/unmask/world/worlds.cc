#include <array>
#include <span>
#include <string_view>

#include "unmask/world/mock/mock_world.h"
#include "unmask/world/retail/retail_world.h"
#include "unmask/world/telecom/telecom_world.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

constexpr std::array kWorlds = {
    KnownWorld{"mock", &mock::load_mock},
    KnownWorld{"retail", &retail::load_retail},
    KnownWorld{"telecom", &telecom::load_telecom_manual},
    KnownWorld{"telecom-workflow", &telecom::load_telecom_workflow},
};

}  // namespace

std::span<const KnownWorld> known_worlds() { return kWorlds; }

const KnownWorld* find_known_world(std::string_view name) {
  for (const KnownWorld& world : kWorlds) {
    if (world.name == name) return &world;
  }
  return nullptr;
}

}  // namespace unmask::world
