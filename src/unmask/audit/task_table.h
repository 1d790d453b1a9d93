#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/stats/task_total.h"

namespace unmask {

/// A set of failed calls that gets rates of its own: a channel, one kind of a channel, or a
/// roll-up.
struct ChannelSelector {
  std::string name;                       ///< as printed
  std::vector<Channel> channels;          ///< any of these
  std::string only_kind;                  ///< if not empty, only this kind
  std::vector<std::string> except_kinds;  ///< all kinds but these
  bool in_family = false;                 ///< tested in the family of amplifications

  bool operator==(const ChannelSelector&) const = default;
};

/// The roll-up of wrong arguments and unknown entities, as printed.
inline constexpr const char* kEntityArgument = "entity_argument";

/// The six channels, then the roll-ups `entity_argument` (the paper's Retail channel) and
/// `tool_name_nobody` (names that exist for nobody: tool_name net of wrong_owner).
[[nodiscard]] const std::vector<ChannelSelector>& channel_selectors();

/// Whose names are compared in failure sets: the channels, tool_name by provenance, and
/// `tool_name_unsupplied`: net of names that the policy or the other party's tool box supplies,
/// which correlate trivially.
[[nodiscard]] const std::vector<ChannelSelector>& failure_set_selectors();

/// `selector` resolved against one arm's kinds, so that testing a call is cheap.
class CallMatcher {
 public:
  CallMatcher(const ChannelSelector& selector, const ArmFacts& arm);
  [[nodiscard]] bool operator()(const CallFacts& call) const;

 private:
  std::uint32_t channels_ = 0;  // bit set
  std::int64_t only_kind_ = kAny;
  std::vector<std::uint32_t> except_kinds_;
  static constexpr std::int64_t kAny = -1;
  static constexpr std::int64_t kNever = -2;  // a kind that this arm does not have
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

/// Which of its tasks an arm brings to a comparison.
enum class TasksPaired : std::uint8_t {
  observed,  ///< those with an observed episode
  known,     ///< all that its log names, for bounds with vanished trials
};

/// For each of `tasks` the index of the one of `others` that has the same content: of several, the
/// one that has its id too, else the first that is left; none of `others` is given twice.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> same_content(
    std::span<const TaskFacts> tasks, std::span<const TaskFacts> others);

/// Tasks that two arms share, aligned: `ref[i]` and `arm[i]` index the same task.
struct TaskPairing {
  std::vector<std::uint32_t> ref, arm;
  std::uint32_t left_out = 0;                      ///< tasks that only one of the two has
  std::vector<std::string> same_id_other_content;  ///< ids paired by name but not by content

  [[nodiscard]] std::size_t size() const { return ref.size(); }
};
[[nodiscard]] TaskPairing pair_tasks(const ArmFacts& ref, const ArmFacts& arm,
                                     TasksPaired which = TasksPaired::observed);

/// Numerator over denominator for each task; both spans run over the same tasks.
[[nodiscard]] std::vector<stats::TaskTotal> totals(std::span<const std::int64_t> numerators,
                                                   std::span<const std::int64_t> denominators);

/// The shared tasks of two arms, each with its total in both.
[[nodiscard]] std::vector<stats::TaskPair> paired(const TaskPairing& pairing,
                                                  std::span<const stats::TaskTotal> ref,
                                                  std::span<const stats::TaskTotal> arm);

/// Tasks with at least one observed episode, of totals whose denominators may be 0 (no calls).
[[nodiscard]] std::vector<stats::TaskTotal> observed(std::span<const stats::TaskTotal> all,
                                                     std::span<const std::int64_t> episodes);

}  // namespace unmask
