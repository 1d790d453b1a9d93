#include "unmask/net/http_server.h"

#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unmask/base/error.h"
#include "unmask/net/http_client.h"
#include "unmask/net/http_message.h"

namespace unmask::net {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ServedRequest with_hosts(const std::vector<std::string>& hosts) {
  ServedRequest request{.method = "GET", .target = "/", .headers = {}};
  for (const std::string& host : hosts) request.headers.push_back({"hOsT", host});
  return request;
}

TEST(RequestHead, IsReadWithItsHeaders) {
  const auto request =
      parse_request_head("GET /a?b HTTP/1.1\r\nHost: localhost:1\r\nX:\r\nY: a: b \r\n\r\n");
  ASSERT_TRUE(request);
  EXPECT_EQ(*request,
            (ServedRequest{.method = "GET",
                           .target = "/a?b",
                           .headers = {{"Host", "localhost:1"}, {"X", ""}, {"Y", "a: b"}}}));
}

TEST(RequestHead, IsRefusedWhereItIsNone) {
  for (const std::string_view head :
       {"", "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n",
        "GET http://elsewhere/ HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n", "GET * HTTP/1.1\r\n\r\n",
        "GET /a b HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : x\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
        "\x01\x02 / HTTP/1.1\r\n\r\n"}) {
    EXPECT_FALSE(parse_request_head(head)) << head;
  }
}

TEST(Host, MustBeThisMachines) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:80", "localhost", "LocalHost:65535"})
    EXPECT_TRUE(names_this_machine(with_hosts({host}))) << host;
  for (const char* host :
       {"", "example.com", "localhost.example.com", "127.0.0.1.example.com", "localhost:", "[::1]",
        "localhost:80:80", "localhost:x", "127.0.0.2", "0.0.0.0", "user@localhost"}) {
    EXPECT_FALSE(names_this_machine(with_hosts({host}))) << host;
  }
  EXPECT_FALSE(names_this_machine(with_hosts({})));
  EXPECT_FALSE(names_this_machine(with_hosts({"localhost", "localhost"})));
}

std::unique_ptr<HttpServer> page_server(const ServerLimits& limits = {}) {
  Result<std::unique_ptr<HttpServer>> server = HttpServer::listen(
      0,
      [](const ServedRequest& request) {
        return ServedResponse{.headers = {{"Content-Type", "text/plain"}},
                              .body = std::make_shared<const std::string>(
                                  std::string(3'000'000, 'x') + request.target)};
      },
      limits);
  EXPECT_TRUE(server) << server.error().message;
  return std::move(*server);
}

int connected(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const timeval patience{.tv_sec = 20, .tv_usec = 0};  // a test that fails, rather than hangs
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return socket;
}

// Everything that the server says to these bytes, until it closes.
std::string said_to(std::uint16_t port, std::string_view bytes) {
  const int socket = connected(port);
  EXPECT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
  std::string said;
  std::vector<char> buffer(65536);
  for (;;) {
    const ssize_t got = recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) break;
    said.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(socket);
  return said;
}

std::string get_as(const std::string& method, const std::string& host) {
  return method + " /it HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

TEST(HttpServer, AnswersAClient) {
  const std::unique_ptr<HttpServer> server = page_server();
  Result<std::unique_ptr<HttpClient>> client = HttpClient::open();
  ASSERT_TRUE(client);
  for (int i = 0; i < 3; ++i) {
    std::promise<HttpResult> done;
    HttpRequest request;
    request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/" + std::to_string(i);
    (*client)->submit(request, std::chrono::seconds(20),
                      [&](HttpResult result) { done.set_value(std::move(result)); });
    const HttpResult result = done.get_future().get();
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(result->status, 200);
    EXPECT_EQ(result->body.size(), 3'000'002U);
    EXPECT_TRUE(result->body.ends_with("/" + std::to_string(i)));
    EXPECT_EQ(find_header(result->headers, "x-frame-options"), "DENY");
    EXPECT_EQ(find_header(result->headers, "cross-origin-resource-policy"), "same-origin");
  }
}

TEST(HttpServer, RefusesOtherHostsMethodsAndWhatIsNoRequest) {
  const std::unique_ptr<HttpServer> server = page_server();
  const std::uint16_t port = server->port();
  EXPECT_THAT(said_to(port, get_as("GET", "evil.example:" + std::to_string(port))),
              StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(said_to(port, "GET / HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(said_to(port, get_as("HEAD", "localhost")), StartsWith("HTTP/1.1 405 "));
  const std::string post =
      said_to(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_THAT(post, StartsWith("HTTP/1.1 405 "));
  EXPECT_THAT(post, HasSubstr("Allow: GET\r\n"));
  EXPECT_THAT(said_to(port, "hello\r\n\r\n"), StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(said_to(port, "GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x')),
              StartsWith("HTTP/1.1 400 "));
  EXPECT_THAT(said_to(port, get_as("GET", "localhost")), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, SilentConnectionsHoldUpNobodyAndEndWithIt) {
  std::unique_ptr<HttpServer> server = page_server();
  std::vector<int> silent;
  for (int i = 0; i < 300; ++i) silent.push_back(connected(server->port()));  // beyond the limit
  EXPECT_THAT(said_to(server->port(), get_as("GET", "127.0.0.1")), StartsWith("HTTP/1.1 200 "));
  char byte = 0;
  EXPECT_EQ(recv(silent.front(), &byte, 1, 0), 0) << "the first one was closed";
  EXPECT_EQ(recv(silent.back(), &byte, 1, MSG_DONTWAIT), -1) << "the last one waits";
  server.reset();
  for (const int socket : silent) close(socket);
}

TEST(HttpServer, AConnectionWithoutARequestEnds) {
  const std::unique_ptr<HttpServer> server =
      page_server({.head_time = std::chrono::milliseconds(300), .connections = 2});
  EXPECT_EQ(said_to(server->port(), ""), "");
  EXPECT_EQ(said_to(server->port(), "GET / HTTP/1.1\r\n"), "");
  EXPECT_THAT(said_to(server->port(), get_as("GET", "localhost")), StartsWith("HTTP/1.1 200 "));
}

TEST(HttpServer, SaysThatAPortIsTaken) {
  const std::unique_ptr<HttpServer> server = page_server();
  const Result<std::unique_ptr<HttpServer>> other =
      HttpServer::listen(server->port(), [](const ServedRequest&) { return ServedResponse{}; });
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::outside);
  EXPECT_THAT(other.error().message, HasSubstr(std::to_string(server->port())));
}

}  // namespace
}  // namespace unmask::net
