#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "unmask/episode/channel.h"

namespace unmask {

/// A tool as offered to one party.
struct ToolDefinition {
  std::string name;
  std::string parameters;     ///< JSON Schema of the arguments as JSON text; empty if not known
  std::string description{};  ///< as the model was told it; empty if the log has none

  bool operator==(const ToolDefinition&) const = default;
};

/// Tools by owner. `complete` = every offered tool is listed, so that any other name is a
/// hallucination by structure.
struct ToolInventory {
  std::vector<ToolDefinition> agent;
  std::vector<ToolDefinition> user;
  bool complete = false;
  std::string source;  ///< `log`, `tools file`, `known domain retail` ...

  bool operator==(const ToolInventory&) const = default;
};

/// What the log says of a task.
struct TaskDefinition {
  std::string id;
  std::string content_hash;  ///< SHA-256 of what defines it (FORMATS: tasks pair by content)
  std::uint32_t history_messages = 0;             ///< messages of its initial message history
  std::vector<std::string> golden_agent_actions;  ///< tool names
  std::vector<std::string> golden_user_actions;
  std::vector<std::string> reward_basis;
  std::string text;  ///< as the log has it, JSON text; only where transcripts were asked for

  bool operator==(const TaskDefinition&) const = default;
};

/// What made an arm what it is, as far as a log tells (DESIGN, "Arms are more than weights").
/// Fields the log does not have stay empty. Never holds a secret: keys are dropped when read.
struct ArmIdentity {
  std::string model;            ///< as the harness named it
  bool model_is_guess = false;  ///< read from the name of the file or its folder
  std::string precision;        ///< `int4`, `fp8`, `bf16` ...
  bool precision_is_guess = false;
  std::string quantization_method;  ///< `awq`, `gptq`, `gguf q4_k_m` ...
  std::string kv_cache_precision;
  std::string engine;
  std::string chat_template_hash;
  std::string tool_call_parser;
  std::string grammar_constrained;              ///< `yes`, `no` or empty
  std::map<std::string, std::string> sampling;  ///< temperature, top_p, seed ... as text
  std::string agent_implementation;
  std::string policy_hash;  ///< SHA-256 of the policy text
  std::string user_model;
  std::string user_implementation;
  std::map<std::string, std::string> user_sampling;

  bool operator==(const ArmIdentity&) const = default;
};

/// Whose failed calls the harness's counter saw.
enum class CountedParty : std::uint8_t { both, agent };

/// The error budget under which a log was made.
struct BudgetRegime {
  std::optional<int> nominal;  ///< `max_errors` as written in the log
  std::optional<int>
      enforced;        ///< K at which episodes were really stopped; empty = never (uncensored)
  bool known = false;  ///< false: neither version nor episodes tell
  CountedParty counts = CountedParty::both;
  std::string evidence;  ///< a sentence

  bool operator==(const BudgetRegime&) const = default;
};

struct Harness {
  std::string name;     ///< `tau2-bench`
  std::string version;  ///< `1.0.1`, or a range such as `0.1.x-0.2.1`
  std::string git_commit;
  std::string evidence;  ///< how we know, a sentence

  bool operator==(const Harness&) const = default;
};

/// All of a log but its episodes.
struct LogHeader {
  std::string file;         ///< as the user gave it
  std::string format;       ///< `tau2 results`, `tau2 folder` ...
  std::string arm;          ///< what the log itself calls its arm; empty if it doesn't
  std::string sha256;       ///< of the file's bytes (a folder: of its files' digests in name order)
  std::uint64_t bytes = 0;  ///< as on disk
  /// The files it was read from: one, or a folder's in name order. EpisodeRef::file is an index
  /// into these until logs are joined.
  std::vector<std::string> files;
  std::string timestamp;
  std::string domain;  ///< `retail`; empty if not known
  Harness harness;
  std::optional<int> num_trials;
  std::optional<int> max_steps;
  std::optional<int> max_errors;
  std::optional<std::int64_t> seed;
  std::vector<TaskDefinition> tasks;
  ArmIdentity identity;
  ToolInventory tools;
  std::string policy;  ///< the policy text, for provenance of names
  /// Optional fields that the format has and this log lacks, with the number of places.
  std::map<std::string, std::uint64_t> missing_fields;
  /// Why this log can be inspected but not audited (no calls, or no outcomes), a sentence; empty =
  /// it can be audited.
  std::string inspect_only;
};

}  // namespace unmask
