#include <nlohmann/json.hpp>

#include "unmask/study/log_facts.h"

namespace unmask {
namespace {

using nlohmann::json;

tl::unexpected<Error> bad(std::string_view source, const std::string& what) {
  return fail(ErrorCode::bad_input,
              std::string(source) + ": " + what +
                  "; expected a JSON list of tools ({\"name\", \"parameters\"} or OpenAI's "
                  "{\"type\": \"function\", "
                  "\"function\": {...}}), or an object with lists \"agent\" and \"user\"");
}

Result<std::vector<ToolDefinition>> read_list(const json& list, std::string_view source,
                                              const std::string& place) {
  if (!list.is_array()) return bad(source, place + " is not a list");
  std::vector<ToolDefinition> tools;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& entry =
        list[i].is_object() && list[i].contains("function") ? list[i]["function"] : list[i];
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string()) {
      return bad(source, place + "[" + std::to_string(i) + "] has no \"name\"");
    }
    const auto parameters = entry.find("parameters");
    tools.push_back(
        {entry["name"].get<std::string>(), parameters == entry.end() ? "" : parameters->dump()});
  }
  return tools;
}

}  // namespace

Result<ToolInventory> parse_tools(std::string_view text, std::string_view source) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return bad(source, "not JSON");
  ToolInventory inventory{.complete = true, .source = "tools file " + std::string(source)};
  if (document.is_array()) {
    auto agent = read_list(document, source, "the list");
    if (!agent) return tl::unexpected(agent.error());
    inventory.agent = std::move(*agent);
    return inventory;
  }
  if (!document.is_object() || !document.contains("agent")) return bad(source, "no list of tools");
  auto agent = read_list(document["agent"], source, "agent");
  if (!agent) return tl::unexpected(agent.error());
  inventory.agent = std::move(*agent);
  if (document.contains("user")) {
    auto user = read_list(document["user"], source, "user");
    if (!user) return tl::unexpected(user.error());
    inventory.user = std::move(*user);
  }
  return inventory;
}

}  // namespace unmask
