#include "unmask/net/chaos_fixtures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

namespace unmask::net {
namespace {

int listen_locally(int& port) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || bind(listener, generic, size) != 0 || listen(listener, 1024) != 0 ||
      getsockname(listener, generic, &size) != 0) {
    throw std::runtime_error("no port to listen on");
  }
  port = ntohs(address.sin_port);
  return listener;
}

/// The server's side of a connection, with or without TLS.
class Peer {
 public:
  Peer(int socket, const TlsIdentity* identity) : socket_(socket) {
    if (identity == nullptr) return;
    ssl_ = SSL_new(identity->context());
    SSL_set_fd(ssl_, socket);
    good_ = SSL_accept(ssl_) == 1;
  }
  ~Peer() { SSL_free(ssl_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] bool good() const { return good_; }

  /// The next bytes; empty at the end.
  [[nodiscard]] std::string_view read() {
    const auto got = ssl_ != nullptr
                         ? SSL_read(ssl_, buffer_.data(), static_cast<int>(buffer_.size()))
                         : recv(socket_, buffer_.data(), buffer_.size(), 0);
    return {buffer_.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }
  [[nodiscard]] bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ssl_ != nullptr
                            ? SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()))
                            : send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  void say_goodbye() {
    if (ssl_ != nullptr) SSL_shutdown(ssl_);
  }

 private:
  int socket_;
  SSL* ssl_ = nullptr;
  bool good_ = true;
  std::array<char, 16384> buffer_{};
};

std::size_t body_length(std::string_view head) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t at = head.find(kName);
  std::size_t length = 0;
  if (at == std::string_view::npos) return length;
  head.remove_prefix(at + kName.size());
  std::from_chars(head.data(), head.data() + head.size(), length);
  return length;
}

/// A whole request from what came before and what comes now; nullopt if the client left.
std::optional<Received> read_request(Peer& peer, std::string& bytes) {
  for (;;) {
    const std::size_t blank = bytes.find("\r\n\r\n");
    if (blank != std::string::npos) {
      Received received;
      received.head = bytes.substr(0, blank + 2);
      const std::size_t end = blank + 4 + body_length(received.head);
      if (bytes.size() >= end) {
        received.body = bytes.substr(blank + 4, end - blank - 4);
        bytes.erase(0, end);
        return received;
      }
    }
    const std::string_view more = peer.read();
    if (more.empty()) return std::nullopt;
    bytes += more;
  }
}

}  // namespace

std::string response_text(int status, const std::string& body, const std::string& more_headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: application/json\r\n" +
         more_headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TlsIdentity::TlsIdentity(const std::string& names) : context_(SSL_CTX_new(TLS_server_method())) {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME* const name = X509_get_subject_name(certificate);
  const std::string_view common = "localhost";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(common.data()),
                             static_cast<int>(common.size()), -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_EXTENSION* const holder =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
  X509_add_ext(certificate, holder, -1);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context_, certificate);
  SSL_CTX_use_PrivateKey(context_, key);

  std::string path = "/tmp/unmask-certificate-XXXXXX";
  FILE* const file = fdopen(mkstemp(path.data()), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
  file_ = path;
  X509_EXTENSION_free(holder);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

TlsIdentity::~TlsIdentity() {
  SSL_CTX_free(context_);
  unlink(file_.c_str());
}

ChaosServer::ChaosServer(Answer answer, const TlsIdentity* identity)
    : answer_(std::move(answer)), identity_(identity), listener_(listen_locally(port_)) {
  signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets without asking not to be told
  acceptor_ = std::thread([this] { accept_all(); });
}

ChaosServer::~ChaosServer() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    for (const int each : open_sockets_) shutdown(each, SHUT_RDWR);
  }
  stopped_.notify_all();
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (std::thread& each : servers_) each.join();
  close(listener_);
}

std::string ChaosServer::url(const std::string& path) const {
  return (identity_ != nullptr ? "https://127.0.0.1:" : "http://127.0.0.1:") +
         std::to_string(port_) + path;
}

void ChaosServer::accept_all() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::scoped_lock lock(mutex_);
    if (stopping_) {
      close(socket);
      return;
    }
    open_sockets_.push_back(socket);
    const std::size_t number = connections_++;
    servers_.emplace_back([this, socket, number] { serve(socket, number); });
  }
}

void ChaosServer::wait_for(std::chrono::milliseconds pause) {
  std::unique_lock lock(mutex_);
  stopped_.wait_for(lock, pause, [this] { return stopping_; });
}

void ChaosServer::serve(int socket, std::size_t number) {
  {
    Peer peer(socket, identity_);
    std::string bytes;
    bool open = peer.good();
    while (open) {
      std::optional<Received> received = read_request(peer, bytes);
      if (!received) break;
      received->request = requests_++;
      received->connection = number;
      const std::size_t now = ++at_once_;
      std::size_t most = most_at_once_;
      while (most < now && !most_at_once_.compare_exchange_weak(most, now)) {
      }
      for (const Step& step : answer_(*received)) {
        if (!open) break;
        switch (step.kind) {
          case Step::Kind::send:
            open = peer.write(step.bytes);
            break;
          case Step::Kind::wait:
            wait_for(step.pause);
            break;
          case Step::Kind::reset: {
            const linger at_once{1, 0};
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
            open = false;
            break;
          }
          case Step::Kind::close:
            peer.say_goodbye();
            open = false;
            break;
          case Step::Kind::hang:
            wait_for(std::chrono::hours(1));
            open = false;
            break;
        }
      }
      --at_once_;
    }
  }
  const std::scoped_lock lock(mutex_);
  std::erase(open_sockets_, socket);
  close(socket);
}

int closed_port() {
  int port = 0;
  close(listen_locally(port));
  return port;
}

}  // namespace unmask::net
