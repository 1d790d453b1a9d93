#include "unmask/local/generate.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/rng.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::local {
namespace {

tl::unexpected<ModelError> no_numbers() {
  return model_failure(ModelFault::not_a_number,
                       "the model's logits are no numbers; its file is damaged, or its weights "
                       "overflow in this precision");
}

/// Where the first of `ends` begins in `text`; npos if none is there. Only the text behind `from`
/// is new.
std::size_t find_end(std::string_view text, std::size_t from, std::span<const std::string> ends) {
  std::size_t first = std::string_view::npos;
  for (const std::string& end : ends) {
    if (end.empty()) continue;
    const std::size_t begin = from < end.size() ? 0 : from - end.size();
    first = std::min(first, text.find(end, begin));
  }
  return first;
}

}  // namespace

std::string_view name_of(AnswerEnd end) { return end == AnswerEnd::stop ? "stop" : "length"; }

ModelResult<Answer> generate(LanguageModel& model, std::span<const Token> prompt,
                             const GenerateSettings& settings) {
  if (prompt.size() >= model.context_tokens()) {
    return model_failure(ModelFault::context_overflow, "the prompt has " +
                                                           std::to_string(prompt.size()) +
                                                           " tokens, and the context holds " +
                                                           std::to_string(model.context_tokens()));
  }
  Rng random(settings.seed, "local_model");
  Answer answer;
  ModelResult<std::span<const float>> logits = model.evaluate(prompt);
  while (true) {
    if (!logits) return tl::unexpected(std::move(logits.error()));
    if (settings.goes_on && !settings.goes_on()) {
      return model_failure(ModelFault::stopped, "stopped");
    }
    const std::optional<double> normaliser = log_sum_exp(*logits);
    if (!normaliser) return no_numbers();
    // Drawn for each token, so that it is the number of a place, whatever the temperature.
    const double uniform = random.uniform();
    const Token token = draw(*logits, settings.temperature, uniform);
    if (model.ends_answer(token)) break;
    const auto logit = static_cast<double>((*logits)[static_cast<std::size_t>(token)]);
    answer.tokens.push_back(
        {{token, logit - *normaliser}, likeliest(*logits, *normaliser, settings.alternatives)});
    const std::size_t before = answer.text.size();
    answer.text += model.text_of(token);
    if (const std::size_t end = find_end(answer.text, before, settings.ends);
        end != std::string_view::npos) {
      answer.text.resize(end);
      break;
    }
    if (settings.is_complete && settings.is_complete(answer.text)) break;
    if (answer.tokens.size() >= settings.most_tokens ||
        prompt.size() + answer.tokens.size() >= model.context_tokens()) {
      answer.end = AnswerEnd::length;
      break;
    }
    logits = model.append(token);
  }
  return answer;
}

ModelResult<std::vector<ScoredToken>> score(LanguageModel& model, std::span<const Token> tokens,
                                            std::size_t first, std::size_t alternatives) {
  if (first == 0) {
    return model_failure(ModelFault::failed, "nothing stands before the first token to score it");
  }
  std::vector<ScoredToken> scored;
  if (first >= tokens.size()) return scored;
  bool numbers = true;
  // What stands behind the last token is not asked for.
  const ModelResult<void> visited =
      model.evaluate_each(tokens.first(tokens.size() - 1), first - 1,
                          [&](std::size_t before, std::span<const float> logits) {
                            const std::optional<double> normaliser = log_sum_exp(logits);
                            numbers = numbers && normaliser.has_value();
                            if (!numbers) return;
                            const auto token = static_cast<std::size_t>(tokens[before + 1]);
                            scored.push_back({static_cast<double>(logits[token]) - *normaliser,
                                              likeliest(logits, *normaliser, alternatives)});
                          });
  if (!visited) return tl::unexpected(visited.error());
  if (!numbers) return no_numbers();
  return scored;
}

}  // namespace unmask::local
