#pragma once

#include <memory>
#include <optional>
#include <string>

#include "unmask/llm/chat.h"
#include "unmask/play/participant.h"
#include "unmask/repair/call_repair.h"
#include "unmask/repair/repair_mode.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"

namespace unmask::play {

/// An agent played by a model, helped with calls that fail. The help is added to what the model is
/// asked and to nothing else: the trajectory, and with it every reader of it, sees the same kind of
/// messages as without. Under `reflex` each failed call's result is followed by its diagnosis, in
/// all later requests as well, so that a request still begins as the one before. Under `intercept`
/// a call that is wrong by itself is held back and answered with its diagnosis; those of former
/// turns are not shown again. `inner` must outlive it.
class RepairedAgent final : public Participant {
 public:
  /// `repair` is made of the tools that `inner` offers.
  RepairedAgent(const Participant& inner, repair::Mode mode,
                std::shared_ptr<const repair::CallRepair> repair);

  [[nodiscard]] world::Outcome<Turn> take_turn(const View& view) const override;
  [[nodiscard]] world::Outcome<SentMessage> take_reply(const llm::ChatReply& reply) const override;
  [[nodiscard]] bool stops(const world::Message& message) const override;
  [[nodiscard]] std::optional<std::string> objection(const world::Message& message) const override;

 private:
  void add_rule(llm::ChatRequest& request) const;
  void add_diagnoses(llm::ChatRequest& request, const View& view) const;
  void add_held_back(llm::ChatRequest& request, const View& view) const;

  const Participant& inner_;
  repair::Mode mode_;
  std::shared_ptr<const repair::CallRepair> repair_;
};

}  // namespace unmask::play
