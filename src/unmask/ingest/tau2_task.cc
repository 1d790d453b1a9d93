#include "unmask/ingest/tau2_task.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/sha256.h"
#include "unmask/ingest/json_values.h"
#include "unmask/json/text.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Kind;
using json::Member;
using json::Value;

/// Members of history messages, calls, actions and assertions that define nothing.
constexpr std::array<std::string_view, 10> kLabels = {
    "timestamp", "turn_idx", "cost",      "usage",   "raw_data",
    "id",        "info",     "action_id", "message", "generation_time_seconds"};
/// Data, in which a null or an empty list means something.
constexpr std::array<std::string_view, 3> kVerbatim = {"arguments", "agent_data", "user_data"};

template <std::size_t Size>
bool contains(const std::array<std::string_view, Size>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// What every reader assumes when the member is missing. Voice members of text messages are such.
bool is_default(std::string_view key, const Value& value) {
  if (key == "requestor") return value.text() == "assistant";
  if (key == "assert_value" || key == "is_final_chunk" || key == "contains_speech") {
    return value.boolean() == true;
  }
  if (key == "is_audio" || key == "error") return value.boolean() == false;
  return false;
}

bool is_void(const Value& value) {
  switch (value.kind()) {
    case Kind::missing:
    case Kind::null:
      return true;
    case Kind::array:
    case Kind::object:
    case Kind::string:
      break;
    case Kind::boolean:
    case Kind::number:
      return false;
  }
  if (value.kind() == Kind::string) return value.text().empty();
  return value.size() == 0;
}

std::string definition(const Value& value);

/// Empty if nothing of the object defines anything.
std::string object_definition(const Value& object) {
  std::vector<std::pair<std::string_view, std::string>> parts;
  for (const Member member : object.members()) {
    if (contains(kLabels, member.key) || is_default(member.key, member.value)) continue;
    std::string text = contains(kVerbatim, member.key)
                           ? (member.value.is_null() ? "" : json::to_canonical_json(member.value))
                           : definition(member.value);
    if (!text.empty()) parts.emplace_back(member.key, std::move(text));
  }
  if (parts.empty()) return {};
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "{";
  for (const auto& [key, text] : parts) {
    if (out.size() > 1) out += ',';
    json::append_quoted(out, key);
    out += ':';
    out += text;
  }
  return out + '}';
}

/// Canonical JSON without what defines nothing; empty if nothing is left. Depth is bounded by the
/// parser.
std::string definition(const Value& value) {
  if (is_void(value)) return {};
  if (value.is_object()) return object_definition(value);
  if (!value.is_array()) return json::to_canonical_json(value);
  std::string out = "[";
  for (const Value element : value.elements()) {
    if (out.size() > 1) out += ',';
    const std::string text = definition(element);
    out += text.empty() ? "null" : text;
  }
  return out + ']';
}

std::string content_hash(const Value& task) {
  std::string text;
  const auto append = [&text](std::string_view name, const std::string& part) {
    text += name;
    text += part;
    text += '\n';
  };
  append("user_scenario", definition(task["user_scenario"]));
  append("ticket", definition(task["ticket"]));
  append("initial_state", definition(task["initial_state"]));
  // Member by member, so that reward_basis stays out.
  const Value criteria = task["evaluation_criteria"];
  for (const std::string_view part :
       {"actions", "env_assertions", "communicate_info", "nl_assertions"}) {
    append(part, definition(criteria[part]));
  }
  return sha256_hex(text);
}

}  // namespace

TaskDefinition read_tau2_task(const Value& task) {
  TaskDefinition result;
  result.id = text_or_number(task["id"]);
  if (!task["user_scenario"].is_null() || !task["evaluation_criteria"].is_null()) {
    result.content_hash = content_hash(task);
  }
  result.history_messages =
      static_cast<std::uint32_t>(task["initial_state"]["message_history"].size());
  const Value criteria = task["evaluation_criteria"];
  for (const Value action : criteria["actions"].elements()) {
    const std::string name(action["name"].text());
    if (name.empty()) continue;
    auto& actions = action["requestor"].text() == "user" ? result.golden_user_actions
                                                         : result.golden_agent_actions;
    actions.push_back(name);
  }
  result.reward_basis = texts(criteria["reward_basis"]);
  return result;
}

std::string domain_of_tau2_task(const Value& task) {
  return std::string(task["user_scenario"]["instructions"]["domain"].text());
}

}  // namespace unmask
