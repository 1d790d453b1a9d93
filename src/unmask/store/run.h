#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a run consists of, as values. Texts named JSON are one complete JSON value each. A string
/// that is empty where the comment says "or empty" is stored as absent.
namespace unmask::store {

/// What one run is. Written once, by RunStore::create.
struct RunInfo {
  std::string study;     ///< the study file's text as given; credentials in it are removed
  std::string settings;  ///< JSON object: what the command line added; without credentials
  std::string version;   ///< of unmask
  std::string created;   ///< ISO-8601
  /// SHA-256 of the study as given: what tells whether a study has changed. Computed by create().
  std::string study_hash;

  bool operator==(const RunInfo&) const = default;
};

/// Who plays one party, in tau2-bench's words.
struct PlayerInfo {
  std::string implementation;  ///< `llm_agent`, `user_simulator` ...
  std::string llm;             ///< model, or empty
  std::string llm_args;        ///< JSON object, or empty; without credentials

  bool operator==(const PlayerInfo&) const = default;
};

/// An arm of a cell: what all its units share.
struct ArmInfo {
  std::string cell;
  std::string arm;
  std::string domain;
  PlayerInfo agent;
  PlayerInfo user;
  std::string policy;           ///< of the domain, or empty
  std::string played_policy;    ///< what the agent was given where it isn't `policy` (solo mode)
  std::string tools;            ///< JSON list of the agent's tools, or empty
  std::string user_guidelines;  ///< or empty
  std::int64_t num_trials = 1;
  std::int64_t max_steps = 0;
  std::int64_t max_errors = 0;
  std::optional<std::int64_t> seed;
  std::string git_commit;  ///< of the harness; may be empty
  /// JSON object, or empty: what tau2-bench has no member for, by the names of `unmask` in a
  /// converted log (`precision`, `engine`, `chat_template_hash`, `user_tools` ...; see
  /// convert/tau2_writer.cc). An export carries it.
  std::string identity;

  bool operator==(const ArmInfo&) const = default;
};

/// A task as tau2-bench writes it.
struct TaskText {
  std::string id;
  std::string json;

  bool operator==(const TaskText&) const = default;
};

/// One episode of a run: a task played once by an arm.
struct UnitKey {
  std::string cell;
  std::string arm;
  std::string task_id;
  int trial = 0;

  auto operator<=>(const UnitKey&) const = default;
};

enum class UnitId : std::int64_t {};

enum class UnitState : std::uint8_t {
  open,            ///< begun; to be continued from its turns
  done,            ///< ended by itself: has an outcome that counts
  infrastructure,  ///< gave up for reasons that are not the agent's; to be tried again
};

/// `open`, `done`, `infrastructure`: as the file has them.
[[nodiscard]] std::string_view name_of(UnitState state);

/// A row of the list of units.
struct Unit {
  UnitId id{};
  UnitKey key;
  std::int64_t seed = 0;
  UnitState state = UnitState::open;
  std::uint32_t attempts = 1;  ///< starts from nothing, the present one included
  std::size_t turns = 0;
  std::string termination;  ///< `user_stop` ...; empty while open
  std::optional<double> reward;

  bool operator==(const Unit&) const = default;
};

/// How a unit ended.
struct Outcome {
  UnitState state = UnitState::done;  ///< not `open`
  std::string termination;            ///< a word of tau2-bench: `user_stop`, `max_steps` ...
  std::optional<double> reward;
  std::string reward_info;  ///< JSON object as tau2-bench writes it, or empty
  std::string info;         ///< JSON object, or empty: an infrastructure error's text ...
  std::string start_time;   ///< ISO-8601, as tau2-bench: local, no zone
  std::string end_time;
  double seconds = 0.0;
  std::optional<double> agent_cost;  ///< US dollars
  std::optional<double> user_cost;

  bool operator==(const Outcome&) const = default;
};

/// What a turn is: a message by its role, or something beside the trajectory.
enum class TurnKind : std::uint8_t {
  system,
  user,
  assistant,
  tool,
  /// Paid for or decided, but no message: a judge's answer, an intercepted call, a diagnosis of the
  /// repair. `body` is any JSON object. Kept for resuming, never exported as a message.
  aside,
};

/// `system`, `user`, `assistant`, `tool`, `aside`: as the file has them.
[[nodiscard]] std::string_view name_of(TurnKind kind);

/// What is known of the model's answer that a turn came from.
struct ModelResponse {
  std::optional<std::uint64_t> prompt_tokens;
  std::optional<std::uint64_t> completion_tokens;
  std::string finish_reason;
  std::optional<double> seconds;
  std::uint32_t attempts = 1;     ///< requests sent, the answered one included
  std::optional<double> cost;     ///< US dollars
  std::string log_probabilities;  ///< JSON, or empty
  std::string raw_body;           ///< the whole response as received, or empty

  bool operator==(const ModelResponse&) const = default;
};

/// A step of a unit.
struct Turn {
  TurnKind kind = TurnKind::assistant;
  /// JSON object. A message has the members of tau2-bench's: `role`, `content`, `tool_calls`, or
  /// `id`, `role`, `content`, `requestor`, `error`; others may be left out, an export completes
  /// them. `arguments` of a call that can't be read is the text as the model wrote it, a string.
  std::string body;
  std::string timestamp;  ///< ISO-8601, as tau2-bench: local, no zone; or empty
  std::optional<ModelResponse> response;

  bool operator==(const Turn&) const = default;
};

}  // namespace unmask::store
