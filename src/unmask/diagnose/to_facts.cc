#include "unmask/diagnose/to_facts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "unmask/base/check.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {

namespace {

constexpr double kSuccessTolerance = 1e-6;

std::uint32_t task_index(const std::string& id, ArmFacts& arm) {
  const auto found =
      std::ranges::find_if(arm.tasks, [&](const TaskFacts& task) { return task.id == id; });
  if (found == arm.tasks.end()) {
    arm.tasks.push_back({id, id});
    return static_cast<std::uint32_t>(arm.tasks.size() - 1);
  }
  return static_cast<std::uint32_t>(found - arm.tasks.begin());
}

int next_trial(std::uint32_t task, const ArmFacts& arm) {
  return static_cast<int>(
      std::count_if(arm.episodes.begin(), arm.episodes.end(),
                    [&](const EpisodeFacts& episode) { return episode.task == task; }));
}

Exclusion exclusion_of(const Episode& episode) {
  if (episode.termination == Termination::infrastructure_error ||
      !episode.infrastructure_note.empty()) {
    return Exclusion::infrastructure;
  }
  return episode.reward ? Exclusion::none : Exclusion::no_reward;
}

}  // namespace

void to_facts(const Episode& episode, std::span<const CallDiagnosis> diagnoses, ArmFacts& arm) {
  UNMASK_CHECK(diagnoses.size() == episode.calls.size());
  if (arm.kinds.size() == 0) arm.kinds.intern("");
  EpisodeFacts facts;
  facts.task = task_index(episode.task_id, arm);
  facts.trial = episode.trial ? *episode.trial : next_trial(facts.task, arm);
  facts.excluded = exclusion_of(episode);
  if (facts.excluded == Exclusion::none && episode.reward) {
    facts.reward = *episode.reward;
    facts.success = std::abs(*episode.reward - 1.0) <= kSuccessTolerance;
  }
  facts.termination = episode.termination;
  facts.messages = episode.messages;
  facts.agent_messages = episode.agent_messages;
  facts.communication_errors = episode.communication_errors;
  facts.cost = episode.cost;
  facts.ref = episode.ref;
  for (std::size_t i = 0; i < episode.calls.size(); ++i) {
    const ToolCall& call = episode.calls[i];
    if (call.in_history) continue;
    CallFacts& row = facts.calls.emplace_back();
    row.name = arm.names.intern(call.name);
    row.message = call.message;
    row.party = call.party;
    row.failed = call.failed;
    if (!call.failed) continue;
    row.kind = arm.kinds.intern(diagnoses[i].kind);
    row.channel = diagnoses[i].channel;
    row.evidence = diagnoses[i].evidence;
  }
  arm.episodes.push_back(std::move(facts));
}

}  // namespace unmask
