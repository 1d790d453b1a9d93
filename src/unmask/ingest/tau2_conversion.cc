#include "unmask/ingest/tau2_conversion.h"

#include <string>
#include <string_view>

#include "unmask/episode/log_header.h"
#include "unmask/ingest/header_values.h"
#include "unmask/ingest/tool_list.h"
#include "unmask/json/value.h"

namespace unmask {

Tau2Conversion read_tau2_conversion(const json::Value& value) {
  Tau2Conversion conversion;
  conversion.present = value["converted_from"].string().has_value();
  if (!conversion.present) return conversion;
  conversion.arm = value["arm"].text();
  conversion.precision = value["precision"].text();
  conversion.quantization_method = value["quantization_method"].text();
  conversion.kv_cache_precision = value["kv_cache_precision"].text();
  conversion.engine = value["engine"].text();
  conversion.chat_template_hash = value["chat_template_hash"].text();
  conversion.tool_call_parser = value["tool_call_parser"].text();
  conversion.grammar_constrained = value["grammar_constrained"].text();
  conversion.policy_hash = value["policy_hash"].text();
  conversion.model_is_guess = value["model_is_guess"].boolean().value_or(false);
  read_harness(value["harness"], conversion.harness);
  conversion.harness.evidence =
      "converted by unmask from " + std::string(value["converted_from"].text());
  if (const std::string_view evidence = value["harness"]["evidence"].text(); !evidence.empty()) {
    conversion.harness.evidence += ", of which it said: " + std::string(evidence);
  }
  conversion.tools = read_tool_list(value["tools"]);
  conversion.user_tools = read_tool_list(value["user_tools"]);
  conversion.tools_complete = value["tools_complete"].boolean().value_or(false);
  for (const json::Member member : value["task_keys"].members()) {
    conversion.task_keys.insert_or_assign(std::string(member.key),
                                          std::string(member.value.text()));
  }
  return conversion;
}

void apply(const Tau2Conversion& conversion, LogHeader& header) {
  if (!conversion.present) return;
  const auto take = [](std::string& field, const std::string& text) {
    if (!text.empty()) field = text;
  };
  take(header.arm, conversion.arm);
  ArmIdentity& identity = header.identity;
  identity.model_is_guess = identity.model_is_guess || conversion.model_is_guess;
  if (!conversion.precision.empty()) {
    identity.precision = conversion.precision;
    identity.precision_is_guess = false;
  }
  take(identity.quantization_method, conversion.quantization_method);
  take(identity.kv_cache_precision, conversion.kv_cache_precision);
  take(identity.engine, conversion.engine);
  take(identity.chat_template_hash, conversion.chat_template_hash);
  take(identity.tool_call_parser, conversion.tool_call_parser);
  take(identity.grammar_constrained, conversion.grammar_constrained);
  take(identity.policy_hash, conversion.policy_hash);
  header.harness = conversion.harness;
  if (!conversion.tools.empty()) {
    header.tools.agent = conversion.tools;
    header.tools.source = "log";
  }
  if (!conversion.user_tools.empty()) {
    header.tools.user = conversion.user_tools;
    header.tools.source = "log";
  }
  header.tools.complete = header.tools.complete || conversion.tools_complete;
  for (TaskDefinition& task : header.tasks) {
    const auto key = conversion.task_keys.find(task.id);
    if (key != conversion.task_keys.end() && !key->second.empty()) task.content_hash = key->second;
  }
}

}  // namespace unmask
