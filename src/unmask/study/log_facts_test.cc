#include "unmask/study/log_facts.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "unmask/ingest/log_input.h"
#include "unmask/study/reexecution.h"

namespace unmask {
namespace {

/// A file that lives as long as the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("unmask_log_facts_" + std::to_string(::getpid()) + ".json")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  [[nodiscard]] LogInput input() const { return {path_, {path_}, false, false}; }

 private:
  std::string path_;
};

/// One call and its result, as chat messages.
std::string call(const std::string& name, const std::string& result) {
  return R"({"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": ")" + name +
         R"(", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c", "content": ")" +
         result + R"("})";
}

std::string episode(int task, const std::string& members, const std::vector<std::string>& calls) {
  std::string text = R"({"task_id": )" + std::to_string(task) + R"(, "reward": 1, )" + members +
                     R"("messages": [{"role": "user", "content": "x"})";
  for (const std::string& part : calls) text += ", " + part;
  return text + "]}\n";
}

struct Read {
  LogFacts log;
  Diagnostics diagnostics;
  std::vector<Channel> failures;  ///< channels of failed calls, in order
};

Read read(const std::string& text) {
  const TemporaryFile file(text);
  Read result;
  auto log = read_log_facts(file.input(), {}, result.diagnostics);
  EXPECT_TRUE(log.has_value()) << log.error().message;
  if (!log) return result;
  result.log = *std::move(log);
  for (const EpisodeFacts& facts : result.log.facts.episodes) {
    for (const CallFacts& row : facts.calls) {
      if (row.failed) result.failures.push_back(row.channel);
    }
  }
  return result;
}

TEST(LogFacts, DomainIsThatOfTheTools) {
  // Refusals show that a tool exists; the first episode tells too little.
  const Read got =
      read(episode(1, "", {call("get_user_details", "Error: user not found")}) +
           episode(2, "",
                   {call("get_order_details", "{}"),
                    call("cancel_pending_order", "Error: invalid reason"),
                    call("find_user_id_by_email", "x"), call("get_product_details", "{}")}) +
           episode(3, "", {call("polish", "Error: no")}));
  EXPECT_EQ(got.log.header.domain, "retail");
  EXPECT_EQ(got.log.facts.domain, "retail");
  EXPECT_EQ(got.diagnostics.count("domain_inferred"), 1U);
  EXPECT_EQ(got.log.facts.episodes.size(), 3U);
  // A rule of retail's own, and a name that retail does not offer.
  EXPECT_EQ(got.failures, (std::vector{Channel::entity, Channel::arguments, Channel::tool_name}));
}

TEST(LogFacts, AnUnknownWorldStaysUnknown) {
  std::string text;
  for (int task = 0; task < 20; ++task) {
    text += episode(task, "", {call("tool_" + std::to_string(task), "ok")});
  }
  const Read got = read(text);
  EXPECT_EQ(got.log.header.domain, "");
  EXPECT_EQ(got.diagnostics.count("domain_inferred"), 0U);
  EXPECT_EQ(got.log.facts.episodes.size(), 20U);
}

TEST(LogFacts, ANamedDomainIsNotDoubted) {
  const Read got = read(episode(1, R"("domain": "workshop", )",
                                {call("get_order_details", "{}"), call("get_product_details", "{}"),
                                 call("cancel_pending_order", "{}")}));
  EXPECT_EQ(got.log.header.domain, "workshop");
}

TEST(LogFacts, ToolsOfAnEpisodeStandAboveThoseOfTheLog) {
  const Read got = read(episode(1, R"("tools": ["a"], )", {call("b", "Error: no")}) +
                        episode(2, R"("tools": ["b"], )", {call("b", "Error: no")}) +
                        episode(3, R"("tools": ["a"], )", {call("b", "Error: no")}));
  EXPECT_EQ(got.failures, (std::vector{Channel::tool_name, Channel::other, Channel::tool_name}));
}

TEST(LogFacts, TasksThatStandBesideTheirEpisodesPairByContent) {
  const auto element = [](const std::string& task, const std::string& instruction) {
    return R"({"task_id": )" + task +
           R"(, "trial": 0, "reward": 1.0, "traj": [], "info": {"task": )"
           R"({"instruction": ")" +
           instruction + R"(", "actions": []}}})";
  };
  const Read got = read("[" + element("1", "a") + "," + element("2", "b") + "," + R"({"task_id": 3,
      "trial": 0, "reward": 0.0, "traj": [], "info": {}}])");
  ASSERT_EQ(got.log.facts.tasks.size(), 3U);
  EXPECT_EQ(got.log.facts.tasks[0].key.size(), 64U);
  EXPECT_NE(got.log.facts.tasks[0].key, got.log.facts.tasks[1].key);
  EXPECT_EQ(got.log.facts.tasks[2].key, "3");
  EXPECT_TRUE(got.log.facts.budget.known);
  EXPECT_EQ(got.log.facts.budget.enforced, std::nullopt);
}

TEST(LogFacts, EpisodesWithoutATaskAreSomeOfThePromisedTrials) {
  const std::string header = R"({"schema": "unmask.table/1", "num_trials": 2, "tasks": ["a", "b"]})"
                             "\n";
  const std::string nobody = R"({"reward": 1, "calls": []})"
                             "\n";
  const std::string of_a = R"({"task": "a", "trial": 0, "reward": 1, "calls": []})"
                           "\n";
  EXPECT_EQ(read(header + of_a).log.facts.missing_trials, 3U);
  EXPECT_EQ(read(header + nobody + nobody + nobody).log.facts.missing_trials, 1U);
  EXPECT_EQ(read(header + of_a + nobody).log.facts.missing_trials, 2U);
}

/// Finds in every failed call a missing boat, and in every second call of an episode a stray write.
class FakeWorld final : public LogReexecution {
 public:
  explicit FakeWorld(int& finished) : finished_(finished) {}
  Reexecution of(const Episode& episode) override {
    EXPECT_FALSE(episode.transcript.empty());
    Reexecution again;
    again.facts = {.status = ReexecutionFacts::Status::done,
                   .golden_actions_known = true,
                   .stray_writes = 1,
                   .first_stray_write = 1};
    for (const ToolCall& call : episode.calls) {
      again.calls.push_back(call.failed ? std::optional(ReexecutionOutcome{Channel::entity, "boat"})
                                        : std::nullopt);
    }
    return again;
  }
  void finish(Diagnostics& /*diagnostics*/) override { ++finished_; }

 private:
  int& finished_;
};

TEST(LogFacts, CallsAreExecutedAgainWhereThereIsAWorld) {
  const TemporaryFile file(
      episode(1, "", {call("moor", "Error: berth taken"), call("moor", "done")}) +
      episode(2, "", {call("moor", "done"), call("moor", "Error: berth taken")}));
  int finished = 0;
  std::string asked_domain;
  bool has_world = true;
  const ReexecutionSource source =
      [&](const LogHeader& /*header*/, const std::string& domain,
          Diagnostics& /*diagnostics*/) -> Result<std::unique_ptr<LogReexecution>> {
    asked_domain = domain;
    if (domain == "broken") return fail(ErrorCode::bad_input, "no data");
    if (!has_world) return nullptr;
    return std::make_unique<FakeWorld>(finished);
  };
  Diagnostics diagnostics;
  std::vector<std::uint64_t> progress;
  FactsReading how{.domain = "harbour",
                   .progress =
                       [&](std::uint64_t done, std::uint64_t total) {
                         EXPECT_LE(done, total);
                         progress.push_back(done);
                         return true;
                       },
                   .reexecution = &source};
  const auto log = read_log_facts(file.input(), {}, diagnostics, how);
  ASSERT_TRUE(log.has_value()) << log.error().message;
  EXPECT_EQ(asked_domain, "harbour");
  EXPECT_EQ(finished, 1);
  EXPECT_TRUE(std::ranges::is_sorted(progress));
  ASSERT_EQ(log->facts.episodes.size(), 2U);
  const CallFacts& failed = log->facts.episodes[0].calls[0];
  EXPECT_EQ(failed.evidence, EvidenceKind::reexecution);
  EXPECT_EQ(failed.channel, Channel::entity);
  EXPECT_EQ(log->facts.kinds.text(failed.kind), "boat");
  EXPECT_EQ(log->facts.episodes[1].reexecution->first_stray_write, 1U);

  has_world = false;
  const auto without = read_log_facts(file.input(), {}, diagnostics, how);
  ASSERT_TRUE(without.has_value());
  EXPECT_EQ(without->facts.episodes[0].reexecution, ReexecutionFacts{});  // no world
  EXPECT_NE(without->facts.episodes[0].calls[0].evidence, EvidenceKind::reexecution);
  how.domain = "broken";
  const auto broken = read_log_facts(file.input(), {}, diagnostics, how);
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().message, "no data");
}

}  // namespace
}  // namespace unmask
