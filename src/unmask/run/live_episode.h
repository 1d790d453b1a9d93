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
#include "unmask/store/run.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::run {

/// Who is asked.
enum class Asked : std::uint8_t { agent, user, judge };

/// A question to a model.
struct Request {
  Asked asked = Asked::agent;
  llm::ChatRequest chat;
};

/// What an episode is made of. All that is pointed to must outlive it.
struct EpisodeParts {
  const world::World* world = nullptr;
  const world::Task* task = nullptr;
  play::EpisodeSettings settings;
  const Clock* clock = nullptr;
  bool judged = false;          ///< a judge is there for assertions in words
  bool keep_responses = false;  ///< of models, whole
};

/// One unit of a run while it is played: an orchestrator with its environment and participants, and
/// the turns that the store hasn't got yet.
///
///   episode.begin(recorded turns);
///   while (const auto request = episode.next()) {
///     <store episode.take_turns()>
///     episode.answer(<what the model said>);
///   }
///   <store episode.take_turns(), then episode.outcome()>
///
/// Thread-compatible.
class LiveEpisode {
 public:
  /// `cast` may be what was raised when it was made; the episode then ends at once.
  LiveEpisode(EpisodeParts parts, world::Outcome<Cast> cast);

  /// Begins, or goes on after `recorded`, the turns that the store has: their messages are said
  /// again, their calls executed again. Errors: bad_input where the world now answers otherwise
  /// than recorded, or a turn can't be read.
  [[nodiscard]] Result<void> begin(std::span<const store::Turn> recorded);

  /// Goes on until a model must be asked; nullopt once the episode is over and evaluated. Called
  /// again before an answer, asks the same.
  [[nodiscard]] std::optional<Request> next();

  /// Takes the answer to the last request. A fault other than a context overflow ends the episode
  /// as an infrastructure error, to be continued from its turns.
  void answer(const llm::ChatResult& result);

  /// Turns since the last call.
  [[nodiscard]] std::vector<store::Turn> take_turns();

  /// How it ended. Precondition: next() has returned nullopt.
  [[nodiscard]] const store::Outcome& outcome() const { return outcome_; }
  [[nodiscard]] EpisodeCounts counts() const;
  /// Why it ended as an infrastructure error, a sentence; empty where it did not.
  [[nodiscard]] const std::string& problem() const { return problem_; }

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
  std::optional<llm::ChatReply> reply_;  ///< whose message is not collected yet
  std::optional<std::string> judgement_;
  std::size_t collected_ = 0;  ///< messages of the trajectory that became turns
  std::vector<store::Turn> turns_;
  store::Outcome outcome_;
  bool ended_ = false;  ///< `outcome_` says how
  std::string problem_;
  std::int64_t started_us_ = 0;
};

}  // namespace unmask::run
