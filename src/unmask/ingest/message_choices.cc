#include "unmask/ingest/message_choices.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/episode/decision_point.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/token_choices.h"
#include "unmask/json/value.h"

namespace unmask {
namespace {

using json::Value;

Value log_probabilities(const Value& message) {
  if (const Value own = message["logprobs"]["content"]; own.size() > 0) return own;
  for (const Value choice : message["raw_data"]["choices"].elements()) {
    return choice["logprobs"]["content"];
  }
  return {};
}

}  // namespace

std::vector<std::string> offered_names(const ToolInventory& tools) {
  std::vector<std::string> names;
  names.reserve(tools.agent.size());
  for (const ToolDefinition& tool : tools.agent) names.push_back(tool.name);
  return names;
}

void add_decision(std::uint32_t message, std::span<const TokenPosition> tokens,
                  const NameSpan& span, std::span<const std::string> offered, Episode& episode) {
  DecisionPoint point;
  point.message = message;
  point.candidates = name_candidates(tokens, span, offered);
  if (!point.candidates.empty()) episode.decisions.push_back(std::move(point));
}

void add_message_choices(const Value& messages, std::span<const std::string> offered,
                         Episode& episode) {
  std::uint32_t index = 0;
  std::size_t call = 0;
  for (const Value message : messages.elements()) {
    // A message of several results stands for as many.
    const Value inner = message["tool_messages"];
    if (inner.is_array()) {
      index += static_cast<std::uint32_t>(inner.size());
      continue;
    }
    if (const Value list = log_probabilities(message); list.size() > 0) {
      const std::vector<TokenPosition> tokens = read_token_positions(list);
      std::size_t from = 0;
      while (call < episode.calls.size() && episode.calls[call].message < index) ++call;
      for (; call < episode.calls.size() && episode.calls[call].message == index; ++call) {
        const std::optional<NameSpan> span = find_name(tokens, episode.calls[call].name, from);
        if (!span) {
          ++episode.calls_without_choices;
          continue;
        }
        add_decision(index, tokens, *span, offered, episode);
        from = span->next;
      }
    }
    ++index;
  }
}

}  // namespace unmask
