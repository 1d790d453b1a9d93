#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/json/value.h"
#include "unmask/llm/endpoint.h"
#include "unmask/net/http_client.h"

namespace unmask::decisions {

/// A token of a text that a server was given, with its log-probability there; nullopt for the first
/// one, which follows nothing.
struct PromptToken {
  std::string text;
  std::optional<double> log_probability;

  bool operator==(const PromptToken&) const = default;
};

/// The tokens in `prompt_logprobs` of vLLM (of each position the token that stands there comes
/// first) or in `logprobs` of a completion with `echo`. Empty where there are none.
[[nodiscard]] std::vector<PromptToken> read_prompt_tokens(const json::Value& response_or_choice);

/// Scores of options from the tokens of their texts, each of which ends with its continuation, but
/// for up to two tokens that the server added behind it. Sums begin at the first token that is not
/// wholly of the context or that not all options share, as LocalScorer's. Faults: `not_a_number`;
/// `failed: ...` where tokens don't spell the continuation.
[[nodiscard]] ArmScores option_scores(std::span<const std::vector<PromptToken>> tokens,
                                      std::span<const std::string> continuations);

/// Scores decisions with a model behind an endpoint that tells the log-probabilities of a text that
/// it is given: chat completions with `prompt_logprobs` whose last message is continued
/// (`continue_final_message`; vLLM), so that the model's own template is used; else completions
/// with `prompt_logprobs` or `echo`, where the conversation is written in plain words (User: ...,
/// Assistant: ...). What is scored is the text protocol's JSON, whatever form a server's parser of
/// calls expects. At temperature 1 alone, and without divergence.
class EndpointScorer final : public Scorer {
 public:
  /// `http` outlives it. Errors: those of llm::check.
  [[nodiscard]] static Result<std::unique_ptr<EndpointScorer>> open(llm::Endpoint endpoint,
                                                                    ScoredArm arm,
                                                                    net::HttpClient& http);
  ~EndpointScorer() override;

  [[nodiscard]] ScoredArm arm() const override;

  /// Errors: interrupted; outside for an endpoint that can't be reached, refuses, or offers none of
  /// the ways, with the remedy. A context that is too long has the fault `context_overflow`.
  [[nodiscard]] Result<void> score(std::span<const DecisionContext> contexts,
                                   const std::function<void(std::size_t, ArmScores)>& done,
                                   const std::function<bool()>& goes_on) override;

 private:
  class State;
  explicit EndpointScorer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace unmask::decisions
