#include "unmask/local/option_scores.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/sha256.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"
#include "unmask/local/token_tree.h"

namespace unmask::local {
namespace {

/// How many tokens both begin with.
std::size_t common(std::span<const Token> a, std::span<const Token> b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Digits, blanks, letters beyond ASCII, a token of control and the marks of JSON: what tokenizers
/// with one vocabulary treat differently.
constexpr std::string_view kSample =
    "<|im_start|>user\nOrder #W4082615 of 2024-05-17 (3 items, $1,299.00)  won't\tcome.\r\n\n"
    "{\"tool\": \"get_order_details\", \"arguments\": {\"id\": 12345678}}"
    " \xC3\x89t\xC3\xA9 \xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80 camelCase ALLCAPS";

/// Adds up an option's log-probabilities while a tree is visited.
class Sums {
 public:
  Sums(std::span<const std::vector<Token>> options, const TokenTree& tree,
       const OptionQuestion& question)
      : question_(question), wanted_(tree.tokens.size() + 1) {
    for (std::size_t option = 0; option < options.size(); ++option) {
      for (std::size_t i = 0; i < options[option].size(); ++i) {
        wanted_[tree.places[option][i]].push_back(
            {option, static_cast<std::size_t>(options[option][i])});
      }
    }
    scores_.log_probability.assign(options.size(), 0.0);
    scores_.tempered.assign(question.temperatures.size(), scores_.log_probability);
  }

  void visit(std::size_t place, std::span<const float> logits) {
    const std::optional<double> normaliser = log_sum_exp(logits);
    numbers_ = numbers_ && normaliser.has_value();
    if (!numbers_) return;
    add(place, logits, 1.0, *normaliser, scores_.log_probability);
    for (std::size_t t = 0; t < question_.temperatures.size(); ++t) {
      const double temperature = question_.temperatures[t];
      add(place, logits, temperature, tempered_log_sum_exp(logits, temperature),
          scores_.tempered[t]);
    }
    if (place != 0) return;
    scores_.likeliest = likeliest(logits, *normaliser, question_.likeliest);
    if (!question_.reference.empty()) {
      scores_.divergence = divergence_from(question_.reference, logits, *normaliser);
    }
  }

  /// nullopt where some number is none.
  [[nodiscard]] std::optional<OptionScores> take() {
    const auto all_finite = [](const std::vector<double>& values) {
      return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
    };
    numbers_ = numbers_ && all_finite(scores_.log_probability) &&
               std::ranges::all_of(scores_.tempered, all_finite);
    return numbers_ ? std::optional(std::move(scores_)) : std::nullopt;
  }

 private:
  struct Wanted {
    std::size_t option;
    std::size_t token;
  };

  void add(std::size_t place, std::span<const float> logits, double temperature, double normaliser,
           std::vector<double>& sums) const {
    for (const Wanted& each : wanted_[place]) {
      sums[each.option] += static_cast<double>(logits[each.token]) / temperature - normaliser;
    }
  }

  const OptionQuestion& question_;
  std::vector<std::vector<Wanted>> wanted_;  ///< by place
  OptionScores scores_;
  bool numbers_ = true;
};

}  // namespace

ModelResult<OptionTokens> option_tokens(const LanguageModel& model, std::string_view text,
                                        std::span<const std::string> continuations) {
  OptionTokens tokens;
  ModelResult<std::vector<Token>> alone = model.tokens_of(text, true);
  if (!alone) return tl::unexpected(std::move(alone.error()));
  std::size_t shared = alone->size();
  for (const std::string& continuation : continuations) {
    ModelResult<std::vector<Token>> option =
        model.tokens_of(std::string(text).append(continuation), true);
    if (!option) return tl::unexpected(std::move(option.error()));
    shared = std::min(shared, common(*alone, *option));
    tokens.options.push_back(std::move(*option));
  }
  if (shared == 0) {
    return model_failure(ModelFault::failed, "nothing stands before the options");
  }
  tokens.beginning.assign(alone->begin(), alone->begin() + static_cast<std::ptrdiff_t>(shared));
  for (std::vector<Token>& option : tokens.options) {
    option.erase(option.begin(), option.begin() + static_cast<std::ptrdiff_t>(shared));
  }
  return tokens;
}

ModelResult<OptionScores> score_options(LanguageModel& model, const OptionTokens& tokens,
                                        const OptionQuestion& question,
                                        const std::function<bool()>& goes_on) {
  std::size_t longest = 0;
  for (const std::vector<Token>& option : tokens.options) {
    longest = std::max(longest, option.size());
  }
  if (tokens.beginning.size() + longest > model.context_tokens()) {
    return model_failure(ModelFault::context_overflow,
                         std::to_string(tokens.beginning.size() + longest) +
                             " tokens, and the context holds " +
                             std::to_string(model.context_tokens()));
  }
  const TokenTree tree = tree_before_each(tokens.options);
  Sums sums(tokens.options, tree, question);
  const ModelResult<void> done = model.evaluate_tree(
      tokens.beginning, tree.tokens,
      [&](std::size_t place, std::span<const float> logits) { sums.visit(place, logits); },
      goes_on);
  if (!done) return tl::unexpected(done.error());
  std::optional<OptionScores> scores = sums.take();
  if (!scores) {
    return model_failure(ModelFault::not_a_number,
                         "the model's logits are no numbers; its file is damaged, or its weights "
                         "overflow in this precision");
  }
  return std::move(*scores);
}

std::string tokenizer_digest(const LanguageModel& model) {
  Sha256 digest;
  const auto number = [&](std::size_t value) { digest.update(std::to_string(value) + ';'); };
  number(model.vocabulary_tokens());
  for (std::size_t token = 0; token < model.vocabulary_tokens(); ++token) {
    const std::string text = model.text_of(static_cast<Token>(token));
    number(text.size());
    digest.update(text);
  }
  for (const bool is_prompt : {false, true}) {
    const ModelResult<std::vector<Token>> sample = model.tokens_of(kSample, is_prompt);
    if (!sample) continue;
    for (const Token token : *sample) number(static_cast<std::size_t>(token));
  }
  constexpr std::size_t kDigits = 16;
  return digest.hex_digest().substr(0, kDigits);
}

}  // namespace unmask::local
