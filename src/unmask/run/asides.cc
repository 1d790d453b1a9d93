#include "unmask/run/asides.h"

#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/secrets.h"
#include "unmask/episode/episode.h"
#include "unmask/llm/chat.h"
#include "unmask/store/run.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::run {

store::Turn aside_of(std::string_view key, const llm::ChatReply& reply) {
  store::Turn aside;
  aside.kind = store::TurnKind::aside;
  aside.body = world::dump_json(world::Object{{std::string(key), reply.content.value_or("")}});
  store::ModelResponse response;
  response.prompt_tokens = reply.usage.prompt_tokens;
  response.completion_tokens = reply.usage.completion_tokens;
  response.finish_reason = reply.finish_reason;
  response.seconds = reply.seconds;
  response.attempts = reply.attempts;
  aside.response = std::move(response);
  return aside;
}

store::Turn undecodable_aside(const llm::ChatError& error) {
  store::Turn aside;
  aside.kind = store::TurnKind::aside;
  aside.body = world::dump_json(world::Object{{"undecodable_answer", without_secrets(error.body)}});
  return aside;
}

store::Outcome broken_outcome(std::string_view type, std::string_view text) {
  store::Outcome outcome;
  outcome.state = store::UnitState::infrastructure;
  outcome.termination = name_of(Termination::infrastructure_error);
  outcome.info =
      world::dump_json(world::Object{{"error", without_secrets(text)}, {"error_type", type}});
  return outcome;
}

}  // namespace unmask::run
