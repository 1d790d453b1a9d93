#include "unmask/decisions/conversation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/call_text.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/llm/chat.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/play/text_protocol.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::decisions {
namespace {

/// As play/model_participant.cc shows a model its own call.
std::string shown_arguments(const ToolCall& call) {
  std::optional<world::Object> arguments = arguments_of(call);
  if (!arguments) arguments = world::Object{{"unreadable_arguments", call.arguments}};
  return world::dump_json(*std::move(arguments));
}

std::string id_of(const Episode& episode, std::size_t call) {
  const std::string& id = episode.calls[call].id;
  return id.empty() ? "call_" + std::to_string(call) : id;
}

}  // namespace

Result<std::string> system_prompt(const LogHeader& header, const play::PromptTexts& texts) {
  if (!header.format.starts_with("tau2")) return header.policy;
  const std::string& agent = header.identity.agent_implementation;
  if (agent == play::name_of(play::AgentKind::solo) ||
      agent == play::name_of(play::AgentKind::ground_truth)) {
    return fail(ErrorCode::bad_input, header.file + ": its agent is a " + agent +
                                          ", whose prompt holds more than the log tells; only "
                                          "llm_agent's decisions can be asked again");
  }
  if (header.policy.empty()) {
    return fail(ErrorCode::bad_input,
                header.file +
                    ": does not hold the policy that its agent was told, so its decisions can't be "
                    "asked again");
  }
  world::EnvironmentSetup setup;
  setup.policy = header.policy;
  const world::Outcome<play::ModelPrompt> prompt =
      play::agent_prompt(play::AgentKind::plain, setup, world::Task(), texts);
  if (!prompt) return fail(ErrorCode::bad_input, header.file + ": " + prompt.error().text);
  return prompt->system;
}

bool is_spoken_to_in_text(const LogHeader& header) {
  const auto setting = header.identity.sampling.find("text_protocol");
  return setting != header.identity.sampling.end() && setting->second == "true";
}

Conversation::Conversation(std::string system, std::vector<llm::ChatTool> tools) {
  request_.tools = std::move(tools);
  request_.messages.push_back({.role = llm::ChatRole::system,
                               .content = std::move(system),
                               .tool_calls = {},
                               .tool_call_id = {}});
}

void Conversation::add(const Episode& episode, const Message& message) {
  llm::ChatMessage shown;
  shown.content = message.text;
  switch (message.role) {
    case MessageRole::system:
      if (message.text.empty()) return;  // what could not be read
      // Its own system prompt takes the place of the header's.
      if (request_.messages.size() == 1 && !begun_) {
        request_.messages.front().content = message.text;
        return;
      }
      shown.role = llm::ChatRole::system;
      break;
    case MessageRole::user:
      if (message.call_count > 0) return;
      begun_ = true;
      shown.role = llm::ChatRole::user;
      break;
    case MessageRole::tool:
      if (message.answers && episode.calls[*message.answers].party == Party::user) return;
      begun_ = true;
      shown.role = llm::ChatRole::tool;
      if (message.answers) shown.tool_call_id = id_of(episode, *message.answers);
      break;
    case MessageRole::agent:
      shown.role = llm::ChatRole::assistant;
      if (message.call_count > 0) shown.tool_calls.emplace();
      for (std::size_t i = 0; i < message.call_count; ++i) {
        const std::size_t call = message.first_call + i;
        shown.tool_calls->push_back({.id = id_of(episode, call),
                                     .name = episode.calls[call].name,
                                     .arguments = shown_arguments(episode.calls[call])});
      }
      break;
  }
  request_.messages.push_back(std::move(shown));
}

std::vector<llm::ChatMessage> Conversation::shown() const {
  return play::as_text_request(request_).messages;
}

bool Conversation::mentions(std::string_view text) const {
  return std::ranges::any_of(request_.messages, [&](const llm::ChatMessage& message) {
    if (message.content && message.content->find(text) != std::string::npos) return true;
    if (!message.tool_calls) return false;
    return std::ranges::any_of(*message.tool_calls, [&](const llm::ChatCall& call) {
      return call.name.find(text) != std::string::npos;
    });
  });
}

}  // namespace unmask::decisions
