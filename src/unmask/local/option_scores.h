#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::local {

/// A text and several ways to go on, as tokens.
struct OptionTokens {
  std::vector<Token> beginning;             ///< what all options share, and is wholly of the text
  std::vector<std::vector<Token>> options;  ///< of each what follows

  bool operator==(const OptionTokens&) const = default;
};

/// Tokens of `text` and what may follow it. Each continuation is tokenised together with the text,
/// so that what a merge puts together across that place is one token, and belongs to the option.
/// Errors: those of tokens_of(); failed where nothing stands before the options.
[[nodiscard]] ModelResult<OptionTokens> option_tokens(const LanguageModel& model,
                                                      std::string_view text,
                                                      std::span<const std::string> continuations);

/// What is asked of options.
struct OptionQuestion {
  std::vector<double> temperatures;  ///< at which they are scored besides 1; each > 0
  std::size_t likeliest = 0;         ///< next tokens that are told
  /// Next tokens of another model with the same vocabulary, from which the divergence is measured;
  /// may be empty.
  std::vector<RankedToken> reference;
};

struct OptionScores {
  /// Natural log, parallel to the options: the sum over each one's tokens.
  std::vector<double> log_probability;
  /// By temperature, parallel to the question's: the sum over tokens of the log-probability at that
  /// temperature.
  std::vector<std::vector<double>> tempered;
  std::vector<RankedToken> likeliest;  ///< best first
  /// See divergence_from(); of the next token, after what the options share.
  std::optional<double> divergence;

  bool operator==(const OptionScores&) const = default;
};

/// Scores options, what they share being evaluated once. `goes_on` may be empty. Errors:
/// context_overflow; not_a_number, also for an option of probability 0; stopped; failed.
[[nodiscard]] ModelResult<OptionScores> score_options(LanguageModel& model,
                                                      const OptionTokens& tokens,
                                                      const OptionQuestion& question,
                                                      const std::function<bool()>& goes_on);

/// The same for models that make the same tokens of a text: a digest of the vocabulary and of the
/// tokens of a sample. Texts whose tokens are told apart by neither are possible, but not among the
/// files that one model was made into.
[[nodiscard]] std::string tokenizer_digest(const LanguageModel& model);

}  // namespace unmask::local
