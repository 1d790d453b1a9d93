#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/log_header.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"

namespace unmask {

/// A member with a text, left out if that is empty.
void write_text(json::JsonText& json, std::string_view key, std::string_view text);
template <typename Number>
void write_integer(json::JsonText& json, std::string_view key,
                   const std::optional<Number>& number) {
  if (number) json.key(key).integer(*number);
}
void write_real(json::JsonText& json, std::string_view key, const std::optional<double>& number);
/// The same, null where it is absent.
void write_text_or_null(json::JsonText& json, std::string_view key, std::string_view text);
template <typename Number>
void write_integer_or_null(json::JsonText& json, std::string_view key,
                           const std::optional<Number>& number) {
  if (number) {
    json.key(key).integer(*number);
  } else {
    json.key(key).null();
  }
}
void write_real_or_null(json::JsonText& json, std::string_view key,
                        const std::optional<double>& number);
void write_texts(json::JsonText& json, std::string_view key, const std::vector<std::string>& texts);

/// An object of settings as the value: numbers and truth values as such, all else as texts.
void write_settings(json::JsonText& json, const std::map<std::string, std::string>& settings,
                    json::Parser& parser);
/// What an arm is, by the names of ArmIdentity's members. A guessed precision is left out: readers
/// guess it again.
void write_identity(json::JsonText& json, const LogHeader& header, json::Parser& parser);
/// `{name, version, git_commit}` as the value.
void write_harness(json::JsonText& json, const Harness& harness);
/// A list of OpenAI tools as the value.
void write_tools(json::JsonText& json, const std::vector<ToolDefinition>& tools);

}  // namespace unmask
