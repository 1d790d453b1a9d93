#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/llm/chat.h"
#include "unmask/world/value.h"

namespace unmask::decisions {

/// What an agent could call in an episode.
struct OfferedTools {
  std::vector<std::string> names;
  std::vector<std::string> of_user;  ///< names of the other party's tools
  std::vector<llm::ChatTool> tools;  ///< as the agent was told them

  [[nodiscard]] bool offers(std::string_view name) const;

  /// The values that a schema lists for `argument` of `tool` (or for the elements of its list);
  /// empty where it lists none.
  [[nodiscard]] std::vector<world::Value> listed_values(std::string_view tool,
                                                        std::string_view argument) const;

 private:
  friend OfferedTools offered_tools(const ToolInventory& inventory);
  std::map<std::string, world::Value, std::less<>> schemas_;
};

/// Made ready for use; a schema that is no JSON counts as not known.
[[nodiscard]] OfferedTools offered_tools(const ToolInventory& inventory);

/// The tools of a log: its own, else those of its domain where that is known. Errors: bad_input,
/// with the remedy, where neither says what was offered.
[[nodiscard]] Result<ToolInventory> tools_of_log(const LogHeader& header);

}  // namespace unmask::decisions
