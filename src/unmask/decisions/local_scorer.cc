#include "unmask/decisions/local_scorer.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"
#include "unmask/local/option_scores.h"

namespace unmask::decisions {
namespace {

using local::ModelError;
using local::ModelFault;
using local::ModelResult;
using local::OptionScores;
using local::OptionTokens;

/// Contexts that are sorted by their tokens together, so that what they share is evaluated once
/// whatever order they come in.
constexpr std::size_t kSortedTogether = 256;

struct Prepared {
  std::size_t index = 0;  ///< among the contexts
  OptionTokens tokens;
};

std::string fault_of(const ModelError& error) {
  switch (error.fault) {
    case ModelFault::context_overflow:
      return "context_overflow";
    case ModelFault::not_a_number:
      return "not_a_number";
    case ModelFault::stopped:
    case ModelFault::failed:
      break;
  }
  return "failed: " + error.message;
}

ArmScores without_scores(const ModelError& error) {
  ArmScores scores;
  scores.fault = fault_of(error);
  return scores;
}

ArmScores arm_scores(const OptionScores& options, std::span<const double> temperatures) {
  ArmScores scores;
  scores.log_probability = options.log_probability;
  for (std::size_t i = 0; i < temperatures.size(); ++i) {
    scores.tempered.push_back({temperatures[i], options.tempered[i]});
  }
  scores.divergence = options.divergence;
  for (const local::RankedToken& each : options.likeliest) {
    scores.likeliest.push_back({each.token, each.log_probability});
  }
  return scores;
}

std::vector<local::RankedToken> ranked(std::span<const LikelyToken> tokens) {
  std::vector<local::RankedToken> all;
  all.reserve(tokens.size());
  for (const LikelyToken& each : tokens) all.push_back({each.token, each.log_probability});
  return all;
}

tl::unexpected<Error> interrupted() {
  return fail(ErrorCode::interrupted, "interrupted; what was scored is kept");
}

}  // namespace

LocalScorer::LocalScorer(local::LanguageModel& model, LocalScorerSettings settings)
    : model_(model), settings_(std::move(settings)) {
  settings_.arm.tokenizer = local::tokenizer_digest(model_);
}

ScoredArm LocalScorer::arm() const { return settings_.arm; }

Result<void> LocalScorer::score(std::span<const DecisionContext> contexts,
                                const std::function<void(std::size_t, ArmScores)>& done,
                                const std::function<bool()>& goes_on) {
  const bool is_reference = settings_.reference_tokenizer.empty();
  const bool same_tokens = settings_.reference_tokenizer == settings_.arm.tokenizer;
  for (std::size_t begin = 0; begin < contexts.size(); begin += kSortedTogether) {
    const std::size_t end = std::min(begin + kSortedTogether, contexts.size());
    std::vector<Prepared> prepared;
    for (std::size_t i = begin; i < end; ++i) {
      if (goes_on && !goes_on()) return interrupted();
      const DecisionContext& context = contexts[i];
      UNMASK_CHECK(context.continuations.size() == context.decision.options.size());
      const ModelResult<std::string> prompt = model_.prompt_of(context.messages);
      if (!prompt) {
        return fail(ErrorCode::outside, settings_.arm.name + ": " + prompt.error().message);
      }
      ModelResult<OptionTokens> tokens =
          local::option_tokens(model_, *prompt + context.begins, context.continuations);
      if (tokens) {
        prepared.push_back({i, std::move(*tokens)});
      } else {
        done(i, without_scores(tokens.error()));
      }
    }
    std::ranges::stable_sort(prepared, {},
                             [](const Prepared& each) { return each.tokens.beginning; });
    for (const Prepared& each : prepared) {
      if (goes_on && !goes_on()) return interrupted();
      local::OptionQuestion question{.temperatures = settings_.temperatures};
      if (is_reference) question.likeliest = settings_.likeliest;
      if (same_tokens) question.reference = ranked(contexts[each.index].likeliest);
      const ModelResult<OptionScores> scores =
          local::score_options(model_, each.tokens, question, goes_on);
      if (!scores && scores.error().fault == ModelFault::stopped) return interrupted();
      done(each.index,
           scores ? arm_scores(*scores, settings_.temperatures) : without_scores(scores.error()));
    }
  }
  return {};
}

std::string_view why_no_divergence(const ScoredArm& reference, const ScoredArm& arm) {
  if (reference.tokenizer.empty()) return "the reference's tokens are not known";
  if (arm.tokenizer.empty()) return "the arm's tokens are not known";
  return reference.tokenizer == arm.tokenizer ? "" : "the arms' tokenizers differ";
}

}  // namespace unmask::decisions
