#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/play/error_budget.h"
#include "unmask/play/participant.h"
#include "unmask/play/settings.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {

/// The agent's first message in every episode without history; tau2-bench's words.
inline constexpr std::string_view kGreeting = "Hi! How can I help you today?";

/// A question to a model, and for whom it is asked.
struct Question {
  Party party = Party::agent;
  llm::ChatRequest request;
};

/// One episode of tau2-bench's half-duplex simulation, without threads or waiting: it runs as far
/// as it can, then says which model must be asked. So many episodes can be under way on one thread.
///
///   orchestrator.start();
///   for (recorded messages) orchestrator.accept(message);        // when resuming
///   while (std::optional<Question> question = orchestrator.advance()) {
///     orchestrator.answer(<what the model said>);
///   }
///
/// What the original raises as an exception ends the episode and is raised(). Environment steps run
/// inside accept, answer and advance, as soon as calls are due. Deterministic: the same messages
/// give the same episode. Thread-compatible. Environment, task, participants and clock must outlive
/// it.
class Orchestrator {
 public:
  /// `environment` is fresh, as World::make_environment(settings.solo) gives it.
  Orchestrator(world::Environment& environment, const world::Task& task, EpisodeSettings settings,
               const Participant& agent, const Participant& user, const Clock& clock);

  /// Sets the initial state and the task's history or the greeting. Call once; when resuming with
  /// the first start's time in microseconds since 1970 UTC and the seconds that were played.
  void start(std::optional<std::int64_t> started_us = {}, double seconds_played = 0.0);

  /// Whose message is due: nullopt if the episode is over, or not started.
  [[nodiscard]] std::optional<Party> speaker() const;

  /// Takes the message of speaker(), from wherever, and executes its calls. Precondition:
  /// speaker().
  void accept(SentMessage sent);

  /// Takes a message of speaker() with calls that was held back, when resuming.
  void accept_held_back(SentMessage sent);

  /// Lets participants speak that need no model, until one does or the episode is over (nullopt).
  /// Called again before an answer, asks the same.
  [[nodiscard]] std::optional<Question> advance();

  /// Gives the model's answer to the last question to whom it was asked for. A context overflow
  /// ends the episode as `context_window_exceeded`, any other fault as `infrastructure_error`; to
  /// try again instead, don't call this and ask again.
  void answer(const llm::ChatResult& result);

  /// Ends the episode from outside, such as by the runner for a broken endpoint.
  void abandon(Termination reason);

  [[nodiscard]] bool is_over() const { return over_; }
  /// How it ended; nullopt before the end and where something was raised.
  [[nodiscard]] std::optional<Termination> termination() const;
  /// What ended it instead, if it had no regular end.
  [[nodiscard]] const std::optional<world::Raised>& raised() const { return raised_; }
  /// The model's fault that ended it.
  [[nodiscard]] const std::optional<llm::ChatError>& fault() const { return fault_; }

  /// All messages so far, the task's history first.
  [[nodiscard]] std::span<const world::Message> trajectory() const { return trajectory_; }
  /// Of each message of trajectory().
  [[nodiscard]] std::span<const MessageRecord> records() const { return records_; }
  /// How many messages of trajectory() are the task's history.
  [[nodiscard]] std::size_t history_size() const { return history_size_; }
  [[nodiscard]] View view(Party party) const;
  /// Messages that were held back, in order; they count as no step and no error.
  [[nodiscard]] std::span<const HeldBack> held_back() const { return held_back_; }

  /// Steps, as tau2-bench counts them: each message of a participant, each execution of a message's
  /// calls. What start() does is none.
  [[nodiscard]] int step_count() const { return step_count_; }
  /// Failed calls of both parties; those of the history don't count.
  [[nodiscard]] int num_errors() const { return budget_.errors(); }
  [[nodiscard]] const ErrorBudget& budget() const { return budget_; }
  /// Malformed calls among num_errors().
  [[nodiscard]] int num_malformed() const { return num_malformed_; }
  /// Sum of the costs of a party's messages; nullopt if one of them has none.
  [[nodiscard]] std::optional<double> cost(Party party) const;
  /// From start() to the end, or until now.
  [[nodiscard]] double seconds() const;

  [[nodiscard]] const world::Environment& environment() const { return environment_; }
  [[nodiscard]] const world::Task& task() const { return task_; }
  [[nodiscard]] const EpisodeSettings& settings() const { return settings_; }

 private:
  enum class Place : std::uint8_t { agent, user, environment };

  struct PartyState {
    std::vector<std::uint32_t> seen;  ///< indices into trajectory_
    std::size_t own_turns = 0;
  };

  static Place place_of(Party party) { return party == Party::agent ? Place::agent : Place::user; }
  [[nodiscard]] const Participant& participant(Party party) const;

  [[nodiscard]] PartyState& state(Party party) {
    return party == Party::agent ? agent_state_ : user_state_;
  }
  /// Holds a message of speaker() back if the participant objects to it and may.
  [[nodiscard]] bool holds_back(SentMessage& sent);
  void hold_back(SentMessage sent, std::string diagnosis);
  [[nodiscard]] MessageRecord record_of(const SentMessage& sent) const;
  /// Those of the turn that is due.
  [[nodiscard]] std::span<const HeldBack> held_back_now() const;
  void start_with_history(std::span<const world::Message> history, std::int64_t now_us);
  void start_with_greeting(std::int64_t now_us);
  void take_step(Party sender, const world::Message& message);
  /// Of the first message of a solo episode, which is no step.
  void take_first(const world::Message& message);
  void append(world::Message message, MessageRecord record);
  /// Makes the last message of the trajectory part of what `party` has seen.
  void show(Party party);
  void run_calls();
  void finish_step();
  void sync();
  void check_communication();
  void check_limits();
  void end(Termination reason);
  void raise(world::Raised raised);
  void close();
  /// Executes pending calls; closes the episode when it is done.
  void settle();

  world::Environment& environment_;
  const world::Task& task_;
  EpisodeSettings settings_;
  const Participant& agent_;
  const Participant& user_;
  const Clock& clock_;

  std::vector<world::Message> trajectory_;
  std::vector<MessageRecord> records_;
  std::vector<HeldBack> held_back_;
  PartyState agent_state_;
  PartyState user_state_;
  std::size_t history_size_ = 0;

  Place from_ = Place::agent;
  Place to_ = Place::user;
  ErrorBudget budget_;
  int step_count_ = 0;
  int num_malformed_ = 0;
  bool started_ = false;
  bool is_first_ = false;  ///< the agent's first message in solo mode is due
  bool done_ = false;      ///< no more steps
  bool over_ = false;      ///< closed
  std::optional<Termination> reason_;
  std::optional<world::Raised> raised_;
  std::optional<llm::ChatError> fault_;
  std::optional<Party> asked_;
  double started_at_ = 0;
  double ended_at_ = 0;
};

}  // namespace unmask::play
