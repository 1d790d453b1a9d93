#include "unmask/play/repaired_agent.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "unmask/episode/channel.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/model_participant.h"
#include "unmask/world/json_dump.h"

namespace unmask::play {
namespace {

/// A call as its model wrote it.
llm::ChatCall written(const world::ToolCall& call) {
  return {call.id, call.name,
          call.unreadable_arguments ? *call.unreadable_arguments : dump_json(call.arguments)};
}

}  // namespace

RepairedAgent::RepairedAgent(const Participant& inner, repair::Mode mode,
                             std::shared_ptr<const repair::CallRepair> repair)
    : inner_(inner), mode_(mode), repair_(std::move(repair)) {}

world::Outcome<Turn> RepairedAgent::take_turn(const View& view) const {
  world::Outcome<Turn> turn = inner_.take_turn(view);
  if (!turn) return turn;
  llm::ChatRequest* request = std::get_if<llm::ChatRequest>(&*turn);
  if (request == nullptr) return turn;
  switch (mode_) {
    case repair::Mode::off:
      break;
    case repair::Mode::rule:
      add_rule(*request);
      break;
    case repair::Mode::reflex:
      add_diagnoses(*request, view);
      break;
    case repair::Mode::intercept:
      add_held_back(*request, view);
      break;
  }
  return turn;
}

void RepairedAgent::add_rule(llm::ChatRequest& request) const {
  for (llm::ChatMessage& message : request.messages) {
    if (message.role != llm::ChatRole::system) continue;
    message.content = message.content.value_or("") + "\n\n" + repair_->texts().rule;
    return;
  }
}

void RepairedAgent::add_diagnoses(llm::ChatRequest& request, const View& view) const {
  // Results stand in the request in the order in which the view has them.
  std::size_t at = 0;
  const auto next_result = [&]() -> llm::ChatMessage* {
    while (at < request.messages.size() && request.messages[at].role != llm::ChatRole::tool) ++at;
    return at < request.messages.size() ? &request.messages[at++] : nullptr;
  };
  const world::Message* calling = nullptr;
  std::size_t answered = 0;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (view[i].role == world::Role::assistant && has_calls(view[i])) {
      calling = &view[i];
      answered = 0;
      continue;
    }
    if (view[i].role != world::Role::tool) continue;
    llm::ChatMessage* result = next_result();
    const std::size_t number = answered++;
    if (result == nullptr || !view[i].error || calling == nullptr ||
        number >= calling->tool_calls->size()) {
      continue;
    }
    const std::string error = result->content.value_or("");
    result->content =
        error + "\n\n" + repair_->after(written((*calling->tool_calls)[number]), error);
  }
}

void RepairedAgent::add_held_back(llm::ChatRequest& request, const View& view) const {
  for (const HeldBack& held : view.held_back()) {
    request.messages.push_back(chat_message(Party::agent, held.message));
    for (const world::ToolCall& call : *held.message.tool_calls) {
      request.messages.push_back({.role = llm::ChatRole::tool,
                                  .content = held.diagnosis,
                                  .tool_calls = {},
                                  .tool_call_id = call.id});
    }
  }
}

world::Outcome<SentMessage> RepairedAgent::take_reply(const llm::ChatReply& reply) const {
  return inner_.take_reply(reply);
}

bool RepairedAgent::stops(const world::Message& message) const { return inner_.stops(message); }

std::optional<std::string> RepairedAgent::objection(const world::Message& message) const {
  if (mode_ != repair::Mode::intercept || !has_calls(message)) return std::nullopt;
  // One wrong call holds back the whole message: the model is to see its calls as one again.
  std::optional<std::string> all;
  for (const world::ToolCall& call : *message.tool_calls) {
    const std::optional<std::string> wrong = repair_->before(written(call));
    if (!wrong) continue;
    all = all ? *all + "\n" + *wrong : *wrong;
  }
  return all;
}

}  // namespace unmask::play
