#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/world/outcome.h"

namespace unmask::replay {

/// Why a recorded result is not what the world answers, as far as the episode shows. The first that
/// fits, in this order.
enum class Cause : std::uint8_t {
  foreign_tool,   ///< a tool that the world doesn't have, but the log's harness had
  known_version,  ///< a difference between versions of tau2-bench that is known (known_versions.h)
  drawn_id,       ///< only ids that tau2-bench draws at random
  other_data,     ///< a read before anything was written: the initial data differ
  follows,        ///< after another difference of the episode, by which the states may have parted
  unexplained,
};
inline constexpr std::size_t kCauseCount = 6;
/// `foreign_tool`, `known_version`, `drawn_id`, `other_data`, `follows`, `unexplained`.
[[nodiscard]] std::string_view name_of(Cause cause);

/// A call whose recorded result is not what the world answers.
struct CallDifference {
  std::size_t call = 0;       ///< index into Episode::calls
  std::uint32_t message = 0;  ///< of the calling message
  std::string tool;
  std::string arguments;  ///< JSON text
  Cause cause = Cause::unexplained;
  std::string known;  ///< `known_version`: its id
  /// Where the results part: the path in a JSON result with `[]` for any index, such as
  /// `payment_history[].amount`; empty where one of them is plain text.
  std::string place;
  std::string recorded;  ///< around the first difference
  std::string replayed;

  bool operator==(const CallDifference&) const = default;
};

/// A recorded failure of a call that was executed again.
struct FailedCall {
  std::size_t call = 0;  ///< index into Episode::calls
  bool same = false;     ///< the world refuses it in the same words
  /// Why, where `same` and the world knows it.
  std::optional<world::Cause> cause;

  bool operator==(const FailedCall&) const = default;
};

/// The agent's successful writes outside the golden actions of the task (replay_episode).
struct StrayWrites {
  std::uint32_t count = 0;
  std::optional<std::size_t> first;  ///< index into Episode::calls

  bool operator==(const StrayWrites&) const = default;
};

/// A read before the episode wrote anything: it shows the initial data.
struct FirstRead {
  std::string tool;
  std::string arguments;  ///< JSON text; empty if equal
  std::string recorded;   ///< empty if equal
  bool equal = false;

  bool operator==(const FirstRead&) const = default;
};

/// A part of the reward.
enum class Part : std::uint8_t { db, env_assertions, actions, communicate };
inline constexpr std::size_t kPartCount = 4;
/// `db`, `env_assertions`, `actions`, `communicate`.
[[nodiscard]] std::string_view name_of(Part part);

/// A check of the evaluation that both the log and the replay have.
struct PartCheck {
  Part part = Part::db;
  std::string what;  ///< the action, assertion or information; empty for the databases
  bool recorded = false;
  bool replayed = false;

  bool operator==(const PartCheck&) const = default;
};

/// The reward in the log beside the recomputed one.
struct RewardReplay {
  std::optional<double> recorded;
  /// nullopt: not evaluated, `reason` says why.
  std::optional<double> replayed;
  std::string reason;
  /// What the evaluation raised, as tau2-bench would: `ValueError: ...`, in one line. The
  /// reward is then that of an evaluation which passes over writes that differ.
  std::string raised;
  std::vector<PartCheck> checks;
  /// Parts whose checks can't be compared because the log has another number of them.
  std::vector<Part> other_checks;

  [[nodiscard]] bool comparable() const { return recorded.has_value() && replayed.has_value(); }
  [[nodiscard]] bool equal() const { return comparable() && recorded == replayed; }

  bool operator==(const RewardReplay&) const = default;
};

/// What became of an episode's calls in the world.
struct EpisodeReplay {
  std::string id;
  std::string task_id;  ///< as in the log
  std::optional<int> trial;
  /// The task by which it was judged, where that is another than `task_id` names (TaskBook).
  std::string judged_as;
  /// Why it could not be replayed, a sentence; empty = it was.
  std::string not_replayed;
  std::size_t calls = 0;          ///< all of the log
  std::size_t own_calls = 0;      ///< of the log: of tools that this world has and not every one
  std::size_t foreign_calls = 0;  ///< of the log: succeeded, of tools that this world doesn't have
  std::size_t compared = 0;       ///< executed, with a recorded result beside
  std::size_t unanswered = 0;     ///< the log has no result: never executed, as far as it tells
  std::size_t unreadable = 0;     ///< arguments that are no JSON object
  std::size_t other_text = 0;     ///< equal as JSON values, not as texts
  std::vector<CallDifference> differences;
  std::vector<FirstRead> first_reads;
  std::vector<FailedCall> failed_calls;     ///< in order
  std::optional<StrayWrites> stray_writes;  ///< nullopt: the task names no golden actions
  RewardReplay reward;

  bool operator==(const EpisodeReplay&) const = default;
};

}  // namespace unmask::replay
