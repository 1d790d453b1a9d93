#pragma once

#include <string>

#include "unmask/play/participant.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {

/// How the oracle asks the user for a step: words, the tool's name, its arguments as JSON.
/// FactsUser understands it.
[[nodiscard]] std::string step_request(const world::GoldenAction& action);

/// What the task wants the user to be told, a sentence each; empty if there is nothing.
[[nodiscard]] std::string wanted_words(const world::Task& task);

/// An agent that knows the solution: plays its task's golden actions in order, asking the user for
/// those that are the user's, then says what the task wants said and closes. In solo mode it calls
/// all tools itself and ends with kStopWord. The task must outlive it.
class Oracle final : public Participant {
 public:
  explicit Oracle(const world::Task& task, bool solo = false);

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
  [[nodiscard]] bool stops(const world::Message& message) const override;

 private:
  [[nodiscard]] std::string closing() const;

  const world::Task& task_;
  bool solo_;
};

}  // namespace unmask::play
