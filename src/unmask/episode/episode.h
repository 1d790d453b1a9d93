#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/episode/channel.h"
#include "unmask/episode/decision_point.h"
#include "unmask/episode/first_call.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// How an episode ended; tau2-bench's words, all versions.
enum class Termination : std::uint8_t {
  unknown,  ///< missing in the log, or a word nobody knows (kept in Episode::termination_text)
  user_stop,
  agent_stop,
  judge_stop,
  max_steps,
  timeout,
  too_many_errors,
  agent_error,
  user_error,
  infrastructure_error,
  context_window_exceeded,
  unexpected_error,
};
inline constexpr std::size_t kTerminationCount = 12;
[[nodiscard]] std::string_view name_of(Termination termination);
/// `unknown` for a word that is not one of them.
[[nodiscard]] Termination termination_from_name(std::string_view name);

/// Where an episode's text stands, so that report, replay and viewer can read it later.
struct EpisodeRef {
  std::uint32_t file = 0;    ///< index into the files: of the log, or of all inputs of a study
  std::uint64_t offset = 0;  ///< first byte in the uncompressed file
  std::uint64_t length = 0;  ///< in bytes; 0 = not known

  bool operator==(const EpisodeRef&) const = default;
};

/// One tool call with the result it got. Texts are as the log has them.
struct ToolCall {
  std::string id;    ///< may be empty or repeated within an episode
  std::string name;  ///< as called
  /// JSON text of the arguments; the raw text if that is not JSON; empty: the log lacks them.
  std::string arguments;
  bool arguments_are_object = true;  ///< false: `arguments` is not a JSON object (malformed call)
  Party party = Party::agent;
  std::uint32_t message = 0;  ///< index of the calling message in the saved order
  bool in_history = false;    ///< belongs to the task's message history: no loop counted it
  bool answered = false;      ///< a result stands in the log
  bool failed = false;        ///< the result is an error
  std::string result;         ///< the result's text; empty if unanswered
  /// Why it failed, where the log says so itself. A diagnosis takes it over.
  std::optional<Channel> stated_channel;
  std::string stated_kind;  ///< beside it; empty: not stated

  bool operator==(const ToolCall&) const = default;
};

/// Who a message is from.
enum class MessageRole : std::uint8_t { system, agent, user, tool };

/// A message with its text, for those who show or convert an episode. Its calls stand in
/// Episode::calls, from `first_call` on.
struct Message {
  MessageRole role = MessageRole::agent;
  std::string text;              ///< empty where the message only calls tools
  std::uint32_t first_call = 0;  ///< index into Episode::calls
  std::uint32_t call_count = 0;  ///< calls that this message makes
  /// Tool messages: the call that it answers; absent for an orphan.
  std::optional<std::uint32_t> answers;

  bool operator==(const Message&) const = default;
};

/// Tokens, seconds, money of an episode, each only where the log has it.
struct EpisodeCost {
  std::optional<std::int64_t> prompt_tokens;      ///< sum over the agent's messages
  std::optional<std::int64_t> completion_tokens;  ///< sum over the agent's messages
  std::optional<double> seconds;                  ///< wall time of the episode
  std::optional<double> agent_usd;
  std::optional<double> user_usd;

  bool operator==(const EpisodeCost&) const = default;
};

/// One trial of one task as an importer reads it: calls with their texts, everything else counted.
struct Episode {
  std::string id;
  std::string task_id;       ///< empty if the log has none
  std::optional<int> trial;  ///< as in the log; where it has none, importers number in file order
  std::optional<std::int64_t> seed;
  std::optional<double> reward;  ///< absent: null or missing; never NaN
  bool reward_was_nan = false;   ///< the log says NaN or infinity; `reward` is absent
  Termination termination = Termination::unknown;
  std::string termination_text;           ///< as in the log
  std::vector<std::string> reward_basis;  ///< `DB`, `COMMUNICATE` ...; empty if not stored
  /// All that the log says of the reward, as JSON text; only beside a transcript.
  std::string reward_record;
  std::vector<ToolCall> calls;             ///< both parties', in order
  std::vector<Message> transcript;         ///< only where the reader was asked for it
  std::uint32_t messages = 0;              ///< all messages saved, history included
  std::uint32_t agent_messages = 0;        ///< turns of the agent
  std::uint32_t history_messages = 0;      ///< leading messages that came with the task
  std::uint32_t communication_errors = 0;  ///< empty messages and errors that the harness noted
  std::uint32_t text_beside_calls = 0;     ///< messages with both text and tool calls
  EpisodeCost cost;
  std::string infrastructure_note;  ///< error text of a crashed episode
  /// Words from earlier messages are needed for provenance `named_in_context`; the importer keeps
  /// the identifiers (snake_case words and the like) of each message's text, with its index; of
  /// those at least the ones that a failed call is named by, from messages before its first call.
  std::vector<std::pair<std::uint32_t, std::string>> context_words;
  std::vector<DecisionPoint> decisions;
  /// Calls whose message has log-probabilities that leave the call's name out.
  std::uint32_t calls_without_choices = 0;
  /// Calls that a repair held back before they were executed, those of their messages that were not
  /// wrong included; `message` is the index of the one that was sent instead. Not among `calls`.
  /// nullopt: the log does not say.
  std::optional<std::vector<ToolCall>> held_back;
  /// What the answer is, where this is no episode but one answer at a state of a perfect run.
  std::optional<FirstCall> first_call;
  std::optional<Party> first_call_due;  ///< whose step is due there; nullopt: the log does not say
  /// Number of the task's golden action that is due there.
  std::optional<std::uint32_t> golden_action;
  /// Tools offered in this episode, where the log states them for each and they are not those of
  /// its header; else null.
  std::shared_ptr<const ToolInventory> tools;
  EpisodeRef ref;
};

}  // namespace unmask
