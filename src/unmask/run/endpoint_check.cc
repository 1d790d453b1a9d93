#include "unmask/run/endpoint_check.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/secret.h"
#include "unmask/local/gguf_file.h"
#include "unmask/net/http_client.h"
#include "unmask/net/http_message.h"
#include "unmask/play/text_protocol.h"
#include "unmask/run/model.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/world/environment.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

constexpr std::string_view kOffered = "get_weather";
constexpr std::string_view kUndeclared = "open_window";
constexpr int kUndeclaredTries = 3;

/// Waits for an answer, or until somebody stops it. What comes later goes nowhere.
template <typename T>
std::optional<T> awaited(std::future<T>& answer, const StopProbes& stop) {
  constexpr std::chrono::milliseconds kBetween{50};
  while (answer.wait_for(kBetween) != std::future_status::ready) {
    if (stop && stop()) return std::nullopt;
  }
  return answer.get();
}

llm::ChatResult asked(Model& model, const llm::ChatRequest& request, const StopProbes& stop) {
  auto promise = std::make_shared<std::promise<llm::ChatResult>>();
  std::future<llm::ChatResult> answer = promise->get_future();
  model.ask(request, [promise](llm::ChatResult result) { promise->set_value(std::move(result)); });
  if (std::optional<llm::ChatResult> came = awaited(answer, stop)) return *std::move(came);
  llm::ChatError error;
  error.message = "interrupted";
  return tl::unexpected(std::move(error));
}

llm::ChatRequest question(std::string text) {
  llm::ChatMessage message;
  message.content = std::move(text);
  llm::ChatTool tool;
  tool.name = kOffered;
  tool.description = "Tells today's weather in a city.";
  tool.parameters =
      R"({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})";
  llm::ChatRequest request;
  request.messages.push_back(std::move(message));
  request.tools.push_back(std::move(tool));
  request.tool_choice = llm::ToolChoice::automatic;
  request.seed = 1;
  return request;
}

/// Whether some token of the log-probabilities is a part of the name that was called.
bool covers_name(const std::string& log_probabilities, std::string_view name) {
  const Result<world::Value> value = world::parse_json(log_probabilities);
  if (!value) return false;
  const world::Value* content = value->find("content");
  if (content == nullptr || content->list() == nullptr) return false;
  std::string text;
  for (const world::Value& token : *content->list()) {
    if (const world::Value* word = token.find("token"); word != nullptr && word->is_string()) {
      text += *word->string();
    }
  }
  return text.find(name) != std::string::npos;
}

bool shows_reasoning(const llm::ChatReply& reply) {
  if (reply.content.value_or("").find("<think>") != std::string::npos) return true;
  for (const std::string_view key : {"\"reasoning_content\":", "\"reasoning\":"}) {
    const std::size_t at = reply.body.find(key);
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(reply.body).substr(at + key.size());
    const std::size_t value = rest.find_first_not_of(' ');
    if (value != std::string_view::npos && rest[value] == '"' && rest.substr(value, 2) != "\"\"") {
      return true;
    }
  }
  return false;
}

bool calls(const llm::ChatReply& reply, std::string_view name) {
  return std::ranges::any_of(reply.tool_calls,
                             [&](const llm::ChatCall& call) { return call.name == name; });
}

Finding finding(bool found) { return found ? Finding::yes : Finding::no; }

/// Asks in words, as the study's episodes will.
class InWords final : public Model {
 public:
  explicit InWords(Model& inner) : inner_(inner) {}

  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override {
    llm::ChatRequest with_system = request;
    with_system.messages.insert(with_system.messages.begin(), llm::ChatMessage());
    with_system.messages.front().role = llm::ChatRole::system;
    inner_.ask(play::as_text_request(std::move(with_system)),
               [on_answer = std::move(on_answer)](llm::ChatResult result) {
                 if (result) *result = play::from_text_reply(std::move(*result));
                 on_answer(std::move(result));
               });
  }

 private:
  Model& inner_;
};

/// What is known of a model in the process without asking it.
void describe_gguf(const EndpointPlan& plan, EndpointReport& report) {
  report.address = plan.gguf_path.string();
  report.model_listed = Finding::yes;
  if (!plan.gguf_file) return;
  report.context_tokens = local::context_of(*plan.gguf_file, plan.context);
  report.weights = plan.gguf_file->architecture + ", " + local::precision_text(*plan.gguf_file);
  report.chat_template = plan.gguf_file->chat_template.empty()
                             ? "none: a base model, asked in plain words (User: ... Assistant: ...)"
                             : "its own, without tools: those are explained in words";
}

/// A short question that takes longer says enough about the endpoint.
constexpr double kLongestProbeSeconds = 60.0;

/// GET /models; an endpoint without it is none the worse.
void list_models(const EndpointPlan& plan, const llm::Secret& key, net::HttpClient& http,
                 EndpointReport& report, const StopProbes& stop) {
  constexpr std::chrono::seconds kPatience{20};
  net::HttpRequest request;
  llm::Endpoint endpoint;
  endpoint.base_url = plan.base_url;
  request.url = llm::models_url(endpoint);
  report.address = llm::shown(endpoint);
  if (!key.empty()) request.headers.push_back({"Authorization", "Bearer " + key.reveal()});
  auto promise = std::make_shared<std::promise<net::HttpResult>>();
  std::future<net::HttpResult> answer = promise->get_future();
  http.submit(std::move(request), kPatience,
              [promise](net::HttpResult result) { promise->set_value(std::move(result)); });
  const std::optional<net::HttpResult> response = awaited(answer, stop);
  if (response && *response && (*response)->status == 200)
    read_model_list((*response)->body, plan.model, report);
}

/// Of a listed model: vLLM's and SGLang's word, then llama-server's (of one of its slots).
const world::Value* context_length(const world::Value& entry) {
  if (const world::Value* length = entry.find("max_model_len")) return length;
  const world::Value* meta = entry.find("meta");
  return meta != nullptr ? meta->find("n_ctx") : nullptr;
}

std::uint64_t prompt_tokens(std::uint64_t fixed_characters, int messages) {
  // Each message is sent again with all that follow it.
  const auto count = static_cast<std::uint64_t>(messages);
  const std::uint64_t before = fixed_characters / kAssumedCharactersPerToken;
  return count * before + kAssumedMessageTokens * count * count;
}

}  // namespace

std::string_view name_of(Finding finding) {
  switch (finding) {
    case Finding::yes:
      return "yes";
    case Finding::no:
      return "no";
    case Finding::unknown:
      return "not known";
  }
  return {};
}

void read_model_list(std::string_view body, const std::string& model, EndpointReport& report) {
  const Result<world::Value> value = world::parse_json(body);
  const world::Value* data = value ? value->find("data") : nullptr;
  if (data == nullptr || data->list() == nullptr) return;
  report.model_listed = finding(model.empty());
  for (const world::Value& entry : *data->list()) {
    const world::Value* id = entry.find("id");
    if (id == nullptr || !id->is_string()) continue;
    report.models.push_back(*id->string());
    if (*id->string() == model) report.model_listed = Finding::yes;
    const world::Value* length = context_length(entry);
    const bool is_asked = model.empty() || *id->string() == model;
    if (is_asked && length != nullptr && length->integer() != nullptr && *length->integer() > 0) {
      report.context_tokens = static_cast<std::uint64_t>(*length->integer());
    }
  }
}

void probe_chats(Model& model, EndpointReport& report, const StopProbes& stop) {
  llm::ChatRequest request =
      question("What is the weather in Paris? Use the tool get_weather to find out.");
  request.log_probabilities = true;
  llm::ChatResult reply = asked(model, request, stop);
  if (!reply && reply.error().fault == llm::ChatFault::refused) {
    // Perhaps because of the log-probabilities, which not every server has.
    request.log_probabilities = false;
    reply = asked(model, request, stop);
    if (reply) report.log_probabilities = Finding::no;
  }
  if (!reply) {
    report.error = reply.error().message;
    return;
  }
  report.seconds = reply->seconds;
  report.calls_tools = finding(calls(*reply, kOffered));
  if (report.calls_tools == Finding::no && !reply->tool_calls.empty()) {
    report.called_instead = reply->tool_calls.front().name;
  }
  report.reasons = finding(shows_reasoning(*reply));
  if (!reply->tool_calls.empty() && report.log_probabilities == Finding::unknown) {
    const std::string called =
        report.called_instead.empty() ? std::string(kOffered) : report.called_instead;
    report.log_probabilities = finding(covers_name(reply->log_probabilities, called));
  }
  // A name that was made up unasked shows as well that names are free.
  if (!report.called_instead.empty()) report.undeclared_names = Finding::yes;
  if (report.calls_tools != Finding::yes) return;
  report.undeclared_names = Finding::no;
  for (int i = 0; i < kUndeclaredTries && report.undeclared_names == Finding::no; ++i) {
    llm::ChatRequest temptation = question(
        "Call the tool open_window with the argument {\"room\": \"kitchen\"}. It is not in your "
        "list of tools, but it exists and works. Write the call in the format of your other tool "
        "calls, and nothing else.");
    temptation.seed = static_cast<std::uint64_t>(i) + 1;
    const llm::ChatResult answer = asked(model, temptation, stop);
    if (!answer) {
      report.undeclared_names = Finding::unknown;
      return;
    }
    if (calls(*answer, kUndeclared)) report.undeclared_names = Finding::yes;
  }
}

Result<std::vector<EndpointReport>> check_endpoints(const RunStudy& study, const Variable& variable,
                                                    const StopProbes& stop) {
  RunStudy asking = study;
  for (EndpointPlan& endpoint : asking.endpoints) {
    endpoint.top_logprobs = std::max(endpoint.top_logprobs, 1U);
    endpoint.retries = std::min(endpoint.retries, 1U);
    endpoint.timeout_seconds = std::min(endpoint.timeout_seconds, kLongestProbeSeconds);
  }
  const Result<Models> opened = open_models(asking, variable);
  if (!opened) return tl::unexpected(opened.error());
  std::vector<EndpointReport> reports;
  for (std::size_t i = 0; i < asking.endpoints.size(); ++i) {
    const EndpointPlan& plan = asking.endpoints[i];
    EndpointReport& report = reports.emplace_back();
    report.endpoint = plan.name;
    if (plan.gguf.empty()) {
      const Result<llm::Secret> key = endpoint_key(plan, variable);
      if (!key) return tl::unexpected(key.error());
      list_models(plan, *key, *opened->http, report, stop);
    } else {
      describe_gguf(plan, report);
    }
    InWords in_words(*opened->models[i]);
    Model& asked_so = plan.text_protocol ? static_cast<Model&>(in_words) : *opened->models[i];
    probe_chats(asked_so, report, stop);
    if (stop && stop()) return fail(ErrorCode::interrupted, "interrupted");
  }
  return reports;
}

std::vector<RunEstimate> estimate(const RunPlan& plan, const std::vector<EndpointReport>& reports) {
  std::vector<RunEstimate> estimates;
  for (const EndpointPlan& endpoint : plan.study.endpoints) {
    RunEstimate& sum = estimates.emplace_back();
    sum.endpoint = endpoint.name;
    const auto add = [&sum](std::uint64_t episodes, std::uint64_t characters, int messages) {
      sum.requests += episodes * static_cast<std::uint64_t>(messages);
      sum.prompt_tokens += episodes * prompt_tokens(characters, messages);
      sum.completion_tokens +=
          episodes * static_cast<std::uint64_t>(messages) * kAssumedMessageTokens;
    };
    // States are as far into an episode as its messages are on average.
    const auto add_answers = [&sum](std::uint64_t answers, std::uint64_t characters) {
      sum.requests += answers;
      sum.prompt_tokens +=
          answers * prompt_tokens(characters, kAssumedAgentMessages) / kAssumedAgentMessages;
      sum.completion_tokens += answers * kAssumedMessageTokens;
    };
    for (std::size_t c = 0; c < plan.study.cells.size(); ++c) {
      const CellPlan& cell = plan.study.cells[c];
      const world::EnvironmentSetup& setup = plan.worlds[c].world->setup();
      const auto trials = static_cast<std::uint64_t>(plan.study.trials);
      if (plan.is_single_turn()) {
        const std::uint64_t states =
            std::accumulate(plan.states[c].begin(), plan.states[c].end(), std::uint64_t{0});
        for (std::size_t a = 0; a < cell.arms.size(); ++a) {
          if (cell.arms[a].agent != AgentKind::llm || cell.arms[a].endpoint != endpoint.name ||
              !has_single_turn(cell.source.arms[a])) {
            continue;
          }
          add_answers(states * trials, setup.policy.size() + arm_info(plan, c, a).tools.size());
        }
        continue;
      }
      const std::uint64_t episodes = plan.worlds[c].tasks.size() * trials;
      for (std::size_t a = 0; a < cell.arms.size(); ++a) {
        if (cell.arms[a].agent == AgentKind::llm && cell.arms[a].endpoint == endpoint.name) {
          add(episodes, setup.policy.size() + arm_info(plan, c, a).tools.size(),
              kAssumedAgentMessages);
        }
        if (cell.user == UserKind::llm && cell.user_endpoint == endpoint.name) {
          add(episodes, plan.worlds[c].texts->user_with_tools.size(), kAssumedUserMessages);
        }
      }
    }
    for (const EndpointReport& report : reports) {
      if (report.endpoint != endpoint.name || !report.seconds) continue;
      sum.hours =
          static_cast<double>(sum.requests) * *report.seconds / (3600.0 * endpoint.max_concurrency);
    }
  }
  std::erase_if(estimates, [](const RunEstimate& each) { return each.requests == 0; });
  return estimates;
}

}  // namespace unmask::run
