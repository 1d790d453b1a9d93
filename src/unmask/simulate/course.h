#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/simulate/decision.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/value.h"

namespace unmask::simulate {

/// How the agent is helped after a failed call, or warned before one (modes of repair in a run).
struct RepairTraits {
  bool rule = false;       ///< the system prompt tells to stop at a name that is not offered
  bool diagnosed = false;  ///< a failed call is answered with a diagnosis
};

/// What makes a simulated agent of one episode.
struct AgentSettings {
  std::string policy;  ///< that the agent is told: names in it are tempting
  ModelTraits traits;
  LogitNoise noise;
  RepairTraits repair;
  std::uint64_t seed = 0;        ///< of the study: fixes what trials and arms share
  std::uint64_t trial_seed = 0;  ///< of the episode, the same in all arms
  /// The task is taken up where this golden action is due, those before it are done by somebody
  /// else and the looks before it are left out; nullopt: from its beginning.
  std::optional<std::size_t> golden_action;
};

/// What the agent does next.
struct Action {
  enum class Kind : std::uint8_t { call, ask, close, hand_over };
  Kind kind = Kind::close;
  std::string tool;         ///< called, asked for, or by which the user is handed over
  world::Object arguments;  ///< likewise
  /// The decision by which the name was chosen; nullopt where there was none to make.
  std::optional<Decision> decision;
};

/// An episode as a simulated agent goes through it, told what became of each action. Deterministic:
/// the same outcomes give the same course.
///
/// It takes the plan's steps in order. A needed step may be thought done (a duty decision) and is
/// then left out. At each other step the agent chooses a name: at a step of its own, its tool
/// against invented names; at one of the user, a request in words against calling the phone's tool
/// itself. With the right tool it still may garble an id. After a failed call the error is taken to
/// heart with the model's probability of recovery: then it does the step right, a request in words
/// after a look-up of its own. Otherwise it fails once more: it calls the best of the tempting
/// names, or garbles the id again. A step that is refused twice although it was done right is let
/// be. After the last step it closes; a user who is not content then makes it go over the steps
/// that are not done, twice at most, and then hand over.
class Course {
 public:
  /// `plan`, `task_id` and `settings` must outlive it.
  Course(const Plan& plan, std::string_view task_id, const AgentSettings& settings);

  /// The action to take now.
  [[nodiscard]] const Action& action() const { return action_; }
  /// Goes on: `failed` says that the call was refused; after a closing, that the user spoke again.
  void advance(bool failed);

 private:
  /// What the last action was, which decides what a failure means.
  enum class Did : std::uint8_t {
    nothing,  ///< the step begins
    wrong,    ///< called a tempting name
    garbled,  ///< the right tool with a garbled id
    planned,  ///< the step as it should be
    look_up,  ///< found its feet again
    close,    ///< thought itself done
  };

  [[nodiscard]] Place place() const;
  [[nodiscard]] bool is_left_out(std::size_t step) const;
  [[nodiscard]] std::vector<Temptation> temptations(const Step& step) const;
  [[nodiscard]] double named_pull(std::string_view tool) const;
  /// Goes to the step of a golden action, as if all before it were done.
  void take_up(std::size_t golden_action);
  /// Finds the next step to take from `step_` on, or closes.
  void settle();
  /// Begins the next round, or hands over.
  void reopen();
  void begin_step();
  void try_again();
  [[nodiscard]] Decision choose_name() const;
  void call_tempting(Decision decision);
  void do_step();
  void garble_step();

  const Plan& plan_;
  std::string_view task_id_;
  const AgentSettings& settings_;
  std::vector<bool> done_;
  std::size_t step_ = 0;
  std::uint32_t round_ = 0;
  std::uint32_t attempt_ = 0;
  Did did_ = Did::nothing;
  int refusals_ = 0;  ///< of the step as planned
  Action action_;
};

}  // namespace unmask::simulate
