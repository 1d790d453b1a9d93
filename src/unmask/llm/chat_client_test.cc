#include "unmask/llm/chat_client.h"

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/secret.h"
#include "unmask/net/chaos_fixtures.h"
#include "unmask/net/http_client.h"

namespace unmask::llm {
namespace {

using namespace std::chrono_literals;
using net::ChaosServer;
using net::close_connection;
using net::hang;
using net::pause_for;
using net::Received;
using net::reset_connection;
using net::response_text;
using net::Script;
using net::send_bytes;

constexpr const char* kKey = "sk-invented/0123456789";

const std::string kHello = R"({"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}],)"
                           R"("usage":{"prompt_tokens":10,"completion_tokens":2}})";

/// Quick to give up and to try again.
Endpoint endpoint_at(const std::string& base_url) {
  Endpoint endpoint;
  endpoint.base_url = base_url;
  endpoint.model = "m";
  endpoint.api_key = Secret(kKey);
  endpoint.timeout = 5s;
  endpoint.retry = {2, 2ms, 4ms, 300ms};
  return endpoint;
}

struct Setting {
  explicit Setting(const Endpoint& endpoint, net::HttpClientSettings settings = {})
      : http(std::move(*net::HttpClient::open(std::move(settings)))),
        chats(std::move(*ChatClient::open(endpoint, *http))) {}

  std::future<ChatResult> ask(ChatClient::Ticket* ticket = nullptr) {
    ChatRequest request;
    request.messages = {{ChatRole::user, "hi", {}, ""}};
    auto promise = std::make_shared<std::promise<ChatResult>>();
    const ChatClient::Ticket id = chats->submit(
        request, [promise](ChatResult result) { promise->set_value(std::move(result)); });
    if (ticket != nullptr) *ticket = id;
    return promise->get_future();
  }

  std::unique_ptr<net::HttpClient> http;
  std::unique_ptr<ChatClient> chats;
};

ChaosServer::Answer always(Script script) {
  return [script = std::move(script)](const Received&) { return script; };
}

/// `first` to the first requests, then an answer.
ChaosServer::Answer at_first(std::size_t times, Script first) {
  return [times, first = std::move(first)](const Received& received) -> Script {
    if (received.request < times) return first;
    return {send_bytes(response_text(200, kHello))};
  };
}

TEST(ChatClient, AsksAndUnderstands) {
  Received seen;
  const ChaosServer server([&](const Received& received) -> Script {
    seen = received;
    return {send_bytes(response_text(200, kHello))};
  });
  Setting setting(endpoint_at(server.url("/v1")));
  const ChatResult reply = setting.ask().get();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->content, "hello");
  EXPECT_EQ(reply->body, kHello);
  EXPECT_EQ(reply->attempts, 1U);
  EXPECT_GT(reply->seconds, 0.0);
  EXPECT_TRUE(seen.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n")) << seen.head;
  EXPECT_NE(seen.head.find("Authorization: Bearer " + std::string(kKey) + "\r\n"),
            std::string::npos);
  EXPECT_EQ(seen.body, R"({"model":"m","messages":[{"role":"user","content":"hi"}]})");
  const ChatStatistics statistics = setting.chats->statistics();
  EXPECT_EQ(statistics.submitted, 1U);
  EXPECT_EQ(statistics.attempts, 1U);
  EXPECT_EQ(statistics.replies, 1U);
  EXPECT_EQ(statistics.prompt_tokens, 10U);
  EXPECT_EQ(statistics.completion_tokens, 2U);
  EXPECT_EQ(statistics.reply_seconds, reply->seconds);
}

TEST(ChatClient, WithoutKeyThereIsNoAuthorization) {
  Received seen;
  const ChaosServer server([&](const Received& received) -> Script {
    seen = received;
    return {send_bytes(response_text(200, kHello))};
  });
  Endpoint endpoint = endpoint_at(server.url());
  endpoint.api_key = Secret();
  Setting setting(endpoint);
  EXPECT_TRUE(setting.ask().get());
  EXPECT_EQ(seen.head.find("Authorization"), std::string::npos);
}

/// What the server does to every request, and what that is.
struct Chaos {
  std::string name;
  Script script;
  ChatFault fault = ChatFault::undecodable;
  int status = 200;
  std::size_t attempts = 1;
};

std::string completion_of(const std::string& message, const std::string& reason = "tool_calls") {
  return R"({"choices":[{"message":)" + message + R"(,"finish_reason":")" + reason + R"("}]})";
}

TEST(ChatClient, ChaosIsClassified) {
  const std::string half_body = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"choices\":[";
  const std::string html = "<html><body>sign in, bearer " + std::string(kKey) + "</body></html>";
  const auto say = [](int status, const std::string& body, const std::string& headers = "") {
    return Script{send_bytes(response_text(status, body, headers))};
  };
  const std::vector<Chaos> rows = {
      {"closed without answer", {close_connection()}, ChatFault::connection, 0, 3},
      {"reset without answer", {reset_connection()}, ChatFault::connection, 0, 3},
      {"reset in mid-body",
       {send_bytes(half_body), pause_for(5ms), reset_connection()},
       ChatFault::connection,
       200,
       3},
      {"closed in mid-body",
       {send_bytes(half_body), close_connection()},
       ChatFault::connection,
       200,
       3},
      {"no HTTP",
       {send_bytes("220 mail ready\r\n\r\n"), close_connection()},
       ChatFault::connection,
       0,
       3},
      {"408", say(408, ""), ChatFault::server, 408, 3},
      {"409", say(409, ""), ChatFault::server, 409, 3},
      {"425", say(425, ""), ChatFault::server, 425, 3},
      {"429 without Retry-After", say(429, "{}"), ChatFault::server, 429, 3},
      {"429 with Retry-After", say(429, "{}", "Retry-After: 0\r\n"), ChatFault::server, 429, 3},
      {"429 that asks for too long", say(429, "{}", "Retry-After: 7200\r\n"), ChatFault::server,
       429, 1},
      {"429 with a bad Retry-After", say(429, "{}", "Retry-After: later\r\n"), ChatFault::server,
       429, 3},
      {"429 of a used-up account",
       say(429, R"({"error":{"message":"quota","code":"insufficient_quota"}})"), ChatFault::refused,
       429, 1},
      {"500", say(500, html), ChatFault::server, 500, 3},
      {"500 not to be tried again", say(500, "", "x-should-retry: false\r\n"), ChatFault::server,
       500, 1},
      {"502 as HTML", say(502, html), ChatFault::server, 502, 3},
      {"503", say(503, R"({"error":{"code":503,"message":"Loading model"}})"), ChatFault::server,
       503, 3},
      {"400", say(400, R"({"error":{"message":"bad )" + std::string(kKey) + "\"}}"),
       ChatFault::refused, 400, 1},
      {"401 that repeats the key", say(401, "no such key: " + std::string(kKey)),
       ChatFault::refused, 401, 1},
      {"404", say(404, R"({"detail":"Not Found"})"), ChatFault::refused, 404, 1},
      {"redirect", say(302, "", "Location: /login\r\n"), ChatFault::refused, 302, 1},
      {"overflow",
       say(400,
           R"({"object":"error","message":"This model's maximum context length is 8 tokens"})"),
       ChatFault::context_overflow, 400, 1},
      {"overflow as 413", say(413, R"({"error":{"code":"context_length_exceeded"}})"),
       ChatFault::context_overflow, 413, 1},
      {"413 of a proxy", say(413, html), ChatFault::refused, 413, 1},
      {"half JSON", say(200, R"({"choices":[{"message":{"content":"he)")},
      {"HTML", say(200, html)},
      {"wrong content type with no JSON",
       {send_bytes(
           "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")}},
      {"empty body", say(200, "")},
      {"empty choices", say(200, R"({"choices":[]})")},
      {"no message", say(200, R"({"choices":[{"finish_reason":"stop"}]})")},
      {"too large",
       say(200, completion_of("{\"content\":\"" + std::string(2U << 20U, 'x') + "\"}"))},
      {"hang", {hang()}, ChatFault::timed_out, 0, 1},
      {"hang in mid-body", {send_bytes(half_body), hang()}, ChatFault::timed_out, 200, 1},
      {"slow drip",
       {send_bytes(half_body), pause_for(50ms), send_bytes(" "), pause_for(50ms), send_bytes(" "),
        hang()},
       ChatFault::timed_out,
       200,
       1},
      {"stream that breaks off",
       say(200, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")},
  };
  for (const Chaos& row : rows) {
    const ChaosServer server(always(row.script));
    Endpoint endpoint = endpoint_at(server.url("/v1"));
    if (row.fault == ChatFault::timed_out) endpoint.timeout = 200ms;
    net::HttpClientSettings settings;
    settings.max_response_bytes = 1U << 20U;
    Setting setting(endpoint, settings);
    const ChatResult result = setting.ask().get();
    ASSERT_FALSE(result) << row.name;
    const ChatError& error = result.error();
    EXPECT_EQ(name_of(error.fault), name_of(row.fault)) << row.name << ": " << error.message;
    EXPECT_EQ(error.status, row.status) << row.name;
    EXPECT_EQ(error.attempts, row.attempts) << row.name;
    EXPECT_EQ(server.requests(), row.attempts) << row.name;
    EXPECT_TRUE(error.message.starts_with("http://127.0.0.1:")) << error.message;
    EXPECT_EQ((error.message + error.body).find(kKey), std::string::npos) << row.name;
    EXPECT_LT(error.body.size(), 2100U);
    const ChatStatistics statistics = setting.chats->statistics();
    EXPECT_EQ(statistics.errors.at(static_cast<std::size_t>(row.fault)), 1U);
    EXPECT_EQ(statistics.retries, row.attempts - 1);
  }
}

/// Odd, but answers: never asked for again.
TEST(ChatClient, OddAnswersAreAnswers) {
  struct Row {
    std::string name;
    std::string body;
    std::vector<ChatCall> calls;
    std::string finish_reason;
  };
  std::string ten_megabytes;
  ten_megabytes.resize(10'000'000, 'x');
  const std::string broken = R"({"id":"c","function":{"name":"get","arguments":"{\"a\": "}})";
  const std::string sound = R"({"id":"c","function":{"name":"get","arguments":"{}"}})";
  const std::string nameless = R"({"function":{"name":"get","arguments":"{}"}})";
  const std::vector<Row> rows = {
      {"arguments that are no JSON",
       completion_of("{\"tool_calls\":[" + broken + "]}"),
       {{"c", "get", R"({"a": )"}},
       "tool_calls"},
      {"doubled ids",
       completion_of("{\"tool_calls\":[" + sound + "," + sound + "]}"),
       {{"c", "get", "{}"}, {"c", "get", "{}"}},
       "tool_calls"},
      {"missing id",
       completion_of("{\"tool_calls\":[" + nameless + "]}"),
       {{"", "get", "{}"}},
       "tool_calls"},
      {"unknown finish reason", completion_of(R"({"content":"a"})", "gave_up"), {}, "gave_up"},
      {"nothing at its length", completion_of(R"({"content":""})", "length"), {}, "length"},
      {"10 MB", completion_of("{\"content\":\"" + ten_megabytes + "\"}", "stop"), {}, "stop"},
  };
  for (const Row& row : rows) {
    const ChaosServer server(
        always({send_bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " +
                           std::to_string(row.body.size()) + "\r\n\r\n" + row.body)}));
    Setting setting(endpoint_at(server.url()));
    const ChatResult reply = setting.ask().get();
    ASSERT_TRUE(reply) << row.name << ": " << reply.error().message;
    EXPECT_EQ(reply->tool_calls, row.calls) << row.name;
    EXPECT_EQ(reply->finish_reason, row.finish_reason);
    EXPECT_EQ(reply->body.size(), row.body.size());
    EXPECT_EQ(server.requests(), 1U) << row.name;
  }
}

TEST(ChatClient, AnswersDrippingInTimeAreAnswers) {
  Script script{send_bytes("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(kHello.size()) +
                           "\r\n\r\n")};
  for (std::size_t at = 0; at < kHello.size(); at += 10) {
    script.push_back(send_bytes(kHello.substr(at, 10)));
    script.push_back(pause_for(1ms));
  }
  const ChaosServer server(always(script));
  Setting setting(endpoint_at(server.url()));
  EXPECT_TRUE(setting.ask().get());
}

TEST(ChatClient, PassingFaultsAreOvercome) {
  const std::vector<Script> faults = {
      {close_connection()},
      {reset_connection()},
      {send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"), reset_connection()},
      {send_bytes(response_text(429, ""))},
      {send_bytes(response_text(500, "{}"))},
      {send_bytes(response_text(200, R"({"error":{"message":"overloaded","code":503}})"))},
  };
  for (const Script& fault : faults) {
    const ChaosServer server(at_first(2, fault));
    Setting setting(endpoint_at(server.url()));
    const ChatResult reply = setting.ask().get();
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->attempts, 3U);
    EXPECT_EQ(setting.chats->statistics().retries, 2U);
  }
}

TEST(ChatClient, RetryAfterIsHonoured) {
  for (const std::string header :
       {"Retry-After: 0.08\r\n", "retry-after-ms: 80\r\n",
        "Date: Mon, 30 Nov 2026 10:00:00 GMT\r\nRetry-After: Mon, 30 Nov 2026 10:00:01 GMT\r\n"}) {
    const ChaosServer server(at_first(1, {send_bytes(response_text(429, "", header))}));
    Endpoint endpoint = endpoint_at(server.url());
    endpoint.retry.longest_asked_delay = 1s;
    Setting setting(endpoint);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(setting.ask().get());
    EXPECT_GE(std::chrono::steady_clock::now() - start, header.starts_with("Date") ? 1000ms : 80ms);
  }
}

TEST(ChatClient, NobodyThere) {
  Setting setting(endpoint_at("http://127.0.0.1:" + std::to_string(net::closed_port()) + "/v1"));
  const ChatResult result = setting.ask().get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, ChatFault::connection);
  EXPECT_EQ(result.error().attempts, 3U);
  const std::string& message = result.error().message;
  EXPECT_NE(message.find("is the server running"), std::string::npos);
  EXPECT_EQ(message.find("http://"), message.rfind("http://")) << "the address once: " << message;
}

TEST(ChatClient, TheDeadlineEndsRetries) {
  const ChaosServer server(always({send_bytes(response_text(500, ""))}));
  Endpoint endpoint = endpoint_at(server.url());
  endpoint.deadline = 150ms;
  endpoint.retry = {1'000'000, 5ms, 5ms, 1s};
  Setting setting(endpoint);
  const ChatResult result = setting.ask().get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, ChatFault::server);
  EXPECT_GT(result.error().attempts, 3U);
}

TEST(ChatClient, Https) {
  const net::TlsIdentity identity;
  const ChaosServer server(always({send_bytes(response_text(200, kHello))}), &identity);
  Setting strict(endpoint_at(server.url("/v1")));
  const ChatResult refused = strict.ask().get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, ChatFault::connection);
  EXPECT_EQ(refused.error().attempts, 1U);  // no certificate becomes trusted by asking again
  EXPECT_EQ((refused.error().message + refused.error().body).find(kKey), std::string::npos);
  EXPECT_EQ(server.requests(), 0U);

  net::HttpClientSettings settings;
  settings.ca_file = identity.certificate_file();
  Setting trusting(endpoint_at(server.url("/v1")), settings);
  EXPECT_TRUE(trusting.ask().get());
}

TEST(ChatClient, Streams) {
  Received seen;
  const ChaosServer server([&](const Received& received) -> Script {
    seen = received;
    const std::string first = "data: {\"choices\":[{\"delta\":{\"content\":\"he\"}}]}\n\n";
    const std::string second =
        "data: {\"choices\":[{\"delta\":{\"content\":\"llo\"},\"finish_reason\":\"stop\"}]}\n\n";
    const auto chunk = [](const std::string& text) {
      const char* const digits = "0123456789abcdef";
      return send_bytes(std::string{digits[text.size() / 16], digits[text.size() % 16]} + "\r\n" +
                        text + "\r\n");
    };
    return {send_bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            chunk(first),
            pause_for(5ms),
            chunk(second),
            chunk("data: [DONE]\n\n"),
            send_bytes("0\r\n\r\n")};
  });
  Endpoint endpoint = endpoint_at(server.url());
  endpoint.streaming = true;
  Setting setting(endpoint);
  const ChatResult reply = setting.ask().get();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->content, "hello");
  EXPECT_NE(seen.body.find(R"("stream":true)"), std::string::npos);
}

TEST(ChatClient, TheKeyIsInNoAnswer) {
  // A server that is turned against us: the key in all that it says, escaped as well.
  const std::string escaped = R"(\u0073k-invented\/0123456789)";
  const ChaosServer server(always({send_bytes(response_text(
      200, completion_of("{\"content\":\"" + std::string(kKey) + escaped +
                         R"(","tool_calls":[{"id":")" + kKey + R"(","function":{"name":")" + kKey +
                         R"(","arguments":"{\"key\":\")" + escaped + R"(\"}"}}]})")))}));
  Setting setting(endpoint_at(server.url()));
  const ChatResult reply = setting.ask().get();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->content, "[redacted][redacted]");
  ASSERT_EQ(reply->tool_calls.size(), 1U);
  EXPECT_EQ(reply->tool_calls[0],
            (ChatCall{"[redacted]", "[redacted]", R"({"key":"[redacted]"})"}));
  EXPECT_EQ(reply->body.find(kKey), std::string::npos);
}

TEST(ChatClient, NoMoreAtOnceThanAllowed) {
  const ChaosServer server(always({pause_for(10ms), send_bytes(response_text(200, kHello))}));
  Endpoint endpoint = endpoint_at(server.url());
  endpoint.max_concurrency = 5;
  Setting setting(endpoint);
  std::vector<std::future<ChatResult>> replies;
  replies.reserve(30);
  for (int i = 0; i < 30; ++i) replies.push_back(setting.ask());
  for (auto& each : replies) EXPECT_TRUE(each.get());
  EXPECT_EQ(server.most_at_once(), 5U);
  EXPECT_EQ(server.connections(), 5U);
  const ChatStatistics statistics = setting.chats->statistics();
  EXPECT_EQ(statistics.replies, 30U);
  EXPECT_EQ(statistics.running + statistics.waiting, 0U);
}

TEST(ChatClient, CancelInEveryState) {
  const ChaosServer server([](const Received& received) -> Script {
    if (received.request == 0) return {send_bytes(response_text(503, "", "Retry-After: 60\r\n"))};
    return {hang()};
  });
  Endpoint endpoint = endpoint_at(server.url());
  endpoint.max_concurrency = 2;
  endpoint.retry.longest_asked_delay = 1h;
  Setting setting(endpoint);
  std::vector<ChatClient::Ticket> tickets(3);
  std::vector<std::future<ChatResult>> results;
  results.push_back(setting.ask(&tickets[0]));  // waits for another attempt
  while (server.requests() < 1) std::this_thread::sleep_for(1ms);
  results.push_back(setting.ask(&tickets[1]));  // waits for its answer
  results.push_back(setting.ask(&tickets[2]));  // waits in line
  while (server.requests() < 2) std::this_thread::sleep_for(1ms);
  for (std::size_t i = 3; i-- > 0;) {
    setting.chats->cancel(tickets[i]);
    const ChatResult result = results[i].get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().fault, ChatFault::cancelled);
  }
  setting.chats->cancel(tickets[0]);
  EXPECT_EQ(setting.chats->statistics().errors.at(static_cast<std::size_t>(ChatFault::cancelled)),
            3U);
}

TEST(ChatClient, EndsWithCallbacksForAll) {
  const ChaosServer server(always({hang()}));
  std::vector<std::future<ChatResult>> results;
  {
    Endpoint endpoint = endpoint_at(server.url());
    endpoint.max_concurrency = 2;
    Setting setting(endpoint);
    for (int i = 0; i < 6; ++i) results.push_back(setting.ask());
  }
  for (auto& each : results) EXPECT_EQ(each.get().error().fault, ChatFault::cancelled);
}

TEST(ChatClient, BadSettingsAreRefused) {
  const auto http = std::move(*net::HttpClient::open());
  EXPECT_FALSE(ChatClient::open(endpoint_at("localhost"), *http));
}

}  // namespace
}  // namespace unmask::llm
