#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/diagnose/rule_set.h"
#include "unmask/diagnose/tool_catalog.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// Why one call failed. For a call that did not fail: evidence `none`, kind empty.
struct CallDiagnosis {
  Channel channel = Channel::other;
  std::string kind;  ///< `wrong_owner`, `missing`, `order`, `order_status` ...; empty if not known
  EvidenceKind evidence = EvidenceKind::none;
  std::string rule;    ///< id of the text rule, where one decided or named the kind
  std::string detail;  ///< `payment_id` (JSON pointer) or the offered name that was meant

  bool operator==(const CallDiagnosis&) const = default;
};

/// What re-executing a call in a native world showed; the caller (audit) asks the world.
struct ReexecutionOutcome {
  Channel channel = Channel::other;
  std::string kind;

  bool operator==(const ReexecutionOutcome&) const = default;
};

/// What diagnoses rest on besides the episode. Everything is borrowed and must outlive its use.
struct Evidence {
  const ToolCatalog* tools = nullptr;  ///< null: nothing known of the offered tools
  /// Identifiers of the policy, sorted (context_identifiers); for `named_in_context`.
  std::span<const std::string> policy_words;
  std::span<const std::string> other_domain_tools;  ///< names, for `other_domain`
  std::span<const RuleSet* const> rules;            ///< in order of precedence: user's first
  /// One per call of the episode where the world was re-executed; empty = not.
  std::span<const std::optional<ReexecutionOutcome>> reexecution;
};

/// One diagnosis per call of `episode`, in order. Evidence in DESIGN's order: structure,
/// re-execution, error text. Where a text proves that the tool ran (entity or precondition), an
/// inventory that lacks the name, or a schema that lacks an argument, is taken as wrong: the log
/// used another version of the world.
[[nodiscard]] std::vector<CallDiagnosis> diagnose(const Episode& episode, const Evidence& evidence);

/// Identifiers in a text that could be tool names: runs of letters, digits, `_`, `-`, `.` with at
/// least one `_` or inner capital; sorted, without repeats.
[[nodiscard]] std::vector<std::string> context_identifiers(std::string_view text);

}  // namespace unmask
