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

/// Two tasks, two trials, five calls each; names numbered from `first_name` on.
ArmInput with_calls(const std::string& name, bool reversed = false) {
  ArmInput input = arm(name, "", {});
  ArmFacts& facts = input.facts;
  if (reversed) facts.names.intern("another");
  const std::uint32_t look = facts.names.intern("look");
  facts.tasks = kTasks;
  for (std::uint32_t i = 0; i < 4; ++i) {
    EpisodeFacts& episode = facts.episodes.emplace_back();
    const std::uint32_t number = reversed ? 3 - i : i;
    episode.task = number / 2;
    episode.trial = static_cast<int>(number % 2);
    for (std::uint32_t call = 0; call < 5; ++call) {
      episode.calls.push_back({.name = look, .failed = call == number});
    }
  }
  return input;
}

TEST(ArmChecks, OneLogAsTwoArms) {
  const Diagnostics found = checked({with_calls("bf16"), with_calls("int4", true)});
  ASSERT_EQ(found.kept().size(), 1U);
  EXPECT_EQ(found.kept()[0].code, kSameEpisodesInTwoArms);
  EXPECT_THAT(found.kept()[0].sentence, HasSubstr("'int4' has the same episodes as 'bf16'"));
}

TEST(ArmChecks, LogsThatDifferAreTwo) {
  const auto same = [](void (*change)(ArmFacts&)) {
    ArmInput other = with_calls("int4");
    change(other.facts);
    return checked({with_calls("bf16"), other}).count(kSameEpisodesInTwoArms) > 0;
  };
  EXPECT_TRUE(same([](ArmFacts&) {}));
  EXPECT_TRUE(same([](ArmFacts& log) { log.episodes[0].cost.seconds = 1.0; })) << "only one has it";
  EXPECT_FALSE(same([](ArmFacts& log) { log.episodes[0].reward = 1.0; }));
  EXPECT_FALSE(same([](ArmFacts& log) { log.episodes[0].trial = 7; }));
  EXPECT_FALSE(same([](ArmFacts& log) { log.episodes[3].calls[4].failed = true; }));
  EXPECT_FALSE(
      same([](ArmFacts& log) { log.episodes[0].calls[0].name = log.names.intern("shout"); }));
  EXPECT_FALSE(same([](ArmFacts& log) { log.episodes.pop_back(); }));
  ArmInput named = with_calls("bf16");
  named.facts.identity.model = "m";
  ArmInput other = with_calls("int4");
  EXPECT_EQ(checked({named, other}).count(kSameEpisodesInTwoArms), 1U);
  other.facts.identity.model = "m2";
  EXPECT_EQ(checked({named, other}).count(kSameEpisodesInTwoArms), 0U);
}

TEST(ArmChecks, EqualSecondsOrTokensOrNone) {
  ArmInput first = with_calls("bf16");
  ArmInput second = with_calls("int4");
  first.facts.episodes[0].cost.seconds = 1.0;
  second.facts.episodes[0].cost.seconds = 1.5;
  EXPECT_TRUE(checked({first, second}).kept().empty());
  second.facts.episodes[0].cost.seconds = 1.0;
  EXPECT_EQ(checked({first, second}).count(kSameEpisodesInTwoArms), 1U);
}

TEST(ArmChecks, AFewCallsCanBeTheSameByChance) {
  ArmInput first = with_calls("bf16");
  ArmInput second = with_calls("int4");
  first.facts.episodes.resize(2);
  second.facts.episodes.resize(2);
  EXPECT_TRUE(checked({first, second}).kept().empty());
}

}  // namespace
}  // namespace unmask
