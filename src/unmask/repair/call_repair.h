#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/repair/repair_texts.h"
#include "unmask/schema/argument_schema.h"

namespace unmask::repair {

/// Says what is wrong with calls to a set of offered tools. It names what is offered and invents no
/// call of its own. Immutable: any number of threads may use one.
class CallRepair {
 public:
  /// A tool whose parameters are no schema accepts all arguments.
  CallRepair(std::span<const llm::ChatTool> offered, RepairTexts texts);

  /// The diagnosis of a call that is wrong by itself: its arguments are no JSON object, its name is
  /// not offered, its arguments break the tool's schema. nullopt: it may be executed.
  [[nodiscard]] std::optional<std::string> before(const llm::ChatCall& call) const;

  /// The diagnosis of a call that failed with the result `error`.
  [[nodiscard]] std::string after(const llm::ChatCall& call, std::string_view error) const;

  [[nodiscard]] const RepairTexts& texts() const { return texts_; }

 private:
  struct Tool {
    std::string name;
    ArgumentSchema schema;
    std::string parameters;  ///< `order_id (required), reason`
  };

  [[nodiscard]] const Tool* find(std::string_view name) const;
  /// What is wrong with the call itself; nullopt if nothing is.
  [[nodiscard]] std::optional<std::string> fault(const llm::ChatCall& call) const;

  std::vector<Tool> tools_;
  std::vector<std::string> names_;
  std::string offered_;  ///< the names, for people
  RepairTexts texts_;
};

}  // namespace unmask::repair
