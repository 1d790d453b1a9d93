#include "unmask/llm/chat_client.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"
#include "unmask/llm/http_outcome.h"
#include "unmask/llm/request_json.h"
#include "unmask/llm/retry_policy.h"
#include "unmask/net/http_client.h"
#include "unmask/net/http_message.h"

namespace unmask::llm {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Chat {
  std::string body;
  ChatClient::OnDone on_done;
  Rng rng;
  bool begun = false;  ///< it has left the line
  SteadyClock::time_point deadline;
  std::uint32_t attempts = 0;
  net::HttpClient::TaskId task = 0;  ///< the request or the timer that it waits for
};

milliseconds time_left(const Chat& chat) {
  return std::chrono::ceil<milliseconds>(chat.deadline - SteadyClock::now());
}

}  // namespace

class ChatClient::State : public std::enable_shared_from_this<State> {
 public:
  State(Endpoint endpoint_given, net::HttpClient& http, std::uint64_t seed)
      : endpoint(std::move(endpoint_given)),
        http_(http),
        seed_(seed),
        url_(completions_url(endpoint)) {
    headers_ = {{"Content-Type", "application/json"},
                {"Accept", endpoint.streaming ? "text/event-stream" : "application/json"},
                {"User-Agent", "unmask"}};
    if (!endpoint.api_key.empty()) {
      headers_.push_back({"Authorization", "Bearer " + endpoint.api_key.reveal()});
    }
  }

  Ticket submit(std::string body, OnDone on_done) {
    const std::scoped_lock lock(mutex_);
    const Ticket ticket = ++statistics_.submitted;
    chats_.emplace(
        ticket,
        Chat{std::move(body), std::move(on_done), Rng(seed_, "retry", ticket), false, {}, 0, 0});
    ++undelivered_;
    line_.push_back(ticket);
    begin_waiting();
    return ticket;
  }

  void cancel(Ticket ticket) {
    const std::scoped_lock lock(mutex_);
    cancel_locked(ticket);
  }

  void cancel_all_and_wait() {
    std::unique_lock lock(mutex_);
    // From the end: so that none of the line begins because one before it was cancelled.
    while (!chats_.empty()) cancel_locked(chats_.rbegin()->first);
    delivered_.wait(lock, [this] { return undelivered_ == 0; });
  }

  [[nodiscard]] ChatStatistics statistics() const {
    const std::scoped_lock lock(mutex_);
    ChatStatistics now = statistics_;
    now.running = running_;
    now.waiting = line_.size();
    return now;
  }

  const Endpoint endpoint;

 private:
  void cancel_locked(Ticket ticket) {
    const auto found = chats_.find(ticket);
    if (found == chats_.end()) return;
    const Chat& chat = found->second;
    if (chat.begun) {
      http_.cancel(chat.task);
    } else {
      std::erase(line_, ticket);
    }
    ChatError error{ChatFault::cancelled, 0, shown(endpoint) + ": cancelled", {}, chat.attempts};
    OnDone on_done = take(found, tl::unexpected(error));
    // Not from here: the caller may hold locks of its own.
    http_.after(milliseconds(0), [self = shared_from_this(), on_done = std::move(on_done),
                                  error = std::move(error)]() mutable {
      self->deliver(on_done, tl::unexpected(std::move(error)));
    });
  }

  void begin_waiting() {
    while (!line_.empty() && running_ < endpoint.max_concurrency) {
      const Ticket ticket = line_.front();
      line_.pop_front();
      Chat& chat = chats_.at(ticket);
      ++running_;
      chat.begun = true;
      chat.deadline = SteadyClock::now() + endpoint.deadline;
      attempt(ticket, chat);
    }
  }

  void attempt(Ticket ticket, Chat& chat) {
    ++statistics_.attempts;
    if (chat.attempts++ > 0) ++statistics_.retries;
    const milliseconds timeout = std::min(endpoint.timeout, time_left(chat));
    chat.task = http_.submit(net::HttpRequest{"POST", url_, headers_, chat.body}, timeout,
                             [self = shared_from_this(), ticket](net::HttpResult result) {
                               self->attempted(ticket, std::move(result));
                             });
  }

  void attempted(Ticket ticket, net::HttpResult result) {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    Outcome outcome = outcome_of(std::move(result), endpoint, now);
    OnDone on_done;
    {
      const std::scoped_lock lock(mutex_);
      const auto found = chats_.find(ticket);
      if (found == chats_.end()) return;  // cancelled meanwhile
      Chat& chat = found->second;
      if (outcome.result) {
        outcome.result->attempts = chat.attempts;
      } else {
        outcome.result.error().attempts = chat.attempts;
        const auto delay =
            next_delay(endpoint.retry, outcome.failed, chat.attempts, time_left(chat), chat.rng);
        if (delay) return wait(ticket, chat, *delay);
        explain(outcome, chat.attempts);
      }
      on_done = take(found, outcome.result);
    }
    deliver(on_done, std::move(outcome.result));
  }

  void wait(Ticket ticket, Chat& chat, milliseconds delay) {
    chat.task = http_.after(delay, [self = shared_from_this(), ticket] {
      const std::scoped_lock lock(self->mutex_);
      const auto found = self->chats_.find(ticket);
      if (found != self->chats_.end()) self->attempt(ticket, found->second);
    });
  }

  static void explain(Outcome& outcome, std::uint32_t attempts) {
    ChatError& error = outcome.result.error();
    if (error.fault != ChatFault::connection && error.fault != ChatFault::server) return;
    error.message += attempts == 1 ? " (1 attempt" : " (" + std::to_string(attempts) + " attempts";
    if (outcome.failed.asked_delay) {
      error.message += "; the server asked to wait for " +
                       std::to_string(outcome.failed.asked_delay->count()) + " ms";
    }
    error.message += ')';
  }

  /// Removes a chat that is over and counts it; the next in line begins.
  OnDone take(std::map<Ticket, Chat>::iterator chat, const ChatResult& result) {
    OnDone on_done = std::move(chat->second.on_done);
    if (chat->second.begun) --running_;
    chats_.erase(chat);
    if (result) {
      ++statistics_.replies;
      statistics_.prompt_tokens += result->usage.prompt_tokens.value_or(0);
      statistics_.completion_tokens += result->usage.completion_tokens.value_or(0);
      statistics_.reply_seconds += result->seconds;
      statistics_.longest_reply_seconds =
          std::max(statistics_.longest_reply_seconds, result->seconds);
    } else {
      ++statistics_.errors.at(static_cast<std::size_t>(result.error().fault));
    }
    begin_waiting();
    return on_done;
  }

  void deliver(const OnDone& on_done, ChatResult result) {
    on_done(std::move(result));
    // Notified under the lock: whom it wakes may end the client at once.
    const std::scoped_lock lock(mutex_);
    if (--undelivered_ == 0) delivered_.notify_all();
  }

  net::HttpClient& http_;
  std::uint64_t seed_;
  std::string url_;
  std::vector<net::HttpHeader> headers_;
  mutable std::mutex mutex_;
  std::condition_variable delivered_;
  std::map<Ticket, Chat> chats_;  ///< those that are not over
  std::deque<Ticket> line_;
  std::size_t running_ = 0;
  std::size_t undelivered_ = 0;  ///< chats whose callback hasn't returned
  ChatStatistics statistics_;
};

ChatClient::ChatClient(std::shared_ptr<State> state) : state_(std::move(state)) {}

ChatClient::~ChatClient() { state_->cancel_all_and_wait(); }

Result<std::unique_ptr<ChatClient>> ChatClient::open(Endpoint endpoint, net::HttpClient& http,
                                                     std::uint64_t seed) {
  if (const Result<void> fine = check(endpoint); !fine) return tl::unexpected(fine.error());
  return std::unique_ptr<ChatClient>(
      new ChatClient(std::make_shared<State>(std::move(endpoint), http, seed)));
}

ChatClient::Ticket ChatClient::submit(const ChatRequest& request, OnDone on_done) {
  return state_->submit(encode_request(request, state_->endpoint), std::move(on_done));
}

void ChatClient::cancel(Ticket ticket) { state_->cancel(ticket); }

ChatStatistics ChatClient::statistics() const { return state_->statistics(); }

const Endpoint& ChatClient::endpoint() const { return state_->endpoint; }

}  // namespace unmask::llm
