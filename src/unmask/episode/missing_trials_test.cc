#include "unmask/episode/missing_trials.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"

namespace unmask {
namespace {

LogHeader header(std::vector<std::string> tasks, int trials) {
  LogHeader made;
  for (std::string& id : tasks) made.tasks.emplace_back().id = std::move(id);
  made.num_trials = trials;
  return made;
}

struct Row {
  std::uint32_t task;
  int trial;
};

ArmFacts arm(const std::vector<std::string>& tasks, const std::vector<Row>& rows) {
  ArmFacts made;
  for (const std::string& id : tasks) made.tasks.push_back({id, id});
  for (const Row& row : rows) {
    EpisodeFacts& episode = made.episodes.emplace_back();
    episode.task = row.task;
    episode.trial = row.trial;
  }
  return made;
}

TEST(MissingTrials, NothingIsPromisedWithoutANumber) {
  LogHeader silent = header({"a"}, 2);
  silent.num_trials.reset();
  EXPECT_EQ(missing_trials(silent, arm({"a"}, {})), (MissingTrials{.tasks = 1}));
  EXPECT_EQ(missing_trials(header({"a"}, 0), arm({"a"}, {})).promised, std::nullopt);
}

TEST(MissingTrials, CountedByTask) {
  const MissingTrials missing =
      missing_trials(header({"a", "b", "c"}, 2), arm({"a", "b"}, {{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(missing.promised, 6U);
  EXPECT_EQ(missing.count, 3U);
  EXPECT_EQ(missing.first_trial, 0);
  EXPECT_EQ(missing.lacking,
            (std::vector<LackingTask>{{.task_id = "b", .recorded = {1}, .lacking = 1},
                                      {.task_id = "c", .recorded = {}, .lacking = 2}}));
}

TEST(MissingTrials, ATaskOfMoreTrialsDoesNotMakeUpForAnother) {
  EXPECT_EQ(missing_trials(header({"a", "b"}, 1), arm({"a", "b"}, {{0, 0}, {0, 1}})).count, 1U);
}

TEST(MissingTrials, WithoutTasksInTheHeaderThoseOfTheEpisodesCount) {
  const MissingTrials missing =
      missing_trials(header({}, 2), arm({"a", "b"}, {{0, 1}, {0, 2}, {1, 1}}));
  EXPECT_EQ(missing.tasks, 2U);
  EXPECT_EQ(missing.count, 1U);
  EXPECT_EQ(missing.first_trial, 1);
}

// Of tau-bench only episodes that did not crash bring their task's definition.
TEST(MissingTrials, TasksThatOnlyTheEpisodesNameCountToo) {
  LogHeader silent = header({"a"}, 1);
  silent.num_trials.reset();
  EXPECT_EQ(missing_trials(silent, arm({"a", "b", "c"}, {{0, 0}, {1, 0}, {1, 1}})).tasks, 2U);
  const MissingTrials missing =
      missing_trials(header({"a", "b"}, 1), arm({"a", "b", "c"}, {{2, 0}}));
  EXPECT_EQ(missing.tasks, 3U);
  EXPECT_EQ(missing.promised, 2U);
}

TEST(MissingTrials, EpisodesThatNameNoTaskAreSomeOfTheTrials) {
  // Without ids, the episodes are pooled as one task that the header does not have.
  const MissingTrials missing =
      missing_trials(header({"a", "b"}, 2), arm({"a", "b", ""}, {{2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(missing.count, 1U);
  EXPECT_TRUE(missing.lacking.empty());
  EXPECT_EQ(missing_trials(header({"a"}, 1), arm({"a", ""}, {{1, 0}, {1, 1}})).count, 0U);
}

}  // namespace
}  // namespace unmask
