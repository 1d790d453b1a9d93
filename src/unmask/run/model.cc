#include "unmask/run/model.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/chat_client.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/secret.h"
#include "unmask/local/gguf_file.h"
#include "unmask/local/language_model.h"
#include "unmask/local/local_chat.h"
#include "unmask/net/http_client.h"
#include "unmask/run/run_study.h"
#include "unmask/study/precision_rank.h"
#include "unmask/study/study_reader.h"

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

class GgufModel final : public Model {
 public:
  GgufModel(std::unique_ptr<local::LanguageModel> model, local::LocalChatSettings settings)
      : chat_(std::move(model), std::move(settings)) {}

  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override {
    chat_.submit(request, std::move(on_answer));
  }

 private:
  local::LocalChat chat_;
};

std::chrono::milliseconds timeout_of(const EndpointPlan& plan) {
  return std::chrono::milliseconds(std::llround(plan.timeout_seconds * 1000.0));
}

Result<std::unique_ptr<Model>> open_gguf(const EndpointPlan& plan) {
  const std::string name = "endpoint " + plan.name;
  Result<std::unique_ptr<local::LanguageModel>> model =
      local::open_model({.file = plan.gguf_path,
                         .context_tokens = plan.context,
                         .threads = static_cast<int>(plan.threads)});
  if (!model) return fail(model.error().code, name + ": " + model.error().message);
  // A template that is not known would end every episode.
  llm::ChatMessage hello;
  hello.content = "Hello";
  const std::array messages = {hello};
  if (const local::ModelResult<std::string> prompt = (*model)->prompt_of(messages); !prompt) {
    return fail(ErrorCode::bad_input, name + ": " + prompt.error().message);
  }
  local::LocalChatSettings settings;
  settings.name = name;
  settings.temperature = plan.temperature.value_or(settings.temperature);
  settings.most_tokens = plan.max_tokens.value_or(settings.most_tokens);
  settings.top_logprobs = plan.top_logprobs;
  settings.timeout = timeout_of(plan);
  settings.begins = plan.begins;
  return std::make_unique<GgufModel>(std::move(*model), std::move(settings));
}

/// Where an endpoint's file may lie.
std::vector<std::filesystem::path> gguf_places(const EndpointPlan& plan, const RunStudy& study,
                                               const Variable& variable) {
  const std::filesystem::path file(plan.gguf);
  if (file.is_absolute()) return {file};
  std::vector<std::filesystem::path> places = {std::filesystem::path(study.path).parent_path() /
                                               file};
  const std::string data = variable("XDG_DATA_HOME").value_or("");
  const std::string home = variable("HOME").value_or("");
  if (!data.empty()) {
    places.push_back(std::filesystem::path(data) / "unmask" / "models" / file);
  } else if (!home.empty()) {
    places.push_back(std::filesystem::path(home) / ".local" / "share" / "unmask" / "models" / file);
  }
  return places;
}

/// Whether what the study calls an arm's precision is that of its file.
Result<void> check_precision(const CellPlan& cell, std::size_t arm, const EndpointPlan& plan) {
  const ArmSource& source = cell.source.arms[arm];
  if (!plan.gguf_file || source.precision.starts_with("simulated")) return {};
  const int said = precision_rank(source.precision);
  const int is = precision_rank(local::main_type(*plan.gguf_file));
  if (source.precision.empty() || said == is || said == 0 || is == 0) return {};
  return fail(ErrorCode::bad_input,
              "cell " + cell.source.info.cell + ", arm " + source.name +
                  ": its precision is said to "
                  "be '" +
                  source.precision + "', but " + plan.gguf_path.string() + " has " +
                  local::precision_text(*plan.gguf_file) +
                  "; leave precision out, or write precision = \"simulated ...\" for weights that "
                  "were rounded before they were stored");
}

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
  endpoint.timeout = timeout_of(plan);
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

Result<void> find_ggufs(RunStudy& study, const Variable& variable) {
  for (EndpointPlan& plan : study.endpoints) {
    if (plan.gguf.empty()) continue;
    const std::vector<std::filesystem::path> places = gguf_places(plan, study, variable);
    std::error_code none;
    const auto found = std::ranges::find_if(places, [&](const std::filesystem::path& place) {
      return std::filesystem::is_regular_file(place, none);
    });
    if (found == places.end()) {
      std::vector<std::string> names;
      names.reserve(places.size());
      for (const std::filesystem::path& place : places) names.push_back(place.string());
      return fail(ErrorCode::outside, "endpoint " + plan.name +
                                          ": no such file: " + joined(names, ", nor ") +
                                          "; scripts/get-small-models installs some models");
    }
    Result<local::GgufFile> file = local::read_gguf(*found);
    if (!file)
      return fail(file.error().code, "endpoint " + plan.name + ": " + file.error().message);
    plan.gguf_path = *found;
    plan.gguf_file = std::move(*file);
  }
  for (const CellPlan& cell : study.cells) {
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const EndpointPlan* plan = study.find_endpoint(cell.arms[a].endpoint);
      if (plan == nullptr) continue;
      if (Result<void> same = check_precision(cell, a, *plan); !same) return same;
    }
  }
  return {};
}

Result<Models> open_models(const RunStudy& study, const Variable& variable) {
  Models opened;
  Result<std::unique_ptr<net::HttpClient>> http = net::HttpClient::open();
  if (!http) return tl::unexpected(http.error());
  opened.http = std::move(*http);
  for (const EndpointPlan& plan : study.endpoints) {
    if (!plan.gguf.empty()) {
      Result<std::unique_ptr<Model>> gguf = open_gguf(plan);
      if (!gguf) return tl::unexpected(gguf.error());
      opened.models.push_back(std::move(*gguf));
      continue;
    }
    Result<llm::Secret> key = endpoint_key(plan, variable);
    if (!key) return tl::unexpected(key.error());
    Result<std::unique_ptr<Model>> model = open_model(plan, std::move(*key), *opened.http);
    if (!model) return tl::unexpected(model.error());
    opened.models.push_back(std::move(*model));
  }
  return opened;
}

}  // namespace unmask::run
