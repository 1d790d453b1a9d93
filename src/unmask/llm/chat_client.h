#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/net/http_client.h"

namespace unmask::llm {

/// What a ChatClient has done so far.
struct ChatStatistics {
  std::uint64_t submitted = 0;
  std::uint64_t attempts = 0;  ///< requests sent
  std::uint64_t retries = 0;   ///< attempts after the first of a chat
  std::uint64_t replies = 0;
  std::array<std::uint64_t, 7> errors{};  ///< by ChatFault
  std::uint64_t prompt_tokens = 0;        ///< of replies that say so, as the next
  std::uint64_t completion_tokens = 0;
  double reply_seconds = 0.0;          ///< sum over replies, each of its last attempt
  double longest_reply_seconds = 0.0;  ///< of one reply
  std::size_t running = 0;             ///< now: sent, or waiting for another attempt
  std::size_t waiting = 0;             ///< now: in line

  bool operator==(const ChatStatistics&) const = default;
};

/// Asks one endpoint, many requests at once, with retries (retry_policy.h) and without a thread of
/// its own. At most `max_concurrency` are under way, those that wait for another attempt included;
/// others wait in line, first come, first served.
///
/// Thread-safe. Callbacks run on the HttpClient's thread: they must be short, must not throw and
/// must not destroy a ChatClient or the HttpClient.
class ChatClient {
 public:
  using OnDone = std::function<void(ChatResult)>;
  using Ticket = std::uint64_t;

  /// `http` must outlive the client. `seed`: of the waits' jitter. Errors: as `check(endpoint)`.
  [[nodiscard]] static Result<std::unique_ptr<ChatClient>> open(Endpoint endpoint,
                                                                net::HttpClient& http,
                                                                std::uint64_t seed = kDefaultSeed);
  /// Cancels what is left and waits for its callbacks.
  ~ChatClient();
  ChatClient(const ChatClient&) = delete;
  ChatClient& operator=(const ChatClient&) = delete;

  /// Calls `on_done` once.
  Ticket submit(const ChatRequest& request, OnDone on_done);
  /// Ends a chat with ChatFault::cancelled; of one that is over, nothing.
  void cancel(Ticket ticket);

  [[nodiscard]] ChatStatistics statistics() const;
  [[nodiscard]] const Endpoint& endpoint() const;

 private:
  class State;
  explicit ChatClient(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;  ///< shared with callbacks that may come after a cancellation
};

}  // namespace unmask::llm
