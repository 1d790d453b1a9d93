#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace unmask::llm {

enum class ChatRole : std::uint8_t { system, user, assistant, tool };

/// `system`, `user`, `assistant`, `tool`.
[[nodiscard]] std::string_view name_of(ChatRole role);

/// A call that a model asked for. `arguments` is the text it wrote, which need not be JSON.
struct ChatCall {
  std::string id;
  std::string name;
  std::string arguments;

  bool operator==(const ChatCall&) const = default;
};

/// A message of the chat completions format.
struct ChatMessage {
  ChatRole role = ChatRole::user;
  std::optional<std::string> content;
  std::optional<std::vector<ChatCall>>
      tool_calls;            ///< of an assistant; nullopt if it called nothing
  std::string tool_call_id;  ///< of a tool's message

  bool operator==(const ChatMessage&) const = default;
};

/// A tool offered to the model; `parameters` is a JSON Schema, as JSON text.
struct ChatTool {
  std::string name;
  std::string description;
  std::string parameters;

  bool operator==(const ChatTool&) const = default;
};

/// `unset` leaves the choice to the endpoint; the others are the format's `auto`, `required` and
/// `none`.
enum class ToolChoice : std::uint8_t { unset, automatic, required, none };

/// What a participant asks a model. Model, sampling and extra body are the endpoint's.
struct ChatRequest {
  std::vector<ChatMessage> messages;
  std::vector<ChatTool> tools;  ///< empty is written as no `tools` at all
  ToolChoice tool_choice = ToolChoice::unset;
  std::optional<std::uint64_t> seed;
  bool log_probabilities = false;  ///< of the generated tokens, with alternatives

  bool operator==(const ChatRequest&) const = default;
};

/// Tokens of one answer, as the endpoint counts them; nullopt where it doesn't say.
struct Usage {
  std::optional<std::uint64_t> prompt_tokens;
  std::optional<std::uint64_t> completion_tokens;

  bool operator==(const Usage&) const = default;
};

/// A model's answer: the first choice.
struct ChatReply {
  std::optional<std::string> content;
  std::vector<ChatCall> tool_calls;  ///< of a duplicate or missing id the text is kept as it came
  std::string finish_reason;         ///< the endpoint's word, unknown ones included
  Usage usage;
  std::string log_probabilities;  ///< the choice's `logprobs` as JSON; empty if there are none
  std::string body;               ///< the whole response
  double seconds = 0.0;           ///< from sending the last attempt to its last byte
  std::uint32_t attempts = 1;     ///< requests sent, the answered one included

  bool operator==(const ChatReply&) const = default;
};

/// Why there is no answer.
enum class ChatFault : std::uint8_t {
  connection,        ///< refused, reset, cut off, no such host, TLS
  timed_out,         ///< no complete answer before the deadline
  server,            ///< 408, 409, 425, 429 or 5xx, also after all retries
  refused,           ///< another status: the request itself, the key, the quota, the model's name
  context_overflow,  ///< the messages exceed the model's context
  undecodable,       ///< status 200 with a body that is no chat completion
  cancelled,         ///< by the caller
};

/// `connection`, `timed_out`, `server` and so on.
[[nodiscard]] std::string_view name_of(ChatFault fault);

struct ChatError {
  ChatFault fault = ChatFault::connection;
  int status = 0;       ///< HTTP status; 0 if there was none
  std::string message;  ///< names endpoint and remedy, never a secret
  std::string body;     ///< what was received, shortened; empty if nothing was
  std::uint32_t attempts = 1;

  bool operator==(const ChatError&) const = default;
};

/// An answer, or why there is none.
using ChatResult = tl::expected<ChatReply, ChatError>;

}  // namespace unmask::llm
