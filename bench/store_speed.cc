// Speed of the run store: turns a second in batches and with a sync each, beside raw writes of the
// same bytes with fsync in the same folder; the size of a study's file; export.
//
//   store_speed FOLDER [UNITS]
//
// FOLDER lies on the disk that is measured. UNITS is the number of episodes (default 13680, a
// study's), of 40 turns each. One line a measurement: name, number of operations, seconds,
// operations a second. The store's answers are checked: a wrong count ends the run.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "unmask/base/check.h"
#include "unmask/store/export_tau2.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"

namespace unmask::store {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kTurns = 40;
constexpr std::size_t kSynced = 400;  ///< turns that are measured with a sync each

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double report(std::string_view name, std::size_t operations, double seconds) {
  const double rate = static_cast<double>(operations) / seconds;
  std::printf("%-40.*s %9zu  %10.6f s  %14.0f/s\n", static_cast<int>(name.size()), name.data(),
              operations, seconds, rate);
  return rate;
}

/// Words and numbers, as packable as the texts of an episode are.
std::string text_of(std::uint64_t unit, std::size_t turn, std::size_t bytes) {
  constexpr std::string_view kWords[] = {"order",  "status", "delivered", "customer", "line",
                                         "active", "charge", "the",       "please",   "account"};
  std::uint64_t state = unit * 1000003 + turn * 7919 + 12345;
  std::string text;
  while (text.size() < bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += kWords[(state >> 33U) % std::size(kWords)];
    text += ' ';
    if ((state >> 40U) % 4 == 0) text += std::to_string((state >> 44U) % 100000) + ' ';
  }
  return text;
}

/// Messages as an episode has them: half of the tool results are longer documents.
Turn turn_of(std::uint64_t unit, std::size_t index) {
  Turn turn;
  turn.timestamp = "2026-01-02T03:04:05.123456";
  switch (index % 4) {
    case 0:
      turn.kind = TurnKind::user;
      turn.body = R"({"role":"user","content":")" + text_of(unit, index, 150) + "\"}";
      break;
    case 1:
      turn.kind = TurnKind::assistant;
      turn.body = R"({"role":"assistant","content":null,"tool_calls":[{"id":"call_)" +
                  std::to_string(index) + R"(","name":"get_details","arguments":{"id":")" +
                  text_of(unit, index, 20) + R"("},"requestor":"assistant"}]})";
      turn.response = ModelResponse{.prompt_tokens = 4000, .completion_tokens = 30};
      break;
    case 2:
      turn.kind = TurnKind::tool;
      turn.body = R"({"id":"call","role":"tool","content":")" +
                  text_of(unit, index, index % 8 == 2 ? 1500 : 100) +
                  R"(","requestor":"assistant","error":false})";
      break;
    default:
      turn.kind = TurnKind::assistant;
      turn.body = R"({"role":"assistant","content":")" + text_of(unit, index, 250) + "\"}";
      turn.response = ModelResponse{.prompt_tokens = 4000, .completion_tokens = 60};
  }
  return turn;
}

ArmInfo arm() {
  ArmInfo arm;
  arm.cell = "cell";
  arm.arm = "arm";
  arm.domain = "retail";
  arm.agent = {"llm_agent", "model", ""};
  arm.user = {"user_simulator", "model", ""};
  arm.policy = text_of(0, 0, 7000);
  return arm;
}

RunStore new_store(const std::filesystem::path& path, Durability durability) {
  auto store = RunStore::create(path, RunInfo{}, {.durability = durability});
  UNMASK_CHECK(store.has_value() && store->put_arm(arm()));
  return std::move(*store);
}

UnitKey key_of(std::uint64_t unit) {
  return {.cell = "cell",
          .arm = "arm",
          .task_id = std::to_string(unit / 4),
          .trial = static_cast<int>(unit % 4)};
}

Outcome ended() {
  Outcome outcome;
  outcome.termination = "user_stop";
  outcome.reward = 1.0;
  outcome.reward_info = R"({"reward":1.0,"info":")" + text_of(1, 1, 2000) + "\"}";
  outcome.start_time = outcome.end_time = "2026-01-02T03:04:05.123456";
  return outcome;
}

/// Turns are made beforehand, so that only storing is measured.
void time_batches(const std::filesystem::path& path, std::uint64_t units) {
  std::vector<std::vector<Turn>> episodes;
  for (std::uint64_t unit = 0; unit < 64; ++unit) {
    std::vector<Turn>& turns = episodes.emplace_back();
    for (std::size_t i = 0; i < kTurns; ++i) turns.push_back(turn_of(unit, i));
  }
  std::size_t bytes = 0;
  const Outcome outcome = ended();
  const Clock::time_point start = Clock::now();
  RunStore store = new_store(path, Durability::batched);
  for (std::uint64_t unit = 0; unit < units; ++unit) {
    const auto id = store.open_unit(key_of(unit), static_cast<std::int64_t>(unit));
    UNMASK_CHECK(id.has_value());
    for (const Turn& turn : episodes[unit % episodes.size()]) {
      bytes += turn.body.size();
      UNMASK_CHECK(store.append_turns(*id, {&turn, 1}).has_value());
    }
    UNMASK_CHECK(store.finish(*id, outcome).has_value());
  }
  UNMASK_CHECK(store.close().has_value());
  report("turns in batches", units * kTurns, seconds_since(start));
  std::printf("%-40s %9.1f MiB of bodies in a file of %.1f MiB\n", "size",
              static_cast<double>(bytes) / (1U << 20U),
              static_cast<double>(std::filesystem::file_size(path)) / (1U << 20U));
}

void time_reading(const std::filesystem::path& path, std::uint64_t units) {
  Clock::time_point start = Clock::now();
  const auto reader = RunReader::open(path);
  UNMASK_CHECK(reader.has_value());
  const auto list = reader->units();
  UNMASK_CHECK(list.has_value() && list->size() == units);
  report("list of units", units, seconds_since(start));
  start = Clock::now();
  std::size_t bytes = 0;
  const auto counts = export_tau2(*reader, "cell", "arm",
                                  [&bytes](std::string_view piece) { bytes += piece.size(); });
  UNMASK_CHECK(counts.has_value() && counts->units == units);
  report("units exported", units, seconds_since(start));
  std::printf("%-40s %9.1f MiB\n", "size of the export", static_cast<double>(bytes) / (1U << 20U));
}

double time_synced(const std::filesystem::path& path) {
  RunStore store = new_store(path, Durability::each_call);
  const auto id = store.open_unit(key_of(0), 0);
  UNMASK_CHECK(id.has_value());
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < kSynced; ++i) turns.push_back(turn_of(0, i));
  Clock::time_point start = Clock::now();
  for (const Turn& turn : turns) UNMASK_CHECK(store.append_turns(*id, {&turn, 1}).has_value());
  const double rate = report("turns, a sync each", kSynced, seconds_since(start));
  std::vector<UnitTurn> gathered;
  for (Turn& turn : turns) gathered.push_back({*id, std::move(turn)});
  start = Clock::now();
  for (std::size_t i = 0; i < kSynced; i += 16) {
    UNMASK_CHECK(store.append({gathered.data() + i, 16}).has_value());
  }
  report("turns, a sync for each 16", kSynced, seconds_since(start));
  return rate;
}

double time_raw(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  UNMASK_CHECK(file >= 0);
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < kSynced; ++i) {
    const std::string body = turn_of(0, i).body;
    UNMASK_CHECK(std::cmp_equal(::write(file, body.data(), body.size()), body.size()));
    UNMASK_CHECK(::fsync(file) == 0);
  }
  const double rate = report("raw writes, a sync each", kSynced, seconds_since(start));
  ::close(file);
  return rate;
}

void run(const std::filesystem::path& folder, std::uint64_t units) {
  std::filesystem::create_directories(folder);
  for (const char* const name : {"batches", "synced", "raw"}) {
    std::filesystem::remove(folder / name);
  }
  time_batches(folder / "batches", units);
  time_reading(folder / "batches", units);
  const double synced = time_synced(folder / "synced");
  const double raw = time_raw(folder / "raw");
  std::printf("%-40s %9.2f\n", "synced turns to raw writes", synced / raw);
  for (const char* const name : {"batches", "synced", "raw"}) {
    std::filesystem::remove(folder / name);
  }
}

}  // namespace
}  // namespace unmask::store

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fprintf(stderr, "usage: store_speed FOLDER [UNITS]\n");
    return 2;
  }
  const unsigned long units = count == 3 ? std::strtoul(arguments[2], nullptr, 10) : 13680;
  unmask::store::run(arguments[1], units);
  return 0;
}
