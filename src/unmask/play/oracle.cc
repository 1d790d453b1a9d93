#include "unmask/play/oracle.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/participant.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {
namespace {

SentMessage message_of(std::string text) {
  SentMessage sent;
  sent.message.content = std::move(text);
  return sent;
}

}  // namespace

std::string step_request(const world::GoldenAction& action) {
  return "Please take this step on your phone: " + action.name + " " + dump_json(action.arguments);
}

std::string wanted_words(const world::Task& task) {
  std::string text;
  if (!task.evaluation_criteria || !task.evaluation_criteria->communicate_info) return text;
  for (const std::string& info : *task.evaluation_criteria->communicate_info) text += info + ". ";
  return text;
}

Oracle::Oracle(const world::Task& task, bool solo) : task_(task), solo_(solo) {}

world::Outcome<Turn> Oracle::take_turn(const View& view) const {
  const std::span<const world::GoldenAction> actions = golden_actions(task_);
  const std::size_t turn = view.own_turns();
  if (turn >= actions.size()) {
    return message_of(solo_ ? std::string(kStopWord) : closing());
  }
  const world::GoldenAction& action = actions[turn];
  if (action.requestor == Party::user && !solo_) return message_of(step_request(action));
  world::ToolCall call;
  call.id = "golden_" + std::to_string(turn);
  call.name = action.name;
  call.arguments = action.arguments;
  SentMessage sent;
  sent.message.tool_calls = {std::move(call)};
  return sent;
}

bool Oracle::stops(const world::Message& message) const { return solo_ && has_stop_word(message); }

std::string Oracle::closing() const {
  const std::span<const world::GoldenAction> actions = golden_actions(task_);
  const bool handed_over = !actions.empty() && actions.back().name == kHandOver;
  return wanted_words(task_) + std::string(handed_over ? kHandOverWords : kClosingWords);
}

}  // namespace unmask::play
