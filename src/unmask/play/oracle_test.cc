#include "unmask/play/oracle.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/play/play_fixtures.h"
#include "unmask/play/scripted.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using world::generated::Difficulty;
using world::generated::GeneratedDomain;

std::shared_ptr<const world::World> own_world(GeneratedDomain domain, Difficulty difficulty) {
  const auto made = world::generated::own_world(
      name_of(domain), {.domain = domain, .tasks = 40, .difficulty = difficulty});
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return *made;
}

/// The oracle with the scripted user earns the reward of every own task, without a failed call.
TEST(Oracle, SolvesOwnTasks) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    for (const Difficulty difficulty :
         {Difficulty::tiny, Difficulty::easy, Difficulty::medium, Difficulty::hard}) {
      const auto world = own_world(domain, difficulty);
      std::optional<StepFinder> steps;
      if (world->setup().user) steps.emplace(*world->setup().user);
      for (const world::Task& task : world->tasks()) {
        SCOPED_TRACE(std::string(name_of(domain)) + " " + task.id);
        const auto environment = *world->make_environment();
        const ManualClock clock;
        const Oracle agent(task);
        const FactsUser user(steps ? &*steps : nullptr, task);
        Orchestrator orchestrator(*environment, task, {}, agent, user, clock);
        orchestrator.start();
        EXPECT_FALSE(orchestrator.advance().has_value());
        ASSERT_EQ(orchestrator.termination(), Termination::user_stop)
            << (orchestrator.raised() ? orchestrator.raised()->text : "");
        const auto reward = evaluate(*world, task, {orchestrator.trajectory(), "user_stop", false});
        ASSERT_TRUE(reward.has_value()) << reward.error().text;
        EXPECT_EQ(reward->reward, 1.0);
      }
    }
  }
}

TEST(Oracle, SolvesOwnTasksAlone) {
  const auto world = own_world(GeneratedDomain::telecom, Difficulty::medium);
  std::size_t solved = 0;
  for (const world::Task& task : world->tasks()) {
    const auto environment = *world->make_environment(true);
    const ManualClock clock;
    const Oracle agent(task, true);
    const NoUser nobody;
    Orchestrator orchestrator(*environment, task, {.solo = true}, agent, nobody, clock);
    orchestrator.start();
    EXPECT_FALSE(orchestrator.advance().has_value());
    ASSERT_EQ(orchestrator.termination(), Termination::agent_stop);
    const auto reward = evaluate(*world, task, {orchestrator.trajectory(), "agent_stop", true});
    ASSERT_TRUE(reward.has_value()) << reward.error().text;
    if (reward->reward == 1.0) ++solved;
  }
  EXPECT_EQ(solved, world->tasks().size());
}

TEST(FactsUser, FirstPerson) {
  EXPECT_EQ(in_first_person("You are Ada. Your order; you want the agent to tell you the price."),
            "I am Ada. My order; I want you to tell me the price.");
  EXPECT_EQ(in_first_person("Youth, yours and yonder"), "Youth, mine and yonder");
  EXPECT_EQ(in_first_person(""), "");
}

TEST(FactsUser, StepsNamedInATextAreFound) {
  const auto world = own_world(GeneratedDomain::telecom, Difficulty::easy);
  const StepFinder steps(*world->setup().user);
  const world::Task task = fixtures::task_of(R"({"id": "t", "user_scenario": {"instructions": "x"},
    "evaluation_criteria": {"actions": [{"action_id": "a", "requestor": "user",
      "name": "set_network_mode_preference", "arguments": {"mode": "4g_5g_preferred"}}]}})");
  const auto found = [&](std::string_view text) {
    std::string names;
    for (const world::ToolCall& call : steps.find(text, task)) {
      names += call.name + dump_json(call.arguments) + " ";
      EXPECT_EQ(call.requestor, Party::user);
    }
    return names;
  };
  EXPECT_EQ(found("Please take this step on your phone: toggle_data {}"), "toggle_data{} ");
  EXPECT_EQ(found("Please reseat the SIM card, then toggle your airplane mode."),
            "reseat_sim_card{} toggle_airplane_mode{} ");
  EXPECT_EQ(found("Use toggle_data_saver_mode"), "toggle_data_saver_mode{} ") << "not toggle_data";
  EXPECT_EQ(found("set_network_mode_preference({\"mode\": \"3g_only\"})"),
            R"(set_network_mode_preference{"mode": "3g_only"} )");
  EXPECT_EQ(found("Set your network mode preference to 4g_5g_preferred"),
            R"(set_network_mode_preference{"mode": "4g_5g_preferred"} )");
  EXPECT_EQ(found("Set the network mode preference to something"),
            "set_network_mode_preference{} ");
  EXPECT_EQ(found("What is your number?"), "");
  EXPECT_EQ(found(""), "");
}

/// What the user says next to an agent's text.
std::string answer_to(const world::Task& task, const std::vector<std::string>& agent_texts) {
  const auto world = own_world(GeneratedDomain::telecom, Difficulty::easy);
  const StepFinder steps(*world->setup().user);
  std::vector<SentMessage> script;
  script.reserve(agent_texts.size());
  for (const std::string& text : agent_texts) script.push_back(fixtures::said(Party::agent, text));
  const Scripted agent(script);
  const FactsUser user(&steps, task);
  const auto environment = *world->make_environment();
  const ManualClock clock;
  Orchestrator orchestrator(*environment, task, {}, agent, user, clock);
  orchestrator.start();
  (void)orchestrator.advance();
  return orchestrator.trajectory().back().content.value_or("");
}

TEST(FactsUser, Answers) {
  const world::Task task =
      fixtures::task_of(R"({"id": "t", "user_scenario": {"instructions": "You are Ada."}})");
  EXPECT_EQ(answer_to(task, {}), "Hello. I am Ada.");
  EXPECT_EQ(answer_to(task, {"Who are you?"}), "Yes, please. I am Ada.");
  EXPECT_EQ(answer_to(task, {"All is done. Is there anything else?"}), "###STOP###");
  EXPECT_EQ(answer_to(task, {"You are being transferred."}), "###TRANSFER###");
  EXPECT_EQ(answer_to(task, std::vector<std::string>(12, "Hm.")), "###STOP###") << "patience";
  EXPECT_EQ(answer_to(task, {"Please run_speed_test"}).substr(0, 11), "I did that.");
}

TEST(FactsUser, StopsAtItsSign) {
  const world::Task task = fixtures::task_of(
      R"({"id": "t", "user_scenario": {"instructions": "You are Ada."}, "unmask": {"facts":
          {"settled_when": {"tool": "check_status_bar", "contains": "Airplane", "lacks": ""}}}})");
  EXPECT_EQ(answer_to(task, {"All done."}).substr(0, 20), "I did that. It says:") << "not yet";
  EXPECT_EQ(answer_to(task, {"Please toggle_airplane_mode", "All done."}), "###STOP###");
  EXPECT_EQ(answer_to(task, {"Is it off?"}), "Yes, please. I am Ada.");
}

}  // namespace
}  // namespace unmask::play
