#include "unmask/store/tau2_messages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/json/parser.h"
#include "unmask/json/split.h"
#include "unmask/store/json_members.h"
#include "unmask/store/run.h"

namespace unmask::store {

namespace {

using Members = std::vector<json::RawMember>;

/// A member that every message of a kind has. An empty default is filled in from the turn.
struct Expected {
  std::string_view key;
  std::string_view or_else;
};

constexpr std::array kParticipant = std::to_array<Expected>({
    {"role", ""},
    {"content", "null"},
    {"tool_calls", ""},
    {"is_audio", "false"},
    {"turn_idx", ""},
    {"timestamp", ""},
    {"cost", ""},
    {"usage", ""},
    {"raw_data", ""},
    {"generation_time_seconds", ""},
    {"audio_format", "null"},
    {"audio_path", "null"},
    {"audio_script_gold", "null"},
    {"speech_effects", "null"},
    {"source_effects", "null"},
    {"channel_effects", "null"},
    {"turn_taking_action", "null"},
    {"utterance_ids", "null"},
    {"chunk_id", "null"},
    {"is_final_chunk", "true"},
    {"source", "null"},
    {"contains_speech", "true"},
});
constexpr std::array kTool = std::to_array<Expected>({
    {"id", "\"\""},
    {"role", ""},
    {"content", "null"},
    {"requestor", "\"assistant\""},
    {"error", "false"},
    {"turn_idx", ""},
    {"timestamp", ""},
});
constexpr std::array kSystem = std::to_array<Expected>({
    {"role", ""},
    {"content", "null"},
    {"turn_idx", ""},
    {"timestamp", ""},
});

std::span<const Expected> expected_of(TurnKind kind) {
  if (kind == TurnKind::tool) return kTool;
  if (kind == TurnKind::system) return kSystem;
  return kParticipant;
}

/// Of a key that stands twice the last one, as Python's dictionaries have it.
std::optional<std::string_view> find(const Members& members, std::string_view key) {
  for (auto member = members.rbegin(); member != members.rend(); ++member) {
    if (member->key == key) return member->value;
  }
  return std::nullopt;
}

std::string count_or_null(const std::optional<std::uint64_t>& count) {
  return count ? std::to_string(*count) : "null";
}

std::string usage_of(const ModelResponse& response) {
  if (!response.completion_tokens && !response.prompt_tokens) return "null";
  return "{\"completion_tokens\":" + count_or_null(response.completion_tokens) +
         ",\"prompt_tokens\":" + count_or_null(response.prompt_tokens) + '}';
}

bool is_object(std::string_view text, json::Parser& parser) {
  const auto parsed = parser.parse(text);
  return parsed && parsed->root.is_object();
}

/// The provider's response as far as it is known.
std::string raw_data_of(const ModelResponse& response, json::Parser& parser) {
  if (is_object(response.raw_body, parser)) return response.raw_body;
  if (response.log_probabilities.empty() || !parser.parse(response.log_probabilities)) {
    return "null";
  }
  return "{\"choices\":[{\"index\":0,\"finish_reason\":" + json_string(response.finish_reason) +
         ",\"logprobs\":" + response.log_probabilities + "}]}";
}

/// What a turn says of a member that its body lacks.
std::string from_turn(std::string_view key, const Turn& turn, json::Parser& parser) {
  if (key == "role") return json_string(name_of(turn.kind));
  if (key == "timestamp" && !turn.timestamp.empty()) return json_string(turn.timestamp);
  if (!turn.response) return "null";
  const ModelResponse& response = *turn.response;
  if (key == "cost") return real_or_null(response.cost);
  if (key == "usage") return usage_of(response);
  if (key == "raw_data") return raw_data_of(response, parser);
  if (key == "generation_time_seconds") return real_or_null(response.seconds);
  return "null";
}

bool append_call(std::string& out, std::string_view text, std::string_view requestor,
                 json::Parser& parser, std::size_t& malformed) {
  const auto members = json::split_object(text);
  if (!members) return false;
  out += '{';
  append_member(out, "id", find(*members, "id").value_or("\"\""));
  append_member(out, "name", find(*members, "name").value_or("\"\""));
  const std::string_view arguments = find(*members, "arguments").value_or("{}");
  const bool readable = is_object(arguments, parser);
  append_member(out, "arguments", readable ? arguments : "{}");
  append_member(out, "requestor", find(*members, "requestor").value_or(json_string(requestor)));
  if (!readable) {
    ++malformed;
    const bool is_text = arguments.starts_with('"');
    append_member(out, "unmask_arguments",
                  is_text ? std::string(arguments) : json_string(arguments));
  }
  out += '}';
  return true;
}

/// `text` is null or a list of calls.
bool append_calls(std::string& out, std::string_view text, TurnKind kind, json::Parser& parser,
                  std::size_t& malformed) {
  if (text == "null") {
    append_member(out, "tool_calls", text);
    return true;
  }
  const auto calls = json::split_array(text);
  if (!calls) return false;
  append_member(out, "tool_calls", "[");
  for (std::size_t i = 0; i < calls->size(); ++i) {
    if (i > 0) out += ',';
    if (!append_call(out, (*calls)[i], name_of(kind), parser, malformed)) return false;
  }
  out += ']';
  return true;
}

bool append_message(std::string& out, const Turn& turn, std::size_t index, json::Parser& parser,
                    std::size_t& malformed) {
  const auto members = json::split_object(turn.body);
  if (!members) return false;
  out += '{';
  const std::span<const Expected> expected = expected_of(turn.kind);
  for (const auto& [key, or_else] : expected) {
    const auto value = find(*members, key);
    if (key == "turn_idx") {
      append_member(out, key, std::to_string(index));
    } else if (key == "tool_calls") {
      if (!append_calls(out, value.value_or("null"), turn.kind, parser, malformed)) return false;
    } else if (value) {
      append_member(out, key, *value);
    } else {
      append_member(out, key,
                    or_else.empty() ? from_turn(key, turn, parser) : std::string(or_else));
    }
  }
  // What else the body has: tau2-bench passes over it.
  for (const json::RawMember& member : *members) {
    const bool known = std::ranges::any_of(
        expected, [&](const Expected& entry) { return entry.key == member.key; });
    if (!known) append_member(out, member.key, member.value);
  }
  out += '}';
  return true;
}

}  // namespace

std::optional<std::size_t> append_messages(std::string& out, std::span<const Turn> turns,
                                           json::Parser& parser, std::size_t& malformed) {
  out += '[';
  std::size_t index = 0;
  for (std::size_t number = 0; number < turns.size(); ++number) {
    if (turns[number].kind == TurnKind::aside) continue;
    if (index > 0) out += ',';
    if (!append_message(out, turns[number], index, parser, malformed)) return number;
    ++index;
  }
  out += ']';
  return std::nullopt;
}

}  // namespace unmask::store
