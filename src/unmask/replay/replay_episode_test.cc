#include "unmask/replay/replay_episode.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/replay/episode_replay.h"
#include "unmask/replay/log_replay.h"
#include "unmask/replay/task_book.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;
using world::generated::GeneratedDomain;

std::shared_ptr<const world::World> world_of(GeneratedDomain domain, std::uint64_t seed = 7) {
  world::generated::WorldSettings settings;
  settings.domain = domain;
  settings.tasks = 20;
  settings.seed = seed;
  auto world = world::generated::own_world(name_of(domain), settings);
  EXPECT_TRUE(world.has_value());
  return world ? *world : nullptr;
}

/// Appends a call with what `live` answers.
void act(Episode& episode, world::Environment& live, const std::string& name,
         const world::Object& arguments, Party party) {
  ToolCall call;
  call.id = "c" + std::to_string(episode.calls.size());
  call.name = name;
  call.arguments = world::dump_json(arguments);
  call.party = party;
  call.message = static_cast<std::uint32_t>(episode.transcript.size());
  call.answered = true;
  const world::CallResult result = live.call({call.id, name, arguments, party});
  call.failed = result.error;
  call.result = result.content;
  const auto index = static_cast<std::uint32_t>(episode.calls.size());
  episode.calls.push_back(std::move(call));
  episode.transcript.push_back(
      {.role = party == Party::agent ? MessageRole::agent : MessageRole::user,
       .text = "",
       .first_call = index,
       .call_count = 1,
       .answers = {}});
  episode.transcript.push_back({.role = MessageRole::tool,
                                .text = result.content,
                                .first_call = index + 1,
                                .call_count = 0,
                                .answers = index});
  (void)live.sync();
}

/// The episode of a perfect run, with the reward that it has.
Episode golden_episode(const world::World& world, const world::Task& task) {
  Episode episode;
  episode.task_id = task.id;
  episode.trial = 0;
  episode.termination_text = "user_stop";
  auto live = world.make_environment();
  EXPECT_TRUE(live.has_value());
  const world::InitialState* initial = task.initial_state ? &*task.initial_state : nullptr;
  EXPECT_TRUE(world::set_state(**live, initial, {}).has_value());
  for (const world::GoldenAction& action : *task.evaluation_criteria->actions) {
    act(episode, **live, action.name, action.arguments, action.requestor);
  }
  const auto info =
      world::evaluate(world, task, {messages_of(episode), episode.termination_text, false});
  EXPECT_TRUE(info.has_value());
  episode.reward = info->reward;
  episode.reward_record = world::dump_json(world::to_value(*info));
  return episode;
}

EpisodeReplay replay_of(const Episode& episode, const world::World& world,
                        const world::Task* task) {
  return replay_episode(episode, world, {task, false, reward_record_of(episode)});
}

TEST(ReplayEpisode, PerfectRunsAreEqualInEveryPart) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    const auto world = world_of(domain);
    ASSERT_NE(world, nullptr);
    LogReplayBuilder log;
    for (const world::Task& task : world->tasks()) {
      const Episode episode = golden_episode(*world, task);
      const EpisodeReplay replay = replay_of(episode, *world, &task);
      EXPECT_EQ(replay.not_replayed, "");
      EXPECT_EQ(replay.compared, episode.calls.size());
      EXPECT_EQ(replay.other_text, 0U);
      EXPECT_THAT(replay.differences, IsEmpty()) << task.id;
      EXPECT_TRUE(replay.reward.equal()) << task.id;
      EXPECT_EQ(replay.reward.raised, "");
      EXPECT_THAT(replay.reward.other_checks, IsEmpty());
      EXPECT_EQ(replay.stray_writes, StrayWrites{}) << task.id;
      for (const PartCheck& check : replay.reward.checks) {
        EXPECT_EQ(check.recorded, check.replayed) << task.id << " " << check.what;
      }
      log.add(replay);
    }
    const LogReplay all = std::move(log).finish();
    EXPECT_EQ(all.equal_episodes, 20U);
    EXPECT_EQ(all.rewards_equal, 20U);
    EXPECT_GT(all.parts.at(static_cast<std::size_t>(Part::actions)).compared, 20U);
  }
}

/// A perfect run in the retail world whose first call reads something.
class EditedEpisode : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(world_, nullptr);
    for (const world::Task& task : world_->tasks()) {
      Episode episode = golden_episode(*world_, task);
      if (episode.calls.size() < 2 || episode.calls.back().failed) continue;
      if (!world_->setup().agent.find_tool(episode.calls.back().name)->mutates()) continue;
      task_ = &task;
      episode_ = std::move(episode);
      return;
    }
    FAIL() << "no task writes";
  }
  [[nodiscard]] EpisodeReplay replayed() const { return replay_of(episode_, *world_, task_); }

  std::shared_ptr<const world::World> world_ = world_of(GeneratedDomain::retail);
  const world::Task* task_ = nullptr;
  Episode episode_;
};

TEST_F(EditedEpisode, AReadBeforeAnyWriteShowsOtherData) {
  const auto live = world_->make_environment();
  Episode reading;
  reading.task_id = task_->id;
  act(reading, **live, "list_all_product_types", {}, Party::agent);
  reading.calls[0].result = R"({"Nothing": "0"})";
  const EpisodeReplay replay = replay_of(reading, *world_, task_);
  ASSERT_THAT(replay.differences, SizeIs(1));
  EXPECT_EQ(replay.differences[0].cause, Cause::other_data);
  EXPECT_EQ(replay.differences[0].place, "Nothing");
  EXPECT_EQ(replay.differences[0].recorded, R"("0")");
  EXPECT_EQ(replay.differences[0].replayed, "(absent)");
  ASSERT_THAT(replay.first_reads, SizeIs(1));
  EXPECT_FALSE(replay.first_reads[0].equal);
}

TEST_F(EditedEpisode, AWriteThatDiffersIsUnexplainedAndRaises) {
  ToolCall& last = episode_.calls.back();
  last.result = "done";
  episode_.transcript.back().text = "done";
  const EpisodeReplay replay = replayed();
  ASSERT_THAT(replay.differences, SizeIs(1));
  EXPECT_EQ(replay.differences[0].cause, Cause::unexplained);
  EXPECT_EQ(replay.differences[0].recorded, "done");
  EXPECT_EQ(replay.differences[0].call, episode_.calls.size() - 1);
  EXPECT_EQ(replay.reward.raised, "ValueError: a write's result is not the recorded one");
  EXPECT_TRUE(replay.reward.equal());  // of the evaluation that passes over it
}

TEST_F(EditedEpisode, WhatComesAfterADifferenceFollows) {
  const auto live = world_->make_environment();
  episode_.calls.back().result = "done";
  act(episode_, **live, "list_all_product_types", {}, Party::agent);
  episode_.calls.back().result = "{}";
  const EpisodeReplay replay = replayed();
  ASSERT_THAT(replay.differences, SizeIs(2));
  EXPECT_EQ(replay.differences[1].cause, Cause::follows);
}

TEST_F(EditedEpisode, TheErrorFlagIsCompared) {
  episode_.calls.back().failed = true;
  const EpisodeReplay replay = replayed();
  ASSERT_THAT(replay.differences, SizeIs(1));
  EXPECT_EQ(replay.differences[0].place, "(error flag)");
}

TEST_F(EditedEpisode, AToolThatTheWorldLacksIsTheHarnesss) {
  const auto live = world_->make_environment();
  for (const Party party : {Party::agent, Party::user}) {
    act(episode_, **live, "plan_ahead", {}, party);
    episode_.calls.back().failed = false;
    episode_.calls.back().result = "planned";
  }
  act(episode_, **live, "list_all_product_types", {}, Party::agent);
  episode_.calls.back().result = "{}";
  const EpisodeReplay replay = replayed();
  ASSERT_THAT(replay.differences, SizeIs(3));
  EXPECT_EQ(replay.differences[0].cause, Cause::foreign_tool);
  EXPECT_EQ(replay.differences[1].cause, Cause::foreign_tool);
  EXPECT_EQ(replay.differences[2].cause, Cause::unexplained);  // foreign tools change nothing here
}

TEST_F(EditedEpisode, OnlyAnsweredAndReadableCallsAreExecuted) {
  ToolCall& last = episode_.calls.back();
  last.answered = false;
  last.result.clear();
  episode_.transcript.pop_back();
  ToolCall unreadable = last;
  unreadable.answered = true;
  unreadable.arguments = "{";
  unreadable.arguments_are_object = false;
  episode_.calls.push_back(unreadable);
  const EpisodeReplay replay = replayed();
  EXPECT_EQ(replay.unanswered, 1U);
  EXPECT_EQ(replay.unreadable, 1U);
  EXPECT_EQ(replay.compared, episode_.calls.size() - 2);
  EXPECT_THAT(replay.differences, IsEmpty());
  EXPECT_TRUE(replay.reward.raised.starts_with("ValueError: Tool message expected."))
      << replay.reward.raised;
}

TEST_F(EditedEpisode, AnUnreadableCallKeepsItsTextForTheEvaluation) {
  ToolCall& last = episode_.calls.back();
  last.arguments = "{\"order_id\": ";
  last.arguments_are_object = false;
  std::size_t unreadable = 0;
  for (const world::Message& message : messages_of(episode_)) {
    if (!message.tool_calls) continue;
    for (const world::ToolCall& call : *message.tool_calls) {
      if (!call.is_malformed()) continue;
      ++unreadable;
      EXPECT_EQ(call.unreadable_arguments, last.arguments);
      world::GoldenAction golden;
      golden.name = call.name;
      EXPECT_FALSE(world::matches(golden, call)) << "it has no arguments that could differ";
    }
  }
  EXPECT_EQ(unreadable, 1U);
}

TEST_F(EditedEpisode, ARecordedRewardIsSetBesideTheRecomputedOne) {
  episode_.reward = 0;
  episode_.reward_record =
      R"({"reward": 0, "db_check": {"db_match": false}, "action_checks": [], "env_assertions": 5})";
  const EpisodeReplay replay = replayed();
  EXPECT_FALSE(replay.reward.equal());
  EXPECT_EQ(replay.reward.replayed, 1.0);
  ASSERT_THAT(replay.reward.checks, SizeIs(1));
  EXPECT_EQ(replay.reward.checks[0], (PartCheck{Part::db, "", false, true}));
  EXPECT_EQ(replay.reward.other_checks, std::vector{Part::actions});
  episode_.reward_record = "{";
  EXPECT_THAT(replayed().reward.checks, IsEmpty());
  episode_.reward.reset();
  EXPECT_FALSE(replayed().reward.comparable());
}

TEST_F(EditedEpisode, AFailedCallThatTheWorldRefusesAlikeHasItsCause) {
  const auto live = world_->make_environment();
  act(episode_, **live, "get_order_details", {{"order_id", "#none"}}, Party::agent);
  act(episode_, **live, "get_order_details", {{"order_id", "#none"}}, Party::agent);
  episode_.calls.back().result = "Error: order lost";
  act(episode_, **live, "find_user_id_by_email", {{"email", 5}}, Party::agent);
  const std::size_t first = episode_.calls.size() - 3;
  EXPECT_EQ(replayed().failed_calls,
            (std::vector<FailedCall>{{first, true, world::no_such("order")},
                                     {first + 1, false, {}},
                                     {first + 2, true, {}}}));  // Python's own error has no cause
}

/// An address that nobody has.
world::Object somewhere(const std::string& user, const std::string& street) {
  return {{"user_id", user}, {"address1", street}, {"address2", ""}, {"city", "Elsewhere"},
          {"state", "ZZ"},   {"country", "USA"},   {"zip", "00000"}};
}

/// A user of the world, by an order's record.
std::string some_user(const world::World& world) {
  for (const world::Task& task : world.tasks()) {
    for (const world::GoldenAction& action : *task.evaluation_criteria->actions) {
      const world::Value* user = action.arguments.find("user_id");
      if (user != nullptr && user->string() != nullptr) return *user->string();
    }
  }
  return "";
}

TEST_F(EditedEpisode, AWriteOutsideTheGoldenActionsIsStray) {
  const std::string user = some_user(*world_);
  const auto live = world_->make_environment();
  act(episode_, **live, "modify_user_address", somewhere("nobody", "1"), Party::agent);  // refused
  act(episode_, **live, "modify_user_address", somewhere(user, "1"), Party::agent);
  act(episode_, **live, "modify_user_address", somewhere(user, "1"), Party::agent);  // no change
  act(episode_, **live, "modify_user_address", somewhere(user, "2"), Party::agent);
  ASSERT_FALSE(episode_.calls.back().failed) << episode_.calls.back().result;
  const std::size_t first = episode_.calls.size() - 3;
  EXPECT_EQ(replayed().stray_writes, (StrayWrites{2, first}));
  episode_.calls[first].in_history = true;
  EXPECT_EQ(replayed().stray_writes, (StrayWrites{1, first + 2}));
  episode_.calls.back().party = Party::user;
  EXPECT_EQ(replayed().stray_writes, StrayWrites{});
  world::Task task = *task_;
  task.evaluation_criteria->actions.reset();
  EXPECT_EQ(replay_of(episode_, *world_, &task).stray_writes, std::nullopt);
  task.evaluation_criteria->actions.emplace();  // a perfect run does nothing
  EXPECT_GT(replay_of(episode_, *world_, &task).stray_writes->count, 0U);
}

TEST(ReplayEpisode, TheSameItemsInAnotherOrderAreTheGoldenWrite) {
  const auto world = world_of(GeneratedDomain::retail);
  ASSERT_NE(world, nullptr);
  std::size_t reordered = 0;
  for (const world::Task& task : world->tasks()) {
    world::Task other = task;
    for (world::GoldenAction& action : *other.evaluation_criteria->actions) {
      for (const char* key : {"item_ids", "new_item_ids"}) {
        const world::Value* items = action.arguments.find(key);
        if (items == nullptr || items->list()->size() < 2) continue;
        world::List turned(items->list()->rbegin(), items->list()->rend());
        action.arguments.set(key, std::move(turned));
        ++reordered;
      }
    }
    EXPECT_EQ(replay_of(golden_episode(*world, task), *world, &other).stray_writes, StrayWrites{})
        << task.id;
  }
  EXPECT_GT(reordered, 0U);
}

TEST(ReplayEpisode, ThePhoneOfASoloRunDoesNotCount) {
  const auto world = world_of(GeneratedDomain::telecom);
  ASSERT_NE(world, nullptr);
  const world::Task& task = world->tasks()[0];
  world::Task idle = task;
  idle.evaluation_criteria->actions.emplace();
  const auto live = world->make_environment(true);
  ASSERT_TRUE(world::set_state(**live, task.initial_state ? &*task.initial_state : nullptr, {}));
  Episode episode;
  episode.task_id = task.id;
  act(episode, **live, "toggle_airplane_mode", {}, Party::agent);
  ASSERT_FALSE(episode.calls.back().failed) << episode.calls.back().result;
  const EpisodeReplay replay =
      replay_episode(episode, *world, {&idle, false, {}}, {.solo = true, .reward = false});
  EXPECT_THAT(replay.differences, IsEmpty());
  EXPECT_EQ(replay.stray_writes, StrayWrites{});
  EXPECT_FALSE(replay.reward.replayed.has_value());  // not asked for
}

TEST_F(EditedEpisode, WithoutATerminationItIsTakenToHaveEndedWell) {
  episode_.termination_text.clear();
  EXPECT_EQ(replayed().reward.replayed, 1.0);
  episode_.termination_text = "max_steps";
  EXPECT_EQ(replayed().reward.replayed, 0.0);
}

TEST_F(EditedEpisode, AnotherSeedsDataAreRecognised) {
  const auto other = world_of(GeneratedDomain::retail, 8);
  LogReplayBuilder log;
  for (const world::Task& task : world_->tasks()) {
    log.add(replay_of(golden_episode(*world_, task), *other, &task));
  }
  EXPECT_EQ(std::move(log).finish().data, DataVerdict::other);
}

TEST(ReplayEpisode, JudgedPartsAreNotEvaluated) {
  const auto world = world_of(GeneratedDomain::retail);
  ASSERT_NE(world, nullptr);
  world::Task task = world->tasks()[0];
  const Episode episode = golden_episode(*world, task);
  task.evaluation_criteria->reward_basis.push_back(world::RewardPart::nl_assertion);
  task.evaluation_criteria->nl_assertions = {"The agent is polite."};
  const RewardReplay reward = replay_of(episode, *world, &task).reward;
  EXPECT_FALSE(reward.replayed.has_value());
  EXPECT_EQ(reward.reason, "assertions in natural language need a judge");
}

TEST(ReplayEpisode, WithoutATaskCallsAreReplayedWhereAllTasksBeginAlike) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    const auto world = world_of(domain);
    ASSERT_NE(world, nullptr);
    const Episode episode = golden_episode(*world, world->tasks()[0]);
    const EpisodeReplay replay = replay_of(episode, *world, nullptr);
    EXPECT_EQ(replay.not_replayed.empty(), domain == GeneratedDomain::retail);
    EXPECT_THAT(replay.differences, IsEmpty());
    EXPECT_EQ(replay.compared, domain == GeneratedDomain::retail ? episode.calls.size() : 0U);
    EXPECT_FALSE(replay.reward.replayed.has_value());
    EXPECT_EQ(replay.reward.reason, "its task is neither in the log nor in the data");
  }
}

TEST(ReplayEpisode, AnInitialStateThatCannotBeSetIsSaid) {
  const auto world = world_of(GeneratedDomain::telecom);
  ASSERT_NE(world, nullptr);
  world::Task task = world->tasks()[0];
  task.initial_state.emplace();
  world::InitialAction action;
  action.function = {Party::user, "no_such_function", {}};
  task.initial_state->actions.push_back(action);
  const EpisodeReplay replay = replay_of({}, *world, &task);
  EXPECT_TRUE(replay.not_replayed.starts_with("the task's initial state can't be set"))
      << replay.not_replayed;
}

}  // namespace
}  // namespace unmask::replay
