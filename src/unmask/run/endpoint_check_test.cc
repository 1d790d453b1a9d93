#include "unmask/run/endpoint_check.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/llm/chat.h"
#include "unmask/run/model.h"
#include "unmask/run/run_fixtures.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"

namespace unmask::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Answers at once.
class InstantModel final : public Model {
 public:
  using Answer = std::function<llm::ChatResult(const llm::ChatRequest&)>;
  explicit InstantModel(Answer answer) : answer_(std::move(answer)) {}
  void ask(const llm::ChatRequest& request, OnAnswer on_answer) override {
    on_answer(answer_(request));
  }

 private:
  Answer answer_;
};

llm::ChatReply calling(const std::string& name) {
  llm::ChatReply reply;
  reply.tool_calls.push_back({.id = "1", .name = name, .arguments = "{}"});
  return reply;
}

llm::ChatError refusal() {
  llm::ChatError error;
  error.fault = llm::ChatFault::refused;
  error.message = "http://localhost: 400";
  return error;
}

EndpointReport probed(InstantModel::Answer answer) {
  InstantModel model(std::move(answer));
  EndpointReport report;
  probe_chats(model, report);
  return report;
}

bool is_temptation(const llm::ChatRequest& request) {
  return request.messages.back().content.value_or("").find("open_window") != std::string::npos;
}

TEST(EndpointCheck, ReadsModelLists) {
  EndpointReport report;
  read_model_list(R"({"data": [{"id": "a", "max_model_len": 100}, {"id": "b",
                      "max_model_len": 200}, {"name": "c"}]})",
                  "b", report);
  EXPECT_EQ(report.model_listed, Finding::yes);
  EXPECT_THAT(report.models, ElementsAre("a", "b"));
  EXPECT_EQ(report.context_tokens, 200U);
  report = {};
  read_model_list(R"({"data": [{"id": "a", "meta": {"n_ctx": 4096, "n_ctx_train": 8192}}]})", "a",
                  report);
  EXPECT_EQ(report.context_tokens, 4096U);
  report = {};
  read_model_list(R"({"data": [{"id": "a"}]})", "b", report);
  EXPECT_EQ(report.model_listed, Finding::no);
  EXPECT_EQ(report.context_tokens, std::nullopt);
  for (const char* const body : {"", "<html>", "[]", "{}", R"({"data": 7})"}) {
    report = {};
    read_model_list(body, "b", report);
    EXPECT_EQ(report.model_listed, Finding::unknown) << body;
    EXPECT_THAT(report.models, IsEmpty());
  }
}

TEST(EndpointCheck, FindsWhatAnEndpointCanDo) {
  const EndpointReport able = probed([](const llm::ChatRequest& request) -> llm::ChatResult {
    llm::ChatReply reply = calling(is_temptation(request) ? "open_window" : "get_weather");
    reply.log_probabilities =
        R"({"content": [{"token": "get"}, {"token": "_wea"}, {"token": "ther"}]})";
    reply.body = R"({"reasoning_content": null})";
    return reply;
  });
  EXPECT_THAT(able.error, IsEmpty());
  EXPECT_EQ(able.calls_tools, Finding::yes);
  EXPECT_EQ(able.undeclared_names, Finding::yes);
  EXPECT_EQ(able.log_probabilities, Finding::yes);
  EXPECT_EQ(able.reasons, Finding::no);

  const EndpointReport bound = probed([](const llm::ChatRequest& request) -> llm::ChatResult {
    if (request.log_probabilities) return tl::unexpected(refusal());
    llm::ChatReply reply = calling("get_weather");
    reply.content = "<think>Hm.</think>";
    return reply;
  });
  EXPECT_EQ(bound.undeclared_names, Finding::no);
  EXPECT_EQ(bound.log_probabilities, Finding::no);
  EXPECT_EQ(bound.reasons, Finding::yes);

  const EndpointReport talker = probed([](const llm::ChatRequest&) -> llm::ChatResult {
    llm::ChatReply reply;
    reply.content = "It rains.";
    reply.body = R"({"reasoning": "Rain."})";
    return reply;
  });
  EXPECT_EQ(talker.calls_tools, Finding::no);
  EXPECT_EQ(talker.undeclared_names, Finding::unknown);
  EXPECT_EQ(talker.log_probabilities, Finding::unknown);
  EXPECT_EQ(talker.reasons, Finding::yes);

  EXPECT_THAT(talker.called_instead, IsEmpty());

  const EndpointReport inventive =
      probed([](const llm::ChatRequest&) -> llm::ChatResult { return calling("look_outside"); });
  EXPECT_EQ(inventive.calls_tools, Finding::no);
  EXPECT_EQ(inventive.called_instead, "look_outside");
  EXPECT_EQ(inventive.undeclared_names, Finding::yes);
  EXPECT_EQ(inventive.log_probabilities, Finding::no);

  const EndpointReport gone =
      probed([](const llm::ChatRequest&) -> llm::ChatResult { return tl::unexpected(refusal()); });
  EXPECT_EQ(gone.error, "http://localhost: 400");
}

TEST(EndpointCheck, EstimatesWhatARunAsks) {
  const RunPlan plan =
      plan_run(parse_run_study(fixtures::model_study("user"), "study.toml").value(), "").value();
  EndpointReport report;
  report.endpoint = "low";
  report.seconds = 2.0;
  const std::vector<RunEstimate> estimates = estimate(plan, {report});
  ASSERT_EQ(estimates.size(), 3U);
  EXPECT_EQ(estimates[0].requests, 6U * kAssumedAgentMessages);  // 3 tasks, 2 trials
  EXPECT_EQ(estimates[0].hours, std::nullopt);
  EXPECT_EQ(estimates[1].endpoint, "low");
  EXPECT_NEAR(estimates[1].hours.value(), 6.0 * kAssumedAgentMessages * 2.0 / (3600.0 * 2), 1e-9);
  EXPECT_EQ(estimates[2].requests, 2U * 6U * kAssumedUserMessages);  // of both arms
  EXPECT_GT(estimates[0].prompt_tokens, 10U * estimates[0].completion_tokens);
}

TEST(EndpointCheck, EstimatesWhatFirstCallsAsk) {
  RunPlan plan =
      plan_run(parse_run_study(fixtures::model_study("user"), "study.toml").value(), "").value();
  const std::vector<RunEstimate> whole = estimate(plan, {});
  ASSERT_TRUE(plan_single_turn(plan));
  const std::vector<RunEstimate> calls = estimate(plan, {});
  ASSERT_EQ(calls.size(), 2U) << "the user's endpoint is not asked";
  const std::size_t answers = planned_units(plan).size();
  EXPECT_EQ(calls[0].requests + calls[1].requests, answers);
  EXPECT_EQ(calls[0].completion_tokens, calls[0].requests * kAssumedMessageTokens);
  EXPECT_NEAR(static_cast<double>(calls[0].prompt_tokens) / static_cast<double>(calls[0].requests),
              static_cast<double>(whole[0].prompt_tokens) / static_cast<double>(whole[0].requests),
              1.0);
}

/// Never answers.
class SilentModel final : public Model {
 public:
  void ask(const llm::ChatRequest&, OnAnswer on_answer) override {
    kept_.push_back(std::move(on_answer));
  }

 private:
  std::vector<OnAnswer> kept_;
};

TEST(EndpointCheck, StopsWhenToldTo) {
  SilentModel model;
  EndpointReport report;
  int asked = 0;
  probe_chats(model, report, [&] { return ++asked > 1; });
  EXPECT_EQ(report.error, "interrupted");
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace unmask::run
