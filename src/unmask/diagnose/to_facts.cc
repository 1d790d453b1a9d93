#include "unmask/diagnose/to_facts.h"

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

Exclusion exclusion_of(const Episode& episode) {
  if (episode.termination == Termination::infrastructure_error ||
      !episode.infrastructure_note.empty()) {
    return Exclusion::infrastructure;
  }
  return episode.reward ? Exclusion::none : Exclusion::no_reward;
}

}  // namespace

TaskIndex::Entry& TaskIndex::of(const std::string& id, ArmFacts& arm) {
  for (; indexed_ < arm.tasks.size(); ++indexed_) {
    by_id_.try_emplace(arm.tasks[indexed_].id, Entry{static_cast<std::uint32_t>(indexed_), 0});
  }
  const auto [found, added] = by_id_.try_emplace(id);
  if (added) {
    found->second.task = static_cast<std::uint32_t>(arm.tasks.size());
    arm.tasks.push_back({id, id});
    ++indexed_;
  }
  return found->second;
}

void to_facts(const Episode& episode, std::span<const CallDiagnosis> diagnoses, ArmFacts& arm,
              TaskIndex& tasks) {
  UNMASK_CHECK(diagnoses.size() == episode.calls.size());
  if (arm.kinds.size() == 0) arm.kinds.intern("");
  EpisodeFacts facts;
  TaskIndex::Entry& task = tasks.of(episode.task_id, arm);
  facts.task = task.task;
  facts.trial = episode.trial ? *episode.trial : task.rows;
  ++task.rows;
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
  facts.first_call = episode.first_call;
  facts.first_call_due = episode.first_call_due;
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
