#include "unmask/study/arm_checks.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

using testing::HasSubstr;

ArmInput arm(std::string name, std::string model, const std::vector<TaskFacts>& tasks) {
  ArmInput input;
  input.facts.name = std::move(name);
  input.facts.identity.model = std::move(model);
  input.facts.tasks = tasks;
  for (std::uint32_t i = 0; i < tasks.size(); ++i) {
    EpisodeFacts episode;
    episode.task = i;
    input.facts.episodes.push_back(episode);
  }
  return input;
}

const std::vector<TaskFacts> kTasks = {{"t1", "key1"}, {"t2", "key2"}};

Diagnostics checked(std::vector<ArmInput> arms) {
  CellInput cell;
  cell.reference = arms.front().facts.name;
  cell.arms = std::move(arms);
  Diagnostics diagnostics;
  check_arms(cell, diagnostics);
  return diagnostics;
}

TEST(ArmChecks, NothingOdd) {
  EXPECT_TRUE(
      checked({arm("bf16", "m-bf16", kTasks), arm("int4", "m-int4", kTasks)}).kept().empty());
  EXPECT_TRUE(
      checked({arm("bf16", "m", kTasks), arm("candidate", "m-int4", kTasks)}).kept().empty());
  EXPECT_TRUE(checked({arm("fp8", "m-int8", kTasks), arm("new", "", kTasks)}).kept().empty());
  EXPECT_TRUE(checked({arm("bf16", "", {}), arm("int4", "", kTasks)}).kept().empty());
}

TEST(ArmChecks, SwappedArms) {
  const Diagnostics found = checked({arm("int4", "m-bf16", kTasks), arm("bf16", "m-AWQ", kTasks)});
  ASSERT_EQ(found.kept().size(), 2U);
  EXPECT_EQ(found.kept()[0].code, "arm_contradicts_log");
  EXPECT_THAT(found.kept()[0].sentence, HasSubstr("swapped with arm 'bf16'"));
  EXPECT_THAT(found.kept()[1].sentence, HasSubstr("m-AWQ"));
  EXPECT_TRUE(found.any_warning());
}

TEST(ArmChecks, WrongFile) {
  const Diagnostics found = checked({arm("bf16", "m-bf16", kTasks), arm("int4", "m-bf16", kTasks)});
  ASSERT_EQ(found.kept().size(), 1U);
  EXPECT_THAT(found.kept()[0].sentence,
              HasSubstr("'int4' has a log of the model m-bf16; is it the right file"));
}

TEST(ArmChecks, NoCommonTask) {
  const std::vector<TaskFacts> other_text = {{"t1", "other1"}, {"t2", "other2"}};
  const std::vector<TaskFacts> other_ids = {{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}};
  const Diagnostics texts = checked({arm("x", "", kTasks), arm("y", "", other_text)});
  ASSERT_EQ(texts.count("no_common_task"), 1U);
  EXPECT_THAT(texts.kept()[0].sentence, HasSubstr("versions of the benchmark"));
  const Diagnostics ids = checked({arm("x", "", kTasks), arm("y", "", other_ids)});
  ASSERT_EQ(ids.count("no_common_task"), 1U);
  EXPECT_THAT(ids.kept()[0].sentence, HasSubstr("a, b, c ... against t1, t2"));
  EXPECT_EQ(checked({arm("x", "", kTasks), arm("y", "", {kTasks[1]})}).count("no_common_task"), 0U);
}

TEST(ArmChecks, TasksWithoutTextsPairById) {
  const std::vector<TaskFacts> ids_alone = {{"t1", "t1"}, {"t2", "t2"}};
  EXPECT_TRUE(checked({arm("x", "", kTasks), arm("y", "", ids_alone)}).kept().empty());
  EXPECT_TRUE(checked({arm("x", "", ids_alone), arm("y", "", kTasks)}).kept().empty());
}

TEST(ArmChecks, OnlyObservedEpisodesArePaired) {
  ArmInput crashed = arm("y", "", {{"a", "a"}});
  crashed.facts.episodes[0].excluded = Exclusion::infrastructure;
  EXPECT_TRUE(checked({arm("x", "", kTasks), crashed}).kept().empty());
  // A task that both have, but one of them only as a crash, is nothing to compare.
  ArmInput other = arm("y", "", {kTasks[0], {"b", "b"}});
  other.facts.episodes[0].excluded = Exclusion::infrastructure;
  EXPECT_EQ(checked({arm("x", "", kTasks), other}).count(kNoCommonTask), 1U);
}

}  // namespace
}  // namespace unmask
