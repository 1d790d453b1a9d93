#include "unmask/convert/header_members.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/log_header.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"

namespace unmask {

void write_text(json::JsonText& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.key(key).string(text);
}

void write_real(json::JsonText& json, std::string_view key, const std::optional<double>& number) {
  if (number) json.key(key).real(*number);
}

void write_text_or_null(json::JsonText& json, std::string_view key, std::string_view text) {
  if (text.empty()) {
    json.key(key).null();
  } else {
    json.key(key).string(text);
  }
}

void write_real_or_null(json::JsonText& json, std::string_view key,
                        const std::optional<double>& number) {
  if (number) {
    json.key(key).real(*number);
  } else {
    json.key(key).null();
  }
}

void write_texts(json::JsonText& json, std::string_view key,
                 const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

namespace {

void write_setting(json::JsonText& json, std::string_view text, json::Parser& parser) {
  const auto parsed = parser.parse(text);
  const bool plain =
      parsed && parsed->repairs.total() == 0 &&
      (parsed->root.kind() == json::Kind::number || parsed->root.kind() == json::Kind::boolean);
  if (plain) {
    json.raw(text);
  } else {
    json.string(text);
  }
}

}  // namespace

void write_settings(json::JsonText& json, const std::map<std::string, std::string>& settings,
                    json::Parser& parser) {
  json.begin_object();
  for (const auto& [name, text] : settings) write_setting(json.key(name), text, parser);
  json.end_object();
}

void write_identity(json::JsonText& json, const LogHeader& header, json::Parser& parser) {
  const ArmIdentity& identity = header.identity;
  write_text(json, "arm", header.arm);
  write_text(json, "model", identity.model);
  if (identity.model_is_guess) json.key("model_is_guess").boolean(true);
  if (!identity.precision_is_guess) write_text(json, "precision", identity.precision);
  write_text(json, "quantization_method", identity.quantization_method);
  write_text(json, "kv_cache_precision", identity.kv_cache_precision);
  write_text(json, "engine", identity.engine);
  write_text(json, "chat_template_hash", identity.chat_template_hash);
  write_text(json, "tool_call_parser", identity.tool_call_parser);
  write_text(json, "grammar_constrained", identity.grammar_constrained);
  if (!identity.sampling.empty()) write_settings(json.key("sampling"), identity.sampling, parser);
  write_text(json, "agent_implementation", identity.agent_implementation);
  write_text(json, "user_model", identity.user_model);
  write_text(json, "user_implementation", identity.user_implementation);
  if (!identity.user_sampling.empty()) {
    write_settings(json.key("user_sampling"), identity.user_sampling, parser);
  }
}

void write_harness(json::JsonText& json, const Harness& harness) {
  json.begin_object();
  write_text(json, "name", harness.name);
  write_text(json, "version", harness.version);
  write_text(json, "git_commit", harness.git_commit);
  write_text(json, "evidence", harness.evidence);
  json.end_object();
}

void write_tools(json::JsonText& json, const std::vector<ToolDefinition>& tools) {
  json.begin_array();
  for (const ToolDefinition& tool : tools) {
    json.begin_object().key("type").string("function").key("function").begin_object();
    json.key("name").string(tool.name);
    if (!tool.parameters.empty()) json.key("parameters").raw(tool.parameters);
    json.end_object().end_object();
  }
  json.end_array();
}

}  // namespace unmask
