#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {

/// What a tool message says of a call, and what it doesn't say of its failure.
struct CallResult {
  std::string content;
  bool error = false;
  std::optional<Cause> cause = {};  ///< Raised::cause of an error

  bool operator==(const CallResult&) const = default;
};

/// Answers a call whose arguments can't be read, after `Error: `.
inline constexpr std::string_view kUnreadableArguments =
    "The arguments of this call are not a JSON object; nothing was done.";

/// What all environments of a world share.
struct EnvironmentSetup {
  std::string domain;
  std::string policy;       ///< for parties outside solo mode
  std::string policy_solo;  ///< empty where the world has no solo mode
  Toolkit agent;
  std::optional<Toolkit> user;
};

/// A simulated world in some state: it answers tool calls as tau2-bench's Environment does. The
/// base data are shared and immutable, a state holds only what has changed, so construction and
/// `clone` take microseconds. Thread-compatible; a clone and its origin may be used by two threads.
class Environment {
 public:
  virtual ~Environment() = default;
  Environment& operator=(const Environment&) = delete;

  /// Executes a call, and syncs after a successful one. Never fails: what goes wrong in the world
  /// is the content, `Error: ...`. No argument is checked against a schema or coerced.
  [[nodiscard]] CallResult call(const ToolCall& call);
  /// The same without the sync, as golden actions are executed by the evaluator.
  [[nodiscard]] CallResult call_without_sync(const ToolCall& call);

  /// Calls any method of a toolkit, tools included, then syncs; what it returned.
  [[nodiscard]] Outcome<Value> run(const FunctionCall& call);
  /// Runs an assertion; whether it returned its expected value. Raises if it returned no boolean.
  [[nodiscard]] Outcome<bool> check(const Assertion& assertion);
  /// Merges a task's initial data into the state. Raises where the world doesn't support it.
  [[nodiscard]] virtual Outcome<void> merge(const InitializationData& data);
  /// Ids that the environment will invent differ from those of an equal one with another stream.
  /// A world that invents none, or whose ids follow from its state, does nothing.
  virtual void set_id_stream(std::uint64_t stream);
  /// Carries changes over between the parties' databases. A world with one database does nothing.
  [[nodiscard]] virtual Outcome<void> sync();

  /// A snapshot: an equal environment that changes on its own.
  [[nodiscard]] virtual std::unique_ptr<Environment> clone() const = 0;

  /// SHA-256 of the agent's database as Python-style JSON with sorted keys: 64 hexadecimal digits.
  [[nodiscard]] virtual std::string agent_hash() const = 0;
  /// Of the user's database; nullopt where the world has none.
  [[nodiscard]] virtual std::optional<std::string> user_hash() const { return std::nullopt; }
  /// Whether both have equal hashes, which worlds may decide faster than by hashing. `other` is an
  /// environment of the same world.
  [[nodiscard]] virtual bool has_same_state(const Environment& other) const;

  [[nodiscard]] bool is_solo() const { return solo_; }
  [[nodiscard]] const std::string& domain() const { return setup_->domain; }
  [[nodiscard]] const std::string& policy() const {
    return solo_ ? setup_->policy_solo : setup_->policy;
  }
  /// Null: the party has no toolkit.
  [[nodiscard]] const Toolkit* toolkit(Party party) const;
  /// Whether a replay executes the tool again, looked up among the agent's tools, then the user's;
  /// nullopt if there is no such tool.
  [[nodiscard]] std::optional<bool> mutates(std::string_view tool) const;

 protected:
  /// The environment keeps `setup` alive.
  Environment(std::shared_ptr<const EnvironmentSetup> setup, bool solo)
      : setup_(std::move(setup)), solo_(solo) {}
  Environment(const Environment&) = default;

  /// Executes a tool of `owner`'s toolkit; returns the content of the tool message. Changes made
  /// before something is raised stay.
  [[nodiscard]] virtual Outcome<std::string> run_tool(Party owner, const Tool& tool,
                                                      const Arguments& arguments) = 0;
  /// Executes a tool or function for a task; returns its value. The base class runs tools and gives
  /// their content as a string; a world with functions overrides it.
  [[nodiscard]] virtual Outcome<Value> run_method(Party owner, const Tool& method,
                                                  const Arguments& arguments);

 private:
  [[nodiscard]] Outcome<std::string> dispatch(const ToolCall& call);

  std::shared_ptr<const EnvironmentSetup> setup_;
  bool solo_ = false;
};

/// Binds arguments by name. Raises Python's TypeErrors for a key that is no parameter (the first in
/// the arguments' order) and for missing ones.
[[nodiscard]] Outcome<Arguments> bind_arguments(std::string_view class_name, const Tool& tool,
                                                const Object& arguments);

/// A tool's record in a message list.
struct RecordedCall {
  const ToolCall* call = nullptr;
  const Message* result = nullptr;
};

/// Pairs each call with the tool message that must follow it. Raises ValueError where the list
/// breaks that order. Points into `messages`.
[[nodiscard]] Outcome<std::vector<RecordedCall>> recorded_calls(std::span<const Message> messages);

/// Brings a fresh environment into a recorded state: merges the initial data, runs the initial
/// actions, executes the recorded calls of tools that mutate again and compares their contents,
/// then syncs. `strict`: a difference raises ValueError (`Tool call:` and more lines); otherwise it
/// is passed over. `initial` may be null.
[[nodiscard]] Outcome<void> set_state(Environment& environment, const InitialState* initial,
                                      std::span<const Message> messages, bool strict = true);

/// Whether two contents of tool messages are the same: each parsed as JSON if it parses, otherwise
/// kept as text, then compared as Python does.
[[nodiscard]] bool same_content(std::string_view left, std::string_view right);

}  // namespace unmask::world
