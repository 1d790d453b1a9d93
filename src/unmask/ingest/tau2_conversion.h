#pragma once

#include <map>
#include <string>
#include <vector>

#include "unmask/episode/log_header.h"
#include "unmask/json/value.h"

namespace unmask {

/// What `unmask convert` and exports of runs write beside a results file's own members, since the
/// layout has no place for it: the harness, arm, precision, tools, and what tasks pair by.
struct Tau2Conversion {
  bool present = false;
  std::string arm;
  bool model_is_guess = false;
  std::string precision;
  std::string quantization_method;
  std::string kv_cache_precision;
  std::string engine;
  std::string chat_template_hash;
  std::string tool_call_parser;
  std::string grammar_constrained;
  std::string policy_hash;
  Harness harness;  ///< without a name: not known, so not to be inferred from the layout either
  std::vector<ToolDefinition> tools;  ///< the agent's: tau2-bench's `tool_defs` takes no list
  std::vector<ToolDefinition> user_tools;
  bool tools_complete = false;
  std::map<std::string, std::string, std::less<>> task_keys;  ///< by task id
};

/// Reads the top member `unmask`.
[[nodiscard]] Tau2Conversion read_tau2_conversion(const json::Value& value);

/// Puts it into a header whose `info` has been read.
void apply(const Tau2Conversion& conversion, LogHeader& header);

}  // namespace unmask
