#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unmask/llm/chat.h"
#include "unmask/run/model.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/runner.h"
#include "unmask/store/run.h"

namespace unmask::run::fixtures {

/// A study of own telecom tasks: an oracle, two arms of models, all with a scripted user but where
/// `user` says otherwise.
[[nodiscard]] std::string model_study(const std::string& user = "scripted");

/// A study without models: an oracle and two simulated arms.
[[nodiscard]] std::string local_study(int trials = 2);

/// What a run left: of each unit its state, termination, reward, and the bodies of its turns; times
/// and attempts are left out. Sorted by unit.
[[nodiscard]] std::vector<std::string> contents(const std::string& folder,
                                                RunKind kind = RunKind::episodes);

/// The answer that a deterministic model gives: a function of the request alone. As an agent it
/// calls tools that it is offered and now and then one that it isn't, writes broken arguments,
/// talks; as a user it talks and in the end stops.
[[nodiscard]] llm::ChatReply hashed_reply(const llm::ChatRequest& request);

/// A model that answers from a thread of its own. `before_answer` is given the number of the
/// request and may return a fault instead.
class FakeModel final : public Model {
 public:
  using Fault = std::function<std::optional<llm::ChatFault>(std::uint64_t)>;
  explicit FakeModel(Fault fault = {});
  ~FakeModel() override;
  FakeModel(const FakeModel&) = delete;
  FakeModel& operator=(const FakeModel&) = delete;

  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override;

 private:
  void work();

  Fault fault_;
  std::mutex mutex_;
  std::condition_variable asked_;
  std::deque<std::pair<llm::ChatRequest, OnAnswer>> queue_;
  std::uint64_t number_ = 0;
  bool stopping_ = false;
  std::jthread thread_;
};

/// Runs `study` into `folder`, with one FakeModel an endpoint that has the faults of `faults`.
[[nodiscard]] Result<RunResult> play(const std::string& study, const std::string& folder,
                                     const RunnerSettings& settings = {},
                                     const RunnerHooks& hooks = {},
                                     std::vector<FakeModel::Fault> faults = {});

/// The same for first calls; `path` as the study's file.
[[nodiscard]] Result<RunResult> play_single_turn(const std::string& study,
                                                 const std::string& folder,
                                                 const std::string& path = "study.toml",
                                                 const RunnerSettings& settings = {},
                                                 const RunnerHooks& hooks = {},
                                                 std::vector<FakeModel::Fault> faults = {});

}  // namespace unmask::run::fixtures
