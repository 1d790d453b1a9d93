#include "unmask/run/live_episode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/iso_time.h"
#include "unmask/base/secrets.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/play/judge.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/run/asides.h"
#include "unmask/run/cast.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/judge_request.h"
#include "unmask/run/live_unit.h"
#include "unmask/run/turn_text.h"
#include "unmask/store/run.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::run {
namespace {

constexpr std::string_view kJudgementKey = "judgement";
/// A message of the agent that was held back (repair mode `intercept`).
constexpr std::string_view kHeldBackKey = "held_back";

/// A message that was held back, as an aside.
store::Turn held_back_turn(const play::HeldBack& held, const llm::ChatReply* reply,
                           bool keep_body) {
  store::Turn turn = turn_of(held.message, held.record, reply, keep_body);
  turn.kind = store::TurnKind::aside;
  turn.body = "{\"" + std::string(kHeldBackKey) + "\": " + turn.body + "}";
  return turn;
}

/// For the log: what was held back (`before` is the index of the message that was sent instead),
/// and what the agent's own error was.
std::string agents_info(bool holds_back, std::span<const play::HeldBack> held_back,
                        const std::optional<world::Raised>& raised) {
  world::Object info;
  if (raised) {
    info.set("error", without_secrets(raised->text));
    info.set("error_type", raised->type);
  }
  if (!holds_back) return world::dump_json(info);
  world::List list;
  for (const play::HeldBack& held : held_back) {
    const world::Value message = world::to_value(held.message);
    const world::Value* calls = message.find("tool_calls");
    list.push_back(world::Object{{"before", static_cast<std::int64_t>(held.before)},
                                 {"tool_calls", calls == nullptr ? world::Value() : *calls}});
  }
  info.set("held_back", std::move(list));
  return world::dump_json(info);
}

/// A recorded message of an episode that goes on.
struct Recorded {
  play::SentMessage sent;
  bool held_back = false;
};

/// The message in a turn: its own or, in an aside, one that was held back; nullopt in other asides,
/// whose bodies are `aside`. Errors: as message_of.
Result<std::optional<play::SentMessage>> sent_in(store::Turn turn, const world::Value& aside) {
  if (turn.kind == store::TurnKind::aside) {
    const world::Value* held = aside.find(kHeldBackKey);
    if (held == nullptr) return std::nullopt;
    turn.kind = store::TurnKind::assistant;
    turn.body = world::dump_json(*held);
  }
  Result<play::SentMessage> message = message_of(turn);
  if (!message) return tl::unexpected(message.error());
  return std::optional(std::move(*message));
}

/// The start that gives the first recorded message its time.
std::optional<std::int64_t> recorded_start(std::span<const Recorded> recorded,
                                           const world::Task& task) {
  if (recorded.empty() || recorded.front().held_back) return std::nullopt;
  const std::optional<std::int64_t> first = recorded.front().sent.time_us;
  if (!first) return std::nullopt;
  const std::size_t history = task.initial_state ? task.initial_state->message_history.size() : 0;
  return *first + static_cast<std::int64_t>(history) * 1'000'000;
}

std::string shortened(const world::Message& message) {
  constexpr std::size_t kShown = 200;
  std::string text = world::dump_json(world::to_value(message));
  if (text.size() > kShown) text = text.substr(0, kShown) + " ...";
  return text;
}

}  // namespace

LiveEpisode::LiveEpisode(EpisodeParts parts, world::Outcome<Cast> cast) : parts_(parts) {
  if (!cast) {
    unplayable_ = std::move(cast.error());
    return;
  }
  cast_ = std::move(*cast);
  world::Outcome<std::unique_ptr<world::Environment>> environment =
      parts_.world->make_environment(parts_.settings.solo);
  if (!environment) {
    unplayable_ = std::move(environment.error());
    return;
  }
  environment_ = std::move(*environment);
  orchestrator_ = std::make_unique<play::Orchestrator>(*environment_, *parts_.task, parts_.settings,
                                                       *cast_.agent, *cast_.user, *parts_.clock);
}

std::string LiveEpisode::message_place(std::size_t index) const {
  return "task " + parts_.task->id + ", message " + std::to_string(index);
}

Result<void> LiveEpisode::begin(std::span<const store::Turn> recorded) {
  started_us_ = parts_.clock->wall_microseconds();
  if (unplayable_) return {};
  std::vector<Recorded> messages;
  for (const store::Turn& turn : recorded) {
    const bool aside = turn.kind == store::TurnKind::aside;
    const Result<world::Value> body = aside ? world::parse_json(turn.body) : world::Value();
    if (const world::Value* judgement = body ? body->find(kJudgementKey) : nullptr;
        judgement != nullptr && judgement->is_string()) {
      // One that can't be read is asked for again, as the unit is taken up for it.
      std::string text = judgement_in(*judgement->string());
      if (play::read_judgement(text)) judgement_ = std::move(text);
    }
    Result<std::optional<play::SentMessage>> message = sent_in(turn, body.value_or(world::Value()));
    if (!message) {
      return fail(ErrorCode::bad_input,
                  message_place(messages.size()) + ": " + message.error().message);
    }
    std::optional<play::SentMessage>& sent = *message;
    if (sent) messages.push_back({std::move(*sent), aside});
  }
  started_us_ = recorded_start(messages, *parts_.task).value_or(started_us_);
  // What was recorded before counts towards the limit, pauses between earlier runs included.
  const std::int64_t last_us =
      messages.empty() ? started_us_ : messages.back().sent.time_us.value_or(started_us_);
  orchestrator_->start(started_us_, static_cast<double>(last_us - started_us_) / 1e6);
  std::size_t at = 0;
  for (const Recorded& each : messages) {
    const world::Message& message = each.sent.message;
    const std::optional<Party> speaker = orchestrator_->speaker();
    const bool due = each.held_back || at == orchestrator_->trajectory().size();
    const bool fits = speaker && message.role == (*speaker == Party::agent ? world::Role::assistant
                                                                           : world::Role::user);
    if (due && !fits) {
      return fail(ErrorCode::bad_input,
                  message_place(at) +
                      ": the episode takes another course than recorded: " + shortened(message));
    }
    if (each.held_back) {
      orchestrator_->accept_held_back(each.sent);
      ++held_collected_;
      continue;
    }
    if (due) orchestrator_->accept(each.sent);
    const std::span<const world::Message> trajectory = orchestrator_->trajectory();
    if (at >= trajectory.size() || !same_message(trajectory[at], message)) {
      return fail(ErrorCode::bad_input,
                  message_place(at) + ": the world now answers " +
                      (at < trajectory.size() ? shortened(trajectory[at]) : "nothing") +
                      ", recorded is " + shortened(message));
    }
    ++at;
  }
  collected_ = at;
  return {};
}

void LiveEpisode::collect() {
  if (!orchestrator_) return;
  const std::span<const world::Message> messages = orchestrator_->trajectory();
  const std::span<const play::HeldBack> held = orchestrator_->held_back();
  const auto reply = [this]() { return reply_ ? &*reply_ : nullptr; };
  while (true) {
    // The first message after an answer is the model's, held back or not.
    if (held_collected_ < held.size() && held[held_collected_].before == collected_) {
      turns_.push_back(held_back_turn(held[held_collected_++], reply(), parts_.keep_responses));
    } else if (collected_ < messages.size()) {
      turns_.push_back(turn_of(messages[collected_], orchestrator_->records()[collected_], reply(),
                               parts_.keep_responses));
      ++collected_;
    } else {
      return;
    }
    reply_.reset();
  }
}

std::vector<store::Turn> LiveEpisode::take_turns() { return std::exchange(turns_, {}); }

const std::vector<std::string>* LiveEpisode::due_assertions() const {
  if (!parts_.judged || judgement_) return nullptr;
  const std::optional<Termination> ended = orchestrator_->termination();
  if (ended != Termination::agent_stop && ended != Termination::user_stop) return nullptr;
  return judged_assertions(*parts_.task);
}

std::optional<Request> LiveEpisode::next() {
  if (ended_) return std::nullopt;
  if (!unplayable_ && !fault_) {
    if (std::optional<play::Question> question = orchestrator_->advance()) {
      collect();
      const Asked asked = question->party == Party::agent ? Asked::agent : Asked::user;
      asked_ = asked;
      return Request{asked, std::move(question->request)};
    }
    collect();
    if (const std::vector<std::string>* assertions = due_assertions()) {
      asked_ = Asked::judge;
      return Request{Asked::judge, judge_request(*assertions, orchestrator_->trajectory())};
    }
  }
  finish();
  return std::nullopt;
}

void LiveEpisode::answer(const llm::ChatResult& result) {
  UNMASK_CHECK(asked_.has_value());
  const Asked asked = asked_.value_or(Asked::agent);
  asked_.reset();
  if (asked == Asked::judge && result) return take_judgement(*result);
  // A judge that can't read a long episode says nothing about the agent.
  const bool is_outcome =
      asked != Asked::judge && !result && result.error().fault == llm::ChatFault::context_overflow;
  if (!result && !is_outcome) {
    fault_ = result.error();
    if (fault_->fault == llm::ChatFault::undecodable) {  // it is what the model or server gave
      turns_.push_back(undecodable_aside(*fault_));
    }
    return;
  }
  if (result) reply_ = *result;
  const std::size_t messages = orchestrator_->trajectory().size();
  orchestrator_->answer(result);
  is_agents_error_ = parts_.settings.solo && asked == Asked::agent && orchestrator_->raised() &&
                     orchestrator_->trajectory().size() == messages;
  collect();
  // An answer that no message could be made of was paid for all the same.
  if (reply_) turns_.push_back(aside_of(kUnusedKey, *reply_));
  reply_.reset();
}

void LiveEpisode::take_judgement(const llm::ChatReply& reply) {
  judgement_ = judgement_in(reply.content.value_or(""));
  turns_.push_back(aside_of(kJudgementKey, reply));
}

void LiveEpisode::end_broken(std::string_view type, std::string_view text) {
  store::Outcome broken = broken_outcome(type, text);
  outcome_.state = broken.state;
  outcome_.termination = std::move(broken.termination);
  outcome_.info = std::move(broken.info);
  problem_ = without_secrets(text);
}

void LiveEpisode::finish() {
  ended_ = true;
  outcome_.start_time = iso_time(started_us_);
  outcome_.end_time = iso_time(std::max(started_us_, parts_.clock->wall_microseconds()));
  if (unplayable_) return end_broken(unplayable_->type, unplayable_->text);
  outcome_.seconds = orchestrator_->seconds();
  outcome_.agent_cost = orchestrator_->cost(Party::agent);
  outcome_.user_cost = orchestrator_->cost(Party::user);
  if (fault_) return end_broken(llm::name_of(fault_->fault), fault_->message);
  const std::optional<world::Raised>& raised = orchestrator_->raised();
  if (raised && !is_agents_error_) return end_broken(raised->type, raised->text);
  outcome_.state = store::UnitState::done;
  // The original's episode has no end then and would be played again for ever, though it is the
  // agent that failed.
  outcome_.termination = name_of(
      is_agents_error_ ? Termination::agent_error
                       : orchestrator_->termination().value_or(Termination::unexpected_error));
  world::EvaluationOptions options;
  if (judgement_) {
    options.judge = [judgement = *judgement_](std::span<const std::string> /*assertions*/,
                                              std::span<const world::Message> /*messages*/) {
      return play::read_judgement(judgement);
    };
  }
  const world::Outcome<world::RewardInfo> reward =
      world::evaluate(*parts_.world, *parts_.task,
                      {.messages = orchestrator_->trajectory(),
                       .termination_reason = outcome_.termination,
                       .solo = parts_.settings.solo},
                      options);
  if (!reward) return end_broken(reward.error().type, reward.error().text);
  outcome_.reward = reward->reward;
  if (parts_.holds_back || raised) {
    outcome_.info = agents_info(parts_.holds_back, orchestrator_->held_back(), raised);
  }
  outcome_.reward_info = world::dump_json(world::to_value(*reward));
}

EpisodeCounts LiveEpisode::counts() const {
  if (!orchestrator_) return {};
  EpisodeCounts counts =
      count_calls(orchestrator_->trajectory().subspan(orchestrator_->history_size()),
                  parts_.world->setup(), parts_.settings.solo);
  for (const play::MessageRecord& record : orchestrator_->records()) counts.add(record.usage);
  for (const play::HeldBack& held : orchestrator_->held_back()) counts.add(held.record.usage);
  return counts;
}

}  // namespace unmask::run
