#include "unmask/play/orchestrator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/participant.h"
#include "unmask/play/settings.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {
namespace {

using world::Message;
using world::Outcome;
using world::Role;

constexpr std::int64_t kSecond = 1'000'000;  // in microseconds

Party other(Party party) { return party == Party::agent ? Party::user : Party::agent; }

Termination error_of(Party party) {
  return party == Party::agent ? Termination::agent_error : Termination::user_error;
}

}  // namespace

Orchestrator::Orchestrator(world::Environment& environment, const world::Task& task,
                           EpisodeSettings settings, const Participant& agent,
                           const Participant& user, const Clock& clock)
    : environment_(environment),
      task_(task),
      settings_(settings),
      agent_(agent),
      user_(user),
      clock_(clock),
      budget_(settings.max_errors, settings.budget) {
  UNMASK_CHECK(environment.is_solo() == settings.solo);
}

const Participant& Orchestrator::participant(Party party) const {
  return party == Party::agent ? agent_ : user_;
}

View Orchestrator::view(Party party) const {
  const PartyState& of_party = party == Party::agent ? agent_state_ : user_state_;
  return {trajectory_, of_party.seen, of_party.own_turns,
          speaker() == party ? held_back_now() : std::span<const HeldBack>()};
}

std::span<const HeldBack> Orchestrator::held_back_now() const {
  std::size_t first = held_back_.size();
  while (first > 0 && held_back_[first - 1].before == trajectory_.size()) --first;
  return std::span(held_back_).subspan(first);
}

bool Orchestrator::holds_back(SentMessage& sent) {
  const std::size_t most = static_cast<std::size_t>(std::max(settings_.max_held_back, 0));
  if (held_back_now().size() >= most) return false;
  const std::optional<Party> party = speaker();
  if (!party) return false;
  std::optional<std::string> objection = participant(*party).objection(sent.message);
  if (!objection) return false;
  hold_back(std::move(sent), std::move(*objection));
  return true;
}

void Orchestrator::accept_held_back(SentMessage sent) {
  const std::optional<Party> sender = speaker();
  UNMASK_CHECK(sender.has_value() && has_calls(sent.message));
  std::string diagnosis = participant(*sender).objection(sent.message).value_or("");
  hold_back(std::move(sent), std::move(diagnosis));
}

void Orchestrator::hold_back(SentMessage sent, std::string diagnosis) {
  asked_.reset();
  const MessageRecord record = record_of(sent);
  held_back_.push_back({trajectory_.size(), std::move(sent.message), record, std::move(diagnosis)});
}

MessageRecord Orchestrator::record_of(const SentMessage& sent) const {
  return {.time_us = sent.time_us.value_or(clock_.wall_microseconds()),
          .cost = sent.cost,
          .usage = sent.usage,
          .seconds = sent.seconds};
}

void Orchestrator::start(std::optional<std::int64_t> started_us, double seconds_played) {
  UNMASK_CHECK(!started_);
  started_ = true;
  started_at_ = clock_.monotonic_seconds() - seconds_played;
  const std::int64_t now = started_us.value_or(clock_.wall_microseconds());
  const world::InitialState* initial = task_.initial_state ? &*task_.initial_state : nullptr;
  const std::span<const Message> history =
      initial == nullptr ? std::span<const Message>{} : std::span(initial->message_history);
  if (Outcome<void> set = set_state(environment_, initial, history); !set) {
    return raise(std::move(set.error()));
  }
  if (!history.empty()) {
    if (Outcome<void> valid = check_history(history); !valid) {
      return raise(std::move(valid.error()));
    }
    start_with_history(history, now);
  } else if (settings_.solo) {
    from_ = Place::user;
    to_ = Place::agent;
    is_first_ = true;
    return;
  } else {
    start_with_greeting(now);
  }
  check_communication();
  sync();
  settle();
}

void Orchestrator::start_with_history(std::span<const Message> history, std::int64_t now_us) {
  history_size_ = history.size();
  std::int64_t time = now_us - static_cast<std::int64_t>(history.size()) * kSecond;
  for (const Message& message : history) {
    append(message, {.time_us = time, .cost = {}, .usage = {}, .seconds = {}});
    time += kSecond;
    for (const Party party : {Party::agent, Party::user}) {
      if (is_known_to(party, message)) show(party);
    }
  }
  const Message& last = history.back();
  switch (last.role) {
    case Role::assistant:
      from_ = Place::agent;
      to_ = has_calls(last) ? Place::environment : Place::user;
      if (agent_.stops(last)) end(Termination::agent_stop);
      break;
    case Role::user:
      from_ = Place::user;
      to_ = has_calls(last) ? Place::environment : Place::agent;
      if (stops_as_user(last)) end(Termination::user_stop);
      break;
    case Role::tool:
      from_ = Place::environment;
      to_ = place_of(last.requestor);
      break;
    case Role::system:
      UNMASK_CHECK(false);  // check_history refuses it
  }
}

void Orchestrator::start_with_greeting(std::int64_t now_us) {
  Message greeting;
  greeting.role = Role::assistant;
  greeting.content = kGreeting;
  append(std::move(greeting), {.time_us = now_us, .cost = 0.0, .usage = {}, .seconds = {}});
  show(Party::agent);
  show(Party::user);
  from_ = Place::agent;
  to_ = Place::user;
}

std::optional<Party> Orchestrator::speaker() const {
  if (!started_ || over_) return std::nullopt;
  UNMASK_CHECK(to_ != Place::environment);
  return to_ == Place::agent ? Party::agent : Party::user;
}

void Orchestrator::accept(SentMessage sent) {
  const std::optional<Party> sender = speaker();
  UNMASK_CHECK(sender.has_value());
  UNMASK_CHECK(sent.message.role == (sender == Party::agent ? Role::assistant : Role::user));
  asked_.reset();
  const bool valid = is_valid(sent.message);
  if (!valid && settings_.when_empty == WhenEmpty::raise) {
    return raise(empty_message_error(sent.message));
  }
  ++state(*sender).own_turns;
  const MessageRecord record = record_of(sent);
  append(std::move(sent.message), record);
  show(*sender);
  from_ = place_of(*sender);
  const bool calls = has_calls(trajectory_.back());
  to_ = calls ? Place::environment : place_of(other(*sender));
  if (!valid) {
    if (!is_first_) ++step_count_;
    end(error_of(*sender));
  } else if (std::exchange(is_first_, false)) {
    take_first(trajectory_.back());
  } else {
    take_step(*sender, trajectory_.back());
  }
  settle();
}

void Orchestrator::take_first(const Message& message) {
  const bool stops = agent_.stops(message);
  if (!has_calls(message)) {
    end(stops ? Termination::agent_stop : Termination::agent_error);
  } else if (stops) {
    to_ = Place::user;  // its calls are not executed
    end(Termination::agent_stop);
  }
  check_communication();
  sync();
}

void Orchestrator::take_step(Party sender, const Message& message) {
  if (sender == Party::user) {
    if (stops_as_user(message)) end(Termination::user_stop);
  } else if (agent_.stops(message)) {
    end(Termination::agent_stop);
  } else if (settings_.solo && !has_calls(message)) {
    end(Termination::agent_error);
  }
  if (!has_calls(message)) show(other(sender));
  finish_step();
}

void Orchestrator::run_calls() {
  const std::size_t at = trajectory_.size() - 1;
  const Party sender = from_ == Place::agent ? Party::agent : Party::user;
  const std::vector<world::ToolCall> calls =  // a copy: the trajectory grows
      trajectory_[at].tool_calls.value_or(std::vector<world::ToolCall>{});
  if (calls.empty()) return raise({"IndexError", "list index out of range"});
  for (const world::ToolCall& call : calls) {
    world::CallResult result = environment_.call(call);
    if (call.is_malformed()) ++num_malformed_;
    budget_.count(call.requestor, result.error);
    Message answer;
    answer.role = Role::tool;
    answer.content = std::move(result.content);
    answer.id = call.id;
    answer.requestor = call.requestor;
    answer.error = result.error;
    append(std::move(answer),
           {.time_us = records_[at].time_us, .cost = {}, .usage = {}, .seconds = {}});
    show(sender);
    if (budget_.stops_within_message()) break;
  }
  to_ = from_;
  from_ = Place::environment;
  finish_step();
}

void Orchestrator::finish_step() {
  check_communication();
  ++step_count_;
  sync();
  if (!over_) check_limits();
}

void Orchestrator::check_communication() {
  if (!settings_.validate_communication || from_ == Place::environment) return;
  const Message& message = trajectory_.back();
  const Party sender = from_ == Place::agent ? Party::agent : Party::user;
  const bool beside = has_calls(message) && has_text(message);
  const bool talks =
      settings_.solo && sender == Party::agent && has_text(message) && !agent_.stops(message);
  if (!is_valid(message) || beside || talks) end(error_of(sender));
}

void Orchestrator::check_limits() {
  if (to_ == Place::environment) return;
  // In this order, and over a reason that the step itself has set: as the original.
  if (step_count_ >= settings_.max_steps) end(Termination::max_steps);
  if (budget_.is_exhausted()) end(Termination::too_many_errors);
  if (!done_ && settings_.timeout_seconds && seconds() >= *settings_.timeout_seconds) {
    end(Termination::timeout);
  }
}

void Orchestrator::settle() {
  while (!over_ && !done_ && to_ == Place::environment) run_calls();
  if (!over_ && done_) close();
}

void Orchestrator::close() {
  const bool is_error = reason_ == Termination::agent_error || reason_ == Termination::user_error;
  if (to_ == Place::environment && !is_error) {
    return raise({"ValueError", "Environment should not receive the last message. Last message: " +
                                    trajectory_.back().content.value_or("")});
  }
  over_ = true;
  ended_at_ = clock_.monotonic_seconds();
}

std::optional<Question> Orchestrator::advance() {
  while (const std::optional<Party> party = speaker()) {
    Outcome<Turn> turn = participant(*party).take_turn(view(*party));
    if (!turn) {
      raise(std::move(turn.error()));
    } else if (llm::ChatRequest* request = std::get_if<llm::ChatRequest>(&*turn)) {
      if (settings_.seed) request->seed = settings_.seed;
      asked_ = party;
      return Question{*party, std::move(*request)};
    } else if (auto& sent = std::get<SentMessage>(*turn); !holds_back(sent)) {
      accept(std::move(sent));
    }
  }
  return std::nullopt;
}

void Orchestrator::answer(const llm::ChatResult& result) {
  UNMASK_CHECK(asked_.has_value() && asked_ == speaker());
  if (!result) {
    fault_ = result.error();
    return abandon(result.error().fault == llm::ChatFault::context_overflow
                       ? Termination::context_window_exceeded
                       : Termination::infrastructure_error);
  }
  Outcome<SentMessage> sent = participant(*asked_).take_reply(*result);
  if (!sent) return raise(std::move(sent.error()));
  if (!holds_back(*sent)) accept(std::move(*sent));
}

void Orchestrator::abandon(Termination reason) {
  end(reason);
  over_ = true;
  ended_at_ = clock_.monotonic_seconds();
}

void Orchestrator::append(Message message, MessageRecord record) {
  // A clock that is set back must not change the order in which readers sort messages.
  if (!records_.empty()) record.time_us = std::max(record.time_us, records_.back().time_us);
  trajectory_.push_back(std::move(message));
  records_.push_back(record);
}

void Orchestrator::show(Party party) {
  state(party).seen.push_back(static_cast<std::uint32_t>(trajectory_.size() - 1));
}

void Orchestrator::sync() {
  if (over_) return;
  if (Outcome<void> synced = environment_.sync(); !synced) raise(std::move(synced.error()));
}

void Orchestrator::end(Termination reason) {
  done_ = true;
  reason_ = reason;
}

void Orchestrator::raise(world::Raised raised) {
  raised_ = std::move(raised);
  done_ = true;
  over_ = true;
  ended_at_ = clock_.monotonic_seconds();
}

std::optional<Termination> Orchestrator::termination() const {
  return over_ && !raised_ ? reason_ : std::nullopt;
}

std::optional<double> Orchestrator::cost(Party party) const {
  const Role role = party == Party::agent ? Role::assistant : Role::user;
  double sum = 0;
  for (std::size_t i = 0; i < trajectory_.size(); ++i) {
    if (trajectory_[i].role != role) continue;
    const std::optional<double>& cost = records_[i].cost;
    if (!cost) return std::nullopt;
    sum += *cost;
  }
  return sum;
}

double Orchestrator::seconds() const {
  if (!started_) return 0;
  return (over_ ? ended_at_ : clock_.monotonic_seconds()) - started_at_;
}

}  // namespace unmask::play
