#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// Whether an assertion on the environment held at the end.
struct AssertionCheck {
  Assertion assertion;
  bool met = false;
};

/// Whether some call of the episode matches a golden action.
struct ActionCheck {
  GoldenAction action;
  bool match = false;
  std::optional<ToolKind> kind;  ///< nullopt: the world has no such tool
};

/// What a judge says of an assertion in natural language.
struct NlCheck {
  std::string assertion;
  bool met = false;
  std::string justification;
};

/// Whether the agent told the user something.
struct CommunicateCheck {
  std::string info;
  bool met = false;
  std::string justification;
};

struct PartReward {
  RewardPart part = RewardPart::db;
  double reward = 0;  ///< 0 or 1

  bool operator==(const PartReward&) const = default;
};

/// The result of an evaluation; nullopt is the original's null.
struct RewardInfo {
  /// 0 or 1. nullopt: it hangs on assertions that only a judge can check, and there was no judge.
  std::optional<double> reward;
  std::optional<bool> db_match;
  std::optional<std::vector<AssertionCheck>> env_assertions;
  std::optional<std::vector<ActionCheck>> action_checks;
  std::optional<std::vector<NlCheck>> nl_assertions;
  std::optional<std::vector<CommunicateCheck>> communicate_checks;
  std::optional<std::vector<RewardPart>> reward_basis;
  std::optional<std::vector<PartReward>> breakdown;
  Value info;  ///< notes
};

/// As tau2-bench writes a RewardInfo: its keys in its order.
[[nodiscard]] Value to_value(const RewardInfo& info);

}  // namespace unmask::world
