#include "unmask/net/http_client.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <sys/socket.h>

#include "unmask/base/error.h"
#include "unmask/net/http_message.h"
#include "unmask/net/response_reader.h"
#include "unmask/net/url.h"

namespace unmask::net {
namespace {

namespace asio = boost::asio;
namespace ssl = boost::asio::ssl;
using asio::ip::tcp;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
// Bound to io_context rather than to any executor: less code, and faster.
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<tcp, Executor>;
using Resolver = asio::ip::basic_resolver<tcp, Executor>;
using Timer = asio::basic_waitable_timer<SteadyClock, asio::wait_traits<SteadyClock>, Executor>;
using Tls = ssl::stream<Socket&>;

double seconds_since(SteadyClock::time_point start) {
  return std::chrono::duration<double>(SteadyClock::now() - start).count();
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '_';
  });
}

bool is_header_value(std::string_view text) {
  return std::ranges::none_of(
      text, [](char byte) { return byte == '\r' || byte == '\n' || byte == '\0'; });
}

/// What is sent before the body; nullopt for names and values that would change its lines.
std::optional<std::string> head_of(const HttpRequest& request, const Url& url) {
  if (!is_word(request.method)) return std::nullopt;
  std::string head =
      request.method + ' ' + url.path + url.query + " HTTP/1.1\r\nHost: " + authority(url) + "\r\n";
  for (const HttpHeader& header : request.headers) {
    if (!is_word(header.name) || !is_header_value(header.value)) return std::nullopt;
    head += header.name + ": " + header.value + "\r\n";
  }
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT") {
    head += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return head + "\r\n";
}

/// A connection to an origin, in use by one exchange or idle.
struct Connection {
  static constexpr std::size_t kBufferBytes = 16U << 10U;

  explicit Connection(asio::io_context& io) : socket(io) {}

  /// What has come without being asked for ends it: the server's last word before it closed.
  /// Under TLS that may be a session ticket.
  [[nodiscard]] bool still_open() {
    char byte = 0;
    const auto got = recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN;  // on Linux the same as EWOULDBLOCK
    return got > 0 && tls.has_value();
  }
  void close() {
    error_code ignored;
    std::ignore = socket.close(ignored);
  }
  template <typename Handler>
  void read_some(Handler handler) {
    if (tls) {
      tls->async_read_some(asio::buffer(buffer), std::move(handler));
    } else {
      socket.async_read_some(asio::buffer(buffer), std::move(handler));
    }
  }
  template <typename Handler>
  void write(const std::array<asio::const_buffer, 2>& buffers, Handler handler) {
    if (tls) {
      asio::async_write(*tls, buffers, std::move(handler));
    } else {
      asio::async_write(socket, buffers, std::move(handler));
    }
  }

  Socket socket;
  std::optional<Tls> tls;
  bool used = false;  ///< it has served an exchange before
  SteadyClock::time_point idle_since;
  std::array<char, kBufferBytes> buffer{};
};

}  // namespace

/// All state but `io` and `next_task` belongs to the loop's thread.
class HttpClient::Loop {
 public:
  Loop(HttpClientSettings settings_given, ssl::context tls_given)
      : settings(std::move(settings_given)), tls(std::move(tls_given)) {}

  class Exchange;
  struct Origin {
    std::size_t active = 0;
    std::deque<std::shared_ptr<Exchange>> waiting;
    std::vector<std::shared_ptr<Connection>> idle;  ///< the longest unused first
  };

  void run() {
    thread = std::thread([this] { io.run(); });
  }
  void stop();
  void start(const std::shared_ptr<Exchange>& exchange);
  void start_waiting(Origin& origin);
  [[nodiscard]] std::shared_ptr<Connection> take_idle(Origin& origin) const;
  void cancel(TaskId task);
  /// Reads the system's certificates if they are what is trusted: a tenth of a second, which only
  /// the first TLS connection costs. Without any, no certificate is trusted.
  void trust_system() {
    if (!settings.ca_file.empty() || std::exchange(system_trusted, true)) return;
    error_code ignored;
    std::ignore = tls.set_default_verify_paths(ignored);
  }

  HttpClientSettings settings;
  asio::io_context io{1};
  asio::executor_work_guard<Executor> work{io.get_executor()};
  ssl::context tls;
  bool system_trusted = false;
  std::atomic<TaskId> next_task{1};
  std::map<std::string, Origin> origins;
  std::unordered_map<TaskId, std::shared_ptr<Exchange>> exchanges;
  std::unordered_map<TaskId, std::shared_ptr<Timer>> timers;
  std::thread thread;
};

/// One request from its submission to its callback. Handlers keep the exchange and the connection
/// on which they wait alive: asynchronous operations use both until they are told that they were
/// ended.
class HttpClient::Loop::Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(Loop& loop, TaskId task, HttpRequest request, Url url, std::string head,
           std::chrono::milliseconds timeout, OnDone on_done)
      : loop_(loop),
        task_(task),
        request_(std::move(request)),
        url_(std::move(url)),
        head_(std::move(head)),
        timeout_(timeout),
        on_done_(std::move(on_done)),
        deadline_(loop.io),
        connect_deadline_(loop.io),
        resolver_(loop.io) {}

  [[nodiscard]] std::string origin_key() const {
    return (url_.secure ? "https://" : "http://") + authority(url_);
  }

  /// Leaves the line.
  void begin(Origin& origin) {
    origin_ = &origin;
    started_ = SteadyClock::now();
    deadline_.expires_after(timeout_);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) {
        self->fail_with(HttpFault::timed_out, "no complete answer within " +
                                                  std::to_string(self->timeout_.count()) + " ms");
      }
    });
    attempt(loop_.take_idle(origin));
  }

  void cancel() { fail_with(HttpFault::cancelled, "cancelled"); }

 private:
  void attempt(std::shared_ptr<Connection> kept) {
    reader_ = std::make_unique<ResponseReader>(loop_.settings.max_response_bytes,
                                               request_.method == "HEAD");
    sent_ = false;
    if (kept) {
      connection_ = std::move(kept);
      exchange_bytes();
      return;
    }
    connection_ = std::make_shared<Connection>(loop_.io);
    connecting_ = true;
    connect_deadline_.expires_after(loop_.settings.connect_timeout);
    connect_deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (error || !self->connecting_) return;
      self->fail_with(HttpFault::connect,
                      "not connected within " +
                          std::to_string(self->loop_.settings.connect_timeout.count()) + " ms");
    });
    resolve();
  }

  void resolve() {
    error_code no_address;
    const asio::ip::address address = asio::ip::make_address(url_.host, no_address);
    if (!no_address) {
      connect({tcp::endpoint(address, url_.port)});
      return;
    }
    resolver_.async_resolve(
        url_.host, std::to_string(url_.port),
        [self = shared_from_this()](error_code error, const Resolver::results_type& results) {
          if (self->over()) return;
          if (error) return self->fail_with(HttpFault::resolve, error.message());
          self->connect({results.begin(), results.end()});
        });
  }

  void connect(std::vector<tcp::endpoint> endpoints) {
    endpoints_ = std::move(endpoints);
    asio::async_connect(
        connection_->socket, endpoints_,
        [self = shared_from_this(), kept = connection_](error_code error, const tcp::endpoint&) {
          if (self->over()) return;
          if (error) return self->fail_with(HttpFault::connect, error.message());
          self->connected();
        });
  }

  void connected() {
    error_code ignored;
    std::ignore = connection_->socket.set_option(tcp::no_delay(true), ignored);
    if (!url_.secure) return ready();
    loop_.trust_system();
    Tls& stream = connection_->tls.emplace(connection_->socket, loop_.tls);
    // An address is checked against the certificate's addresses, and not announced as a name.
    if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(stream.native_handle()), url_.host.c_str()) ==
        0) {
      SSL_ctrl(stream.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
               url_.host.data());
      SSL_set1_host(stream.native_handle(), url_.host.c_str());
    }
    stream.async_handshake(ssl::stream_base::client,
                           [self = shared_from_this(), kept = connection_,
                            session = stream.native_handle()](error_code error) {
                             if (self->over()) return;
                             if (error)
                               return self->handshake_failed(error, SSL_get_verify_result(session));
                             self->ready();
                           });
  }

  /// `verdict`: OpenSSL's on the certificate.
  void handshake_failed(error_code error, long verdict) {
    if (loop_.settings.verify_certificates && verdict != X509_V_OK) {
      fail_with(HttpFault::tls,
                std::string("its certificate is not trusted: ") +
                    X509_verify_cert_error_string(verdict) +
                    "; name the file of its authority's certificate in SSL_CERT_FILE",
                true);
    } else {
      fail_with(HttpFault::tls, "no TLS connection: " + error.message());
    }
  }

  void ready() {
    connecting_ = false;
    connect_deadline_.cancel();
    exchange_bytes();
  }

  /// Reads while it writes: a server may answer before it has read all, and close.
  void exchange_bytes() {
    connection_->write(
        {asio::buffer(head_), asio::buffer(request_.body)},
        [self = shared_from_this(), connection = connection_](error_code error, std::size_t) {
          if (!error && connection == self->connection_) self->sent_ = true;
        });
    read();
  }

  void read() {
    connection_->read_some(
        [self = shared_from_this(), connection = connection_](error_code error, std::size_t bytes) {
          if (self->over() || connection != self->connection_) return;
          self->received(error, std::string_view(connection->buffer.data(), bytes));
        });
  }

  void received(error_code error, std::string_view bytes) {
    if (!bytes.empty()) {
      if (!reader_->began()) first_byte_seconds_ = seconds_since(started_);
      const ResponseReader::State state = reader_->feed(bytes);
      if (state != ResponseReader::State::more) return ended(state);
    }
    if (!error) return read();
    if (error == asio::error::eof && reader_->close() == ResponseReader::State::done) {
      return ended(ResponseReader::State::done);
    }
    if (!reader_->began() && connection_->used) {
      // Closed by the server while it was idle. Another kept one would be as old.
      connection_->close();
      return attempt(nullptr);
    }
    fail_with(HttpFault::cut_off,
              reader_->began()
                  ? "the connection ended in the middle of the answer (" + error.message() + ')'
                  : "the connection ended without an answer (" + error.message() + ')');
  }

  void ended(ResponseReader::State state) {
    switch (state) {
      case ResponseReader::State::malformed:
        return fail_with(HttpFault::malformed, "the answer is no HTTP: " + reader_->problem());
      case ResponseReader::State::too_large:
        return fail_with(
            HttpFault::too_large,
            "the answer exceeds " + std::to_string(loop_.settings.max_response_bytes) + " bytes");
      case ResponseReader::State::more:
      case ResponseReader::State::done:
        break;
    }
    const bool keep = sent_ && reader_->reusable();
    HttpResponse response = reader_->take();
    response.first_byte_seconds = first_byte_seconds_;
    response.seconds = seconds_since(started_);
    finish(std::move(response), keep);
  }

  void fail_with(HttpFault fault, const std::string& what, bool lasting = false) {
    if (over()) return;
    HttpError error{fault, shown(url_) + ": " + what, lasting, 0, {}};
    if (reader_ && reader_->status() != 0) {
      error.status = reader_->status();
      error.body = reader_->take().body;
    }
    finish(tl::unexpected(std::move(error)), false);
  }

  [[nodiscard]] bool over() const { return !on_done_; }

  void finish(HttpResult result, bool keep) {
    const std::shared_ptr<Exchange> self = shared_from_this();
    const OnDone on_done = std::exchange(on_done_, nullptr);
    deadline_.cancel();
    connect_deadline_.cancel();
    resolver_.cancel();
    loop_.exchanges.erase(task_);
    if (origin_ != nullptr) {
      --origin_->active;
      if (keep) {
        connection_->used = true;
        connection_->idle_since = SteadyClock::now();
        origin_->idle.push_back(std::move(connection_));
      } else {
        connection_->close();
      }
      connection_ = nullptr;
      loop_.start_waiting(*origin_);
    }
    on_done(std::move(result));
  }

  Loop& loop_;
  TaskId task_;
  HttpRequest request_;
  Url url_;
  std::string head_;
  std::chrono::milliseconds timeout_;
  OnDone on_done_;  ///< empty once it was called
  Timer deadline_;
  Timer connect_deadline_;
  Resolver resolver_;
  std::vector<tcp::endpoint> endpoints_;
  Origin* origin_ = nullptr;  ///< null while it waits in line
  std::shared_ptr<Connection> connection_;
  std::unique_ptr<ResponseReader> reader_;
  bool connecting_ = false;
  bool sent_ = false;  ///< the whole request
  SteadyClock::time_point started_;
  double first_byte_seconds_ = 0.0;
};

void HttpClient::Loop::start(const std::shared_ptr<Exchange>& exchange) {
  Origin& origin = origins[exchange->origin_key()];
  origin.waiting.push_back(exchange);
  start_waiting(origin);
}

void HttpClient::Loop::start_waiting(Origin& origin) {
  while (!origin.waiting.empty() &&
         origin.active < std::max(1U, settings.max_connections_per_host)) {
    const std::shared_ptr<Exchange> next = std::move(origin.waiting.front());
    origin.waiting.pop_front();
    ++origin.active;
    next->begin(origin);
  }
}

std::shared_ptr<Connection> HttpClient::Loop::take_idle(Origin& origin) const {
  const SteadyClock::time_point oldest = SteadyClock::now() - settings.idle_timeout;
  std::erase_if(origin.idle, [&](const auto& each) { return each->idle_since < oldest; });
  while (!origin.idle.empty()) {
    std::shared_ptr<Connection> last = std::move(origin.idle.back());
    origin.idle.pop_back();
    if (last->still_open()) return last;
  }
  return nullptr;
}

void HttpClient::Loop::cancel(TaskId task) {
  timers.erase(task);
  const auto found = exchanges.find(task);
  if (found == exchanges.end()) return;
  const std::shared_ptr<Exchange> exchange = found->second;
  std::erase(origins[exchange->origin_key()].waiting, exchange);
  exchange->cancel();
}

void HttpClient::Loop::stop() {
  asio::post(io, [this] {
    timers.clear();
    for (auto& [key, origin] : origins) origin.waiting.clear();
    while (!exchanges.empty()) {
      const std::shared_ptr<Exchange> exchange = exchanges.begin()->second;
      exchange->cancel();
    }
    origins.clear();
    io.stop();
  });
  thread.join();
}

HttpClient::HttpClient(std::unique_ptr<Loop> loop) : loop_(std::move(loop)) { loop_->run(); }

// NOLINTNEXTLINE(bugprone-exception-escape): without memory to say so the thread can't be ended
HttpClient::~HttpClient() { loop_->stop(); }

Result<std::unique_ptr<HttpClient>> HttpClient::open(HttpClientSettings settings) {
  ssl::context tls(ssl::context::tls_client);
  error_code error;
  std::ignore = tls.set_options(
      ssl::context::default_workarounds | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1, error);
  std::ignore = tls.set_verify_mode(
      settings.verify_certificates ? ssl::verify_peer : ssl::verify_none, error);
  if (!settings.ca_file.empty() && tls.load_verify_file(settings.ca_file, error)) {
    return fail(ErrorCode::outside, settings.ca_file +
                                        ": no certificates to trust could be read (" +
                                        error.message() + "); give a file in PEM format");
  }
  auto loop = std::make_unique<Loop>(std::move(settings), std::move(tls));
  return std::unique_ptr<HttpClient>(new HttpClient(std::move(loop)));
}

HttpClient::TaskId HttpClient::submit(HttpRequest request, std::chrono::milliseconds timeout,
                                      OnDone on_done) {
  const TaskId task = loop_->next_task++;
  Result<Url> url = parse_url(request.url);
  std::optional<std::string> head;
  if (url) head = head_of(request, *url);
  if (!head) {
    HttpError error{
        HttpFault::bad_request,
        url ? shown(*url) + ": a header's name or value can't be sent" : url.error().message,
        true,
        0,
        {}};
    asio::post(loop_->io, [error = std::move(error), on_done = std::move(on_done)]() mutable {
      on_done(tl::unexpected(std::move(error)));
    });
    return task;
  }
  auto exchange =
      std::make_shared<Loop::Exchange>(*loop_, task, std::move(request), std::move(*url),
                                       std::move(*head), timeout, std::move(on_done));
  asio::post(loop_->io, [loop = loop_.get(), task, exchange = std::move(exchange)] {
    loop->exchanges.emplace(task, exchange);
    loop->start(exchange);
  });
  return task;
}

HttpClient::TaskId HttpClient::after(std::chrono::milliseconds delay,
                                     std::function<void()> on_time) {
  const TaskId task = loop_->next_task++;
  asio::post(loop_->io, [loop = loop_.get(), task, delay, on_time = std::move(on_time)]() mutable {
    auto timer = std::make_shared<Timer>(loop->io, delay);
    timer->async_wait([loop, task, on_time = std::move(on_time)](error_code error) {
      if (error || loop->timers.erase(task) == 0) return;
      on_time();
    });
    loop->timers.emplace(task, std::move(timer));
  });
  return task;
}

void HttpClient::cancel(TaskId task) {
  asio::post(loop_->io, [loop = loop_.get(), task] { loop->cancel(task); });
}

}  // namespace unmask::net
