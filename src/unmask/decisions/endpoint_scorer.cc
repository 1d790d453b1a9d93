#include "unmask/decisions/endpoint_scorer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/http_outcome.h"
#include "unmask/llm/request_json.h"
#include "unmask/llm/retry_policy.h"
#include "unmask/local/plain_prompt.h"
#include "unmask/net/http_client.h"
#include "unmask/net/http_message.h"

namespace unmask::decisions {
namespace {

using json::Value;
using std::chrono::milliseconds;

/// Members that make a server score the last message instead of writing another one.
constexpr std::string_view kForced =
    R"({"prompt_logprobs":0,"add_generation_prompt":false,"continue_final_message":true,)"
    R"("max_tokens":1,"temperature":0})";

std::optional<double> finite(const Value& value) {
  const std::optional<double> number = value.number();
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::vector<PromptToken> read_positions(const Value& list) {
  std::vector<PromptToken> tokens;
  for (const Value position : list.elements()) {
    PromptToken& token = tokens.emplace_back();
    for (const json::Member& first : position.members()) {
      token.text = first.value["decoded_token"].text();
      token.log_probability = finite(first.value["logprob"]);
      break;
    }
  }
  return tokens;
}

std::vector<PromptToken> read_echo(const Value& logprobs) {
  std::vector<PromptToken> tokens;
  for (const Value token : logprobs["tokens"].elements()) {
    tokens.push_back({std::string(token.text()), std::nullopt});
  }
  std::size_t at = 0;
  for (const Value score : logprobs["token_logprobs"].elements()) {
    if (at < tokens.size()) tokens[at++].log_probability = finite(score);
  }
  return tokens;
}

/// The first of the tokens that end with `continuation`; nullopt if they don't.
std::optional<std::size_t> first_of(std::span<const PromptToken> tokens,
                                    std::string_view continuation) {
  std::string text;
  for (std::size_t i = tokens.size(); i-- > 0;) {
    text.insert(0, tokens[i].text);
    if (text.size() < continuation.size()) continue;
    return text.ends_with(continuation) ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

ArmScores failed(std::string fault) {
  ArmScores scores;
  scores.fault = std::move(fault);
  return scores;
}

/// How an endpoint is asked for scores.
enum class Way : std::uint8_t { unknown, chat, text };

std::string url_of(const llm::Endpoint& endpoint, Way way) {
  constexpr std::string_view kChat = "/chat";
  std::string url = llm::completions_url(endpoint);
  if (way == Way::text) {
    if (const std::size_t at = url.rfind("/chat/completions"); at != std::string::npos) {
      url.erase(at, kChat.size());
    }
  }
  return url;
}

std::string chat_body(const DecisionContext& context, std::size_t option,
                      const llm::Endpoint& endpoint) {
  llm::ChatRequest request;
  request.messages = context.messages;
  llm::ChatMessage& last = request.messages.emplace_back();
  last.role = llm::ChatRole::assistant;
  last.content = context.begins + context.continuations[option];
  return llm::encode_request(request, endpoint);
}

std::string text_body(const DecisionContext& context, const llm::Endpoint& endpoint) {
  const std::string prompt = local::plain_prompt(context.messages) + context.begins;
  std::string out;
  json::JsonText json(out);
  json.begin_object();
  if (!endpoint.model.empty()) json.key("model").string(endpoint.model);
  json.key("prompt").begin_array();
  for (const std::string& continuation : context.continuations) {
    json.string(prompt + continuation);
  }
  json.end_array().key("max_tokens").integer(1).key("temperature").integer(0);
  json.key("echo").boolean(true).key("logprobs").integer(1).end_object();
  return out;
}

/// A request and what came of it.
struct Answer {
  std::size_t request = 0;
  net::HttpResult result;
};

/// Answers that wait for the thread that scores.
class Answers {
 public:
  void put(Answer answer) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(answer));
    }
    arrived_.notify_one();
  }
  /// Nullopt if none comes for a while.
  std::optional<Answer> take() {
    constexpr milliseconds kPatience{100};
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, kPatience, [this] { return !queue_.empty(); })) return {};
    std::optional<Answer> first(std::move(queue_.front()));
    queue_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Answer> queue_;
};

}  // namespace

std::vector<PromptToken> read_prompt_tokens(const Value& response_or_choice) {
  if (const Value list = response_or_choice["prompt_logprobs"]; list.size() > 0) {
    return read_positions(list);
  }
  return read_echo(response_or_choice["logprobs"]);
}

ArmScores option_scores(std::span<const std::vector<PromptToken>> tokens,
                        std::span<const std::string> continuations) {
  constexpr std::size_t kMostAdded = 2;
  std::vector<std::span<const PromptToken>> texts;
  std::size_t begin = tokens.empty() ? 0 : tokens.front().size();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::span<const PromptToken> text = tokens[i];
    std::optional<std::size_t> first = first_of(text, continuations[i]);
    for (std::size_t added = 0; !first && added < kMostAdded && !text.empty(); ++added) {
      text = text.first(text.size() - 1);
      first = first_of(text, continuations[i]);
    }
    if (!first) return failed("failed: the server's tokens do not spell the option's text");
    texts.push_back(text);
    begin = std::min(begin, *first);
    // What all options share before they differ.
    const auto differs =
        std::ranges::mismatch(texts.front(), text, {}, &PromptToken::text, &PromptToken::text);
    if (i > 0) {
      begin = std::min(begin, static_cast<std::size_t>(differs.in1 - texts.front().begin()));
    }
  }
  ArmScores scores;
  for (const std::span<const PromptToken> text : texts) {
    double sum = 0.0;
    for (const PromptToken& token : text.subspan(begin)) {
      if (!token.log_probability) return failed("not_a_number");
      sum += *token.log_probability;
    }
    scores.log_probability.push_back(sum);
  }
  return scores;
}

class EndpointScorer::State {
 public:
  State(llm::Endpoint endpoint, ScoredArm arm, net::HttpClient& http)
      : arm_(std::move(arm)), endpoint_(std::move(endpoint)), http_(http) {}

  [[nodiscard]] const ScoredArm& arm() const { return arm_; }

  Result<void> score(std::span<const DecisionContext> contexts,
                     const std::function<void(std::size_t, ArmScores)>& done,
                     const std::function<bool()>& goes_on) {
    if (contexts.empty()) return {};
    if (way_ == Way::unknown) {
      if (Result<void> found = find_way(contexts.front(), goes_on); !found) return found;
    }
    return ask_all(contexts, done, goes_on);
  }

 private:
  /// One of the requests of a context.
  struct Request {
    std::size_t context = 0;
    std::size_t option = 0;  ///< where each option has its own
    std::string body;
    std::uint32_t attempts = 0;
    net::HttpClient::TaskId task = 0;
    bool flying = false;
  };
  /// What has come of a context's options.
  struct Scoring {
    std::vector<std::vector<PromptToken>> tokens;
    std::size_t left = 0;
    std::string fault;
  };

  Result<void> find_way(const DecisionContext& context, const std::function<bool()>& goes_on) {
    std::string said;
    for (const Way way : {Way::chat, Way::text}) {
      way_ = way;
      DecisionContext one = context;
      one.continuations.resize(1);
      bool found = false;
      const Result<void> asked = ask_all(
          std::span(&one, 1),
          [&](std::size_t, const ArmScores& scores) {
            found = scores.fault.empty() || scores.fault == "context_overflow";
            if (!found) said = scores.fault;
          },
          goes_on);
      if (!asked) {
        way_ = Way::unknown;
        return asked;
      }
      if (found) return {};
    }
    way_ = Way::unknown;
    return fail(
        ErrorCode::outside,
        llm::shown(endpoint_) +
            ": does not tell the log-probabilities of a text that it is given (" + said +
            "): neither prompt_logprobs of chat completions nor prompt_logprobs or echo of "
            "completions; serve the model with vLLM, or score its GGUF file in the process");
  }

  void submit(std::vector<Request>& requests, std::size_t number, milliseconds delay) {
    Request& request = requests[number];
    request.flying = true;
    ++request.attempts;
    // A timer of the client may call this when the scorer is gone.
    const auto send =
        [&http = http_, answers = answers_, number, timeout = endpoint_.timeout,
         sent = net::HttpRequest{"POST", url_of(endpoint_, way_), headers(), request.body}] {
          return http.submit(sent, timeout, [answers, number](net::HttpResult result) {
            answers->put({number, std::move(result)});
          });
        };
    if (delay <= milliseconds(0)) {
      request.task = send();
    } else {
      request.task = http_.after(delay, [send] { static_cast<void>(send()); });
    }
  }

  [[nodiscard]] std::vector<net::HttpHeader> headers() const {
    std::vector<net::HttpHeader> headers = {{"Content-Type", "application/json"},
                                            {"Accept", "application/json"},
                                            {"User-Agent", "unmask"}};
    if (!endpoint_.api_key.empty()) {
      headers.push_back({"Authorization", "Bearer " + endpoint_.api_key.reveal()});
    }
    return headers;
  }

  [[nodiscard]] std::vector<Request> requests_of(std::span<const DecisionContext> contexts) const {
    llm::Endpoint forced = endpoint_;
    forced.extra_body = kForced;
    std::vector<Request> requests;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      if (way_ == Way::text) {
        requests.push_back({.context = i, .body = text_body(contexts[i], endpoint_)});
        continue;
      }
      for (std::size_t option = 0; option < contexts[i].continuations.size(); ++option) {
        requests.push_back(
            {.context = i, .option = option, .body = chat_body(contexts[i], option, forced)});
      }
    }
    return requests;
  }

  Result<void> ask_all(std::span<const DecisionContext> contexts,
                       const std::function<void(std::size_t, ArmScores)>& done,
                       const std::function<bool()>& goes_on) {
    // Late answers of an earlier call must not reach this one.
    answers_ = std::make_shared<Answers>();
    std::vector<Request> requests = requests_of(contexts);
    std::vector<Scoring> scorings(contexts.size());
    for (const Request& request : requests) ++scorings[request.context].left;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      scorings[i].tokens.resize(contexts[i].continuations.size());
    }
    std::size_t next = 0;
    std::size_t flying = 0;
    Result<void> result;
    while (flying > 0 || next < requests.size()) {
      if (!goes_on()) {
        result = fail(ErrorCode::interrupted, "interrupted");
        break;
      }
      for (; next < requests.size() && flying < endpoint_.max_concurrency; ++next, ++flying) {
        submit(requests, next, milliseconds(0));
      }
      std::optional<Answer> answer = answers_->take();
      if (!answer) continue;
      Request& request = requests[answer->request];
      Scoring& scoring = scorings[request.context];
      Result<bool> taken = take(std::move(answer->result), request, scoring);
      if (!taken) {
        result = tl::unexpected(taken.error());
        break;
      }
      if (!*taken) {  // another attempt
        submit(requests, answer->request, delay_);
        continue;
      }
      request.flying = false;
      --flying;
      if (--scoring.left > 0) continue;
      done(request.context,
           scoring.fault.empty()
               ? option_scores(scoring.tokens, contexts[request.context].continuations)
               : failed(scoring.fault));
      scoring = Scoring();
    }
    for (const Request& request : requests) {
      if (request.flying) http_.cancel(request.task);
    }
    return result;
  }

  /// False: the request is to be sent again, after `delay_`.
  Result<bool> take(net::HttpResult result, const Request& request, Scoring& scoring) {
    if (result && result->status >= 200 && result->status <= 299) {
      read(result->body, request, scoring);
      return true;
    }
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const llm::Outcome outcome = llm::outcome_of(std::move(result), endpoint_, now);
    const llm::ChatError& error = outcome.result.error();
    if (const std::optional<milliseconds> delay = llm::next_delay(
            endpoint_.retry, outcome.failed, request.attempts, endpoint_.deadline, rng_)) {
      delay_ = std::max(*delay, milliseconds(1));
      return false;
    }
    switch (error.fault) {
      case llm::ChatFault::context_overflow:
        scoring.fault = "context_overflow";
        return true;
      case llm::ChatFault::refused:
        // Of a server that knows the way, a single request may be wrong; a key or model is not.
        if (error.status == 401 || error.status == 403) break;
        scoring.fault = "failed: " + error.message;
        return true;
      case llm::ChatFault::undecodable:
        scoring.fault = "failed: " + error.message;
        return true;
      case llm::ChatFault::connection:
      case llm::ChatFault::timed_out:
      case llm::ChatFault::server:
      case llm::ChatFault::cancelled:
        break;
    }
    return fail(ErrorCode::outside, error.message);
  }

  void read(std::string_view body, const Request& request, Scoring& scoring) {
    const Result<json::Parsed> parsed = parser_.parse(body);
    if (!parsed) {
      scoring.fault = "failed: an answer that is no JSON";
      return;
    }
    const Value root = parsed->root;
    if (way_ == Way::chat) {
      scoring.tokens[request.option] = read_prompt_tokens(root);
    } else {
      std::size_t number = 0;
      for (const Value choice : root["choices"].elements()) {
        const std::size_t at = choice["index"].unsigned_integer().value_or(number++);
        if (at < scoring.tokens.size()) scoring.tokens[at] = read_prompt_tokens(choice);
      }
    }
    const auto is_bare = [](const std::vector<PromptToken>& tokens) { return tokens.empty(); };
    const bool bare = way_ == Way::chat ? is_bare(scoring.tokens[request.option])
                                        : std::ranges::any_of(scoring.tokens, is_bare);
    if (bare) scoring.fault = "failed: the answer leaves log-probabilities of the text out";
  }

  ScoredArm arm_;
  llm::Endpoint endpoint_;
  net::HttpClient& http_;
  Way way_ = Way::unknown;
  std::shared_ptr<Answers> answers_;
  json::Parser parser_;
  Rng rng_{kDefaultSeed, "endpoint scorer", 0};
  milliseconds delay_{0};
};

EndpointScorer::EndpointScorer(std::unique_ptr<State> state) : state_(std::move(state)) {}
EndpointScorer::~EndpointScorer() = default;

Result<std::unique_ptr<EndpointScorer>> EndpointScorer::open(llm::Endpoint endpoint, ScoredArm arm,
                                                             net::HttpClient& http) {
  if (const Result<void> usable = llm::check(endpoint); !usable) {
    return tl::unexpected(usable.error());
  }
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): its constructor is private
  return std::unique_ptr<EndpointScorer>(
      new EndpointScorer(std::make_unique<State>(std::move(endpoint), std::move(arm), http)));
}

ScoredArm EndpointScorer::arm() const { return state_->arm(); }

Result<void> EndpointScorer::score(std::span<const DecisionContext> contexts,
                                   const std::function<void(std::size_t, ArmScores)>& done,
                                   const std::function<bool()>& goes_on) {
  return state_->score(contexts, done, goes_on);
}

}  // namespace unmask::decisions
