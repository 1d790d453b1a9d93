#include "unmask/episode/scored_decision.h"

#include <array>

namespace unmask {
namespace {

constexpr std::array<std::string_view, kDecisionKindCount> kNames = {
    "call_or_answer", "tool_name", "enum_argument", "entity_argument"};

}  // namespace

std::string_view name_of(DecisionKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<DecisionKind> decision_kind_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<DecisionKind>(i);
  return std::nullopt;
}

}  // namespace unmask
