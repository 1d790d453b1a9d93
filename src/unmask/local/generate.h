#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::local {

struct GenerateSettings {
  double temperature = 0.0;       ///< 0: always the likeliest token
  std::uint64_t seed = 0;         ///< of the draws
  std::size_t most_tokens = 512;  ///< of the answer
  std::size_t alternatives = 0;   ///< likeliest tokens that are kept of each position
  std::vector<std::string> ends;  ///< texts that end the answer, and are not part of it
  std::function<bool()> goes_on;  ///< asked before each token; may be empty
  /// Whether the text so far is all that is wanted, asked after each token; may be empty.
  std::function<bool(std::string_view)> is_complete;
};

/// A token of an answer with its log-probability before any temperature, and the likeliest tokens
/// of its position, the chosen one perhaps among them.
struct GeneratedToken {
  RankedToken chosen;
  std::vector<RankedToken> alternatives;

  bool operator==(const GeneratedToken&) const = default;
};

enum class AnswerEnd : std::uint8_t {
  stop,    ///< the model ended it, or it was complete
  length,  ///< most_tokens, or the context is full
};

/// `stop`, `length`: as chat completions call it.
[[nodiscard]] std::string_view name_of(AnswerEnd end);

struct Answer {
  std::string text;
  std::vector<GeneratedToken> tokens;  ///< without the one that ended it
  AnswerEnd end = AnswerEnd::stop;

  bool operator==(const Answer&) const = default;
};

/// Lets `model` go on after `prompt`. The same prompt and settings give the same answer. Errors:
/// context_overflow if the prompt leaves no room for a single token; not_a_number; stopped, also
/// when goes_on() says no.
[[nodiscard]] ModelResult<Answer> generate(LanguageModel& model, std::span<const Token> prompt,
                                           const GenerateSettings& settings);

/// What a token's place in a sequence of tokens says of it.
struct ScoredToken {
  double log_probability = 0.0;  ///< of the token that stands there
  std::vector<RankedToken> likeliest;

  bool operator==(const ScoredToken&) const = default;
};

/// Log-probabilities of a given sequence: for each token from position `first` (at least 1) on, its
/// own, given those before it, and the `alternatives` likeliest of that place; all of the
/// vocabulary with alternatives = vocabulary_tokens(). Errors: failed for a `first` of 0;
/// context_overflow, not_a_number, stopped.
[[nodiscard]] ModelResult<std::vector<ScoredToken>> score(LanguageModel& model,
                                                          std::span<const Token> tokens,
                                                          std::size_t first,
                                                          std::size_t alternatives);

}  // namespace unmask::local
