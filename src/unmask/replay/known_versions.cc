#include "unmask/replay/known_versions.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/world/value.h"

namespace unmask::replay {
namespace {

using world::Value;

/// Takes price and options from an order's items.
void forget_variants(Value& order) {
  world::Object* object = order.object();
  Value* items = object == nullptr ? nullptr : object->find("items");
  if (items == nullptr || items->list() == nullptr) return;
  for (Value& item : *items->list()) {
    if (item.object() == nullptr) continue;
    item.object()->set("price", Value());
    item.object()->set("options", Value());
  }
}

bool differs_in_variants_only(const DifferingResult& result) {
  Result<Value> recorded = world::parse_json(result.recorded);
  Result<Value> replayed = world::parse_json(result.replayed);
  if (!recorded || !replayed || recorded->find("items") == nullptr) return false;
  forget_variants(*recorded);
  forget_variants(*replayed);
  return world::python_equal(*recorded, *replayed);
}

struct Entry {
  KnownVersion version;
  bool (*explains)(const DifferingResult& result);
};

constexpr std::array<Entry, 1> kEntries = {{
    {{.id = "variant_of_each_item",
      .domain = "retail",
      .tool = "modify_pending_order_items",
      .meaning =
          "in corrected copies of tau2-bench, items modified at once each get price and options of "
          "their own new item; in tau2-bench at a2c0247 all get those of the last pair",
      .changes_state = true},
     differs_in_variants_only},
}};

constexpr std::array<KnownVersion, kEntries.size()> kVersions = [] {
  std::array<KnownVersion, kEntries.size()> versions;
  for (std::size_t i = 0; i < kEntries.size(); ++i) versions[i] = kEntries[i].version;
  return versions;
}();

}  // namespace

std::span<const KnownVersion> known_versions() { return kVersions; }

const KnownVersion* known_version_of(const DifferingResult& result) {
  for (std::size_t i = 0; i < kEntries.size(); ++i) {
    const KnownVersion& version = kVersions.at(i);
    if (!version.domain.empty() && version.domain != result.domain) continue;
    if (!version.tool.empty() && version.tool != result.tool) continue;
    if (kEntries.at(i).explains(result)) return &version;
  }
  return nullptr;
}

}  // namespace unmask::replay
