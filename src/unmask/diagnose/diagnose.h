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

namespace unmask {

/// Why one call failed. For a call that did not fail: evidence `none`, all texts empty.
struct CallDiagnosis {
  Channel channel = Channel::other;
  std::string kind;  ///< `wrong_owner`, `missing`, `order`, `order_status` ...; empty if not known
  EvidenceKind evidence = EvidenceKind::none;
  std::string rule;    ///< id of the text rule that fits, also where stronger evidence decided
  std::string detail;  ///< the offered name that was meant, or the JSON Pointer of the argument

  bool operator==(const CallDiagnosis&) const = default;
};

/// Why the call fails when it is executed again in a native world, where that gives the recorded
/// answer; the caller asks the world.
struct ReexecutionOutcome {
  Channel channel = Channel::other;
  std::string kind;

  bool operator==(const ReexecutionOutcome&) const = default;
};

/// What diagnoses rest on besides the episode. Everything is borrowed.
struct Evidence {
  const ToolCatalog* tools = nullptr;  ///< null: nothing known of the offered tools
  /// The policy's identifiers as context_identifiers gives them; for `named_in_context`.
  std::span<const std::string> policy_words;
  /// Names of tools of other known worlds; for `other_domain`.
  std::span<const std::string> other_domain_tools;
  /// In order of precedence: the user's, the domain's, the general ones.
  std::span<const RuleSet* const> rules;
  /// One per call of the episode where its world was re-executed; else empty.
  std::span<const std::optional<ReexecutionOutcome>> reexecution;
};

/// One diagnosis per call of `episode`, in order. A channel that the log states itself is taken
/// over. Else the first that fits (DESIGN, "Channels"): malformed, name not offered (`complete`
/// inventory, or the text says so), infrastructure (the text says so), schema violated,
/// re-execution, rules on the text, `other`. Where a re-execution knows the cause, it says what
/// otherwise rules find in the text. Either can show that a structural finding can't be the cause:
///  - a refusal by state (precondition) comes after the arguments were accepted, so types, enums
///    and bounds that the schema alone minds do not count;
///  - an entity that was not found is the cause where its own argument keeps to the schema, though
///    others do not;
///  - where the inventory is assumed, a text that only a running tool can give means that this
///    log's world has that tool, or takes those arguments; so does a call of that name that
///    succeeded.
[[nodiscard]] std::vector<CallDiagnosis> diagnose(const Episode& episode, const Evidence& evidence);

/// Words of a text that may be tool names (letters, digits and `_`, `-`, `.`, with at least one of
/// those or a capital inside), sorted, without repeats.
[[nodiscard]] std::vector<std::string> context_identifiers(std::string_view text);

}  // namespace unmask
