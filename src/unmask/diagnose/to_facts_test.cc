#include "unmask/diagnose/to_facts.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/check.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

Episode episode(const char* task, std::optional<int> trial, std::optional<double> reward) {
  Episode e;
  e.task_id = task;
  e.trial = trial;
  e.reward = reward;
  return e;
}

TEST(ToFacts, InternsNamesKindsAndDropsHistory) {
  Episode e = episode("7", 2, 1.0);
  e.messages = 9;
  e.calls.resize(4);
  e.calls[0] = {.name = "old", .in_history = true, .failed = true};
  e.calls[1] = {.name = "get_boat", .message = 3, .failed = true};
  e.calls[2] = {.name = "get_boat", .message = 3};
  e.calls[3] = {.name = "ring_bell", .party = Party::user, .message = 5, .failed = true};
  std::vector<CallDiagnosis> diagnoses(4);
  diagnoses[0] = {.channel = Channel::entity, .kind = "gone"};
  diagnoses[1] = {.channel = Channel::entity, .kind = "boat", .evidence = EvidenceKind::error_text};
  diagnoses[3] = {
      .channel = Channel::tool_name, .kind = "novel", .evidence = EvidenceKind::structure};
  ArmFacts arm;
  TaskIndex tasks;
  arm.tasks = {{"3", "hash3"}, {"7", "hash7"}};
  to_facts(e, diagnoses, arm, tasks);
  ASSERT_EQ(arm.episodes.size(), 1U);
  const EpisodeFacts& facts = arm.episodes[0];
  EXPECT_EQ(facts.task, 1U);
  EXPECT_EQ(facts.trial, 2);
  EXPECT_EQ(facts.messages, 9U);
  EXPECT_TRUE(facts.success);
  ASSERT_EQ(facts.calls.size(), 3U);
  EXPECT_EQ(arm.names.text(facts.calls[0].name), "get_boat");
  EXPECT_EQ(facts.calls[0].name, facts.calls[1].name);
  EXPECT_EQ(arm.kinds.text(facts.calls[0].kind), "boat");
  EXPECT_EQ(facts.calls[0].channel, Channel::entity);
  EXPECT_EQ(facts.calls[0].message, 3U);
  EXPECT_EQ(facts.calls[1].kind, 0U);
  EXPECT_EQ(facts.calls[1].evidence, EvidenceKind::none);
  EXPECT_EQ(facts.calls[2].party, Party::user);
  EXPECT_EQ(arm.kinds.text(0), "");
  EXPECT_EQ(arm.kinds.size(), 3U);  // the history's kind is not among them
}

TEST(ToFacts, SuccessWithinAMillionth) {
  ArmFacts arm;
  TaskIndex tasks;
  for (const double reward : {1.0, 1.0 - 5e-7, 1.0 + 5e-7, 0.999, 0.0, 2.0}) {
    to_facts(episode("a", std::nullopt, reward), {}, arm, tasks);
  }
  std::vector<bool> success;
  success.reserve(arm.episodes.size());
  for (const EpisodeFacts& facts : arm.episodes) success.push_back(facts.success);
  EXPECT_EQ(success, (std::vector<bool>{true, true, true, false, false, false}));
  EXPECT_EQ(arm.episodes[3].reward, 0.999);
}

TEST(ToFacts, Exclusions) {
  ArmFacts arm;
  TaskIndex tasks;
  Episode infrastructure = episode("a", 0, 1.0);
  infrastructure.termination = Termination::infrastructure_error;
  Episode crashed = episode("a", 1, 0.0);
  crashed.infrastructure_note = "connection refused";
  to_facts(infrastructure, {}, arm, tasks);
  to_facts(crashed, {}, arm, tasks);
  to_facts(episode("a", 2, std::nullopt), {}, arm, tasks);
  EXPECT_EQ(arm.episodes[0].excluded, Exclusion::infrastructure);
  EXPECT_EQ(arm.episodes[0].reward, 0.0);
  EXPECT_FALSE(arm.episodes[0].success);
  EXPECT_EQ(arm.episodes[1].excluded, Exclusion::infrastructure);
  EXPECT_EQ(arm.episodes[2].excluded, Exclusion::no_reward);
}

TEST(ToFacts, UnknownTasksAndMissingTrialsAreNumbered) {
  ArmFacts arm;
  TaskIndex tasks;
  to_facts(episode("b", std::nullopt, 0.0), {}, arm, tasks);
  to_facts(episode("a", std::nullopt, 0.0), {}, arm, tasks);
  to_facts(episode("b", std::nullopt, 0.0), {}, arm, tasks);
  ASSERT_EQ(arm.tasks.size(), 2U);
  EXPECT_EQ(arm.tasks[0], (TaskFacts{"b", "b"}));
  EXPECT_EQ(arm.episodes[0].trial, 0);
  EXPECT_EQ(arm.episodes[1].trial, 0);
  EXPECT_EQ(arm.episodes[2].trial, 1);
}

TEST(ToFacts, TasksThatTheArmHadAreFound) {
  ArmFacts arm;
  arm.tasks = {{"a", "first"}, {"b", "key"}, {"a", "again"}};
  TaskIndex tasks;
  to_facts(episode("a", 0, 0.0), {}, arm, tasks);
  to_facts(episode("new", 0, 0.0), {}, arm, tasks);
  arm.tasks.push_back({"later", "key"});
  to_facts(episode("later", 0, 0.0), {}, arm, tasks);
  to_facts(episode("new", 1, 0.0), {}, arm, tasks);
  ASSERT_EQ(arm.tasks.size(), 5U);
  EXPECT_EQ(arm.episodes[0].task, 0U);
  EXPECT_EQ(arm.episodes[1].task, 3U);
  EXPECT_EQ(arm.episodes[2].task, 4U);
  EXPECT_EQ(arm.episodes[3].task, 3U);
}

TEST(ToFacts, EveryCallNeedsADiagnosis) {
  ArmFacts arm;
  TaskIndex tasks;
  Episode e = episode("a", 0, 1.0);
  e.calls.resize(1);
  EXPECT_THROW(to_facts(e, {}, arm, tasks), BugError);
}

}  // namespace
}  // namespace unmask
