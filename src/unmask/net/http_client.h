#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "unmask/base/error.h"
#include "unmask/net/http_message.h"

namespace unmask::net {

struct HttpClientSettings {
  /// Connections to one scheme, host and port; further requests wait in line.
  std::uint32_t max_connections_per_host = 4096;
  std::uint64_t max_response_bytes = std::uint64_t{64} << 20U;  ///< of a body
  std::chrono::milliseconds connect_timeout{10'000};            ///< name, connection and TLS
  std::chrono::milliseconds idle_timeout{30'000};  ///< a connection unused for longer is closed
  /// Off, any certificate is taken, so that anyone between could read and change all.
  bool verify_certificates = true;
  std::string ca_file;  ///< certificates to trust, PEM; empty: the system's
};

/// HTTP/1.1 over TCP and TLS (1.2 or later), any number of requests at once on one thread of its
/// own. Connections are kept and reused; one that the server closed meanwhile is replaced unnoticed
/// where no byte of a response came. Redirects are not followed.
///
/// Thread-safe. Callbacks run on the client's thread and hold up all other requests while they do:
/// they must be short, must not throw and must not destroy the client.
class HttpClient {
 public:
  using OnDone = std::function<void(HttpResult)>;
  using TaskId = std::uint64_t;

  /// Errors: outside, where certificates can't be loaded.
  [[nodiscard]] static Result<std::unique_ptr<HttpClient>> open(HttpClientSettings settings = {});
  /// Cancels what is running; its callbacks run before this returns. May wait for the system's
  /// resolver to give up on a name.
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Calls `on_done` once. `timeout` is from leaving the line to the last byte of the response.
  TaskId submit(HttpRequest request, std::chrono::milliseconds timeout, OnDone on_done);
  /// Calls `on_time` on the client's thread after `delay`; not at all once cancelled.
  TaskId after(std::chrono::milliseconds delay, std::function<void()> on_time);
  /// Ends a request with HttpFault::cancelled, or forgets a timer. Of what is over, nothing.
  void cancel(TaskId task);

 private:
  class Loop;
  explicit HttpClient(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace unmask::net
