#include "unmask/play/participant.h"

#include "unmask/base/check.h"
#include "unmask/llm/chat.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

world::Outcome<SentMessage> Participant::take_reply(const llm::ChatReply& /*reply*/) const {
  UNMASK_CHECK(false);  // this participant never asks
}

bool Participant::stops(const world::Message& /*message*/) const { return false; }

}  // namespace unmask::play
