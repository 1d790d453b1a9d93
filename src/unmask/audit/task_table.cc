#include "unmask/audit/task_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/interner.h"
#include "unmask/episode/facts.h"
#include "unmask/stats/task_total.h"

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

std::vector<std::optional<std::uint32_t>> same_content(std::span<const TaskFacts> tasks,
                                                       std::span<const TaskFacts> others) {
  std::map<std::string_view, std::vector<std::uint32_t>> by_key;
  for (std::uint32_t i = 0; i < others.size(); ++i) by_key[others[i].key].push_back(i);
  std::vector<std::optional<std::uint32_t>> found(tasks.size());
  for (const bool by_id : {true, false}) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const auto candidates = by_key.find(tasks[i].key);
      if (found[i] || candidates == by_key.end()) continue;
      std::vector<std::uint32_t>& left = candidates->second;
      const auto chosen = std::ranges::find_if(
          left, [&](std::uint32_t other) { return !by_id || others[other].id == tasks[i].id; });
      if (chosen == left.end()) continue;
      found[i] = *chosen;
      left.erase(chosen);
    }
  }
  return found;
}

namespace {

/// The tasks that an arm brings to a comparison, and where they stand in it.
struct Brought {
  std::vector<TaskFacts> tasks;
  std::vector<std::uint32_t> places;
};

Brought brought(const ArmFacts& arm, TasksPaired which) {
  const std::vector<std::int64_t> episodes = TaskTable::of(arm).episodes;
  Brought result;
  for (std::uint32_t i = 0; i < arm.tasks.size(); ++i) {
    if (which == TasksPaired::observed && episodes[i] == 0) continue;
    result.tasks.push_back(arm.tasks[i]);
    result.places.push_back(i);
  }
  return result;
}

}  // namespace

TaskPairing pair_tasks(const ArmFacts& ref, const ArmFacts& arm, TasksPaired which) {
  const Brought ours = brought(ref, which);
  const Brought theirs = brought(arm, which);
  std::vector<std::optional<std::uint32_t>> partners = same_content(ours.tasks, theirs.tasks);
  std::vector<bool> taken(theirs.tasks.size());
  for (const std::optional<std::uint32_t>& partner : partners) {
    if (partner) taken[*partner] = true;
  }
  std::map<std::string_view, std::uint32_t> by_id;
  for (std::uint32_t i = 0; i < theirs.tasks.size(); ++i) by_id.emplace(theirs.tasks[i].id, i);
  TaskPairing pairing;
  for (std::size_t i = 0; i < ours.tasks.size(); ++i) {
    const TaskFacts& task = ours.tasks[i];
    const auto same_id = by_id.find(task.id);
    if (!partners[i] && same_id != by_id.end() && !taken[same_id->second]) {
      // A log without task texts has only ids to pair by.
      const TaskFacts& other = theirs.tasks[same_id->second];
      if (task.key == task.id || other.key == other.id) {
        partners[i] = same_id->second;
        taken[same_id->second] = true;
      } else {
        pairing.same_id_other_content.push_back(task.id);
      }
    }
    if (!partners[i]) continue;
    pairing.ref.push_back(ours.places[i]);
    pairing.arm.push_back(theirs.places[*partners[i]]);
  }
  pairing.left_out =
      static_cast<std::uint32_t>(ours.tasks.size() + theirs.tasks.size() - 2 * pairing.size());
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
