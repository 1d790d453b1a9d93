#include "unmask/decisions/call_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"

namespace unmask::decisions {

std::string escaped(std::string_view text) {
  std::string quoted;
  world::append_json_string(quoted, text);
  return quoted.substr(1, quoted.size() - 2);
}

std::optional<world::Object> arguments_of(const ToolCall& call) {
  if (!call.arguments_are_object) return std::nullopt;
  if (call.arguments.empty()) return world::Object();
  Result<world::Value> parsed = world::parse_json(call.arguments);
  if (!parsed || parsed->object() == nullptr) return std::nullopt;
  return std::move(*parsed->object());
}

std::string call_text(const ToolCall& call) {
  std::string text(kCallBegins);
  text += escaped(call.name) + R"(", "arguments": )";
  const std::optional<world::Object> arguments = arguments_of(call);
  // As play/model_participant.cc shows a model its own malformed call.
  text += world::dump_json(
      arguments ? world::Value(*arguments)
                : world::Value(world::Object{{"unreadable_arguments", call.arguments}}));
  return text + "}";
}

std::vector<ArgumentPlace> argument_places(const ToolCall& call) {
  std::vector<ArgumentPlace> places;
  const std::optional<world::Object> arguments = arguments_of(call);
  if (!arguments) return places;
  std::string before(kCallBegins);
  before += escaped(call.name) + R"(", "arguments": {)";
  std::size_t left = arguments->size();
  for (const world::Member& member : *arguments) {
    before += world::dump_json(world::Value(member.key)) + ": ";
    --left;
    if (const world::List* list = member.value.list()) {
      std::string within = before + "[";
      std::uint32_t number = 0;
      for (const world::Value& element : *list) {
        if (element.list() == nullptr && element.object() == nullptr) {
          places.push_back({.argument = member.key,
                            .value = element,
                            .before = within,
                            .behind = number + 1 < list->size() ? "," : "]",
                            .element = number});
        }
        within += world::dump_json(element) + ", ";
        ++number;
      }
    } else if (member.value.object() == nullptr) {
      places.push_back({.argument = member.key,
                        .value = member.value,
                        .before = before,
                        .behind = left > 0 ? "," : "}",
                        .element = 0});
    }
    before += world::dump_json(member.value) + ", ";
  }
  return places;
}

}  // namespace unmask::decisions
