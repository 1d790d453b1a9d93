#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/decision_point.h"
#include "unmask/json/value.h"

namespace unmask {

/// A token that could have stood at a position, with its log-probability there.
struct TokenChoice {
  std::string text;
  double log_probability = 0.0;

  bool operator==(const TokenChoice&) const = default;
};

/// A position of a generated text: the token that stands there and the recorded others.
struct TokenPosition {
  TokenChoice chosen;
  std::vector<TokenChoice> others;  ///< without the chosen one

  bool operator==(const TokenPosition&) const = default;
};

/// Reads OpenAI's `logprobs.content` (`token, logprob, top_logprobs`) or unmask-log-0's `tokens`
/// (`t, lp, top`). Log-probabilities that are no finite number are left out; a chosen token without
/// one ends the list, since nothing behind it could be summed.
[[nodiscard]] std::vector<TokenPosition> read_token_positions(const json::Value& list);

/// Where a tool's name stands in a generated text.
struct NameSpan {
  std::size_t first = 0;  ///< position whose token holds the name's first byte
  std::size_t skip = 0;   ///< bytes of that token in front of the name
  std::size_t next = 0;   ///< behind the position that closes the name

  bool operator==(const NameSpan&) const = default;
};

/// The first name value at or behind position `from`: what follows `"name": "`, `"tool": "` or
/// `"function": "`, or, if the text before position 0 was forced, `name` at the very beginning.
/// Nullopt if there is none.
[[nodiscard]] std::optional<NameSpan> find_name(std::span<const TokenPosition> tokens,
                                                std::string_view name, std::size_t from);

/// The candidates for a tool's name at `span`, best first. Every recorded token that would have led
/// to another name is one; its log-probability is the sum from the name's first token, where
/// candidates begin to differ, up to and with that token. The name that was chosen has all its
/// tokens. A candidate is admissible if it is an offered name or, where its rest was not recorded,
/// the beginning of one. Empty if `span` names no tokens.
[[nodiscard]] std::vector<Candidate> name_candidates(std::span<const TokenPosition> tokens,
                                                     const NameSpan& span,
                                                     std::span<const std::string> offered);

}  // namespace unmask
