#include "unmask/run/first_call_unit.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/iso_time.h"
#include "unmask/base/secrets.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/first_call.h"
#include "unmask/llm/chat.h"
#include "unmask/play/golden_state.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/run/asides.h"
#include "unmask/run/cast.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/live_unit.h"
#include "unmask/run/turn_text.h"
#include "unmask/store/run.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

/// Calls after the first one, which nobody executes.
constexpr std::string_view kFurtherCallsKey = "further_calls";

bool is_unused(const store::Turn& turn) {
  if (turn.kind != store::TurnKind::aside) return false;
  const Result<world::Value> body = world::parse_json(turn.body);
  return body && body->find(kUnusedKey) != nullptr;
}

/// Takes the calls after the first one out of a message, as an aside; nullopt: there are none.
std::optional<store::Turn> take_further_calls(world::Message& message) {
  if (!message.tool_calls || message.tool_calls->size() < 2) return std::nullopt;
  world::Message rest = message;
  rest.tool_calls->erase(rest.tool_calls->begin());
  message.tool_calls->resize(1);
  const world::Value written = world::to_value(rest);
  const world::Value* calls = written.find("tool_calls");
  UNMASK_CHECK(calls != nullptr);
  store::Turn aside;
  aside.kind = store::TurnKind::aside;
  aside.body = world::dump_json(world::Object{{std::string(kFurtherCallsKey), *calls}});
  return aside;
}

}  // namespace

FirstCallUnit::FirstCallUnit(FirstCallParts parts, world::Outcome<Cast> cast) : parts_(parts) {
  if (!cast) {
    unplayable_ = std::move(cast.error());
    return;
  }
  cast_ = std::move(*cast);
}

Result<void> FirstCallUnit::begin(std::span<const store::Turn> recorded) {
  started_us_ = parts_.clock->wall_microseconds();
  if (unplayable_) return {};
  world::Outcome<std::unique_ptr<play::GoldenState>> state =
      play::GoldenState::after(*parts_.world->world, *parts_.task, parts_.state, parts_.solo,
                               parts_.world->steps.get(), *parts_.clock);
  if (!state) {
    unplayable_ = std::move(state.error());
    return {};
  }
  state_ = std::move(*state);
  UNMASK_CHECK(state_->is_reached());  // the plan has only such states
  // An answer that was stored is not asked for again.
  const auto answered = std::ranges::find(recorded, store::TurnKind::assistant, &store::Turn::kind);
  if (answered == recorded.end()) {
    if (std::ranges::any_of(recorded, is_unused)) {
      finish(FirstCall::no_call, name_of(Termination::agent_error));
    }
    return {};
  }
  Result<play::SentMessage> sent = message_of(*answered);
  if (!sent) {
    return fail(ErrorCode::bad_input, "task " + parts_.task->id + ": " + sent.error().message);
  }
  take(std::move(*sent), nullptr);
  turns_.clear();
  return {};
}

std::optional<Request> FirstCallUnit::next() {
  if (ended_) return std::nullopt;
  if (unplayable_) {
    end_broken(unplayable_->type, unplayable_->text);
    return std::nullopt;
  }
  world::Outcome<play::Turn> turn = cast_.agent->take_turn(state_->view());
  if (!turn) {
    end_broken(turn.error().type, turn.error().text);
    return std::nullopt;
  }
  if (auto* sent = std::get_if<play::SentMessage>(&*turn)) {
    take(std::move(*sent), nullptr);
    return std::nullopt;
  }
  Request request{Asked::agent, std::get<llm::ChatRequest>(std::move(*turn))};
  request.chat.seed = parts_.seed;
  return request;
}

void FirstCallUnit::answer(const llm::ChatResult& result) {
  if (!result) {
    if (result.error().fault == llm::ChatFault::context_overflow) {
      return finish(FirstCall::no_call, name_of(Termination::context_window_exceeded));
    }
    if (result.error().fault == llm::ChatFault::undecodable) {
      turns_.push_back(undecodable_aside(result.error()));
    }
    return end_broken(llm::name_of(result.error().fault), result.error().message);
  }
  world::Outcome<play::SentMessage> sent = cast_.agent->take_reply(*result);
  if (sent) return take(std::move(*sent), &*result);
  // No message can be made of it, as of a solo agent's words: it is no call.
  turns_.push_back(aside_of(kUnusedKey, *result));
  counts_.add(result->usage);
  finish(FirstCall::no_call, name_of(Termination::agent_error));
}

void FirstCallUnit::take(play::SentMessage sent, const llm::ChatReply* reply) {
  const FirstCall call = state_->judge(sent.message);
  std::optional<store::Turn> further = take_further_calls(sent.message);
  const std::size_t before = state_->orchestrator().trajectory().size();
  const llm::Usage usage = sent.usage;
  outcome_.agent_cost = sent.cost;
  outcome_.seconds = sent.seconds.value_or(0.0);
  state_->accept(std::move(sent));
  const play::Orchestrator& played = state_->orchestrator();
  for (std::size_t i = before; i < played.trajectory().size(); ++i) {
    turns_.push_back(turn_of(played.trajectory()[i], played.records()[i],
                             i == before ? reply : nullptr, parts_.keep_responses));
    if (i == before && further) turns_.push_back(std::move(*further));
  }
  counts_ =
      count_calls(played.trajectory().subspan(before), parts_.world->world->setup(), parts_.solo);
  counts_.add(usage);
  finish(call, name_of(Termination::max_steps));
}

void FirstCallUnit::set_times() {
  outcome_.start_time = iso_time(started_us_);
  outcome_.end_time = iso_time(std::max(started_us_, parts_.clock->wall_microseconds()));
}

void FirstCallUnit::finish(FirstCall call, std::string_view termination) {
  ended_ = true;
  set_times();
  outcome_.state = store::UnitState::done;
  outcome_.termination = termination;
  outcome_.reward = call == FirstCall::right ? 1.0 : 0.0;
  world::Object judged{{"outcome", name_of(call)},
                       {"state", static_cast<std::int64_t>(parts_.state)},
                       {"trial", std::int64_t{parts_.trial}},
                       {"due", state_->due().name},
                       {"by", name_of(state_->due_party())}};
  outcome_.info = world::dump_json(world::Object{{"first_call", std::move(judged)}});
}

void FirstCallUnit::end_broken(std::string_view type, std::string_view text) {
  ended_ = true;
  outcome_ = broken_outcome(type, text);
  problem_ = without_secrets(text);
  set_times();
}

std::vector<store::Turn> FirstCallUnit::take_turns() { return std::exchange(turns_, {}); }

}  // namespace unmask::run
