#include "unmask/run/judge_request.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/play/json_in_text.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

constexpr std::string_view kInstructions =
    "You check a conversation between a service agent and a customer. You are given the "
    "conversation, with the agent's and the customer's tool results, and a numbered list of "
    "expectations. Decide for each expectation alone whether the conversation fulfils it. What is "
    "not shown by the conversation is not fulfilled.\n\n"
    "Answer with one JSON object and nothing else:\n"
    "{\"results\": [{\"expectedOutcome\": \"<the expectation, as given>\", \"reasoning\": \"<one "
    "or "
    "two sentences>\", \"metExpectation\": true or false}, ...]}\n"
    "Give one entry for each expectation, in their order.";

std::string_view speaker_of(const world::Message& message) {
  switch (message.role) {
    case world::Role::system:
      return "system";
    case world::Role::user:
      return "customer";
    case world::Role::assistant:
      return "agent";
    case world::Role::tool:
      return "tool";
  }
  return {};
}

std::string line_of(const world::Message& message) {
  std::string line(speaker_of(message));
  line += ": ";
  line += message.content.value_or("");
  if (message.tool_calls) {
    for (const world::ToolCall& call : *message.tool_calls) {
      line += "\n  calls " + call.name + ' ' + world::dump_json(call.arguments);
    }
  }
  return line + '\n';
}

}  // namespace

const std::vector<std::string>* judged_assertions(const world::Task& task) {
  const std::optional<world::EvaluationCriteria>& criteria = task.evaluation_criteria;
  if (!criteria || !criteria->nl_assertions || criteria->nl_assertions->empty()) return nullptr;
  const bool counts = std::ranges::find(criteria->reward_basis, world::RewardPart::nl_assertion) !=
                      criteria->reward_basis.end();
  return counts ? &*criteria->nl_assertions : nullptr;
}

llm::ChatRequest judge_request(std::span<const std::string> assertions,
                               std::span<const world::Message> messages) {
  llm::ChatMessage system;
  system.role = llm::ChatRole::system;
  system.content = std::string(kInstructions);
  std::string text = "The conversation:\n";
  for (const world::Message& message : messages) text += line_of(message);
  text += "\nThe expectations:\n";
  std::size_t number = 0;
  for (const std::string& assertion : assertions) {
    text += std::to_string(++number) + ". " + assertion + '\n';
  }
  llm::ChatMessage user;
  user.role = llm::ChatRole::user;
  user.content = std::move(text);
  llm::ChatRequest request;
  request.messages = {std::move(system), std::move(user)};
  return request;
}

std::string judgement_in(std::string_view answer) {
  const std::size_t brace = answer.find('{');
  if (brace == std::string_view::npos) return std::string(answer);
  return std::string(play::object_at(answer, brace).value_or(answer));
}

}  // namespace unmask::run
