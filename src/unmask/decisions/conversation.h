#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/offered_tools.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/llm/chat.h"
#include "unmask/play/prompt_texts.h"

namespace unmask::decisions {

/// The system prompt of a log's agent, without tools. tau2-bench's logs hold the policy alone: what
/// stands around it is made by the code that `unmask run` asks its agents with. Of other logs it is
/// the header's policy, if any; their episodes may begin with their own. Errors: bad_input, with
/// what can be done, for agents whose prompt holds more than a log tells.
[[nodiscard]] Result<std::string> system_prompt(const LogHeader& header,
                                                const play::PromptTexts& texts);

/// Whether the log's model was spoken to in text alone, as contexts are: then they are the messages
/// that it saw. Else its calls and results went through a template of its own, and are put in words
/// for all arms alike.
[[nodiscard]] bool is_spoken_to_in_text(const LogHeader& header);

/// What an agent has seen of an episode up to a message, as chat messages.
class Conversation {
 public:
  Conversation(std::string system, std::vector<llm::ChatTool> tools);

  /// The next message of the transcript of `episode`, as far as the agent sees it: not the user's
  /// calls and their results.
  void add(const Episode& episode, const Message& message);

  /// What a model that is spoken to in text is shown before it goes on.
  [[nodiscard]] std::vector<llm::ChatMessage> shown() const;

  [[nodiscard]] bool begun() const { return begun_; }
  /// Whether a text stands in the system prompt or a message so far.
  [[nodiscard]] bool mentions(std::string_view text) const;

 private:
  llm::ChatRequest request_;
  bool begun_ = false;  ///< somebody but the agent has said something
};

}  // namespace unmask::decisions
