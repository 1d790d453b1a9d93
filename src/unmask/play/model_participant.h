#pragma once

#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

/// A party that a language model plays: tau2-bench's LLM agents and its user simulator. In a user's
/// requests the roles are flipped: the model is the assistant that speaks as the customer.
class ModelParticipant final : public Participant {
 public:
  /// `solo`: the rule of solo agents applies to each answer.
  ModelParticipant(Party party, ModelPrompt prompt, bool solo = false)
      : party_(party), prompt_(std::move(prompt)), solo_(solo) {}

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
  /// Raises ValueError for a solo agent's answer without calls.
  [[nodiscard]] world::Outcome<SentMessage> take_reply(const llm::ChatReply& reply) const override;
  [[nodiscard]] bool stops(const world::Message& message) const override;

  [[nodiscard]] const ModelPrompt& prompt() const { return prompt_; }

 private:
  Party party_;
  ModelPrompt prompt_;
  bool solo_;
};

/// A message of `party`'s view as its model is shown it.
[[nodiscard]] llm::ChatMessage chat_message(Party party, const world::Message& message);

/// A call that a model wrote, as one of `party`'s. Blank arguments are none, as servers send them
/// for tools that take none; arguments that are no JSON object make a malformed call.
[[nodiscard]] world::ToolCall tool_call(Party party, const llm::ChatCall& call);

}  // namespace unmask::play
