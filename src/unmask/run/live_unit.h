#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/run_plan.h"
#include "unmask/store/run.h"

namespace unmask::run {

/// Who is asked.
enum class Asked : std::uint8_t { agent, user, judge };

/// A question to a model.
struct Request {
  Asked asked = Asked::agent;
  llm::ChatRequest chat;
};

/// One unit of a run while it is played, with the turns that the store hasn't got yet.
///
///   unit.begin(recorded turns);
///   while (const auto request = unit.next()) {
///     <store unit.take_turns()>
///     unit.answer(<what the model said>);
///   }
///   <store unit.take_turns(), then unit.outcome()>
///
/// Thread-compatible.
class LiveUnit {
 public:
  virtual ~LiveUnit() = default;

  /// Begins, or goes on after `recorded`, the turns that the store has: their messages are said
  /// again, their calls executed again. Errors: bad_input where the world now answers otherwise
  /// than recorded, or a turn can't be read.
  [[nodiscard]] virtual Result<void> begin(std::span<const store::Turn> recorded) = 0;

  /// Goes on until a model must be asked; nullopt once the unit is over and evaluated. Called again
  /// before an answer, asks the same.
  [[nodiscard]] virtual std::optional<Request> next() = 0;

  /// Takes the answer to the last request. A fault other than a context overflow ends the unit as
  /// an infrastructure error, to be continued from its turns.
  virtual void answer(const llm::ChatResult& result) = 0;

  /// Turns since the last call.
  [[nodiscard]] virtual std::vector<store::Turn> take_turns() = 0;

  /// How it ended. Precondition: next() has returned nullopt.
  [[nodiscard]] virtual const store::Outcome& outcome() const = 0;
  [[nodiscard]] virtual EpisodeCounts counts() const = 0;
  /// Why it ended as an infrastructure error, a sentence; empty where it did not.
  [[nodiscard]] virtual const std::string& problem() const = 0;
};

/// The unit as its plan says: an episode, or a first call. `plan` and `clock` must outlive it.
[[nodiscard]] std::unique_ptr<LiveUnit> make_unit(const RunPlan& plan, const PlannedUnit& unit,
                                                  const Clock& clock);

}  // namespace unmask::run
