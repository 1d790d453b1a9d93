#include "unmask/play/participant.h"

#include <optional>
#include <string>

#include "unmask/base/check.h"
#include "unmask/llm/chat.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

world::Outcome<SentMessage> Participant::take_reply(const llm::ChatReply& /*reply*/) const {
  UNMASK_CHECK(false);  // this participant never asks
}

std::optional<std::string> Participant::objection(const world::Message& /*message*/) const {
  return std::nullopt;
}

bool Participant::stops(const world::Message& /*message*/) const { return false; }

}  // namespace unmask::play
