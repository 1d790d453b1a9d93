#include "unmask/play/orchestrator.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"
#include "unmask/play/participant.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/play/scripted.h"
#include "unmask/play/settings.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"

namespace unmask::play {
namespace {

using fixtures::bad;
using fixtures::call_of;
using fixtures::called;
using fixtures::ending;
using fixtures::good;
using fixtures::said;
using fixtures::task_of;

constexpr Party kAgent = Party::agent;
constexpr Party kUser = Party::user;

using Script = std::vector<SentMessage>;

struct Case {
  std::string what;
  Script agent;
  Script user;
  EpisodeSettings settings;
  ScriptRules rules;
  std::string ending;
  int steps = 0;
  int errors = 0;
  std::size_t messages = 0;
};

void expect_case(const Case& expected) {
  SCOPED_TRACE(expected.what);
  fixtures::Episode episode(expected.agent, expected.user, expected.settings, expected.rules);
  const Orchestrator& played = episode.play();
  EXPECT_EQ(ending(played), expected.ending);
  EXPECT_EQ(played.step_count(), expected.steps);
  EXPECT_EQ(played.num_errors(), expected.errors);
  EXPECT_EQ(played.trajectory().size(), expected.messages);
  EXPECT_EQ(played.records().size(), expected.messages);
}

TEST(Orchestrator, StopsOfTheUser) {
  const auto stop = [](const std::string& text) {
    return Case{.what = text,
                .agent = {said(kAgent, "go on"), said(kAgent, "what?")},
                .user = {said(kUser, text), said(kUser, "###STOP###")},
                .settings = {},
                .rules = {},
                .ending = "user_stop",
                .steps = 1,
                .errors = 0,
                .messages = 2};
  };
  for (const char* text : {"###STOP###", "bye ###STOP### now", "###TRANSFER###",
                           "###OUT-OF-SCOPE###", "###STOP###TRANSFER###"}) {
    expect_case(stop(text));
  }
  for (const char* text : {"###stop###", "### STOP ###", "###OUT_OF_SCOPE###", "STOP"}) {
    Case goes_on = stop(text);
    goes_on.steps = 3;
    goes_on.messages = 4;
    expect_case(goes_on);
  }
}

TEST(Orchestrator, AStopBesideCallsIsNone) {
  SentMessage both = called(kUser, {good(kUser)});
  both.message.content = "###STOP###";
  expect_case({.what = "the calls run, the user speaks again",
               .agent = {},
               .user = {both, said(kUser, "###STOP###")},
               .settings = {},
               .rules = {},
               .ending = "user_stop",
               .steps = 3,
               .errors = 0,
               .messages = 4});
}

TEST(Orchestrator, StopsOfTheAgent) {
  const Script agent = {said(kAgent, "###STOP###"), said(kAgent, "well")};
  const Script user = {said(kUser, "hi"), said(kUser, "bye ###STOP###")};
  expect_case({"plain agents never stop", agent, user, {}, {}, "user_stop", 3, 0, 4});
  expect_case(
      {"those with the word do", agent, user, {}, {.stops_at_word = true}, "agent_stop", 2, 0, 3});
  SentMessage both = called(kAgent, {good(kAgent)});
  both.message.content = "###STOP###";
  expect_case({"a stop with pending calls raises",
               {both},
               user,
               {},
               {.stops_at_word = true},
               "ValueError",
               2,
               0,
               3});
}

TEST(Orchestrator, LimitOfSteps) {
  const Script user = {said(kUser, "hi"), said(kUser, "###STOP###")};
  const Script talks = {said(kAgent, "yes")};
  expect_case({"just enough: the limit wins over a stop in its step",
               talks,
               user,
               {.max_steps = 3},
               {},
               "max_steps",
               3,
               0,
               4});
  expect_case({"one more", talks, user, {.max_steps = 4}, {}, "user_stop", 3, 0, 4});
  expect_case({"none", talks, user, {.max_steps = 0}, {}, "max_steps", 1, 0, 2});
  const Script calls = {called(kAgent, {good(kAgent)}), said(kAgent, "yes")};
  expect_case({"a pending call runs one step over",
               calls,
               user,
               {.max_steps = 2},
               {},
               "max_steps",
               3,
               0,
               4});
  expect_case({"errors win over steps",
               {called(kAgent, {bad(kAgent)})},
               user,
               {.max_steps = 2, .max_errors = 1},
               {},
               "too_many_errors",
               3,
               1,
               4});
}

TEST(Orchestrator, BudgetOfErrors) {
  const Script user = {said(kUser, "hi"), called(kUser, {bad(kUser)}), said(kUser, "###STOP###")};
  const Script agent = {called(kAgent, {bad(kAgent), bad(kAgent), good(kAgent)}),
                        said(kAgent, "look"), said(kAgent, "and")};
  expect_case({"all calls of the message run",
               agent,
               user,
               {.max_errors = 1},
               {},
               "too_many_errors",
               3,
               2,
               6});
  expect_case(
      {"both parties count", agent, user, {.max_errors = 3}, {}, "too_many_errors", 6, 3, 9});
  expect_case({"enough for all", agent, user, {.max_errors = 4}, {}, "user_stop", 7, 3, 10});
  expect_case({"none: the first test ends it",
               {},
               user,
               {.max_errors = 0},
               {},
               "too_many_errors",
               1,
               0,
               2});
}

TEST(Orchestrator, SwitchesOfTheBudget) {
  const Script user = {said(kUser, "hi"), called(kUser, {bad(kUser)}), said(kUser, "###STOP###")};
  const Script agent = {called(kAgent, {bad(kAgent), good(kAgent), bad(kAgent)}),
                        said(kAgent, "look"), said(kAgent, "and")};
  const auto play = [&](BudgetSemantics semantics, int budget) {
    EpisodeSettings settings{.max_errors = budget};
    settings.budget = semantics;
    fixtures::Episode episode(agent, user, settings);
    const Orchestrator& played = episode.play();
    return ending(played) + " " + std::to_string(played.num_errors()) + " " +
           std::to_string(played.budget().counted()) + " " +
           std::to_string(played.trajectory().size());
  };
  EXPECT_EQ(play({}, 3), "too_many_errors 3 3 9");
  EXPECT_EQ(play({.counts = CountedParty::agent}, 3), "user_stop 3 2 10");
  EXPECT_EQ(play({.counts = CountedParty::agent}, 2), "too_many_errors 2 2 6");
  EXPECT_EQ(play({.how = How::consecutive}, 2), "too_many_errors 3 2 9");
  EXPECT_EQ(play({.counts = CountedParty::agent, .how = How::consecutive}, 2), "user_stop 3 1 10");
  EXPECT_EQ(play({.tested = Tested::call}, 1), "too_many_errors 1 1 4");
  EXPECT_EQ(play({.tested = Tested::turn}, 1), "too_many_errors 2 2 6");
  EXPECT_EQ(play({.ends = Ends::exceed}, 2), "too_many_errors 3 3 9");
  EXPECT_EQ(play({.ends = Ends::exceed}, 3), "user_stop 3 3 10");
  EXPECT_EQ(play({.tested = Tested::call, .ends = Ends::exceed}, 1), "too_many_errors 2 2 6");
}

TEST(Orchestrator, InvalidMessages) {
  const Script user = {said(kUser, "hi"), said(kUser, "###STOP###")};
  for (const char* text : {"", " \n\t", "\xE3\x80\x80"}) {
    expect_case(
        {std::string("agent: ") + text, {said(kAgent, text)}, user, {}, {}, "ValueError", 1, 0, 2});
    expect_case(
        {std::string("user: ") + text, {}, {said(kUser, text)}, {}, {}, "ValueError", 0, 0, 1});
  }
  expect_case({"kept, if wanted",
               {said(kAgent, "")},
               user,
               {.when_empty = WhenEmpty::end},
               {},
               "agent_error",
               2,
               0,
               3});
  expect_case({"of the user, too",
               {},
               {said(kUser, "")},
               {.when_empty = WhenEmpty::end},
               {},
               "user_error",
               1,
               0,
               2});
  expect_case(
      {"an empty list of calls", {called(kAgent, {})}, user, {}, {}, "IndexError", 2, 0, 3});
  expect_case({"no script left", {}, user, {}, {}, "IndexError", 1, 0, 2});
}

TEST(Orchestrator, Communication) {
  SentMessage both = called(kAgent, {bad(kAgent)});
  both.message.content = "I'll look";
  const Script user = {said(kUser, "hi"), said(kUser, "###STOP###")};
  expect_case({"accepted", {both, said(kAgent, "so")}, user, {}, {}, "user_stop", 5, 1, 6});
  expect_case({"refused: nothing runs, no limit is tested",
               {both, said(kAgent, "so")},
               user,
               {.max_steps = 2, .validate_communication = true},
               {},
               "agent_error",
               2,
               0,
               3});
  SentMessage users = called(kUser, {good(kUser)});
  users.message.content = "###STOP###";
  expect_case(
      {"the user's", {}, {users}, {.validate_communication = true}, {}, "user_error", 1, 0, 2});
  SentMessage none = called(kAgent, {});
  none.message.content = "text";
  expect_case({"an empty list beside text",
               {none},
               user,
               {.validate_communication = true},
               {},
               "agent_error",
               2,
               0,
               3});
}

TEST(Orchestrator, Solo) {
  const auto done = called(kAgent, {call_of(kAgent, "done"), bad(kAgent)});
  const Script works = {called(kAgent, {good(kUser), good(kAgent)}), done};
  EpisodeSettings solo;
  solo.solo = true;
  expect_case({"user's tools aren't called as the user's",
               works,
               {},
               solo,
               {.solo = true},
               "agent_stop",
               2,
               1,
               4});
  expect_case({"done drops what stands beside it",
               {done},
               {},
               solo,
               {.solo = true},
               "agent_stop",
               0,
               0,
               1});
  expect_case(
      {"text raises", {said(kAgent, "hello")}, {}, solo, {.solo = true}, "ValueError", 0, 0, 0});
  expect_case({"of another agent it is its error",
               {said(kAgent, "hello")},
               {},
               solo,
               {},
               "agent_error",
               0,
               0,
               1});
  expect_case({"later, too",
               {called(kAgent, {good(kAgent)}), said(kAgent, "hello")},
               {},
               solo,
               {},
               "agent_error",
               2,
               0,
               3});
  SentMessage stop = called(kAgent, {good(kAgent)});
  stop.message.content = "###STOP###";
  expect_case({"a first message that stops is not executed",
               {stop},
               {},
               solo,
               {.stops_at_word = true},
               "agent_stop",
               0,
               0,
               1});
  expect_case({"no list of calls is empty",
               {called(kAgent, {})},
               {},
               solo,
               {.solo = true},
               "IndexError",
               0,
               0,
               1});
}

TEST(Orchestrator, CallsGoWhereTheySayAndResultsToTheSender) {
  fixtures::Episode episode({called(kAgent, {good(kUser)}), said(kAgent, "thanks")},
                            {said(kUser, "hi"), said(kUser, "###STOP###")});
  const Orchestrator& played = episode.play();
  ASSERT_EQ(played.trajectory().size(), 6U);
  EXPECT_FALSE(played.trajectory()[3].error);
  EXPECT_EQ(played.trajectory()[3].requestor, kUser);
  EXPECT_EQ(played.view(kAgent).size(), 6U);
  EXPECT_EQ(played.view(kUser).size(), 4U);
}

TEST(Orchestrator, MalformedCalls) {
  world::ToolCall broken = call_of(kAgent, "create_task");
  broken.unreadable_arguments = R"({"user_id": "ada", "ti)";
  fixtures::Episode episode({called(kAgent, {broken}), said(kAgent, "oh")},
                            {said(kUser, "hi"), said(kUser, "###STOP###")});
  const Orchestrator& played = episode.play();
  EXPECT_EQ(ending(played), "user_stop");
  EXPECT_EQ(played.num_errors(), 1);
  EXPECT_EQ(played.num_malformed(), 1);
  const world::Message& answer = played.trajectory()[3];
  EXPECT_TRUE(answer.error);
  EXPECT_EQ(answer.content, "Error: " + std::string(world::kUnreadableArguments));
  EXPECT_EQ((*played.trajectory()[2].tool_calls)[0].unreadable_arguments,
            broken.unreadable_arguments);
}

TEST(Orchestrator, TimeoutYieldsToAStop) {
  expect_case({"at the first test",
               {},
               {said(kUser, "hi")},
               {.timeout_seconds = 0.0},
               {},
               "timeout",
               1,
               0,
               2});
  expect_case({"a stop in the same step",
               {},
               {said(kUser, "###STOP###")},
               {.timeout_seconds = 0.0},
               {},
               "user_stop",
               1,
               0,
               2});
}

}  // namespace
}  // namespace unmask::play
