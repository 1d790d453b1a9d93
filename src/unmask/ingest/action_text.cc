#include "unmask/ingest/action_text.h"

#include "unmask/json/write.h"

namespace unmask {

namespace {

constexpr std::string_view kMark = "Action:";
constexpr std::string_view kOutput = "API output:";
/// The action that speaks to the user.
constexpr std::string_view kRespond = "respond";
constexpr std::string_view kSpace = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kSpace);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

/// The value of the first `"name":` of a text that is no JSON, without its quotes.
std::string_view named_in_ruins(std::string_view text) {
  constexpr std::string_view kKey = "\"name\"";
  const std::size_t key = text.find(kKey);
  if (key == std::string_view::npos) return {};
  const std::size_t from = text.find_first_not_of(" \t\r\n:\"", key + kKey.size());
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_first_of("\",} \t\r\n", from) - from);
}

}  // namespace

ActionText read_action_text(std::string_view text, json::Parser& parser) {
  ActionText action;
  const std::size_t mark = text.rfind(kMark);
  action.marked = mark != std::string_view::npos;
  const std::string_view body = trimmed(action.marked ? text.substr(mark + kMark.size()) : text);
  if (!body.starts_with('{')) return action;
  const auto parsed = parser.parse(body);
  const std::string_view name = parsed ? parsed->root["name"].text() : std::string_view{};
  if (!name.empty()) {
    if (name == kRespond) {
      action.kind = ActionKind::respond;
      return action;
    }
    action.kind = ActionKind::call;
    action.name = name;
    const json::Value arguments = parsed->root["arguments"];
    action.arguments_are_object = arguments.is_object() || arguments.is_null();
    action.arguments = arguments.is_null() ? "{}" : json::to_json(arguments);
    return action;
  }
  // tau-bench hands a block that it can't read to the user as it stands.
  const std::string_view meant = named_in_ruins(body);
  if (!action.marked || parsed || meant.empty() || meant == kRespond) return action;
  action.kind = ActionKind::broken;
  action.arguments = body;
  action.arguments_are_object = false;
  return action;
}

std::string_view api_output(std::string_view text) {
  if (!text.starts_with(kOutput)) return {};
  text.remove_prefix(kOutput.size());
  if (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

}  // namespace unmask
