#include "unmask/audit/task_table.h"

#include <algorithm>
#include <map>

namespace unmask {
namespace {

std::int64_t find_kind(const Interner& kinds, std::string_view kind, std::int64_t missing) {
  for (std::uint32_t id = 0; id < kinds.size(); ++id) {
    if (kinds.text(id) == kind) return id;
  }
  return missing;
}

std::vector<ChannelSelector> make_selectors() {
  std::vector<ChannelSelector> selectors;
  for (const Channel channel : kModelChannels) {
    selectors.push_back(
        {.name = std::string(name_of(channel)), .channels = {channel}, .in_family = true});
  }
  selectors.push_back(
      {.name = "entity_argument", .channels = {Channel::arguments, Channel::entity}});
  selectors.push_back(
      {.name = "tool_name_nobody", .channels = {Channel::tool_name}, .except_kind = "wrong_owner"});
  return selectors;
}

}  // namespace

const std::vector<ChannelSelector>& channel_selectors() {
  static const std::vector<ChannelSelector> selectors = make_selectors();
  return selectors;
}

CallMatcher::CallMatcher(const ChannelSelector& selector, const ArmFacts& arm) {
  for (const Channel channel : selector.channels) channels_ |= 1U << static_cast<unsigned>(channel);
  if (!selector.only_kind.empty()) only_kind_ = find_kind(arm.kinds, selector.only_kind, kNone);
  if (!selector.except_kind.empty())
    except_kind_ = find_kind(arm.kinds, selector.except_kind, kNone);
}

bool CallMatcher::operator()(const CallFacts& call) const {
  return call.failed && ((channels_ >> static_cast<unsigned>(call.channel)) & 1U) != 0 &&
         (only_kind_ == kAny || only_kind_ == call.kind) &&
         (except_kind_ == kAny || except_kind_ != call.kind);
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

TaskPairing pair_tasks(const ArmFacts& ref, const ArmFacts& arm) {
  const std::vector<std::int64_t> ref_episodes = TaskTable::of(ref).episodes;
  const std::vector<std::int64_t> arm_episodes = TaskTable::of(arm).episodes;
  std::map<std::string_view, std::uint32_t> arm_by_key;
  std::map<std::string_view, std::uint32_t> arm_by_id;
  std::uint32_t arm_tasks = 0;
  for (std::uint32_t i = 0; i < arm.tasks.size(); ++i) {
    if (arm_episodes[i] == 0) continue;
    ++arm_tasks;
    arm_by_key.emplace(arm.tasks[i].key, i);
    arm_by_id.emplace(arm.tasks[i].id, i);
  }
  TaskPairing pairing;
  std::uint32_t ref_tasks = 0;
  for (std::uint32_t i = 0; i < ref.tasks.size(); ++i) {
    if (ref_episodes[i] == 0) continue;
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

std::vector<std::int64_t> pick(std::span<const std::int64_t> values,
                               std::span<const std::uint32_t> index) {
  std::vector<std::int64_t> picked;
  picked.reserve(index.size());
  for (const std::uint32_t i : index) picked.push_back(values[i]);
  return picked;
}

}  // namespace unmask
