#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/episode/first_call.h"
#include "unmask/llm/chat.h"
#include "unmask/play/golden_state.h"
#include "unmask/play/participant.h"
#include "unmask/run/cast.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/live_unit.h"
#include "unmask/store/run.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::run {

/// What a first call is made from. All that is pointed to must outlive the unit.
struct FirstCallParts {
  const CellWorld* world = nullptr;
  const world::Task* task = nullptr;
  std::size_t state = 0;  ///< golden actions that are done
  int trial = 0;
  bool solo = false;
  std::uint64_t seed = 0;
  const Clock* clock = nullptr;
  bool keep_responses = false;  ///< of models, whole
};

/// An agent's first call at a state of a perfect run (`unmask run --single-turn`): the agent is
/// asked once, its first call is executed and judged. The store gets its message with that call and
/// the result; the calls after the first one, which nobody executes, stand in an aside. Its outcome
/// has reward 1 where the call is right, and says in `info` what it is:
///
///   {"first_call": {"outcome": "right", "state": 2, "trial": 0, "due": "pay", "by": "agent"}}
///
/// Help for calls that fail has no part in it: nothing has failed before, and nothing is asked
/// again.
class FirstCallUnit final : public LiveUnit {
 public:
  /// `cast` may be what was raised when it was made; the unit then ends at once.
  FirstCallUnit(FirstCallParts parts, world::Outcome<Cast> cast);

  [[nodiscard]] Result<void> begin(std::span<const store::Turn> recorded) override;
  [[nodiscard]] std::optional<Request> next() override;
  void answer(const llm::ChatResult& result) override;
  [[nodiscard]] std::vector<store::Turn> take_turns() override;
  [[nodiscard]] const store::Outcome& outcome() const override { return outcome_; }
  [[nodiscard]] EpisodeCounts counts() const override { return counts_; }
  [[nodiscard]] const std::string& problem() const override { return problem_; }

 private:
  /// Takes the agent's message; `reply` is the model's answer that it came from, or null.
  void take(play::SentMessage sent, const llm::ChatReply* reply);
  void finish(FirstCall call, std::string_view termination);
  void end_broken(std::string_view type, std::string_view text);
  void set_times();

  FirstCallParts parts_;
  Cast cast_;
  std::unique_ptr<play::GoldenState> state_;
  std::optional<world::Raised> unplayable_;  ///< what was raised before the start
  std::vector<store::Turn> turns_;
  store::Outcome outcome_;
  EpisodeCounts counts_;
  std::string problem_;
  std::int64_t started_us_ = 0;
  bool ended_ = false;
};

}  // namespace unmask::run
