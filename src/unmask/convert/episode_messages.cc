#include "unmask/convert/episode_messages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/convert/log_writer.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

constexpr std::string_view kNoResult = "Error: no result was recorded";

Message result_message(std::size_t call, std::string text) {
  return {.role = MessageRole::tool,
          .text = std::move(text),
          .first_call = static_cast<std::uint32_t>(call),
          .call_count = 0,
          .answers = static_cast<std::uint32_t>(call)};
}

/// Calls of one message and party, then their results; a message history takes up as many messages
/// as it had.
std::vector<Message> messages_of_calls(const Episode& episode) {
  const std::vector<ToolCall>& calls = episode.calls;
  std::vector<Message> messages;
  bool in_history = episode.history_messages > 0;
  const auto end_history = [&] {
    messages.resize(episode.history_messages, {.role = MessageRole::user});
    in_history = false;
  };
  for (std::size_t from = 0; from < calls.size();) {
    if (in_history && !calls[from].in_history) end_history();
    std::size_t to = from + 1;
    while (to < calls.size() && calls[to].message == calls[from].message &&
           calls[to].party == calls[from].party) {
      ++to;
    }
    messages.push_back(
        {.role = calls[from].party == Party::agent ? MessageRole::agent : MessageRole::user,
         .text = {},
         .first_call = static_cast<std::uint32_t>(from),
         .call_count = static_cast<std::uint32_t>(to - from),
         .answers = {}});
    for (std::size_t call = from; call < to; ++call) {
      if (calls[call].answered) messages.push_back(result_message(call, calls[call].result));
    }
    from = to;
  }
  if (in_history) end_history();
  return messages;
}

/// Results for calls that failed without one, behind the message that made them.
std::vector<Message> with_missing_results(std::vector<Message> messages,
                                          const std::vector<ToolCall>& calls) {
  std::vector<Message> all;
  all.reserve(messages.size());
  for (Message& message : messages) {
    // A cut transcript may speak of calls that were cut off.
    const std::size_t first = std::min<std::size_t>(message.first_call, calls.size());
    const std::size_t count = std::min<std::size_t>(message.call_count, calls.size() - first);
    message.call_count = static_cast<std::uint32_t>(count);
    if (message.answers && *message.answers >= calls.size()) message.answers.reset();
    all.push_back(std::move(message));
    for (std::size_t call = first; call < first + count; ++call) {
      if (calls[call].failed && !calls[call].answered && !calls[call].in_history) {
        all.push_back(result_message(call, std::string(kNoResult)));
      }
    }
  }
  return all;
}

std::vector<std::string> ids_of(const std::vector<ToolCall>& calls) {
  std::vector<std::string> ids;
  std::set<std::string_view> seen;
  for (const ToolCall& call : calls) {
    ids.push_back(call.id);
    if (!call.id.empty()) seen.insert(call.id);
  }
  if (seen.size() == calls.size()) return ids;
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = "call_" + std::to_string(i);
  return ids;
}

}  // namespace

EpisodeMessages messages_of(const Episode& episode) {
  EpisodeMessages result;
  result.messages = episode.transcript.empty() ? messages_of_calls(episode) : episode.transcript;
  result.messages = with_missing_results(std::move(result.messages), episode.calls);
  result.ids = ids_of(episode.calls);
  return result;
}

void note_message_losses(const Episode& episode, Losses& losses) {
  if (episode.transcript.empty() && episode.messages > 0) {
    ++losses["the log has no message texts; only calls and their results are written"];
  }
  const auto any = [&episode](auto&& has) { return std::ranges::any_of(episode.calls, has); };
  if (any([](const ToolCall& call) { return call.stated_channel.has_value(); })) {
    ++losses["channels that the log states have no place in this format"];
  }
  if (any([](const ToolCall& call) { return call.arguments.empty(); })) {
    ++losses["the log has no arguments of calls; {} stands in their place"];
  }
  if (!episode.decisions.empty()) ++losses["log-probabilities of tool names are left out"];
  // Readers count empty messages of the agent anew.
  const auto empty = std::ranges::count_if(
      episode.transcript | std::views::drop(episode.history_messages), [](const Message& message) {
        return message.role == MessageRole::agent && message.call_count == 0 &&
               message.text.find_first_not_of(" \t\r\n\v\f") == std::string::npos;
      });
  if (std::cmp_greater(episode.communication_errors, empty)) {
    ++losses["errors of communication that the log notes beside messages are left out"];
  }
  if (episode.reward_was_nan) ++losses["a reward that is no number is written as null"];
}

void write_arguments(json::JsonText& json, const ToolCall& call, json::Parser& parser) {
  if (call.arguments_are_object) {
    if (call.arguments.empty()) {
      json.begin_object().end_object();
      return;
    }
    // Written anew, since the log's own text may have needed repairs.
    if (const auto parsed = parser.parse(call.arguments)) {
      json.raw(json::to_json(parsed->root));
      return;
    }
  }
  json.string(call.arguments);
}

std::string_view termination_word(const Episode& episode) {
  return episode.termination == Termination::unknown ? std::string_view(episode.termination_text)
                                                     : name_of(episode.termination);
}

std::string_view role_of(Party party) { return party == Party::agent ? "assistant" : "user"; }

}  // namespace unmask
