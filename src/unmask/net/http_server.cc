#include "unmask/net/http_server.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "unmask/base/error.h"
#include "unmask/net/http_message.h"

namespace unmask::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<tcp, Executor>;
using Timer = asio::basic_waitable_timer<SteadyClock, asio::wait_traits<SteadyClock>, Executor>;

constexpr std::size_t kMostHeadBytes = std::size_t{16} << 10U;
constexpr std::chrono::seconds kWriteTime{120};  // pages are large, but never leave the machine
constexpr std::chrono::seconds kCloseTime{2};

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Said";
  }
}

std::string head_of(const ServedResponse& response) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " +
                     std::string(reason_of(response.status)) + "\r\n";
  for (const HttpHeader& header : response.headers)
    head.append(header.name).append(": ").append(header.value).append("\r\n");
  head.append("Content-Length: ")
      .append(std::to_string(response.body ? response.body->size() : 0))
      .append(
          "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
          "X-Frame-Options: DENY\r\nCross-Origin-Resource-Policy: same-origin\r\n"
          "Cross-Origin-Opener-Policy: same-origin\r\nReferrer-Policy: no-referrer\r\n\r\n");
  return head;
}

ServedResponse refusal(int status, std::string sentence) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = std::make_shared<const std::string>(std::move(sentence) + "\n")};
}

ServedResponse answer_to(std::string_view head, const HttpServer::Answer& answer) {
  const std::optional<ServedRequest> request = parse_request_head(head);
  if (!request) return refusal(400, "This is no request that can be answered.");
  if (!names_this_machine(*request))
    return refusal(403, "Only 127.0.0.1 and localhost are answered to.");
  if (request->method != "GET") {
    ServedResponse response = refusal(405, "Only GET is answered.");
    response.headers.push_back({"Allow", "GET"});
    return response;
  }
  return answer(*request);
}

// A connection: reads one head, answers, and closes. Lives as long as something of it is pending.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Socket socket, const HttpServer::Answer& answer, std::size_t& open)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), answer_(&answer), open_(&open) {
    ++*open_;
  }
  ~Session() { --*open_; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start(std::chrono::milliseconds head_time) {
    give_time(head_time);
    asio::async_read_until(
        socket_, asio::dynamic_buffer(head_, kMostHeadBytes), "\r\n\r\n",
        [self = shared_from_this()](error_code error, std::size_t bytes) {
          if (error == asio::error::not_found) {
            self->send(refusal(400, "The request's head is too long."));
          } else if (!error) {
            self->send(answer_to(std::string_view(self->head_).substr(0, bytes), *self->answer_));
          } else {
            self->timer_.cancel();
          }
        });
  }

  /// No request has come yet, and one may still.
  [[nodiscard]] bool is_waiting() const { return !answering_ && socket_.is_open(); }

  void close() {
    error_code ignored;
    std::ignore = socket_.close(ignored);
  }

 private:
  void give_time(std::chrono::milliseconds time) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
  }

  void send(ServedResponse response) {
    answering_ = true;
    give_time(kWriteTime);
    head_ = head_of(response);
    body_ = std::move(response.body);
    const std::array<asio::const_buffer, 2> parts = {
        asio::buffer(head_), body_ ? asio::buffer(*body_) : asio::const_buffer()};
    asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->timer_.cancel();
        return;
      }
      error_code ignored;
      std::ignore = self->socket_.shutdown(Socket::shutdown_send, ignored);
      self->give_time(kCloseTime);
      self->drain();
    });
  }

  // What is left of the request is read: closed before that, a connection is reset, and the client
  // might lose the answer.
  void drain() {
    socket_.async_read_some(asio::buffer(scratch_),
                            [self = shared_from_this()](error_code error, std::size_t) {
                              if (error) {
                                self->timer_.cancel();
                              } else {
                                self->drain();
                              }
                            });
  }

  Socket socket_;
  Timer timer_;
  const HttpServer::Answer* answer_;
  std::size_t* open_;
  bool answering_ = false;
  std::string head_;
  std::shared_ptr<const std::string> body_;
  std::array<char, 4096> scratch_{};
};

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char byte) { return byte == ' ' || byte == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char byte) { return byte > ' ' && byte < 0x7f; });
}

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

bool equal_but_for_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, lower, lower);
}

}  // namespace

std::optional<ServedRequest> parse_request_head(std::string_view head) {
  const auto line = [&head]() -> std::optional<std::string_view> {
    const std::size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view taken = head.substr(0, end);
    head.remove_prefix(end + 2);
    return taken;
  };
  const std::optional<std::string_view> first = line();
  if (!first) return std::nullopt;
  const std::size_t after_method = first->find(' ');
  const std::size_t after_target = first->rfind(' ');
  if (after_method == std::string_view::npos || after_target == after_method) return std::nullopt;
  const std::string_view version = first->substr(after_target + 1);
  ServedRequest request;
  request.method = first->substr(0, after_method);
  request.target = first->substr(after_method + 1, after_target - after_method - 1);
  if ((version != "HTTP/1.1" && version != "HTTP/1.0") || request.method.empty() ||
      !is_printable(request.method) || !request.target.starts_with('/') ||
      !is_printable(request.target)) {
    return std::nullopt;
  }
  for (;;) {
    const std::optional<std::string_view> header = line();
    if (!header) return std::nullopt;
    if (header->empty()) return request;
    const std::size_t colon = header->find(':');
    if (colon == std::string_view::npos || colon == 0 || !is_printable(header->substr(0, colon)))
      return std::nullopt;
    request.headers.push_back({.name = std::string(header->substr(0, colon)),
                               .value = std::string(trimmed(header->substr(colon + 1)))});
  }
}

bool names_this_machine(const ServedRequest& request) {
  const auto is_host = [](const HttpHeader& header) {
    return equal_but_for_case(header.name, "host");
  };
  if (std::ranges::count_if(request.headers, is_host) != 1) return false;
  std::string_view host = std::ranges::find_if(request.headers, is_host)->value;
  const std::size_t colon = host.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view port = host.substr(colon + 1);
    const bool digits =
        std::ranges::all_of(port, [](char byte) { return byte >= '0' && byte <= '9'; });
    if (port.empty() || port.size() > 5 || !digits) return false;
    host = host.substr(0, colon);
  }
  return host == "127.0.0.1" || equal_but_for_case(host, "localhost");
}

class HttpServer::Loop {
 public:
  Loop(Answer answer, const ServerLimits& limits)
      : acceptor_(context_), pause_(context_), answer_(std::move(answer)), limits_(limits) {}
  ~Loop() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  error_code open(std::uint16_t port) {
    error_code error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    if (acceptor_.open(here.protocol(), error)) return error;
    // A port whose last connections are still being forgotten may be taken again.
    if (acceptor_.set_option(asio::socket_base::reuse_address(true), error)) return error;
    if (acceptor_.bind(here, error)) return error;
    if (acceptor_.listen(asio::socket_base::max_listen_connections, error)) return error;
    port_ = acceptor_.local_endpoint(error).port();
    if (error) return error;
    accept();
    thread_ = std::thread([this] { context_.run(); });
    return {};
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, Socket socket) {
      if (!error) {
        take(std::move(socket));
        accept();
        return;
      }
      // Out of descriptors, most likely: asked again at once, it would only say so again.
      pause_.expires_after(std::chrono::milliseconds(100));
      pause_.async_wait([this](error_code stopped) {
        if (!stopped) accept();
      });
    });
  }

  void take(Socket socket) {
    while (!waiting_.empty()) {
      const std::shared_ptr<Session> longest = waiting_.front().lock();
      const bool waits = longest && longest->is_waiting();
      if (waits && open_ < limits_.connections) break;
      waiting_.pop_front();
      if (!waits) continue;
      longest->close();
      return begin(std::move(socket));
    }
    if (open_ < limits_.connections) begin(std::move(socket));
  }

  void begin(Socket socket) {
    const auto session = std::make_shared<Session>(std::move(socket), answer_, open_);
    waiting_.push_back(session);
    session->start(limits_.head_time);
  }

  std::size_t open_ = 0;  // sessions, which end before it: they belong to the context's handlers
  asio::io_context context_{1};
  Acceptor acceptor_;
  Timer pause_;
  Answer answer_;
  ServerLimits limits_;
  std::deque<std::weak_ptr<Session>> waiting_;  // oldest first; others among them
  std::uint16_t port_ = 0;
  std::thread thread_;
};

Result<std::unique_ptr<HttpServer>> HttpServer::listen(std::uint16_t port, Answer answer,
                                                       const ServerLimits& limits) {
  auto loop = std::make_unique<Loop>(std::move(answer), limits);
  if (const error_code error = loop->open(port)) {
    return fail(ErrorCode::outside, "port " + std::to_string(port) + " can't be listened on (" +
                                        error.message() + "); give another one");
  }
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(loop)));
}

HttpServer::HttpServer(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) {}
HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const { return loop_->port(); }

}  // namespace unmask::net
