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
#include "unmask/llm/chat.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/settings.h"
#include "unmask/run/cast.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/live_unit.h"
#include "unmask/store/run.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::run {

/// What an episode is made of. All that is pointed to must outlive it.
struct EpisodeParts {
  const world::World* world = nullptr;
  const world::Task* task = nullptr;
  play::EpisodeSettings settings;
  const Clock* clock = nullptr;
  bool judged = false;          ///< a judge is there for assertions in words
  bool keep_responses = false;  ///< of models, whole
  bool holds_back = false;      ///< the agent's repair holds wrong calls back: the log says which
};

/// An episode: an orchestrator with its environment and participants. Thread-compatible.
class LiveEpisode final : public LiveUnit {
 public:
  /// `cast` may be what was raised when it was made; the episode then ends at once.
  LiveEpisode(EpisodeParts parts, world::Outcome<Cast> cast);

  [[nodiscard]] Result<void> begin(std::span<const store::Turn> recorded) override;
  [[nodiscard]] std::optional<Request> next() override;
  void answer(const llm::ChatResult& result) override;
  [[nodiscard]] std::vector<store::Turn> take_turns() override;
  [[nodiscard]] const store::Outcome& outcome() const override { return outcome_; }
  [[nodiscard]] EpisodeCounts counts() const override;
  [[nodiscard]] const std::string& problem() const override { return problem_; }

 private:
  void collect();
  /// The assertions that a judge is due to be asked about; null: there are none.
  [[nodiscard]] const std::vector<std::string>* due_assertions() const;
  void take_judgement(const llm::ChatReply& reply);
  void finish();
  void end_broken(std::string_view type, std::string_view text);
  [[nodiscard]] std::string message_place(std::size_t index) const;

  EpisodeParts parts_;
  Cast cast_;
  std::unique_ptr<world::Environment> environment_;
  std::unique_ptr<play::Orchestrator> orchestrator_;  ///< null where `unplayable_`
  std::optional<world::Raised> unplayable_;           ///< what was raised before the start
  std::optional<Asked> asked_;
  std::optional<llm::ChatError> fault_;
  /// What was raised is the agent's doing: an answer that solo mode has no message for.
  bool is_agents_error_ = false;
  std::optional<llm::ChatReply> reply_;  ///< whose message is not collected yet
  std::optional<std::string> judgement_;
  std::size_t collected_ = 0;       ///< messages of the trajectory that became turns
  std::size_t held_collected_ = 0;  ///< messages that were held back, likewise
  std::vector<store::Turn> turns_;
  store::Outcome outcome_;
  bool ended_ = false;  ///< `outcome_` says how
  std::string problem_;
  std::int64_t started_us_ = 0;
};

}  // namespace unmask::run
