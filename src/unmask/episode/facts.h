#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/base/interner.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/first_call.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// A call without its text: the row that budget, stats and audit work on. 16 bytes.
struct CallFacts {
  std::uint32_t name = 0;     ///< in ArmFacts::names
  std::uint32_t kind = 0;     ///< in ArmFacts::kinds (`wrong_owner`, `order` ...); 0 = none
  std::uint32_t message = 0;  ///< calls of one message share it
  Party party = Party::agent;
  bool failed = false;
  Channel channel = Channel::other;  ///< meaningful only if `failed`
  EvidenceKind evidence = EvidenceKind::none;

  bool operator==(const CallFacts&) const = default;
};

/// A call that a repair held back, so that it was neither executed nor counted by the budget.
struct InterceptedCall {
  std::uint32_t message = 0;  ///< the one that was sent instead
  Channel channel = Channel::tool_name;

  bool operator==(const InterceptedCall&) const = default;
};

/// Why an episode is no observation of the model.
enum class Exclusion : std::uint8_t { none, infrastructure, no_reward };

/// What executing an episode's calls again in its world showed.
struct ReexecutionFacts {
  enum class Status : std::uint8_t {
    no_world,      ///< there is no world for the log
    not_possible,  ///< the episode's initial state can't be had
    done,
  };
  Status status = Status::no_world;
  /// The agent's failed calls that the world answers otherwise: no evidence of why they failed.
  std::uint32_t differing = 0;
  /// Whether the task names the actions of a perfect run, against which writes can be held.
  bool golden_actions_known = false;
  /// The agent's successful writes that are no golden action; 0 where those are not known.
  std::uint32_t stray_writes = 0;
  std::optional<std::uint32_t> first_stray_write;  ///< index into EpisodeFacts::calls

  /// Whether stray_writes is a count.
  [[nodiscard]] bool writes_known() const { return status == Status::done && golden_actions_known; }

  bool operator==(const ReexecutionFacts&) const = default;
};

/// An episode without its text; the only input of budget, stats and audit. Live runs, proxy logs
/// and imported logs all produce it.
struct EpisodeFacts {
  std::uint32_t task = 0;  ///< in ArmFacts::tasks
  int trial = 0;
  double reward = 0.0;   ///< 0 where excluded
  bool success = false;  ///< reward within 1e-6 of 1
  Exclusion excluded = Exclusion::none;
  Termination termination = Termination::unknown;
  std::uint32_t messages = 0;
  std::uint32_t agent_messages = 0;
  std::uint32_t communication_errors = 0;
  EpisodeCost cost;
  std::vector<CallFacts> calls;                 ///< of the episode's own loop, in order; no history
  std::optional<ReexecutionFacts> reexecution;  ///< nullopt: nobody asked for it
  /// Wrong calls that were held back, in order; nullopt: the log does not say.
  std::optional<std::vector<InterceptedCall>> intercepted;
  std::optional<FirstCall> first_call;  ///< not an episode: one answer at a state of a perfect run
  std::optional<Party> first_call_due;  ///< whose step is due there; nullopt: the log does not say
  EpisodeRef ref;

  bool operator==(const EpisodeFacts&) const = default;
};

/// A task as an arm saw it. Two arms' tasks pair when `key` is equal.
struct TaskFacts {
  std::string id;
  std::string key;  ///< content hash where the log has the task's text, else the id

  bool operator==(const TaskFacts&) const = default;
};

/// One precision of a cell: all its episodes.
struct ArmFacts {
  std::string name;
  std::string cell;
  std::string domain;
  std::string model_family;  ///< the model's name without precision marks; empty if not known
  ArmIdentity identity;
  BudgetRegime budget;
  Harness harness;
  std::vector<std::string> reward_basis;  ///< union over its episodes
  Interner names;                         ///< tool names as called
  Interner kinds;                         ///< kinds of failures; id 0 is the empty kind
  std::vector<TaskFacts> tasks;
  std::vector<EpisodeFacts> episodes;  ///< excluded ones too
  std::optional<int> trials_promised;  ///< trials of each task that the log's header announces
  std::uint32_t missing_trials = 0;    ///< of these, never recorded (over all tasks)
  std::vector<std::uint32_t> inputs;   ///< indices of the files that it came from
};

/// Failed calls of `episode` that its own budget counts: both parties' or the agent's.
[[nodiscard]] std::uint32_t counted_errors(const EpisodeFacts& episode, CountedParty counted);

}  // namespace unmask
