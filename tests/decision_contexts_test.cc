// Decisions of a run's log: they are asked with the very messages that the run asked its model
// with.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/decisions/conversation.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/decision_log.h"
#include "unmask/decisions/log_contexts.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/ingest/log_input.h"
#include "unmask/llm/chat.h"
#include "unmask/output/output_file.h"
#include "unmask/run/model.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"

namespace unmask {
namespace {

constexpr const char* kStudy = R"([study]
name = "text"
trials = 3
max_steps = 30
max_errors = 6
[[endpoint]]
name = "one"
base_url = "http://localhost:1/v1"
model = "big"
text_protocol = true
[[cell]]
id = "big/telecom"
domain = "telecom"
[cell.tasks]
number = 4
[[cell.arm]]
name = "bf16"
agent = "llm"
endpoint = "one"
reference = true
)";

/// The messages of a request as one text.
std::string text_of(const std::vector<llm::ChatMessage>& messages) {
  std::string text;
  for (const llm::ChatMessage& message : messages) {
    text +=
        std::string(llm::name_of(message.role)) + ": " + message.content.value_or("") + "\n--\n";
  }
  return text;
}

/// Answers at once, by a hash of what it is asked, and keeps both.
class Keeping final : public run::Model {
 public:
  explicit Keeping(std::map<std::string, std::string>& kept) : kept_(kept) {}

  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override {
    const std::vector<std::string> answers = {
        "One moment, please.",
        R"({"tool": "get_customer_by_phone", "arguments": {"phone_number": "555-0100"}})",
        R"({"tool": "get_customer_by_id", "arguments": {"customer_id": "C1001"}})",
        R"(I look it up. {"tool": "get_bills", "arguments": {}})",
        R"({"tool": "get_details_by_id", "arguments": {"id": )",
        R"({"tool": "get_data_usage", "arguments": {"customer_id": "C1001", "line_id": "L1002"}})"
        R"({"tool": "transfer", "arguments": {"summary": "é \" \\ 1.50"}})"};
    const std::string asked = text_of(request.messages);
    const std::string hash = sha256_hex(asked);
    llm::ChatReply reply;
    reply.content = answers[static_cast<unsigned char>(hash[0]) % answers.size()];
    reply.finish_reason = "stop";
    {
      const std::lock_guard lock(mutex_);
      kept_[asked] = *reply.content;
    }
    on_answer(std::move(reply));
  }

 private:
  std::map<std::string, std::string>& kept_;
  std::mutex mutex_;
};

TEST(DecisionContexts, AreTheMessagesThatTheRunAskedWith) {
  const unmask::fixtures::TemporaryFolder files;
  const Result<run::RunStudy> study =
      run::parse_run_study(kStudy, (files.path() / "study.toml").string());
  ASSERT_TRUE(study) << study.error().message;
  const Result<run::RunPlan> plan = run::plan_run(*study, "");
  ASSERT_TRUE(plan) << plan.error().message;
  std::map<std::string, std::string> kept;
  const run::RunOrigin origin{.version = "0", .settings = "{}", .created = "2026-01-01T00:00:00"};
  const Result<run::RunResult> played =
      run::run_study(*plan, files.path() / "run", origin,
                     [&]() -> Result<run::Models> {
                       run::Models models;
                       models.models.push_back(std::make_unique<Keeping>(kept));
                       return models;
                     },
                     {}, {});
  ASSERT_TRUE(played) << played.error().message;
  ASSERT_TRUE(run::export_logs(plan->study, files.path() / "run", Packing::none));

  const std::string path = (files.path() / "run" / "logs" / "big-telecom" / "bf16.json").string();
  const Result<std::vector<LogInput>> found = find_logs(path);
  ASSERT_TRUE(found) << found.error().message;
  Diagnostics diagnostics;
  const Result<decisions::DecisionLog> log =
      decisions::read_decision_log(found->front(), [](auto, auto) { return true; }, diagnostics);
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_TRUE(decisions::is_spoken_to_in_text(log->header));
  const Result<decisions::LogContexts> contexts = decisions::LogContexts::open(log->header, {}, {});
  ASSERT_TRUE(contexts) << contexts.error().message;
  std::set<std::string> seen;
  std::size_t names = 0;
  for (const Episode& episode : log->episodes) {
    for (const decisions::DecisionContext& context : contexts->contexts_of(episode)) {
      const std::string asked = text_of(context.messages);
      const auto known = kept.find(asked);
      ASSERT_NE(known, kept.end())
          << episode.task_id << ", message " << context.decision.message << " was not asked so:\n"
          << asked.substr(asked.size() > 3000 ? asked.size() - 3000 : 0);
      seen.insert(asked);
      if (context.decision.kind != DecisionKind::tool_name || context.decision.call > 0) continue;
      ++names;
      ASSERT_TRUE(context.decision.recorded);
      // What is scored begins as the model's own answer did.
      const std::string continued =
          context.begins + context.continuations[*context.decision.recorded];
      if (known->second.starts_with('{')) {
        EXPECT_EQ(known->second.substr(0, continued.size()), continued);
      }
    }
  }
  EXPECT_EQ(seen.size(), kept.size()) << "each question is a decision";
  EXPECT_GT(names, 10U);
}

}  // namespace
}  // namespace unmask
