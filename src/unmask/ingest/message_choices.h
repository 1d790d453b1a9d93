#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/token_choices.h"
#include "unmask/json/value.h"

namespace unmask {

/// Names offered to the agent.
[[nodiscard]] std::vector<std::string> offered_names(const ToolInventory& tools);

/// Adds the decision point of a tool's name at `span`, if there are candidates.
void add_decision(std::uint32_t message, std::span<const TokenPosition> tokens,
                  const NameSpan& span, std::span<const std::string> offered, Episode& episode);

/// Adds a decision point for each call of `episode`, whose calls are read already, that the
/// log-probabilities of its message cover; others of such messages are counted
/// (Episode::calls_without_choices). They are `logprobs` of chat completions: a message's own, or
/// those of the response that tau2-bench keeps in `raw_data`.
void add_message_choices(const json::Value& messages, std::span<const std::string> offered,
                         Episode& episode);

}  // namespace unmask
