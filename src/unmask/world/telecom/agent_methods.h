#pragma once

#include <span>

#include "unmask/world/telecom/agent_state.h"
#include "unmask/world/telecom/method.h"

namespace unmask::world::telecom {

using AgentCall = MethodCall<AgentState>;
using AgentMethod = Method<AgentState>;

/// The agent's tools, in the order in which a model is offered them.
[[nodiscard]] std::span<const AgentMethod> agent_tools();

/// What tasks may call on the agent's side besides tools: initialisation and assertions.
[[nodiscard]] std::span<const AgentMethod> agent_functions();

}  // namespace unmask::world::telecom
