#include "unmask/decisions/endpoint_scorer.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/json/json_text.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/llm/endpoint.h"
#include "unmask/net/chaos_fixtures.h"
#include "unmask/net/http_client.h"

namespace unmask::decisions {
namespace {

using namespace std::chrono_literals;
using net::ChaosServer;
using net::Received;
using net::response_text;
using net::Script;
using net::send_bytes;
using testing::HasSubstr;
using testing::SizeIs;

DecisionContext context(const std::string& said = "hello") {
  DecisionContext context;
  context.messages.emplace_back().content = said;
  context.begins = "{\"tool\": \"";
  context.continuations = {"ab\"", "ac\"", "b\""};
  context.decision.options.resize(3);
  return context;
}

/// Tokens are bytes: each has the log-probability -(its code mod 10), or none for the first.
std::string positions(const std::string& text) {
  std::string out;
  json::JsonText json(out);
  json.begin_array().null();
  for (std::size_t i = 1; i < text.size(); ++i) {
    json.begin_object().key(std::to_string(static_cast<int>(text[i]))).begin_object();
    json.key("logprob").real(-static_cast<double>(text[i] % 10)).key("rank").integer(1);
    json.key("decoded_token").string(text.substr(i, 1)).end_object();
    // The likeliest one comes behind the one that stands there.
    json.key("7").begin_object().key("logprob").real(-0.01).key("decoded_token").string("x");
    json.end_object().end_object();
  }
  json.end_array();
  return out;
}

std::string echo(const std::string& text) {
  std::string out;
  json::JsonText json(out);
  json.begin_object().key("tokens").begin_array();
  for (const char byte : text) json.string(std::string(1, byte));
  json.string("!").end_array().key("token_logprobs").begin_array().null();
  for (std::size_t i = 1; i < text.size(); ++i) json.real(-static_cast<double>(text[i] % 10));
  json.real(-0.5).end_array().end_object();
  return out;
}

bool is_chat(const Received& request) {
  return request.head.find("/chat/completions") != std::string::npos;
}

Script vllm(const Received& request) {
  json::Parser parser;
  const Result<json::Parsed> body = parser.parse(request.body);
  std::string last;
  for (const json::Value message : body->root["messages"].elements()) {
    last = message["content"].text();
  }
  if (!is_chat(request) || body->root["continue_final_message"].boolean() != true) {
    return {send_bytes(response_text(404, "{}"))};
  }
  return {send_bytes(response_text(
      200,
      R"({"choices":[{"message":{"content":"z"}}],"prompt_logprobs":)" + positions(last) + "}"))};
}

Script only_echo(const Received& request) {
  if (is_chat(request)) {
    return {send_bytes(response_text(200, R"({"choices":[{"message":{"content":"z"}}]})"))};
  }
  json::Parser parser;
  const Result<json::Parsed> body = parser.parse(request.body);
  std::string choices;
  int index = 0;
  for (const json::Value prompt : body->root["prompt"].elements()) {
    if (!choices.empty()) choices += ',';
    choices += R"({"index":)" + std::to_string(index++) + R"(,"text":"z","logprobs":)" +
               echo(std::string(prompt.text())) + "}";
  }
  return {send_bytes(response_text(200, R"({"choices":[)" + choices + "]}"))};
}

class Scoring : public ::testing::Test {
 protected:
  Result<void> score(
      const ChaosServer& server, const std::vector<DecisionContext>& contexts,
      const std::function<bool()>& goes_on = [] { return true; }) {
    llm::Endpoint endpoint;
    endpoint.base_url = server.url("/v1");
    endpoint.model = "m";
    endpoint.timeout = 5s;
    endpoint.retry = {8, 2ms, 4ms, 300ms};
    const auto scorer = EndpointScorer::open(endpoint, {.name = "a"}, *http_);
    if (!scorer) return tl::unexpected(scorer.error());
    return (*scorer)->score(
        contexts,
        [this](std::size_t index, ArmScores scores) {
          EXPECT_TRUE(scores_.emplace(index, std::move(scores)).second);
        },
        goes_on);
  }

  /// What every way comes to: ' "' is 4, 'a' 7, 'b' 8, 'c' 9.
  void expect_scores(std::size_t index) {
    EXPECT_EQ(scores_.at(index).fault, "");
    EXPECT_THAT(scores_.at(index).log_probability, testing::ElementsAre(-19.0, -20.0, -12.0));
  }

  std::unique_ptr<net::HttpClient> http_ = std::move(*net::HttpClient::open());
  std::map<std::size_t, ArmScores> scores_;
};

TEST_F(Scoring, AsksChatsThatAreContinued) {
  const ChaosServer server(vllm);
  const Result<void> scored = score(server, {context(), context("other")});
  ASSERT_TRUE(scored) << scored.error().message;
  ASSERT_THAT(scores_, SizeIs(2));
  expect_scores(0);
  expect_scores(1);
  EXPECT_EQ(server.requests(), 7U) << "one to find the way, one an option";
}

TEST_F(Scoring, FallsBackToCompletionsThatEcho) {
  const ChaosServer server(only_echo);
  const Result<void> scored = score(server, {context(), context("other")});
  ASSERT_TRUE(scored) << scored.error().message;
  expect_scores(0);
  expect_scores(1);
  EXPECT_EQ(server.requests(), 4U) << "two to find the way, one a context";
}

TEST_F(Scoring, NamesTheRemedyWhereThereIsNoWay) {
  const ChaosServer server([](const Received&) {
    return Script{send_bytes(response_text(200, R"({"choices":[{"message":{"content":"z"}}]})"))};
  });
  const Result<void> scored = score(server, {context()});
  ASSERT_FALSE(scored);
  EXPECT_EQ(scored.error().code, ErrorCode::outside);
  EXPECT_THAT(scored.error().message, HasSubstr("serve the model with vLLM"));
  EXPECT_TRUE(scores_.empty());
}

TEST_F(Scoring, TriesAgainAndGivesUp) {
  const ChaosServer flaky([](const Received& request) {
    if (request.request % 3 == 1) return Script{send_bytes(response_text(503, "{}"))};
    if (request.request % 5 == 2) return Script{net::reset_connection()};
    return vllm(request);
  });
  const Result<void> scored = score(flaky, {context(), context("b")});
  ASSERT_TRUE(scored) << scored.error().message;
  expect_scores(0);
  expect_scores(1);
  const ChaosServer broken(
      [](const Received&) { return Script{send_bytes(response_text(500, ""))}; });
  EXPECT_EQ(score(broken, {context()}).error().code, ErrorCode::outside);
  const ChaosServer closed(
      [](const Received&) { return Script{send_bytes(response_text(401, "{}"))}; });
  EXPECT_THAT(score(closed, {context()}).error().message, HasSubstr("API key"));
}

TEST_F(Scoring, SaysWhichContextIsTooLong) {
  const ChaosServer server([](const Received& request) {
    if (request.body.find("too long") == std::string::npos) return vllm(request);
    return Script{send_bytes(response_text(
        400, R"({"error":{"message":"This model's maximum context length is 10 tokens.",)"
             R"("code":"context_length_exceeded"}})"))};
  });
  const Result<void> scored = score(server, {context(), context("too long"), context()});
  ASSERT_TRUE(scored) << scored.error().message;
  expect_scores(0);
  EXPECT_EQ(scores_.at(1).fault, "context_overflow");
  expect_scores(2);
}

TEST_F(Scoring, StopsWhereItIsTold) {
  const ChaosServer server([](const Received& request) {
    return request.request < 2 ? vllm(request) : Script{net::hang()};
  });
  int asked = 0;
  const Result<void> scored = score(server, {context(), context()}, [&] { return ++asked < 10; });
  ASSERT_FALSE(scored);
  EXPECT_EQ(scored.error().code, ErrorCode::interrupted);
}

TEST(OptionScores, BeginWhereATokenReachesOverTheContext) {
  // Letters of the context and of two options have become one token.
  const std::vector<std::vector<PromptToken>> tokens = {
      {{"x", {}}, {"{\"a", -1.0}, {"b\"", -2.0}},
      {{"x", {}}, {"{\"a", -1.0}, {"c", -4.0}, {"\"", -8.0}},
      {{"x", {}}, {"{\"", -16.0}, {"d\"", -32.0}}};
  const std::vector<std::string> continuations = {"ab\"", "ac\"", "d\""};
  EXPECT_THAT(option_scores(tokens, continuations).log_probability,
              testing::ElementsAre(-3.0, -13.0, -48.0));
}

TEST(OptionScores, SayWhatCantBeScored) {
  const std::vector<std::string> continuations = {"ab"};
  const std::vector<std::vector<PromptToken>> other = {{{"x", -1.0}, {"y", -1.0}}};
  EXPECT_THAT(option_scores(other, continuations).fault, HasSubstr("do not spell"));
  const std::vector<std::vector<PromptToken>> none = {{{"x", -1.0}, {"ab", {}}}};
  EXPECT_EQ(option_scores(none, continuations).fault, "not_a_number");
  EXPECT_THAT(option_scores(std::vector<std::vector<PromptToken>>(1), continuations).fault,
              HasSubstr("do not spell"));
}

}  // namespace
}  // namespace unmask::decisions
