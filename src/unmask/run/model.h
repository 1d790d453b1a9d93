#pragma once

#include <functional>
#include <memory>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/secret.h"
#include "unmask/net/http_client.h"
#include "unmask/run/run_study.h"

namespace unmask::run {

/// What answers a run's questions. Thread-safe.
class Model {
 public:
  using OnAnswer = std::function<void(llm::ChatResult)>;

  virtual ~Model() = default;
  /// Calls `on_answer` once, on any thread, perhaps before it returns.
  virtual void ask(const llm::ChatRequest& request, OnAnswer on_answer) = 0;
};

/// A model behind an endpoint of a study; `http` must outlive it. Its destructor cancels what is
/// under way. Errors: invalid_argument, naming the endpoint, for settings that can't be used.
[[nodiscard]] Result<std::unique_ptr<Model>> open_model(const EndpointPlan& plan,
                                                        llm::Secret api_key, net::HttpClient& http);

}  // namespace unmask::run
