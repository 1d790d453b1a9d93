#include "unmask/play/model_prompt.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/python_text.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using world::Value;

std::string tagged(std::string_view tag, std::string_view body) {
  std::string text = "<" + std::string(tag) + ">\n";
  text += body;
  return text + "\n</" + std::string(tag) + ">";
}

void add_tools(const world::Toolkit& toolkit, std::vector<llm::ChatTool>& tools) {
  for (const world::Tool& tool : toolkit.tools) tools.push_back(chat_tool(tool));
}

/// `name(k=v, ...)`.
std::string call_text(const world::GoldenAction& action) {
  std::string text = action.name + "(";
  bool first = true;
  for (const world::Member& argument : action.arguments) {
    text += (first ? "" : ", ") + argument.key + "=" + python_str(argument.value);
    first = false;
  }
  return text + ")";
}

std::string filled(std::string_view pattern, std::string_view value) {
  constexpr std::string_view kPlace = "{}";
  std::string text(pattern);
  if (const std::size_t at = text.find(kPlace); at != std::string::npos) {
    text.replace(at, kPlace.size(), value);
  }
  return text;
}

std::string resolution_steps(std::span<const world::GoldenAction> actions,
                             const PromptTexts& texts) {
  std::string steps;
  std::size_t number = 0;
  for (const world::GoldenAction& action : actions) {
    const bool is_agents = action.requestor == Party::agent;
    if (number > 0) steps += '\n';
    steps += "[Step " + std::to_string(++number) + "] " +
             filled(is_agents ? texts.agent_step : texts.user_step, call_text(action));
  }
  return steps;
}

/// Every line that isn't blank, begun with a tab.
std::string indented(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    const std::string_view line = text.substr(0, length);
    if (!world::is_blank(line)) out += '\t';
    out += line;
    text.remove_prefix(length);
  }
  return out;
}

std::string instructions_text(const Value& instructions) {
  if (instructions.object() == nullptr) return python_str(instructions);
  std::string text;
  const auto member = [&](std::string_view key) { return instructions.find(key); };
  if (const Value* domain = member("domain")) text += "Domain: " + python_str(*domain);
  struct Part {
    std::string_view key;
    std::string_view heading;
  };
  for (const auto& [key, heading] :
       {Part{"reason_for_call", "Reason for call:"}, Part{"known_info", "Known info:"},
        Part{"unknown_info", "Unknown info:"}, Part{"task_instructions", "Task instructions:"}}) {
    const Value* body = member(key);
    if (body == nullptr || body->is_null()) continue;
    if (!text.empty()) text += '\n';
    text += heading;
    text += '\n' + indented(python_str(*body));
  }
  return text;
}

}  // namespace

std::string_view name_of(AgentKind kind) {
  switch (kind) {
    case AgentKind::plain:
      return "llm_agent";
    case AgentKind::ground_truth:
      return "llm_agent_gt";
    case AgentKind::solo:
      return "llm_agent_solo";
  }
  UNMASK_CHECK(false);
}

llm::ChatTool chat_tool(const world::Tool& tool) {
  return {.name = tool.name, .description = tool.description, .parameters = dump_json(tool.schema)};
}

std::string scenario_text(const world::UserScenario& scenario) {
  std::string text;
  if (scenario.persona) text += "Persona:\n" + indented(*scenario.persona) + '\n';
  return text + "Instructions:\n" + indented(instructions_text(scenario.instructions));
}

world::Outcome<ModelPrompt> agent_prompt(AgentKind kind, const world::EnvironmentSetup& setup,
                                         const world::Task& task, const PromptTexts& texts) {
  ModelPrompt prompt;
  add_tools(setup.agent, prompt.tools);
  prompt.tool_choice = llm::ToolChoice::automatic;
  switch (kind) {
    case AgentKind::plain:
      prompt.system = tagged("instructions", texts.agent) + '\n' + tagged("policy", setup.policy);
      break;
    case AgentKind::ground_truth:
      if (const auto valid = check_ground_truth_task(task); !valid) return raised_by(valid);
      prompt.system = tagged("instructions", texts.agent_ground_truth) + '\n' +
                      tagged("policy", setup.policy) + '\n' +
                      tagged("resolution_steps", resolution_steps(golden_actions(task), texts));
      break;
    case AgentKind::solo: {
      if (const auto valid = check_solo_task(task); !valid) return raised_by(valid);
      if (setup.user) add_tools(*setup.user, prompt.tools);
      world::Tool done;
      done.name = kDoneTool;
      done.description = texts.done_tool;
      done.schema = world::schema_of({});
      prompt.tools.push_back(chat_tool(done));
      prompt.tool_choice = llm::ToolChoice::required;
      prompt.system = tagged("instructions", texts.agent_solo) + '\n' +
                      tagged("policy", setup.policy_solo) + '\n' +
                      tagged("ticket", task.ticket.value_or("None"));
      break;
    }
  }
  return prompt;
}

ModelPrompt user_prompt(const world::EnvironmentSetup& setup, const world::Task& task,
                        const PromptTexts& texts) {
  ModelPrompt prompt;
  if (setup.user && !task.user_tools) add_tools(*setup.user, prompt.tools);
  if (setup.user && task.user_tools) {
    for (const std::string& name : *task.user_tools) {
      const world::Tool* tool = setup.user->find_tool(name);
      if (tool == nullptr) {  // an unknown name leaves the user without any
        prompt.tools.clear();
        break;
      }
      prompt.tools.push_back(chat_tool(*tool));
    }
  }
  const bool has_tools = !prompt.tools.empty();
  if (has_tools) prompt.tool_choice = llm::ToolChoice::automatic;
  prompt.system = (has_tools ? texts.user_with_tools : texts.user) + "\n\n" +
                  tagged("scenario", scenario_text(task.user_scenario));
  return prompt;
}

}  // namespace unmask::play
