#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "unmask/llm/chat.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

/// A request for a model that has no template for tools: they are described at the end of the
/// system message, calls of the history are written as the JSON objects that the model is to write,
/// results as messages of the user. Two messages of one role in a row become one, as most templates
/// want.
[[nodiscard]] llm::ChatRequest as_text_request(llm::ChatRequest request);

/// The calls in a model's text: JSON objects `{"tool": name, "arguments": {...}}`, alone, in a code
/// block, in tags or beside words, which stay as the content. Also read are the keys `name` and
/// `function`, `parameters` and `args`. What begins as such an object but can't be read (cut off,
/// no JSON) becomes a call whose arguments are its text, so that it counts as malformed. A text
/// without any is returned as it is; calls that the server itself parsed are kept.
[[nodiscard]] llm::ChatReply from_text_reply(llm::ChatReply reply);

/// A participant that a model plays, spoken to in text alone. `inner` must outlive it.
class TextProtocol final : public Participant {
 public:
  explicit TextProtocol(const Participant& inner) : inner_(inner) {}

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
  [[nodiscard]] world::Outcome<SentMessage> take_reply(const llm::ChatReply& reply) const override;
  [[nodiscard]] bool stops(const world::Message& message) const override;
  [[nodiscard]] std::optional<std::string> objection(const world::Message& message) const override;

 private:
  const Participant& inner_;
};

}  // namespace unmask::play
