#include "unmask/run/turn_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/iso_time.h"
#include "unmask/llm/chat.h"
#include "unmask/play/participant.h"
#include "unmask/store/run.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

store::TurnKind kind_of(world::Role role) {
  switch (role) {
    case world::Role::system:
      return store::TurnKind::system;
    case world::Role::user:
      return store::TurnKind::user;
    case world::Role::assistant:
      return store::TurnKind::assistant;
    case world::Role::tool:
      return store::TurnKind::tool;
  }
  return store::TurnKind::system;
}

}  // namespace

store::Turn turn_of(const world::Message& message, const play::MessageRecord& record,
                    const llm::ChatReply* reply, bool keep_body) {
  store::Turn turn;
  turn.kind = kind_of(message.role);
  turn.body = world::dump_json(world::to_value(message));
  turn.timestamp = iso_time(record.time_us);
  if (message.role == world::Role::tool) return turn;
  if (reply == nullptr && !record.cost) return turn;
  store::ModelResponse response;
  response.prompt_tokens = record.usage.prompt_tokens;
  response.completion_tokens = record.usage.completion_tokens;
  response.seconds = record.seconds;
  response.cost = record.cost;
  if (reply != nullptr) {
    response.finish_reason = reply->finish_reason;
    response.attempts = reply->attempts;
    response.log_probabilities = reply->log_probabilities;
    if (keep_body) response.raw_body = reply->body;
  }
  turn.response = std::move(response);
  return turn;
}

Result<play::SentMessage> message_of(const store::Turn& turn) {
  Result<world::Value> body = world::parse_json(turn.body);
  if (!body) return fail(ErrorCode::bad_input, "a turn is no JSON: " + body.error().message);
  world::List list;
  list.push_back(std::move(*body));
  Result<std::vector<world::Message>> messages =
      world::read_messages(list, "turn", world::MalformedCalls::kept);
  if (!messages) return tl::unexpected(messages.error());
  if (messages->size() != 1) return fail(ErrorCode::bad_input, "a turn is not one message");
  play::SentMessage sent;
  sent.message = std::move(messages->front());
  sent.time_us = time_of_iso(turn.timestamp);
  if (turn.response) {
    sent.cost = turn.response->cost;
    sent.usage = {turn.response->prompt_tokens, turn.response->completion_tokens};
    sent.seconds = turn.response->seconds;
  }
  return sent;
}

bool same_message(const world::Message& left, const world::Message& right) {
  return world::dump_json(world::to_value(left)) == world::dump_json(world::to_value(right));
}

}  // namespace unmask::run
