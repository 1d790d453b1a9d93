#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::play {

/// tau2-bench's agents.
enum class AgentKind : std::uint8_t {
  plain,         ///< `llm_agent`
  ground_truth,  ///< `llm_agent_gt`: is told the golden actions
  solo,          ///< `llm_agent_solo`: has a ticket and the tools of both, talks to nobody
};

/// `llm_agent`, `llm_agent_gt`, `llm_agent_solo`.
[[nodiscard]] std::string_view name_of(AgentKind kind);

/// What a model is given before the conversation.
struct ModelPrompt {
  std::string system;
  std::vector<llm::ChatTool> tools;
  llm::ToolChoice tool_choice = llm::ToolChoice::unset;

  bool operator==(const ModelPrompt&) const = default;
};

/// The prompt of an agent: instructions, the world's policy, and the golden actions or the ticket.
/// Raises AssertionError for a task that such an agent can't play.
[[nodiscard]] world::Outcome<ModelPrompt> agent_prompt(AgentKind kind,
                                                       const world::EnvironmentSetup& setup,
                                                       const world::Task& task,
                                                       const PromptTexts& texts);

/// The prompt of a simulated user: guidelines and the task's scenario. It is offered the user's
/// tools, or those of them that the task lists.
[[nodiscard]] ModelPrompt user_prompt(const world::EnvironmentSetup& setup, const world::Task& task,
                                      const PromptTexts& texts);

/// A scenario as the user is told it: headings, their bodies indented by tabs.
[[nodiscard]] std::string scenario_text(const world::UserScenario& scenario);

/// A tool as a model is offered it.
[[nodiscard]] llm::ChatTool chat_tool(const world::Tool& tool);

}  // namespace unmask::play
