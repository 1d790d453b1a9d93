#include "unmask/play/scripted.h"

#include <string>
#include <utility>

#include "unmask/play/message_rules.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

world::Outcome<Turn> Scripted::take_turn(const View& view) const {
  if (view.own_turns() >= messages_.size()) {
    return world::raise("IndexError", std::string(kNoMoreMessages));
  }
  SentMessage sent = messages_[view.own_turns()];
  if (rules_.solo) {
    world::Outcome<world::Message> message = as_solo_message(std::move(sent.message));
    if (!message) return raised_by(message);
    sent.message = std::move(*message);
  }
  return sent;
}

bool Scripted::stops(const world::Message& message) const {
  return (rules_.solo || rules_.stops_at_word) && has_stop_word(message);
}

world::Outcome<Turn> NoUser::take_turn(const View& /*view*/) const {
  return world::raise("NotImplementedError", "In solo mode there is no user to speak");
}

}  // namespace unmask::play
