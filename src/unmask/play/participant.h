#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "unmask/llm/chat.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

/// What is known of a message beside its content.
struct MessageRecord {
  std::int64_t time_us = 0;  ///< microseconds since 1970 UTC; never before the message ahead of it
  std::optional<double> cost;  ///< USD; nullopt: not known
  llm::Usage usage;
  std::optional<double> seconds;  ///< that the model took

  bool operator==(const MessageRecord&) const = default;
};

/// A message that a participant was about to send and that was held back (mode of repair
/// `intercept`): nothing of it was said or executed.
struct HeldBack {
  std::size_t before = 0;  ///< index in the trajectory of the message that was sent instead
  world::Message message;
  MessageRecord record;
  std::string diagnosis;  ///< what its sender is told
};

/// What a participant has seen of an episode, in order: its own messages, what was said to it, the
/// results of its own calls. All that it may know of the other side.
class View {
 public:
  View(std::span<const world::Message> trajectory, std::span<const std::uint32_t> seen,
       std::size_t own_turns, std::span<const HeldBack> held_back = {})
      : trajectory_(trajectory), seen_(seen), own_turns_(own_turns), held_back_(held_back) {}

  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  [[nodiscard]] const world::Message& operator[](std::size_t i) const {
    return trajectory_[seen_[i]];
  }
  /// How many messages the participant has sent since the episode began, those of the task's
  /// history and the greeting not counted.
  [[nodiscard]] std::size_t own_turns() const { return own_turns_; }
  /// What was held back of this turn so far.
  [[nodiscard]] std::span<const HeldBack> held_back() const { return held_back_; }

 private:
  std::span<const world::Message> trajectory_;
  std::span<const std::uint32_t> seen_;
  std::size_t own_turns_ = 0;
  std::span<const HeldBack> held_back_;
};

/// A participant's message with its record, whose time the orchestrator sets if it is nullopt.
struct SentMessage {
  world::Message message;
  std::optional<double> cost;
  llm::Usage usage;
  std::optional<double> seconds;
  std::optional<std::int64_t> time_us;
};

/// What a participant does when its turn comes: it speaks at once, or first asks a model.
using Turn = std::variant<SentMessage, llm::ChatRequest>;

/// The agent or the user of an episode. A turn is a function of the view alone, so an episode can
/// be resumed by giving its recorded messages to the orchestrator again: no participant keeps what
/// was said. Thread-compatible; one that is const and stateless may serve many episodes.
class Participant {
 public:
  virtual ~Participant() = default;

  /// Raises what the original raises where no message can be made.
  [[nodiscard]] virtual world::Outcome<Turn> take_turn(const View& view) const = 0;

  /// Makes the message of a model's answer to the request of the last turn. Malformed calls of the
  /// answer are kept as such. Only of a participant that asks.
  [[nodiscard]] virtual world::Outcome<SentMessage> take_reply(const llm::ChatReply& reply) const;

  /// Whether an agent's message ends the episode (`agent_stop`). Not asked of users, whose stop
  /// words are the same for all (stops_as_user).
  [[nodiscard]] virtual bool stops(const world::Message& message) const;

  /// Why a message of its own is to be held back and the participant asked again; nullopt: it is
  /// taken. See EpisodeSettings::max_held_back.
  [[nodiscard]] virtual std::optional<std::string> objection(const world::Message& message) const;
};

}  // namespace unmask::play
