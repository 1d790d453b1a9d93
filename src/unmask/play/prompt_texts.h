#pragma once

#include <string>

#include "unmask/base/error.h"
#include "unmask/world/data_files.h"

namespace unmask::play {

/// The texts that tell a model its part. Data: own ones are compiled in, tau2-bench's are read.
struct PromptTexts {
  std::string agent;               ///< instructions of `llm_agent`
  std::string agent_ground_truth;  ///< of `llm_agent_gt`, who is told the golden actions
  std::string agent_solo;          ///< of `llm_agent_solo`
  /// How a golden action is told to llm_agent_gt; `{}` stands for the call.
  std::string agent_step;
  std::string user_step;
  std::string done_tool;        ///< description of the tool `done` of solo agents
  std::string user;             ///< guidelines of a simulated user without tools
  std::string user_with_tools;  ///< and with

  bool operator==(const PromptTexts&) const = default;
};

/// Our own texts.
[[nodiscard]] const PromptTexts& own_prompt_texts();

/// The texts that lie beside a domain's data: `agent_instructions.json` (scripts/get-tau2-data
/// makes it) and `user_simulator/simulation_guidelines.md` and `..._tools.md`. For what is missing,
/// our own. Errors: outside or bad_input, with file and place, for what can't be read.
[[nodiscard]] Result<PromptTexts> read_prompt_texts(const world::DataFiles& files);

}  // namespace unmask::play
