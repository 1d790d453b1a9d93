#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

/// What is raised where a script has ended and its episode has not.
inline constexpr std::string_view kNoMoreMessages = "The script has no more messages";

/// How a scripted agent departs from one that just speaks and never stops.
struct ScriptRules {
  bool solo = false;  ///< the rule of solo agents applies to each message (as_solo_message)
  bool stops_at_word = false;  ///< kStopWord in a message ends the episode
};

/// Says fixed messages, one a turn, whatever it hears. Raises IndexError once they are used up.
class Scripted : public Participant {
 public:
  explicit Scripted(std::vector<SentMessage> messages, ScriptRules rules = {})
      : messages_(std::move(messages)), rules_(rules) {}

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
  [[nodiscard]] bool stops(const world::Message& message) const override;

  [[nodiscard]] std::size_t size() const { return messages_.size(); }

 private:
  std::vector<SentMessage> messages_;
  ScriptRules rules_;
};

/// The user of solo mode, who never speaks: raises NotImplementedError when asked to.
class NoUser final : public Participant {
 public:
  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
};

}  // namespace unmask::play
