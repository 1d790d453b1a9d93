#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/run/model.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"

namespace unmask::run {

/// What a probe found. `unknown` where the probe before it failed or nothing can be told.
enum class Finding : std::uint8_t { yes, no, unknown };

[[nodiscard]] std::string_view name_of(Finding finding);

/// What an endpoint can do, from a handful of short requests.
struct EndpointReport {
  std::string endpoint;
  std::string address;  ///< its URL without a query, which may hold a secret; a gguf's path
  std::string error;    ///< why it can't be used, a sentence; empty if it answers chats
  Finding model_listed = Finding::unknown;      ///< the study's model stands in GET /models
  std::vector<std::string> models;              ///< that it lists
  std::optional<std::uint64_t> context_tokens;  ///< `max_model_len` there, of vLLM and others
  Finding calls_tools = Finding::unknown;       ///< a plain request to use a tool brings its call
  std::string called_instead;  ///< by a call of another name; empty: there was none
  /// A call of a name that was not offered comes back as one. `no`: it did not, so names may be
  /// constrained by a grammar or checked by the server; hallucinated names then can't be seen.
  Finding undeclared_names = Finding::unknown;
  Finding log_probabilities = Finding::unknown;  ///< of the tokens of a tool's name
  Finding reasons = Finding::unknown;  ///< writes its reasoning, before or beside the answer
  std::optional<double> seconds;       ///< of one short answer
  std::string weights;                 ///< of a gguf: its bits a weight and types
  std::string chat_template;           ///< of a gguf: what its messages are written by
};

/// What a study will cost, roughly: a product of assumptions that are stated beside it.
struct RunEstimate {
  std::string endpoint;
  std::uint64_t requests = 0;
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;
  std::optional<double> hours;  ///< at the time of the probe's answer and the study's concurrency
};

/// Assumed of an episode: messages that a model writes for each party, tokens of one, characters of
/// a token in prompts.
inline constexpr int kAssumedAgentMessages = 14;
inline constexpr int kAssumedUserMessages = 8;
inline constexpr int kAssumedMessageTokens = 80;
inline constexpr int kAssumedCharactersPerToken = 4;

/// Asked many times a second while an answer is waited for; true ends the waiting.
using StopProbes = std::function<bool()>;

/// What the body of GET /models says, put into `report`. A body that can't be read changes nothing.
void read_model_list(std::string_view body, const std::string& model, EndpointReport& report);

/// Asks an endpoint whose models are known already. `top_logprobs` of the plan may be 0: they are
/// asked for all the same.
void probe_chats(Model& model, EndpointReport& report, const StopProbes& stop = {});

/// Probes all endpoints of a study, one after another. Errors: those of open_models; interrupted.
[[nodiscard]] Result<std::vector<EndpointReport>> check_endpoints(const RunStudy& study,
                                                                  const Variable& variable,
                                                                  const StopProbes& stop = {});

/// For each endpoint of the study that some arm uses, what a whole run asks of it: of a single-turn
/// plan, an answer a state and trial.
[[nodiscard]] std::vector<RunEstimate> estimate(const RunPlan& plan,
                                                const std::vector<EndpointReport>& reports);

}  // namespace unmask::run
