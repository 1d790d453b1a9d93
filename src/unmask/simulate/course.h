#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/simulate/decision.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::simulate {

/// What repairs a call that failed for its name or arguments (play/repair: modes of a run).
struct RepairTraits {
  bool rule = false;       ///< the system prompt tells to stop at a name that is not offered
  bool diagnosed = false;  ///< a failed call is answered with a diagnosis
};

/// What the agent does next.
struct Action {
  enum class Kind : std::uint8_t { call, ask, finish };
  Kind kind = Kind::finish;
  std::string tool;         ///< called, or asked for
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
/// itself. With the right tool it still may garble an id. A failed call is tried again: the error
/// is taken to heart with the model's probability of recovery, otherwise the best of the tempting
/// names is called. A step that is refused twice although it was done right is let be. When the
/// user is not content after the last step, the agent goes over the needed steps that it left out,
/// twice at most, then gives up.
class Course {
 public:
  /// `world` and `task` must outlive it. `policy` is what the agent was told: it decides which
  /// names are tempting.
  Course(const world::World& world, const world::Task& task, std::string_view policy,
         const ModelTraits& traits, LogitNoise noise, RepairTraits repair, std::uint64_t seed,
         std::uint64_t trial_seed);

  /// The action to take now.
  [[nodiscard]] const Action& action() const { return action_; }
  /// Whether the user has a part in it: then who is not content at its end is handed over.
  [[nodiscard]] bool expects_user() const;
  /// Goes on: `failed` says that the call was refused.
  void advance(bool failed);

 private:
  [[nodiscard]] Place place() const;
  [[nodiscard]] bool is_left_out(std::size_t step) const;
  [[nodiscard]] std::vector<Temptation> temptations(const Step& step) const;
  [[nodiscard]] double named_pull(std::string_view tool) const;
  /// Finds the next step to take from `step_` on, or the end.
  void settle();
  void choose();
  void act(const Step& step, bool garbled);

  const world::World& world_;
  const world::Task& task_;
  std::string_view policy_;
  const ModelTraits& traits_;
  LogitNoise noise_;
  RepairTraits repair_;
  std::uint64_t seed_ = 0;
  std::uint64_t trial_seed_ = 0;
  std::vector<Step> plan_;
  std::vector<bool> done_;
  std::size_t step_ = 0;
  std::uint32_t round_ = 0;
  std::uint32_t attempt_ = 0;
  bool failed_before_ = false;
  bool is_as_planned_ = false;  ///< the action is the step's own, nothing garbled
  int refusals_ = 0;            ///< of the step as planned
  Action action_;
};

}  // namespace unmask::simulate
