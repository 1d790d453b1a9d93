// How fast logs are read, in bytes of unpacked text a second, and how much memory that takes. Each
// run checks what it read.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "unmask/ingest/read_log.h"
#include "unmask/json/parser.h"
#include "unmask/json/scanner.h"

namespace {

constexpr int kMessagePairs = 30;

/// An episode of about 60 kB with the escapes, nesting and repeated raw replies of real ones.
std::string simulation(int number) {
  const std::string id = std::to_string(number);
  std::string out = R"({"id": "sim-)" + id + R"(", "task_id": "task-)" +
                    std::to_string(number / 4) + R"(", "trial": )" + std::to_string(number % 4) +
                    R"(, "seed": 7, "start_time": "2026-01-01T00:00:00", "duration": 12.5,
      "termination_reason": "user_stop", "reward_info": {"reward": 1.0, "reward_basis": ["DB"]}, "messages": [)";
  for (int i = 0; i < kMessagePairs; ++i) {
    const std::string call = "call_" + id + "_" + std::to_string(i);
    if (i > 0) out += ", ";
    out +=
        R"({"role": "assistant", "content": null, "tool_calls": [{"id": ")" + call +
        R"(", "name": "look_up_lamp", "arguments": {"lamp_id": "#L)" + std::to_string(i * 7919) +
        R"(", "rooms": ["hall", "attic"], "gently": true}, "requestor": "assistant"}], "turn_idx": )" +
        std::to_string(2 * i) +
        R"(, "timestamp": "2026-01-01T00:00:01.123456", "cost": 0.0123, "usage": {"prompt_tokens": 4012,
             "completion_tokens": 37}, "raw_data": {"choices": [{"message": {"content": null, "tool_calls": [{"id": ")" +
        call +
        R"(", "function": {"name": "look_up_lamp", "arguments": "{\"lamp_id\": \"#L1\"}"}}]}}]}}, )";
    out += R"({"role": "tool", "id": ")" + call + R"(", "content": "{\"lamps\": [)";
    for (int k = 0; k < 12; ++k) {
      out +=
          R"({\"lamp_id\": \"L)" + std::to_string(i * 100 + k) +
          R"(\", \"state\": \"dark\", \"last_seen\": \"attic, behind the \\\"old\\\" chest\"}, )";
    }
    out += R"({}]}", "requestor": "assistant", "error": false, "turn_idx": )" +
           std::to_string(2 * i + 1) + R"(, "timestamp": "2026-01-01T00:00:02.123456"})";
  }
  return out + "]}";
}

constexpr std::string_view kHead =
    R"({"timestamp": "2026-01-01T00:00:00", "info": {"max_errors": 10, "agent_info": {"llm": "tinker"},
      "user_info": {}, "environment_info": {"domain_name": "workshop", "policy": "p"}}, "tasks": [], "simulations": [)";

std::string log_text(int simulations) {
  std::string out(kHead);
  for (int i = 0; i < simulations; ++i) {
    if (i > 0) out += ",\n";
    out += simulation(i);
  }
  return out + "]}";
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

class Counter final : public unmask::EpisodeSink {
 public:
  void header(const unmask::LogHeader& /*header*/) override {}
  bool episode(unmask::Episode episode) override {
    ++episodes;
    calls += episode.calls.size();
    return true;
  }
  void superseded(std::size_t /*number*/) override {}

  std::size_t episodes = 0;
  std::size_t calls = 0;
};

/// A whole log from disk. The second is eight times as large and takes no more memory. First of
/// all, as the peak is the process's.
void read_log(benchmark::State& state) {
  const int simulations = static_cast<int>(state.range(0));
  const std::string path =
      (std::filesystem::temp_directory_path() / "unmask-ingest-bench.json").string();
  {
    // Piece by piece, so that the peak of memory is the reader's.
    std::ofstream file(path, std::ios::binary);
    file << kHead;
    for (int i = 0; i < simulations; ++i) file << (i > 0 ? ",\n" : "") << simulation(i);
    file << "]}";
  }
  const std::size_t bytes = std::filesystem::file_size(path);
  for (auto _ : state) {
    Counter counter;
    unmask::Diagnostics diagnostics;
    const auto header = unmask::read_log({path, {path}, false, false}, counter, diagnostics);
    const auto expected = static_cast<std::size_t>(simulations);
    if (!header || counter.episodes != expected || counter.calls != expected * kMessagePairs ||
        diagnostics.any_warning()) {
      std::abort();
    }
  }
  std::filesystem::remove(path);
  state.SetBytesProcessed(
      static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * bytes));
  state.counters["episodes"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * simulations, benchmark::Counter::kIsRate);
  state.counters["peak_MB"] = peak_megabytes();
}
BENCHMARK(read_log)->Arg(250)->Arg(2000)->Unit(benchmark::kMillisecond);

/// Cuts the top object apart and skips everything: the scanner alone.
class SkipAll final : public unmask::json::PieceSink {
 public:
  unmask::json::Take begin(const unmask::json::Place& place, char /*first*/,
                           std::uint64_t /*offset*/) override {
    return place.depth() < 2 ? unmask::json::Take::inside : unmask::json::Take::skip;
  }
  bool piece(const unmask::json::Place& /*place*/, std::string_view /*text*/,
             std::uint64_t /*offset*/) override {
    return true;
  }
};

void scan(benchmark::State& state) {
  const std::string text = log_text(500);
  constexpr std::size_t kChunk = std::size_t{1} << 20U;
  for (auto _ : state) {
    SkipAll sink;
    unmask::json::Scanner scanner(sink);
    for (std::size_t at = 0; at < text.size(); at += kChunk) {
      scanner.feed(std::string_view(text).substr(at, kChunk));
    }
    if (scanner.finish().end != unmask::json::ScanEnd::complete) std::abort();
  }
  state.SetBytesProcessed(
      static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * text.size()));
}
BENCHMARK(scan)->Unit(benchmark::kMillisecond);

void parse(benchmark::State& state) {
  const std::string text = simulation(1);
  unmask::json::Parser parser;
  for (auto _ : state) {
    const auto parsed = parser.parse(text);
    if (!parsed || parsed->root["messages"].size() != 2 * kMessagePairs) std::abort();
  }
  state.SetBytesProcessed(
      static_cast<std::int64_t>(static_cast<std::size_t>(state.iterations()) * text.size()));
}
BENCHMARK(parse)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
