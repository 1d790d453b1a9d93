#include "unmask/ingest/read_episodes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/episode_sink.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_fixtures.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/read_log.h"

namespace unmask {
namespace {

using fixtures::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Keeps episodes with their transcripts.
class Transcripts final : public EpisodeSink {
 public:
  [[nodiscard]] bool wants_transcripts() const override { return true; }
  void header(const LogHeader& /*header*/) override {}
  bool episode(Episode episode) override {
    episodes.push_back(std::move(episode));
    return true;
  }
  void superseded(std::size_t /*number*/) override {}

  std::vector<Episode> episodes;
};

std::vector<std::string> simulations() {
  fixtures::SimulationText other = fixtures::small_simulation("bench", 1);
  other.messages.push_back(fixtures::says("user", "and \"that\" then?"));
  return {to_json(fixtures::small_simulation("lamp", 0)), to_json(other),
          to_json(fixtures::small_simulation("wheel", 0))};
}

std::string task_file(const std::string& task_id, int trial) {
  const fixtures::SimulationText simulation = fixtures::small_simulation(task_id, trial);
  return R"({"task_id": ")" + task_id + R"(", "task": )" + fixtures::task(task_id) +
         R"(, "run_info": {"simulation_id": "s", "trial": )" + std::to_string(trial) +
         R"(, "termination_reason": "user_stop"}, "reward_info": )" + simulation.reward_info +
         R"(, "messages": [)" + fixtures::joined(simulation.messages) + "]}";
}

/// A log of each layout in a folder; their paths.
std::vector<std::string> every_layout(const TemporaryFolder& folder) {
  const std::vector<std::string> parts = simulations();
  const std::string results = fixtures::results(parts);
  std::vector<std::string> paths = {
      folder.write("results.json", results),
      folder.write("results.json.gz", fixtures::gzipped(results)),
      folder.write("results.json.zst", fixtures::zstd_packed(results)),
      folder.write("list.json", "[" + fixtures::joined(parts) + "]"),
      folder.write("one.json", parts[0]),
      folder.write("lines.jsonl", parts[0] + "\n" + parts[1] + "\n"),
      folder.write("wrapped.json",
                   R"({"config": {"domain": "workshop"}, "task_results": [)"
                   R"({"task_id": "lamp", "trial": 0, "reward": 1.0, "trajectory": )" +
                       parts[0] + R"(}, {"task_id": "bench", "trial": 4, "trajectory": )" +
                       parts[1] + "}]}"),
      folder.write("task.json", task_file("lamp", 3))};
  const std::string chat =
      R"("trial": 2, "reward": 1, )"
      R"("messages": [{"role": "user", "content": "Open"}, {"role": "assistant", "tool_calls": )"
      R"([{"id": "c", "function": {"name": "open_lid", "arguments": "{}"}}]}, )"
      R"({"role": "tool", "tool_call_id": "c", "content": "Error: shut"}]})";
  paths.push_back(folder.write("chat.jsonl", R"({"task_id": 1, "tools": ["a"], )" + chat + "\n" +
                                                 R"({"task_id": 2, "tools": ["b"], )" + chat));
  paths.push_back(folder.write(
      "tau_bench.json",
      R"([{"task_id": 1, "trial": 0, "reward": 0.0, "info": {}, "traj": [)"
      R"({"role": "assistant", "content": "Action: {\"name\": \"a\", \"arguments\": {}}"}, )"
      R"({"role": "user", "content": "API output: Unknown action a"}]}, )"
      R"({"task_id": 2, "trial": 0, "reward": 0.0, "traj": [], "info": )"
      R"({"error": "Expecting value: line 1"}}])"));
  folder.write("tasks/index.json", "{}");
  folder.write("tasks/task_1.json", task_file("lamp", 0));
  folder.write("tasks/task_2.json", task_file("bench", 0));
  paths.push_back(folder.path().string() + "/tasks");
  folder.write("split/results.json", R"({"info": )" + fixtures::info() + R"(, "tasks": [)" +
                                         fixtures::task("lamp") + R"(], "simulations": null})");
  folder.write("split/simulations/a.json", parts[0]);
  folder.write("split/simulations/b.json", parts[1]);
  paths.push_back(folder.path().string() + "/split");
  return paths;
}

void expect_same(const Episode& again, const Episode& first) {
  EXPECT_EQ(again.ref, first.ref);
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.task_id, first.task_id);
  EXPECT_EQ(again.trial, first.trial);
  EXPECT_EQ(again.reward, first.reward);
  EXPECT_EQ(again.reward_record, first.reward_record);
  EXPECT_EQ(again.termination, first.termination);
  EXPECT_EQ(again.messages, first.messages);
  EXPECT_EQ(again.history_messages, first.history_messages);
  EXPECT_EQ(again.calls, first.calls);
  EXPECT_EQ(again.transcript, first.transcript);
  EXPECT_EQ(again.context_words, first.context_words);
}

TEST(ReadEpisodes, EveryLayoutReadsBackToTheSameEpisodes) {
  const TemporaryFolder folder;
  for (const std::string& path : every_layout(folder)) {
    SCOPED_TRACE(path);
    const auto inputs = find_logs(path);
    ASSERT_TRUE(inputs.has_value());
    ASSERT_EQ(inputs->size(), 1U);
    Diagnostics diagnostics;
    Transcripts first;
    const auto header = read_log(inputs->front(), first, diagnostics);
    ASSERT_TRUE(header.has_value()) << header.error().message;
    ASSERT_THAT(first.episodes, testing::Not(IsEmpty()));
    for (const TaskDefinition& task : header->tasks) EXPECT_THAT(task.text, HasSubstr(task.id));
    // Last to first: the order of delivery is the file's own.
    std::vector<EpisodeRef> refs;
    for (auto at = first.episodes.rbegin(); at != first.episodes.rend(); ++at) {
      refs.push_back(at->ref);
      EXPECT_EQ(at->transcript.size(), at->messages);
    }
    std::vector<std::size_t> delivered;
    read_episodes(*header, refs, [&](std::size_t number, Result<Episode> episode) {
      delivered.push_back(number);
      EXPECT_TRUE(episode.has_value()) << episode.error().message;
      if (episode) expect_same(*episode, first.episodes[first.episodes.size() - 1 - number]);
      return true;
    });
    ASSERT_EQ(delivered.size(), first.episodes.size());
    EXPECT_TRUE(std::is_sorted(delivered.rbegin(), delivered.rend()));
  }
}

TEST(ReadEpisodes, TranscriptHasTextsCallsAndAnswers) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.json", fixtures::results(simulations()));
  Diagnostics diagnostics;
  const auto log = load_log(path, diagnostics);
  ASSERT_TRUE(log.has_value());
  EXPECT_THAT(log->episodes[0].transcript, IsEmpty()) << "nobody asked";
  EXPECT_THAT(log->episodes[0].reward_record, IsEmpty());
  EXPECT_THAT(log->header.tasks.at(0).text, IsEmpty());
  const auto episode = read_episode(log->header, log->episodes[1].ref);
  ASSERT_TRUE(episode.has_value()) << episode.error().message;
  const std::vector<Message>& messages = episode->transcript;
  ASSERT_EQ(messages.size(), 8U);
  EXPECT_THAT(episode->reward_record, HasSubstr("\"reward\":"));
  EXPECT_EQ(messages[2], (Message{.role = MessageRole::agent, .first_call = 0, .call_count = 1}));
  EXPECT_EQ(messages[3],
            (Message{.role = MessageRole::tool, .text = "open", .first_call = 1, .answers = 0}));
  EXPECT_EQ(messages[4].first_call, 1U);
  EXPECT_EQ(messages[5].answers, 1U);
  EXPECT_EQ(messages[7].role, MessageRole::user);
  EXPECT_EQ(messages[7].text, "and \"that\" then?");
}

TEST(ReadEpisodes, HistoryOfTheTaskIsKnownAgain) {
  const TemporaryFolder folder;
  const std::string task = R"({"id": "lamp", "initial_state": {"message_history": [)" +
                           fixtures::joined({fixtures::says("assistant", "Hello"),
                                             fixtures::calls("assistant", "c0", "open_lid"),
                                             fixtures::answers("assistant", "c0", "open")}) +
                           "]}}";
  const std::string path =
      folder.write("a.json", R"({"info": )" + fixtures::info() + R"(, "tasks": [)" + task +
                                 R"(], "simulations": [)" + simulations()[0] + "]}");
  Diagnostics diagnostics;
  const auto log = load_log(path, diagnostics);
  ASSERT_TRUE(log.has_value());
  const auto episode = read_episode(log->header, log->episodes[0].ref);
  ASSERT_TRUE(episode.has_value());
  EXPECT_EQ(episode->history_messages, 3U);
  EXPECT_EQ(episode->calls, log->episodes[0].calls);
  EXPECT_TRUE(episode->calls[0].in_history);
}

TEST(ReadEpisodes, VoiceTicks) {
  const std::string tick =
      R"({"agent_chunk": {"content": "one moment"},
          "agent_tool_calls": [{"id": "c", "name": "open_lid", "arguments": {}}],
          "agent_tool_results": [{"id": "c", "content": "open", "error": false}],
          "user_chunk": {"content": ""}, "user_tool_calls": [], "user_tool_results": []})";
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "a.json", R"({"id": "v", "task_id": "lamp", "trial": 0, "reward_info": {"reward": 1},
                    "termination_reason": "user_stop", "ticks": [)" +
                    tick + "]}");
  Diagnostics diagnostics;
  const auto log = load_log(path, diagnostics);
  ASSERT_TRUE(log.has_value()) << log.error().message;
  const auto episode = read_episode(log->header, log->episodes.at(0).ref);
  ASSERT_TRUE(episode.has_value());
  EXPECT_THAT(
      episode->transcript,
      ElementsAre(
          Message{.role = MessageRole::agent, .text = "one moment", .call_count = 1},
          Message{.role = MessageRole::tool, .text = "open", .first_call = 1, .answers = 0}));
}

TEST(ReadEpisodes, WhatChangedIsAnErrorForThatEpisodeOnly) {
  const TemporaryFolder folder;
  const std::string text = fixtures::results(simulations());
  const std::string path = folder.write("a.json", text);
  Diagnostics diagnostics;
  const auto log = load_log(path, diagnostics);
  ASSERT_TRUE(log.has_value());
  std::vector<EpisodeRef> refs;
  for (const Episode& episode : log->episodes) refs.push_back(episode.ref);
  refs.push_back({.file = 1, .offset = 0, .length = 2});
  // Shorter than it was: the last episode is cut.
  for (const std::string& packed :
       {text.substr(0, refs[2].offset + 10), fixtures::gzipped(text.substr(0, refs[2].offset + 10)),
        fixtures::zstd_packed(text.substr(0, refs[2].offset + 10))}) {
    folder.write("a.json", packed);
    std::vector<std::string> errors(refs.size());
    read_episodes(log->header, refs, [&](std::size_t number, Result<Episode> episode) {
      if (!episode) errors[number] = episode.error().message;
      return true;
    });
    EXPECT_THAT(errors, ElementsAre(IsEmpty(), IsEmpty(), HasSubstr("ends before byte"),
                                    HasSubstr("no file number 1")));
  }
  folder.write("a.json", std::string(text.size(), ' '));
  const auto blank = read_episode(log->header, refs[0]);
  ASSERT_FALSE(blank.has_value());
  EXPECT_THAT(blank.error().message, HasSubstr("can't be read again"));
  LogHeader gone = log->header;
  gone.files[0] += ".gone";
  const auto missing = read_episode(gone, refs[0]);
  ASSERT_FALSE(missing.has_value());
  EXPECT_THAT(missing.error().message, HasSubstr("no such file"));
  LogHeader foreign = log->header;
  foreign.format = "abacus";
  EXPECT_FALSE(read_episode(foreign, refs[0]).has_value());
}

TEST(ReadEpisodes, TakerCanStop) {
  const TemporaryFolder folder;
  Diagnostics diagnostics;
  const auto log = load_log(folder.write("a.json", fixtures::results(simulations())), diagnostics);
  ASSERT_TRUE(log.has_value());
  const std::vector<EpisodeRef> refs = {log->episodes[0].ref, log->episodes[1].ref};
  int taken = 0;
  read_episodes(log->header, refs, [&](std::size_t /*number*/, const Result<Episode>& /*found*/) {
    ++taken;
    return false;
  });
  EXPECT_EQ(taken, 1);
}

TEST(RangeReader, PackedRangesInAnyOrder) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i);
  for (const std::string& path :
       {folder.write("plain", text), folder.write("gzip", fixtures::gzipped(text)),
        folder.write("zstd", fixtures::zstd_packed(text))}) {
    SCOPED_TRACE(path);
    auto file = LogFile::open(path);
    ASSERT_TRUE(file.has_value());
    RangeReader reader(*file);
    for (const auto& [offset, length] :
         std::vector<std::pair<std::size_t, std::size_t>>{{0, 1},
                                                          {1, 700'000},
                                                          {900'000, 5},
                                                          {10, 20},
                                                          {text.size(), 0},
                                                          {text.size() - 1, 1}}) {
      EXPECT_EQ(reader.read(offset, length), text.substr(offset, length)) << offset;
    }
    EXPECT_FALSE(reader.read(text.size(), 1).has_value());
    EXPECT_FALSE(reader.read(~std::uint64_t{0}, 2).has_value());
  }
}

}  // namespace
}  // namespace unmask
