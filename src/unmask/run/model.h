#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// The models of a study's endpoints, in order.
struct Models {
  std::unique_ptr<net::HttpClient> http;  ///< outlives what follows
  std::vector<std::unique_ptr<Model>> models;
};

/// The value of a variable of the environment; nullopt if it is not set.
using Variable = std::function<std::optional<std::string>(const std::string& name)>;

/// The key of an endpoint: the value of the variable that its `api_key_env` names; without one, of
/// OPENAI_API_KEY, or none. Errors: invalid_argument, naming the endpoint, for a variable that is
/// named and not set.
[[nodiscard]] Result<llm::Secret> endpoint_key(const EndpointPlan& plan, const Variable& variable);

/// Finds the file of each endpoint that is a gguf: as it stands, beside the study, or in the folder
/// `unmask/models` of the user's data (XDG_DATA_HOME, else HOME/.local/share), where
/// scripts/get-small-models puts them. Reads what the files say of themselves, and holds it against
/// the `precision` of the arms that are played by them; one that begins with "simulated" is not
/// looked at. Errors: naming the endpoint, outside for a file that is nowhere; bad_input for one
/// that is no GGUF, and for a precision that is not the file's.
[[nodiscard]] Result<void> find_ggufs(RunStudy& study, const Variable& variable);

/// Opens the endpoints of `study`, each with its key. Nothing is sent; models in the process are
/// loaded. Destroying the result cancels what is under way. Precondition: find_ggufs. Errors: those
/// of endpoint_key and local::open_model; invalid_argument, naming the endpoint, for settings that
/// can't be used; outside where certificates can't be loaded.
[[nodiscard]] Result<Models> open_models(const RunStudy& study, const Variable& variable);

}  // namespace unmask::run
