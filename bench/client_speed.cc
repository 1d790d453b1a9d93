// Speed of the client of chat endpoints against a mock endpoint in another process.
//
//   client_speed EPISODES TURNS LATENCY_MS
//
// EPISODES at once ask TURNS times, each as soon as its last answer came, with a history of a usual
// size; the endpoint answers after LATENCY_MS. One line of JSON: requests, seconds, share of the
// ideal rate (EPISODES / LATENCY_MS), cores that this process kept busy, its peak memory in bytes.
// A wrong answer ends the run.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unmask/base/check.h"
#include "unmask/llm/chat.h"
#include "unmask/llm/chat_client.h"
#include "unmask/llm/endpoint.h"
#include "unmask/net/chaos_fixtures.h"
#include "unmask/net/http_client.h"

namespace unmask::llm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kArguments = R"({"order_id": "#W0000001"})";

struct Load {
  std::size_t episodes = 0;
  std::size_t turns = 0;
  std::chrono::milliseconds latency{0};
};

/// Answers with a call and some text, until it is killed.
[[noreturn]] void serve(const Load& load, int port_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string body = R"({"choices":[{"message":{"content":")" + std::string(1500, 'x') +
                           R"(","tool_calls":[{"id":"call_1","type":"function","function":{)"
                           R"("name":"get_order","arguments":"{\"order_id\": \"#W0000001\"}"}}]},)"
                           R"("finish_reason":"tool_calls"}],)"
                           R"("usage":{"prompt_tokens":5000,"completion_tokens":400}})";
  net::Script script{net::pause_for(load.latency), net::send_bytes(net::response_text(200, body))};
  const net::ChaosServer server(
      [script = std::move(script)](const net::Received&) { return script; });
  const int port = server.port();
  UNMASK_CHECK(write(port_pipe, &port, sizeof port) == sizeof port);
  for (;;) pause();
}

ChatRequest usual_request() {
  ChatRequest request;
  request.messages.push_back({ChatRole::system, std::string(6000, 'p'), {}, ""});
  for (int turn = 0; turn < 12; ++turn) {
    request.messages.push_back({ChatRole::user, std::string(200, 'u'), {}, ""});
    request.messages.push_back({ChatRole::assistant, std::string(300, 'a'), {}, ""});
  }
  for (int tool = 0; tool < 15; ++tool) {
    request.tools.push_back({"tool_" + std::to_string(tool), std::string(300, 'd'),
                             R"({"type":"object","properties":{"order_id":{"type":"string"}}})"});
  }
  return request;
}

/// The episodes: each asks again when it was answered.
class Run {
 public:
  Run(ChatClient& client, const Load& load) : client_(client), request_(usual_request()) {
    unfinished_ = load.episodes;
    for (std::size_t i = 0; i < load.episodes; ++i) ask(load.turns);
  }
  void wait() { done_.get_future().wait(); }

 private:
  /// On the client's thread but for the first turn; `unfinished_` changes there only.
  void ask(std::size_t turns) {
    client_.submit(request_, [this, turns](const ChatResult& result) {
      UNMASK_CHECK(result && result->tool_calls.size() == 1 &&
                   result->tool_calls[0].arguments == kArguments);
      if (turns > 1) return ask(turns - 1);
      if (--unfinished_ == 0) done_.set_value();
    });
  }

  ChatClient& client_;
  ChatRequest request_;
  std::size_t unfinished_ = 0;
  std::promise<void> done_;
};

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int measure(const Load& load, int port) {
  const auto http = std::move(*net::HttpClient::open());
  Endpoint endpoint;
  endpoint.base_url = "http://127.0.0.1:" + std::to_string(port) + "/v1";
  endpoint.model = "mock";
  endpoint.max_concurrency = static_cast<std::uint32_t>(load.episodes);
  const auto client = std::move(*ChatClient::open(endpoint, *http));
  const double cpu_before = cpu_seconds();
  const Clock::time_point start = Clock::now();
  Run run(*client, load);
  run.wait();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const double cores = (cpu_seconds() - cpu_before) / seconds;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const ChatStatistics statistics = client->statistics();
  const double ideal =
      static_cast<double>(load.turns) * std::chrono::duration<double>(load.latency).count();
  std::printf(
      "{\"requests\": %zu, \"seconds\": %.3f, \"share_of_ideal\": %.4f, \"cores\": %.3f, "
      "\"peak_bytes\": %ld}\n",
      static_cast<std::size_t>(statistics.replies), seconds, ideal / seconds, cores,
      usage.ru_maxrss * 1024);
  return statistics.replies == load.episodes * load.turns && statistics.retries == 0 ? 0 : 1;
}

}  // namespace
}  // namespace unmask::llm

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: client_speed EPISODES TURNS LATENCY_MS\n");
    return 2;
  }
  const auto number = [&](int at) { return std::strtoul(arguments[at], nullptr, 10); };
  const unmask::llm::Load load{number(1), number(2), std::chrono::milliseconds(number(3))};
  int port_pipe[2] = {-1, -1};
  UNMASK_CHECK(pipe(port_pipe) == 0);
  const pid_t server = fork();
  UNMASK_CHECK(server >= 0);
  if (server == 0) unmask::llm::serve(load, port_pipe[1]);
  int port = 0;
  UNMASK_CHECK(read(port_pipe[0], &port, sizeof port) == sizeof port);
  const int status = unmask::llm::measure(load, port);
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  return status;
}
