#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask {

/// A set of failed calls that gets rates of its own: a channel, one kind of a channel, or a
/// roll-up.
struct ChannelSelector {
  std::string name;               ///< as printed
  std::vector<Channel> channels;  ///< any of these
  std::string only_kind;          ///< if not empty, only this kind
  std::string except_kind;        ///< if not empty, all but this kind
  bool in_family = false;         ///< tested in the family of amplifications

  bool operator==(const ChannelSelector&) const = default;
};

/// The six channels, then the roll-ups `entity_argument` (the paper's Retail channel) and
/// `tool_name_nobody` (names that exist for nobody: tool_name net of wrong_owner).
[[nodiscard]] const std::vector<ChannelSelector>& channel_selectors();

/// `selector` resolved against one arm's kinds, so that testing a call is cheap.
class CallMatcher {
 public:
  CallMatcher(const ChannelSelector& selector, const ArmFacts& arm);
  [[nodiscard]] bool operator()(const CallFacts& call) const;

 private:
  std::uint32_t channels_ = 0;  // bit set
  std::int64_t only_kind_ = kAny;
  std::int64_t except_kind_ = kAny;
  static constexpr std::int64_t kAny = -1;
  static constexpr std::int64_t kNone = -2;  // a kind that this arm never has
};

/// Counts of one arm by task, over its observed episodes. Index = index into ArmFacts::tasks.
struct TaskTable {
  std::vector<std::int64_t> episodes;
  std::vector<std::int64_t> agent_calls;
  std::vector<std::int64_t> agent_failed;

  [[nodiscard]] static TaskTable of(const ArmFacts& arm);
};

/// The agent's errors that match, by task.
[[nodiscard]] std::vector<std::int64_t> errors_by_task(const ArmFacts& arm,
                                                       const ChannelSelector& selector);

/// Tasks that two arms share, aligned: `ref[i]` and `arm[i]` index the same task.
/// A task counts for an arm only if it has an observed episode there.
struct TaskPairing {
  std::vector<std::uint32_t> ref, arm;
  std::uint32_t left_out = 0;                      ///< tasks that only one of the two has
  std::vector<std::string> same_id_other_content;  ///< ids paired by name but not by content

  [[nodiscard]] std::size_t size() const { return ref.size(); }
};
[[nodiscard]] TaskPairing pair_tasks(const ArmFacts& ref, const ArmFacts& arm);

/// `values[index[i]]` for each i.
[[nodiscard]] std::vector<std::int64_t> pick(std::span<const std::int64_t> values,
                                             std::span<const std::uint32_t> index);

}  // namespace unmask
