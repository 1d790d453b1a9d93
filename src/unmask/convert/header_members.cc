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

void write_setting(json::JsonText& json, std::string_view text) {
  json::Parser parser;
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

void write_settings(json::JsonText& json, const std::map<std::string, std::string>& settings) {
  json.begin_object();
  for (const auto& [name, text] : settings) write_setting(json.key(name), text);
  json.end_object();
}

void write_harness(json::JsonText& json, const Harness& harness) {
  json.begin_object();
  write_text(json, "name", harness.name);
  write_text(json, "version", harness.version);
  write_text(json, "git_commit", harness.git_commit);
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
