#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/llm/chat.h"
#include "unmask/local/generate.h"
#include "unmask/local/language_model.h"

namespace unmask::local {

struct LocalChatSettings {
  std::string name;  ///< of the model, for messages
  double temperature = 0.0;
  std::size_t most_tokens = 512;  ///< of an answer
  std::size_t top_logprobs = 20;  ///< alternatives a token, where log-probabilities are asked for
  std::chrono::milliseconds timeout{600'000};  ///< of one answer
  /// Each answer begins with this text, which the model goes on from; its tokens have no
  /// log-probabilities. An answer that so begins a JSON object ends with the object.
  std::string begins;
};

/// A model in the process that answers chats as an endpoint does, one after another, on a thread of
/// its own. Tools can't be offered to it: whoever asks explains them in words
/// (play/text_protocol.h). Thread-safe.
class LocalChat {
 public:
  using OnDone = std::function<void(llm::ChatResult)>;

  LocalChat(std::unique_ptr<LanguageModel> model, LocalChatSettings settings);
  /// Stops the answer under way; it and all in line are `cancelled`.
  ~LocalChat();
  LocalChat(const LocalChat&) = delete;
  LocalChat& operator=(const LocalChat&) = delete;

  /// Calls `on_done` once, on the model's thread; it must not throw. A request with a seed is
  /// answered the same each time; without one, as with seed 0. Faults: context_overflow;
  /// undecodable for logits that are no numbers; timed_out; refused for a request with tools or a
  /// chat template that is not known; cancelled.
  void submit(llm::ChatRequest request, OnDone on_done);

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// `logprobs` of chat completions for an answer's tokens: token, logprob, bytes, top_logprobs. The
/// bytes of a token that is no valid UTF-8 alone are replaced in `token` and whole in `bytes`.
[[nodiscard]] std::string log_probabilities_json(const Answer& answer, const LanguageModel& model);

/// Whether `text`, which begins with a brace, holds the whole JSON object: braces are counted
/// outside of strings, nothing else is looked at.
[[nodiscard]] bool object_is_closed(std::string_view text);

/// One chat, on the calling thread; `goes_on` is asked before each token and may be empty.
[[nodiscard]] llm::ChatResult answer_chat(LanguageModel& model, const llm::ChatRequest& request,
                                          const LocalChatSettings& settings,
                                          const std::function<bool()>& goes_on);

}  // namespace unmask::local
