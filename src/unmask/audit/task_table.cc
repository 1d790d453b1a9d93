#include "unmask/audit/task_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "unmask/base/check.h"

namespace unmask {
namespace {

std::optional<std::uint32_t> find_kind(const Interner& kinds, std::string_view kind) {
  for (std::uint32_t id = 0; id < kinds.size(); ++id) {
    if (kinds.text(id) == kind) return id;
  }
  return std::nullopt;
}

ChannelSelector whole(Channel channel) {
  ChannelSelector selector;
  selector.name = name_of(channel);
  selector.channels = {channel};
  selector.in_family = true;
  return selector;
}

ChannelSelector tool_names(std::string name, std::string only, std::vector<std::string> except) {
  ChannelSelector selector;
  selector.name = std::move(name);
  selector.channels = {Channel::tool_name};
  selector.only_kind = std::move(only);
  selector.except_kinds = std::move(except);
  return selector;
}

std::vector<ChannelSelector> make_channel_selectors() {
  std::vector<ChannelSelector> selectors;
  for (const Channel channel : kModelChannels) selectors.push_back(whole(channel));
  ChannelSelector& entity_argument = selectors.emplace_back();
  entity_argument.name = kEntityArgument;
  entity_argument.channels = {Channel::arguments, Channel::entity};
  selectors.push_back(tool_names("tool_name_nobody", {}, {"wrong_owner"}));
  return selectors;
}

std::vector<ChannelSelector> make_failure_set_selectors() {
  std::vector<ChannelSelector> selectors;
  for (const Channel channel : kModelChannels) selectors.push_back(whole(channel));
  for (const char* provenance :
       {"wrong_owner", "near_miss", "named_in_context", "other_domain", "novel"}) {
    selectors.push_back(tool_names(std::string("tool_name:") + provenance, provenance, {}));
  }
  selectors.push_back(tool_names("tool_name_unsupplied", {}, {"wrong_owner", "named_in_context"}));
  return selectors;
}

}  // namespace

const std::vector<ChannelSelector>& channel_selectors() {
  static const std::vector<ChannelSelector> selectors = make_channel_selectors();
  return selectors;
}

const std::vector<ChannelSelector>& failure_set_selectors() {
  static const std::vector<ChannelSelector> selectors = make_failure_set_selectors();
  return selectors;
}

CallMatcher::CallMatcher(const ChannelSelector& selector, const ArmFacts& arm) {
  for (const Channel channel : selector.channels) channels_ |= 1U << static_cast<unsigned>(channel);
  if (!selector.only_kind.empty()) {
    const std::optional<std::uint32_t> kind = find_kind(arm.kinds, selector.only_kind);
    only_kind_ = kind ? static_cast<std::int64_t>(*kind) : kNever;
  }
  for (const std::string& except : selector.except_kinds) {
    if (const std::optional<std::uint32_t> kind = find_kind(arm.kinds, except))
      except_kinds_.push_back(*kind);
  }
}

bool CallMatcher::operator()(const CallFacts& call) const {
  return call.failed && ((channels_ >> static_cast<unsigned>(call.channel)) & 1U) != 0 &&
         (only_kind_ == kAny || only_kind_ == static_cast<std::int64_t>(call.kind)) &&
         std::find(except_kinds_.begin(), except_kinds_.end(), call.kind) == except_kinds_.end();
}

TaskTable TaskTable::of(const ArmFacts& arm) {
  TaskTable table;
  table.episodes.resize(arm.tasks.size());
  table.agent_calls.resize(arm.tasks.size());
  table.agent_failed.resize(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    ++table.episodes[episode.task];
    for (const CallFacts& call : episode.calls) {
      if (call.party != Party::agent) continue;
      ++table.agent_calls[episode.task];
      if (call.failed) ++table.agent_failed[episode.task];
    }
  }
  return table;
}

std::vector<std::int64_t> errors_by_task(const ArmFacts& arm, const ChannelSelector& selector) {
  const CallMatcher matches(selector, arm);
  std::vector<std::int64_t> errors(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    errors[episode.task] += std::count_if(
        episode.calls.begin(), episode.calls.end(),
        [&](const CallFacts& call) { return call.party == Party::agent && matches(call); });
  }
  return errors;
}

TaskPairing pair_tasks(const ArmFacts& ref, const ArmFacts& arm, TasksPaired which) {
  const bool all = which == TasksPaired::known;
  const std::vector<std::int64_t> ref_episodes = TaskTable::of(ref).episodes;
  const std::vector<std::int64_t> arm_episodes = TaskTable::of(arm).episodes;
  std::map<std::string_view, std::uint32_t> arm_by_key;
  std::map<std::string_view, std::uint32_t> arm_by_id;
  std::uint32_t arm_tasks = 0;
  for (std::uint32_t i = 0; i < arm.tasks.size(); ++i) {
    if (!all && arm_episodes[i] == 0) continue;
    ++arm_tasks;
    arm_by_key.emplace(arm.tasks[i].key, i);
    arm_by_id.emplace(arm.tasks[i].id, i);
  }
  TaskPairing pairing;
  std::uint32_t ref_tasks = 0;
  for (std::uint32_t i = 0; i < ref.tasks.size(); ++i) {
    if (!all && ref_episodes[i] == 0) continue;
    ++ref_tasks;
    if (const auto found = arm_by_key.find(ref.tasks[i].key); found != arm_by_key.end()) {
      pairing.ref.push_back(i);
      pairing.arm.push_back(found->second);
    } else if (const auto same_id = arm_by_id.find(ref.tasks[i].id); same_id != arm_by_id.end()) {
      // A log without task texts has only ids to pair by.
      const TaskFacts& other = arm.tasks[same_id->second];
      if (ref.tasks[i].key == ref.tasks[i].id || other.key == other.id) {
        pairing.ref.push_back(i);
        pairing.arm.push_back(same_id->second);
      } else {
        pairing.same_id_other_content.push_back(ref.tasks[i].id);
      }
    }
  }
  const auto shared = static_cast<std::uint32_t>(pairing.size());
  pairing.left_out = (ref_tasks - shared) + (arm_tasks - shared);
  return pairing;
}

std::vector<stats::TaskTotal> totals(std::span<const std::int64_t> numerators,
                                     std::span<const std::int64_t> denominators) {
  UNMASK_CHECK(numerators.size() == denominators.size());
  std::vector<stats::TaskTotal> result(numerators.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = {static_cast<double>(numerators[i]), static_cast<double>(denominators[i])};
  }
  return result;
}

std::vector<stats::TaskPair> paired(const TaskPairing& pairing,
                                    std::span<const stats::TaskTotal> ref,
                                    std::span<const stats::TaskTotal> arm) {
  std::vector<stats::TaskPair> pairs(pairing.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = {ref[pairing.ref[i]], arm[pairing.arm[i]]};
  }
  return pairs;
}

std::vector<stats::TaskTotal> observed(std::span<const stats::TaskTotal> all,
                                       std::span<const std::int64_t> episodes) {
  std::vector<stats::TaskTotal> kept;
  kept.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (episodes[i] > 0) kept.push_back(all[i]);
  }
  return kept;
}

}  // namespace unmask
