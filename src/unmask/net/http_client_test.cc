#include "unmask/net/http_client.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/net/chaos_fixtures.h"
#include "unmask/net/http_message.h"

namespace unmask::net {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

std::unique_ptr<HttpClient> client_with(HttpClientSettings settings = {}) {
  Result<std::unique_ptr<HttpClient>> client = HttpClient::open(std::move(settings));
  EXPECT_TRUE(client);
  return std::move(*client);
}

std::future<HttpResult> send(HttpClient& client, HttpRequest request, milliseconds timeout = 5s,
                             HttpClient::TaskId* task = nullptr) {
  auto promise = std::make_shared<std::promise<HttpResult>>();
  const HttpClient::TaskId id =
      client.submit(std::move(request), timeout,
                    [promise](HttpResult result) { promise->set_value(std::move(result)); });
  if (task != nullptr) *task = id;
  return promise->get_future();
}

HttpRequest post_to(const std::string& url, std::string body = "{}") {
  return {"POST", url, {{"X-Test", "1"}}, std::move(body)};
}

ChaosServer::Answer always(Script script) {
  return [script = std::move(script)](const Received&) { return script; };
}

TEST(HttpClient, SendsWhatItIsGiven) {
  Received seen;
  const ChaosServer endpoint([&](const Received& received) -> Script {
    seen = received;
    return {send_bytes(response_text(201, "[1]", "X-Reply: yes\r\n"))};
  });
  const auto client = client_with();
  const HttpResult result = send(*client, post_to(endpoint.url("/a?b=c"), "text")).get();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, 201);
  EXPECT_EQ(result->body, "[1]");
  EXPECT_EQ(find_header(result->headers, "x-reply"), "yes");
  EXPECT_GT(result->seconds, 0.0);
  EXPECT_LE(result->first_byte_seconds, result->seconds);
  EXPECT_EQ(seen.head,
            "POST /a?b=c HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(endpoint.port()) +
                "\r\nX-Test: 1\r\nContent-Length: 4\r\n");
  EXPECT_EQ(seen.body, "text");
}

TEST(HttpClient, KeepsConnections) {
  const ChaosServer endpoint(always({send_bytes(response_text(200, "a"))}));
  const auto client = client_with();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(send(*client, post_to(endpoint.url())).get());
  EXPECT_EQ(endpoint.connections(), 1U);
  EXPECT_EQ(endpoint.requests(), 5U);
}

TEST(HttpClient, ManyAtOnceAndNoMoreThanAllowed) {
  const ChaosServer endpoint(always({pause_for(20ms), send_bytes(response_text(200, "a"))}));
  HttpClientSettings settings;
  settings.max_connections_per_host = 8;
  const auto client = client_with(settings);
  std::vector<std::future<HttpResult>> results;
  results.reserve(40);
  for (int i = 0; i < 40; ++i) results.push_back(send(*client, post_to(endpoint.url())));
  for (auto& each : results) EXPECT_TRUE(each.get());
  EXPECT_EQ(endpoint.connections(), 8U);
  EXPECT_EQ(endpoint.most_at_once(), 8U);
}

TEST(HttpClient, ClosedIdleConnectionsAreReplacedUnnoticed) {
  for (const bool after_the_request : {false, true}) {
    const ChaosServer endpoint([&](const Received& received) -> Script {
      // The second request on a connection is met by a close: the first's answer promised more.
      if (received.request == 1 && after_the_request) return {close_connection()};
      Script script{send_bytes(response_text(200, "a"))};
      if (!after_the_request) script.push_back(close_connection());
      return script;
    });
    const auto client = client_with();
    EXPECT_TRUE(send(*client, post_to(endpoint.url())).get());
    const HttpResult second = send(*client, post_to(endpoint.url())).get();
    EXPECT_TRUE(second) << second.error().message;
    EXPECT_EQ(endpoint.connections(), 2U);
  }
}

TEST(HttpClient, AFreshConnectionIsNotTriedAgain) {
  const ChaosServer endpoint(always({close_connection()}));
  const auto client = client_with();
  const HttpResult result = send(*client, post_to(endpoint.url())).get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, HttpFault::cut_off);
  EXPECT_EQ(endpoint.requests(), 1U);
}

TEST(HttpClient, AnAnswerThatBeganIsNotAskedForAgain) {
  const ChaosServer endpoint([](const Received& received) -> Script {
    if (received.request == 0) return {send_bytes(response_text(200, "a"))};
    return {send_bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), reset_connection()};
  });
  const auto client = client_with();
  EXPECT_TRUE(send(*client, post_to(endpoint.url())).get());
  const HttpResult result = send(*client, post_to(endpoint.url())).get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, HttpFault::cut_off);
  EXPECT_EQ(endpoint.requests(), 2U);
}

TEST(HttpClient, Faults) {
  struct Row {
    std::string name;
    Script script;
    HttpFault fault;
    int status;
    std::string body;
  };
  const std::string half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc";
  const std::vector<Row> rows = {
      {"no answer", {close_connection()}, HttpFault::cut_off, 0, ""},
      {"half a body", {send_bytes(half), close_connection()}, HttpFault::cut_off, 200, "abc"},
      {"reset in mid-body",
       {send_bytes(half), pause_for(20ms), reset_connection()},
       HttpFault::cut_off,
       200,
       "abc"},
      {"no HTTP",
       {send_bytes("+OK ready\r\n\r\n"), close_connection()},
       HttpFault::malformed,
       0,
       ""},
      {"too large",
       {send_bytes("HTTP/1.1 500 No\r\nContent-Length: 2000\r\n\r\n")},
       HttpFault::too_large,
       500,
       ""},
      {"hang", {hang()}, HttpFault::timed_out, 0, ""},
      {"hang in mid-body", {send_bytes(half), hang()}, HttpFault::timed_out, 200, "abc"},
      {"slow drip",
       {send_bytes(half), pause_for(150ms), send_bytes("d"), pause_for(150ms), send_bytes("e"),
        hang()},
       HttpFault::timed_out,
       200,
       "abcde"},
  };
  HttpClientSettings settings;
  settings.max_response_bytes = 1000;
  for (const Row& row : rows) {
    const ChaosServer endpoint(always(row.script));
    const auto client = client_with(settings);
    const bool slow = row.fault == HttpFault::timed_out;
    const HttpResult result =
        send(*client, post_to(endpoint.url("/p?secret")), slow ? 400ms : 5000ms).get();
    ASSERT_FALSE(result) << row.name;
    EXPECT_EQ(name_of(result.error().fault), name_of(row.fault)) << row.name;
    EXPECT_EQ(result.error().status, row.status) << row.name;
    EXPECT_EQ(result.error().body, row.body) << row.name;
    EXPECT_FALSE(result.error().lasting) << row.name;
    EXPECT_NE(result.error().message.find("http://127.0.0.1:"), std::string::npos);
    EXPECT_EQ(result.error().message.find("secret"), std::string::npos);
  }
}

TEST(HttpClient, NobodyThere) {
  const auto client = client_with();
  const std::string port = std::to_string(closed_port());
  EXPECT_EQ(send(*client, post_to("http://127.0.0.1:" + port)).get().error().fault,
            HttpFault::connect);
  EXPECT_EQ(send(*client, post_to("http://localhost:" + port)).get().error().fault,
            HttpFault::connect);
}

TEST(HttpClient, NotConnectedInTime) {
  // A peer that accepts and then says nothing: TLS never comes about.
  const ChaosServer endpoint(always({}));
  HttpClientSettings settings;
  settings.connect_timeout = 50ms;
  const auto client = client_with(settings);
  const HttpResult result =
      send(*client, post_to("https://127.0.0.1:" + std::to_string(endpoint.port()))).get();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, HttpFault::connect);
}

TEST(HttpClient, RefusesWhatCannotBeSent) {
  const auto client = client_with();
  for (const HttpRequest& request :
       {HttpRequest{"GET", "no url", {}, ""}, HttpRequest{"G T", "http://a", {}, ""},
        HttpRequest{"GET", "http://a", {{"X", "a\r\nY: b"}}, ""},
        HttpRequest{"GET", "http://a", {{"X:", "a"}}, ""}}) {
    const HttpResult result = send(*client, request).get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().fault, HttpFault::bad_request);
    EXPECT_TRUE(result.error().lasting);
  }
}

TEST(HttpClient, AnEarlyAnswerToALargeRequestIsRead) {
  // Refused before its body was read, as proxies do.
  const ChaosServer endpoint(always({send_bytes(response_text(413, "too much"))}));
  const auto client = client_with();
  const HttpResult result =
      send(*client, post_to(endpoint.url(), std::string(8U << 20U, 'x'))).get();
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, 413);
}

TEST(HttpClient, Cancel) {
  const ChaosServer endpoint(always({hang()}));
  HttpClientSettings settings;
  settings.max_connections_per_host = 1;
  const auto client = client_with(settings);
  HttpClient::TaskId running = 0;
  HttpClient::TaskId waiting = 0;
  auto first = send(*client, post_to(endpoint.url()), 60s, &running);
  auto second = send(*client, post_to(endpoint.url()), 60s, &waiting);
  client->cancel(waiting);
  EXPECT_EQ(second.get().error().fault, HttpFault::cancelled);
  client->cancel(running);
  client->cancel(running);
  EXPECT_EQ(first.get().error().fault, HttpFault::cancelled);
}

TEST(HttpClient, CancelBeforeThereIsAConnection) {
  const ChaosServer server(always({hang()}));
  const auto client = client_with();
  const std::string port = std::to_string(server.port());
  for (const std::string origin :
       {"http://127.0.0.1:", "http://localhost:", "https://127.0.0.1:"}) {
    for (int i = 0; i < 20; ++i) {
      HttpClient::TaskId task = 0;
      auto result = send(*client, post_to(origin + port), 60s, &task);
      // From not yet begun to somewhere in the handshake.
      std::this_thread::sleep_for(std::chrono::microseconds(i * 20));
      client->cancel(task);
      EXPECT_EQ(result.get().error().fault, HttpFault::cancelled);
    }
  }
}

TEST(HttpClient, EndsWithCallbacksForAll) {
  const ChaosServer endpoint(always({hang()}));
  std::vector<std::future<HttpResult>> results;
  {
    HttpClientSettings settings;
    settings.max_connections_per_host = 2;
    const auto client = client_with(settings);
    for (int i = 0; i < 5; ++i) results.push_back(send(*client, post_to(endpoint.url()), 60s));
    client->after(1h, [] { FAIL(); });
  }
  for (auto& each : results) EXPECT_EQ(each.get().error().fault, HttpFault::cancelled);
}

TEST(HttpClient, Timers) {
  const auto client = client_with();
  std::promise<std::string> done;
  auto text = std::make_shared<std::string>();
  const HttpClient::TaskId never = client->after(20ms, [text] { *text += 'x'; });
  client->cancel(never);
  client->after(40ms, [text, &done] { done.set_value(*text += 'b'); });
  client->after(1ms, [text] { *text += 'a'; });
  EXPECT_EQ(done.get_future().get(), "ab");
}

TEST(HttpClient, Https) {
  const TlsIdentity identity;
  const ChaosServer endpoint(always({send_bytes(response_text(200, std::string(100'000, 'z')))}),
                             &identity);
  const std::string by_name = "https://localhost:" + std::to_string(endpoint.port()) + "/";

  const auto strict = client_with();
  const HttpResult refused = send(*strict, post_to(endpoint.url())).get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, HttpFault::tls);
  EXPECT_TRUE(refused.error().lasting);
  EXPECT_NE(refused.error().message.find("not trusted"), std::string::npos);
  EXPECT_EQ(endpoint.requests(), 0U);

  HttpClientSettings trusting;
  trusting.ca_file = identity.certificate_file();
  const auto client = client_with(trusting);
  for (const std::string& url : {endpoint.url(), by_name, endpoint.url()}) {
    const HttpResult result = send(*client, post_to(url)).get();
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->body.size(), 100'000U);
  }
  EXPECT_EQ(endpoint.connections(), 3U);  // the refused one, one a host name

  HttpClientSettings careless;
  careless.verify_certificates = false;
  EXPECT_TRUE(send(*client_with(careless), post_to(endpoint.url())).get());
}

TEST(HttpClient, ACertificateIsForItsHostOnly) {
  const TlsIdentity identity("DNS:other.example,IP:127.0.0.2");
  const ChaosServer endpoint(always({send_bytes(response_text(200, "a"))}), &identity);
  HttpClientSettings settings;
  settings.ca_file = identity.certificate_file();
  const auto client = client_with(settings);
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    const HttpResult result =
        send(*client, post_to("https://" + host + ':' + std::to_string(endpoint.port()))).get();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().fault, HttpFault::tls);
    EXPECT_TRUE(result.error().lasting);
    EXPECT_NE(result.error().message.find("mismatch"), std::string::npos) << result.error().message;
  }
}

TEST(HttpClient, CutOffTlsIsNoEndOfABody) {
  const TlsIdentity identity;
  const ChaosServer endpoint(
      [](const Received& received) -> Script {
        Script script{send_bytes("HTTP/1.1 200 OK\r\n\r\nuntil closed")};
        script.push_back(received.head.find("/polite") != std::string::npos ? close_connection()
                                                                            : reset_connection());
        return script;
      },
      &identity);
  HttpClientSettings settings;
  settings.ca_file = identity.certificate_file();
  const auto client = client_with(settings);
  const HttpResult whole = send(*client, post_to(endpoint.url("/polite"))).get();
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_EQ(whole->body, "until closed");
  const HttpResult cut = send(*client, post_to(endpoint.url("/rude"))).get();
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().fault, HttpFault::cut_off);
}

TEST(HttpClient, NoCertificatesNoClient) {
  HttpClientSettings settings;
  settings.ca_file = "/nowhere/authority.pem";
  const Result<std::unique_ptr<HttpClient>> client = HttpClient::open(settings);
  ASSERT_FALSE(client);
  EXPECT_EQ(client.error().code, ErrorCode::outside);
  EXPECT_NE(client.error().message.find("/nowhere/authority.pem"), std::string::npos);
}

}  // namespace
}  // namespace unmask::net
