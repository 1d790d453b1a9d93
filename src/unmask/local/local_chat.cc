#include "unmask/local/local_chat.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "unmask/base/utf8.h"
#include "unmask/json/json_text.h"
#include "unmask/llm/chat.h"
#include "unmask/local/generate.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::local {
namespace {

using SteadyClock = std::chrono::steady_clock;

/// Bytes that are no UTF-8 are replaced, as servers do.
std::string valid_utf8(std::string_view text) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) {
      append_utf8(valid, kReplacement);
      ++at;
    } else {
      valid += text.substr(at, length);
      at += length;
    }
  }
  return valid;
}

/// Members of one token, without the braces.
void write_token(json::JsonText& json, const RankedToken& token, const LanguageModel& model) {
  const std::string text = model.text_of(token.token);
  json.key("token").string(valid_utf8(text)).key("logprob").real(token.log_probability);
  json.key("bytes").begin_array();
  for (const char byte : text) json.integer(static_cast<unsigned char>(byte));
  json.end_array();
}

tl::unexpected<llm::ChatError> failure(llm::ChatFault fault, const LocalChatSettings& settings,
                                       const std::string& what) {
  llm::ChatError error;
  error.fault = fault;
  error.message = settings.name + ": " + what;
  return tl::unexpected(std::move(error));
}

tl::unexpected<llm::ChatError> failure(const ModelError& error, const LocalChatSettings& settings) {
  switch (error.fault) {
    case ModelFault::context_overflow:
      return failure(llm::ChatFault::context_overflow, settings, error.message);
    case ModelFault::not_a_number:
      return failure(llm::ChatFault::undecodable, settings, error.message);
    case ModelFault::stopped:
      return failure(llm::ChatFault::cancelled, settings, error.message);
    case ModelFault::failed:
      break;
  }
  return failure(llm::ChatFault::refused, settings, error.message);
}

}  // namespace

std::string log_probabilities_json(const Answer& answer, const LanguageModel& model) {
  std::string out;
  json::JsonText json(out);
  json.begin_object().key("content").begin_array();
  for (const GeneratedToken& token : answer.tokens) {
    json.begin_object();
    write_token(json, token.chosen, model);
    json.key("top_logprobs").begin_array();
    for (const RankedToken& other : token.alternatives) {
      json.begin_object();
      write_token(json, other, model);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return out;
}

bool object_is_closed(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"') {
        in_string = false;
      }
      continue;
    }
    if (text[i] == '"') in_string = true;
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth <= 0) return true;
  }
  return false;
}

llm::ChatResult answer_chat(LanguageModel& model, const llm::ChatRequest& request,
                            const LocalChatSettings& settings,
                            const std::function<bool()>& goes_on) {
  if (!request.tools.empty()) {
    return failure(llm::ChatFault::refused, settings,
                   "tools can't be offered to a model in the process; they are explained in words "
                   "(text_protocol)");
  }
  const SteadyClock::time_point begin = SteadyClock::now();
  const ModelResult<std::string> prompt = model.prompt_of(request.messages);
  if (!prompt) return failure(prompt.error(), settings);
  const ModelResult<std::vector<Token>> tokens = model.tokens_of(*prompt + settings.begins, true);
  if (!tokens) return failure(tokens.error(), settings);
  GenerateSettings generating;
  generating.temperature = settings.temperature;
  generating.seed = request.seed.value_or(0);
  generating.most_tokens = settings.most_tokens;
  generating.alternatives = request.log_probabilities ? settings.top_logprobs : 0;
  generating.ends = model.answer_ends();
  if (settings.begins.starts_with('{')) {
    generating.is_complete = [&](std::string_view text) {
      return object_is_closed(settings.begins + std::string(text));
    };
  }
  bool late = false;
  generating.goes_on = [&] {
    late = SteadyClock::now() - begin > settings.timeout;
    return !late && (!goes_on || goes_on());
  };
  const ModelResult<Answer> answer = generate(model, *tokens, generating);
  if (!answer && late) {
    return failure(llm::ChatFault::timed_out, settings,
                   "no answer within " + std::to_string(settings.timeout.count()) +
                       " ms; raise the endpoint's timeout or lower its max_tokens");
  }
  if (!answer) return failure(answer.error(), settings);
  llm::ChatReply reply;
  reply.content = valid_utf8(settings.begins + answer->text);
  reply.finish_reason = name_of(answer->end);
  reply.usage = {tokens->size(), answer->tokens.size()};
  if (request.log_probabilities) reply.log_probabilities = log_probabilities_json(*answer, model);
  reply.seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  return reply;
}

class LocalChat::State {
 public:
  State(std::unique_ptr<LanguageModel> model, LocalChatSettings settings)
      : model_(std::move(model)), settings_(std::move(settings)) {
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }
  ~State() {
    {
      const std::lock_guard lock(mutex_);  // or the thread might begin to wait just then
      thread_.request_stop();
    }
    model_->stop();
    arrived_.notify_all();
    thread_.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void submit(llm::ChatRequest request, OnDone on_done) {
    {
      const std::lock_guard lock(mutex_);
      line_.push_back({std::move(request), std::move(on_done)});
    }
    arrived_.notify_one();
  }

 private:
  struct Asked {
    llm::ChatRequest request;
    OnDone on_done;
  };

  void work(const std::stop_token& stop) {
    while (true) {
      Asked asked;
      {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [&] { return stop.stop_requested() || !line_.empty(); });
        if (line_.empty()) return;
        asked = std::move(line_.front());
        line_.pop_front();
      }
      if (stop.stop_requested()) {
        asked.on_done(failure(llm::ChatFault::cancelled, settings_, "cancelled"));
        continue;
      }
      asked.on_done(
          answer_chat(*model_, asked.request, settings_, [&] { return !stop.stop_requested(); }));
    }
  }

  std::unique_ptr<LanguageModel> model_;
  LocalChatSettings settings_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Asked> line_;
  std::jthread thread_;
};

LocalChat::LocalChat(std::unique_ptr<LanguageModel> model, LocalChatSettings settings)
    : state_(std::make_unique<State>(std::move(model), std::move(settings))) {}

LocalChat::~LocalChat() = default;

void LocalChat::submit(llm::ChatRequest request, OnDone on_done) {
  state_->submit(std::move(request), std::move(on_done));
}

}  // namespace unmask::local
