#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/ingest/context_words.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tool_result.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"

namespace unmask {

/// How a dialect of OpenAI's chat messages tells a failed call, and where calls may stand.
enum class ChatDialect : std::uint8_t {
  openai,     ///< flags, else words (see read_tool_result)
  tau_bench,  ///< words alone; calls may stand in texts (see read_action_text)
};

/// What a log knows of a message besides the message itself.
struct MessageNote {
  bool broken_call = false;    ///< its text is a call that can't be read
  std::string name;            ///< the tool that a broken call meant; may be empty
  std::optional<bool> failed;  ///< whether its call failed, where that is recorded
};

/// Optional members that are counted when they are missing.
using MissingFields = std::map<std::string, std::uint64_t>;

/// Turns OpenAI-style chat messages into an episode's calls and counts. A result belongs to the
/// waiting call that has its id; without an id, or where ids disagree, the order decides.
class ChatMessageReader {
 public:
  struct Options {
    ChatDialect dialect = ChatDialect::openai;
    bool transcript = false;
    std::uint32_t history = 0;  ///< leading messages that came with the task
  };

  /// For texts that hold JSON; lent, since a parser is worth keeping.
  struct Parsers {
    json::Parser arguments;
    json::Parser results;
  };

  ChatMessageReader(Episode& episode, Options options, Parsers& parsers, MissingFields& missing,
                    const Remarks& remarks)
      : episode_(episode),
        options_(options),
        missing_(missing),
        remarks_(remarks),
        argument_parser_(parsers.arguments),
        result_parser_(parsers.results) {}

  /// The next message. `following` is the one behind it, missing for the last.
  void message(const json::Value& message, const json::Value& following,
               const MessageNote& note = {});
  /// After the last message. Calls that can't be read and that nothing answered count as failed.
  void finish();

 private:
  void participant(const json::Value& message, const json::Value& following, Party party,
                   const MessageNote& note);
  /// Calls that stand in a text; true if there were any.
  bool text_calls(std::string_view text, const json::Value& following, const MessageNote& note);
  void structured_calls(const json::Value& list, Party party, const MessageNote& note);
  void structured_call(const json::Value& call, Party party, const MessageNote& note);
  void add_call(ToolCall call, std::optional<bool> failed);
  void result(const json::Value& message);
  /// Returns the call that it answers.
  std::uint32_t answer(std::size_t waiting, ToolResult result);
  [[nodiscard]] std::optional<std::size_t> waiting_for(const json::Value& message);
  void write_down(MessageRole role, std::string_view text, std::size_t first_call,
                  std::optional<std::uint32_t> answers = {});
  void usage(const json::Value& message);
  [[nodiscard]] bool in_history() const { return episode_.messages < options_.history; }

  struct Waiting {
    std::uint32_t call = 0;      ///< in Episode::calls
    std::optional<bool> failed;  ///< what the log records beside the result
  };

  Episode& episode_;
  Options options_;
  MissingFields& missing_;
  const Remarks& remarks_;
  CallContext context_;
  std::vector<Waiting> waiting_;
  json::Parser& argument_parser_;
  json::Parser& result_parser_;
};

}  // namespace unmask
