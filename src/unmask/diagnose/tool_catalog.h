#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"
#include "unmask/schema/argument_schema.h"

namespace unmask {

/// How far an inventory can be trusted against the texts of the log.
enum class InventoryOrigin {
  stated,   ///< the log or the user says which tools were offered
  assumed,  ///< taken from what is known of the domain; the log may have used another version of it
};

/// A ToolInventory made ready for many look-ups: schemas read, names sorted out by owner.
/// Immutable after construction.
class ToolCatalog {
 public:
  /// Nothing known.
  ToolCatalog() = default;
  /// A schema that can't be read counts as not known and is listed in `unreadable_schemas`.
  explicit ToolCatalog(const ToolInventory& inventory,
                       InventoryOrigin origin = InventoryOrigin::stated);

  /// False: a name that is not listed may still have been offered.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] InventoryOrigin origin() const { return origin_; }
  [[nodiscard]] bool offered(std::string_view name, Party party) const;
  /// Null if the tool or its schema is not known.
  [[nodiscard]] const ArgumentSchema* schema(std::string_view name, Party party) const;
  /// In the inventory's order.
  [[nodiscard]] std::span<const std::string> names(Party party) const;
  [[nodiscard]] const std::vector<std::string>& unreadable_schemas() const { return unreadable_; }

 private:
  struct Side {
    std::vector<std::string> names;
    std::map<std::string, std::optional<ArgumentSchema>, std::less<>> by_name;
  };
  void fill(Side& side, const std::vector<ToolDefinition>& tools);
  [[nodiscard]] const Side& side(Party party) const {
    return party == Party::agent ? agent_ : user_;
  }

  Side agent_;
  Side user_;
  bool complete_ = false;
  InventoryOrigin origin_ = InventoryOrigin::stated;
  std::vector<std::string> unreadable_;
};

}  // namespace unmask
