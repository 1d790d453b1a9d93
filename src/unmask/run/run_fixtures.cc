#include "unmask/run/run_fixtures.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/llm/chat.h"
#include "unmask/run/model.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"

namespace unmask::run::fixtures {
namespace {

std::string text_of(const llm::ChatRequest& request) {
  std::string text = std::to_string(request.seed.value_or(0));
  for (const llm::ChatMessage& message : request.messages) {
    text += '\n' + std::string(llm::name_of(message.role)) + ':' + message.content.value_or("");
    for (const llm::ChatCall& call : message.tool_calls.value_or(std::vector<llm::ChatCall>())) {
      text += call.name + call.arguments;
    }
  }
  return text;
}

}  // namespace

std::string model_study(const std::string& user) {
  return "[study]\nname = \"models\"\ntrials = 2\nmax_steps = 24\nmax_errors = 4\n"
         "[[endpoint]]\nname = \"high\"\nbase_url = \"http://localhost:1/v1\"\nmodel = \"big\"\n"
         "max_concurrency = 3\n"
         "[[endpoint]]\nname = \"low\"\nbase_url = \"http://localhost:2/v1\"\nmodel = "
         "\"big-int4\"\n"
         "max_concurrency = 2\n"
         "[[endpoint]]\nname = \"user\"\nbase_url = \"http://localhost:3/v1\"\nmodel = \"user\"\n"
         "[[cell]]\nid = \"big/telecom\"\ndomain = \"telecom\"\nuser = \"" +
         user +
         "\"\n[cell.tasks]\nnumber = 3\n"
         "[[cell.arm]]\nname = \"bf16\"\nagent = \"llm\"\nendpoint = \"high\"\nreference = true\n"
         "[[cell.arm]]\nname = \"int4\"\nagent = \"llm\"\nendpoint = \"low\"\n";
}

std::string local_study(int trials) {
  return "[study]\nname = \"local\"\ntrials = " + std::to_string(trials) +
         "\n[[cell]]\nid = \"small/telecom\"\ndomain = \"telecom\"\n[cell.tasks]\nnumber = 6\n"
         "[[cell.arm]]\nname = \"bf16\"\nagent = \"simulated\"\nmodel = \"gemma-like-dense\"\n"
         "reference = true\n"
         "[[cell.arm]]\nname = \"int4\"\nagent = \"simulated\"\nmodel = \"gemma-like-dense\"\n"
         "[[cell.arm]]\nname = \"oracle\"\nagent = \"oracle\"\n";
}

std::vector<std::string> contents(const std::string& folder, RunKind kind) {
  const Result<store::RunReader> reader = store::RunReader::open(store_file(folder, kind));
  if (!reader) throw std::runtime_error(reader.error().message);
  std::vector<std::string> lines;
  const std::vector<store::Unit> units = reader->units().value();
  for (const store::Unit& unit : units) {
    std::string line = unit.key.cell + ' ' + unit.key.arm + ' ' + unit.key.task_id + ' ' +
                       std::to_string(unit.key.trial) + ' ' + std::to_string(unit.seed) + ' ' +
                       std::string(store::name_of(unit.state)) + ' ' + unit.termination + ' ' +
                       (unit.reward ? std::to_string(*unit.reward) : "none");
    const std::vector<store::Turn> turns = reader->turns(unit.id).value();
    for (const store::Turn& turn : turns) line += '\n' + turn.body;
    lines.push_back(std::move(line));
  }
  std::ranges::sort(lines);
  return lines;
}

llm::ChatReply hashed_reply(const llm::ChatRequest& request) {
  const std::string hash = sha256_hex(text_of(request));
  const auto digit = [&hash](std::size_t place) {
    const char c = hash[place];
    return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
  };
  llm::ChatReply reply;
  reply.usage = {100 + request.messages.size(), 7};
  reply.finish_reason = "stop";
  if (request.tools.empty() || digit(0) < 5) {
    reply.content = digit(1) < 2 ? "That is all, thank you. ###STOP###" : "I see: " + hash;
    return reply;
  }
  reply.finish_reason = "tool_calls";
  const std::size_t calls = digit(2) < 3 ? 2 : 1;
  for (std::size_t i = 0; i < calls; ++i) {
    llm::ChatCall call;
    call.id = "call_" + hash.substr(8 + i, 6);
    const unsigned kind = digit(4 + i);
    call.name = kind < 3 ? "invented_tool"
                         : request.tools[(16U * digit(6 + i) + kind) % request.tools.size()].name;
    call.arguments = kind == 5 ? "{\"cut\": " : "{}";
    reply.tool_calls.push_back(std::move(call));
  }
  return reply;
}

FakeModel::FakeModel(Fault fault) : fault_(std::move(fault)), thread_([this] { work(); }) {}

FakeModel::~FakeModel() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  asked_.notify_one();
}

void FakeModel::ask(const llm::ChatRequest& request, OnAnswer on_answer) {
  {
    const std::lock_guard lock(mutex_);
    queue_.emplace_back(request, std::move(on_answer));
  }
  asked_.notify_one();
}

void FakeModel::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const auto [request, on_answer] = std::move(queue_.front());
    queue_.pop_front();
    const std::uint64_t number = number_++;
    lock.unlock();
    const std::optional<llm::ChatFault> fault = fault_ ? fault_(number) : std::nullopt;
    if (fault) {
      llm::ChatError error;
      error.fault = *fault;
      error.message = "http://localhost: no answer";
      on_answer(tl::unexpected(std::move(error)));
    } else {
      on_answer(hashed_reply(request));
    }
    lock.lock();
  }
}

namespace {

Result<RunResult> play_plan(const RunPlan& plan, const std::string& folder,
                            const RunnerSettings& settings, const RunnerHooks& hooks,
                            std::vector<FakeModel::Fault> faults) {
  const RunOrigin origin{.version = "0.1.0", .settings = "{}", .created = "2026-01-01T00:00:00"};
  return run_study(
      plan, folder, origin,
      [&]() -> Result<Models> {
        Models models;
        faults.resize(plan.study.endpoints.size());
        for (const FakeModel::Fault& fault : faults) {
          models.models.push_back(std::make_unique<FakeModel>(fault));
        }
        return models;
      },
      settings, hooks);
}

}  // namespace

Result<RunResult> play(const std::string& study, const std::string& folder,
                       const RunnerSettings& settings, const RunnerHooks& hooks,
                       std::vector<FakeModel::Fault> faults) {
  Result<RunStudy> parsed = parse_run_study(study, "study.toml");
  if (!parsed) return tl::unexpected(parsed.error());
  const Result<RunPlan> plan = plan_run(std::move(*parsed), "");
  if (!plan) return tl::unexpected(plan.error());
  return play_plan(*plan, folder, settings, hooks, std::move(faults));
}

Result<RunResult> play_single_turn(const std::string& study, const std::string& folder,
                                   const std::string& path, const RunnerSettings& settings,
                                   const RunnerHooks& hooks, std::vector<FakeModel::Fault> faults) {
  Result<RunStudy> parsed = parse_run_study(study, path);
  if (!parsed) return tl::unexpected(parsed.error());
  Result<RunPlan> plan = plan_run(std::move(*parsed), "");
  if (!plan) return tl::unexpected(plan.error());
  if (const Result<void> planned = plan_single_turn(*plan); !planned) {
    return tl::unexpected(planned.error());
  }
  return play_plan(*plan, folder, settings, hooks, std::move(faults));
}

}  // namespace unmask::run::fixtures
