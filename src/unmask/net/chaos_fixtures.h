#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <openssl/ssl.h>

namespace unmask::net {

/// A request as an ChaosServer read it.
struct Received {
  std::string head;            ///< request line and headers
  std::string body;            ///< by Content-Length
  std::size_t request = 0;     ///< number at the server, from 0
  std::size_t connection = 0;  ///< number of its connection, from 0
};

/// One thing that an ChaosServer does with a connection after a request.
struct Step {
  enum class Kind { send, wait, reset, close, hang };
  Kind kind = Kind::send;
  std::string bytes{};                 ///< send
  std::chrono::milliseconds pause{0};  ///< wait
};
using Script = std::vector<Step>;

[[nodiscard]] inline Step send_bytes(std::string bytes) {
  return {Step::Kind::send, std::move(bytes), {}};
}
[[nodiscard]] inline Step pause_for(std::chrono::milliseconds pause) {
  return {Step::Kind::wait, {}, pause};
}
[[nodiscard]] inline Step reset_connection() { return {Step::Kind::reset, {}, {}}; }
[[nodiscard]] inline Step close_connection() { return {Step::Kind::close, {}, {}}; }
/// Says nothing more until the server ends.
[[nodiscard]] inline Step hang() { return {Step::Kind::hang, {}, {}}; }

/// A response with its length, and more header lines (each with its line break) if wanted.
[[nodiscard]] std::string response_text(int status, const std::string& body,
                                        const std::string& more_headers = {});

/// A key and a certificate that it signed itself.
class TlsIdentity {
 public:
  /// `names`: whom the certificate is for, as OpenSSL writes them.
  explicit TlsIdentity(const std::string& names = "DNS:localhost,IP:127.0.0.1");
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  [[nodiscard]] SSL_CTX* context() const { return context_; }
  /// A file with the certificate, which lives as long as this.
  [[nodiscard]] const std::string& certificate_file() const { return file_; }

 private:
  SSL_CTX* context_;
  std::string file_;
};

/// A server in this process that answers each request with a script: as HTTP has it, or as it has
/// not. A thread a connection; a script that does not end its connection leaves it open for more.
class ChaosServer {
 public:
  using Answer = std::function<Script(const Received&)>;

  /// `answer` is called from several threads. Speaks TLS where there is an identity.
  explicit ChaosServer(Answer answer, const TlsIdentity* identity = nullptr);
  ~ChaosServer();
  ChaosServer(const ChaosServer&) = delete;
  ChaosServer& operator=(const ChaosServer&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url(const std::string& path = "/") const;
  [[nodiscard]] std::size_t requests() const { return requests_; }
  [[nodiscard]] std::size_t connections() const { return connections_; }
  /// Most requests that were being answered at once.
  [[nodiscard]] std::size_t most_at_once() const { return most_at_once_; }

 private:
  void accept_all();
  void serve(int socket, std::size_t number);
  void wait_for(std::chrono::milliseconds pause);

  Answer answer_;
  const TlsIdentity* identity_;
  int port_ = 0;
  int listener_;
  std::atomic<std::size_t> requests_{0};
  std::atomic<std::size_t> connections_{0};
  std::atomic<std::size_t> at_once_{0};
  std::atomic<std::size_t> most_at_once_{0};
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::vector<int> open_sockets_;
  std::vector<std::thread> servers_;
  std::thread acceptor_;
};

/// A port on 127.0.0.1 where nobody listens.
[[nodiscard]] int closed_port();

}  // namespace unmask::net
