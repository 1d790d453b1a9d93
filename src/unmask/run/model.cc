#include "unmask/run/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/chat_client.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/secret.h"
#include "unmask/net/http_client.h"
#include "unmask/run/run_study.h"

namespace unmask::run {
namespace {

class EndpointModel final : public Model {
 public:
  explicit EndpointModel(std::unique_ptr<llm::ChatClient> client) : client_(std::move(client)) {}

  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override {
    client_->submit(request, std::move(on_answer));
  }

 private:
  std::unique_ptr<llm::ChatClient> client_;
};

Result<std::unique_ptr<Model>> open_model(const EndpointPlan& plan, llm::Secret api_key,
                                          net::HttpClient& http) {
  llm::Endpoint endpoint;
  endpoint.base_url = plan.base_url;
  endpoint.model = plan.model;
  endpoint.api_key = std::move(api_key);
  endpoint.extra_body = plan.extra_body;
  endpoint.temperature = plan.temperature;
  endpoint.max_tokens = plan.max_tokens;
  endpoint.top_logprobs = plan.top_logprobs;
  endpoint.streaming = plan.streaming;
  endpoint.max_concurrency = plan.max_concurrency;
  endpoint.timeout = std::chrono::milliseconds(std::llround(plan.timeout_seconds * 1000.0));
  // Of all attempts; each may take its whole time.
  endpoint.deadline =
      std::max(endpoint.deadline, endpoint.timeout * (std::int64_t{plan.retries} + 1));
  endpoint.retry.retries = plan.retries;
  Result<std::unique_ptr<llm::ChatClient>> client =
      llm::ChatClient::open(std::move(endpoint), http);
  if (!client) {
    return fail(client.error().code, "endpoint " + plan.name + ": " + client.error().message);
  }
  return std::make_unique<EndpointModel>(std::move(*client));
}

}  // namespace

Result<llm::Secret> endpoint_key(const EndpointPlan& plan, const Variable& variable) {
  const bool is_named = !plan.api_key_env.empty();
  std::optional<std::string> key = variable(is_named ? plan.api_key_env : "OPENAI_API_KEY");
  if (key) return llm::Secret(std::move(*key));
  if (!is_named) return llm::Secret();
  return fail(ErrorCode::invalid_argument,
              "endpoint " + plan.name + ": the variable " + plan.api_key_env +
                  " is not set; export it with the key, or with any text if the endpoint checks "
                  "none");
}

Result<Models> open_models(const RunStudy& study, const Variable& variable) {
  Models opened;
  Result<std::unique_ptr<net::HttpClient>> http = net::HttpClient::open();
  if (!http) return tl::unexpected(http.error());
  opened.http = std::move(*http);
  for (const EndpointPlan& plan : study.endpoints) {
    Result<llm::Secret> key = endpoint_key(plan, variable);
    if (!key) return tl::unexpected(key.error());
    Result<std::unique_ptr<Model>> model = open_model(plan, std::move(*key), *opened.http);
    if (!model) return tl::unexpected(model.error());
    opened.models.push_back(std::move(*model));
  }
  return opened;
}

}  // namespace unmask::run
