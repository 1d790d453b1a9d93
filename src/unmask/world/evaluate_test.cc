#include "unmask/world/evaluate.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/retail/retail_environment.h"
#include "unmask/world/retail/retail_fixtures.h"
#include "unmask/world/retail/retail_world.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

const Object kCancelling{{"order_id", "#P"}, {"reason", "no longer needed"}};

Message said(Role role, std::string text) {
  Message message;
  message.role = role;
  message.content = std::move(text);
  return message;
}

/// An evaluation of a task whose golden action cancels an order, in the sample world.
class Evaluate : public ::testing::Test {
 protected:
  /// Appends a call with the result that it really has.
  void act(const std::string& name, const Object& arguments) {
    const ToolCall call{"c" + std::to_string(messages_.size()), name, arguments, Party::agent};
    Message asked;
    asked.role = Role::assistant;
    asked.tool_calls = std::vector{call};
    Message answer;
    answer.role = Role::tool;
    answer.id = call.id;
    const CallResult result = live_->call(call);
    answer.content = result.content;
    answer.error = result.error;
    messages_.push_back(std::move(asked));
    messages_.push_back(std::move(answer));
  }
  void say(std::string text) { messages_.push_back(said(Role::assistant, std::move(text))); }

  [[nodiscard]] Outcome<RewardInfo> evaluated(EvaluationType type = EvaluationType::all,
                                              const std::string& reason = "user_stop",
                                              Judge judge = {}) const {
    Task task;
    task.evaluation_criteria = criteria_;
    return evaluate(world_, task, {messages_, reason, false}, {type, true, std::move(judge)});
  }

  retail::RetailWorld world_{retail::sample_database(), "", retail::retail_toolkit(), {}, {}};
  std::unique_ptr<Environment> live_ = std::move(*world_.make_environment());
  std::vector<Message> messages_;
  EvaluationCriteria criteria_{std::vector<GoldenAction>{{"a", Party::agent, "cancel_pending_order",
                                                          kCancelling, std::nullopt, std::nullopt}},
                               std::nullopt,
                               std::nullopt,
                               std::nullopt,
                               {RewardPart::db}};
};

TEST_F(Evaluate, RewardsTheGoldenState) {
  EXPECT_EQ(evaluated()->reward, 0.0);
  act("get_order_details", {{"order_id", "#P"}});
  act("cancel_pending_order", kCancelling);
  const RewardInfo info = evaluated().value();
  EXPECT_EQ(info.reward, 1.0);
  EXPECT_EQ(info.db_match, true);
  EXPECT_EQ(dump_json(to_value(info)),
            R"({"reward": 1.0, "db_check": {"db_match": true, "db_reward": 1.0}, )"
            R"("env_assertions": [], "action_checks": [{"action": {"action_id": "a", "requestor": )"
            R"("assistant", "name": "cancel_pending_order", "arguments": {"order_id": "#P", )"
            R"("reason": "no longer needed"}, "info": null, "compare_args": null}, )"
            R"("action_match": true, "action_reward": 1.0, "tool_type": "write"}], )"
            R"("nl_assertions": null, "communicate_checks": null, "reward_basis": ["DB"], )"
            R"("reward_breakdown": {"DB": 1.0}, "info": {"env": null, "nl": null, "communicate": )"
            R"({"note": "No communicate_info to evaluate"}, "action": null}})");
}

TEST_F(Evaluate, CutOffEpisodesAndBareTasksAreNotReplayed) {
  messages_.push_back(said(Role::tool, "stray"));
  const RewardInfo cut = evaluated(EvaluationType::all, "max_steps").value();
  EXPECT_EQ(cut.reward, 0.0);
  EXPECT_FALSE(cut.reward_basis.has_value());
  EXPECT_EQ(dump_json(cut.info),
            R"({"note": "Simulation terminated prematurely. Termination reason: max_steps"})");
  const RewardInfo bare = evaluate(world_, Task{}, {messages_, "agent_stop", false}).value();
  EXPECT_EQ(bare.reward, 1.0);
  EXPECT_EQ(dump_json(bare.info), R"({"note": "No evaluation criteria"})");
}

TEST_F(Evaluate, RecordsThatTheReplayContradictsRaise) {
  act("cancel_pending_order", kCancelling);
  messages_.back().content = "done";
  EXPECT_THAT(evaluated().error().text, StartsWith("Tool call:\n"));
  EXPECT_EQ(evaluated(EvaluationType::action)->reward, 1.0);
}

TEST_F(Evaluate, WithoutActionsAndAssertionsThereIsNothingToReplay) {
  criteria_.actions.reset();
  const RewardInfo info = evaluated(EvaluationType::env).value();
  EXPECT_EQ(info.reward, 1.0);
  EXPECT_EQ(info.db_match, true);
  EXPECT_FALSE(info.env_assertions.has_value());
  EXPECT_EQ(dump_json(info.info), R"({"note": "No expected actions or env assertions"})");
}

TEST_F(Evaluate, InformationIsSoughtInTheAgentsTextsOnly) {
  criteria_.communicate_info = {"1234.5", "Blue"};
  criteria_.reward_basis = {RewardPart::communicate};
  messages_.push_back(said(Role::user, "1234.5 blue"));
  say(" \n");
  say("It is 1,234.50 dollars.");
  RewardInfo info = evaluated().value();
  EXPECT_EQ(info.reward, 0.0);
  ASSERT_EQ(info.communicate_checks.value().size(), 2U);
  EXPECT_EQ(info.communicate_checks->at(0).justification,
            "Information '1234.5' communicated in the message:\n 'It is 1,234.50 dollars.'");
  EXPECT_EQ(info.communicate_checks->at(1).justification, "Information 'Blue' not communicated.");
  say("The BLUE one.");
  EXPECT_EQ(evaluated()->reward, 1.0);
}

TEST_F(Evaluate, TheBasisChoosesThePartsUnlessItIsIgnored) {
  act("cancel_pending_order", kCancelling);
  criteria_.actions->push_back(
      {"b", Party::agent, "no_such_tool", {}, std::nullopt, std::vector<std::string>{}});
  EXPECT_EQ(evaluated()->reward, 1.0);
  const RewardInfo all = evaluated(EvaluationType::all_ignore_basis).value();
  EXPECT_EQ(all.reward, 0.0);
  EXPECT_FALSE(all.action_checks.value().at(1).kind.has_value());
  EXPECT_THAT(all.breakdown.value(),
              ElementsAre(PartReward{RewardPart::db, 1}, PartReward{RewardPart::action, 0},
                          PartReward{RewardPart::communicate, 1}));
  EXPECT_THAT(all.reward_basis.value(), ElementsAre(RewardPart::db, RewardPart::env_assertion,
                                                    RewardPart::action, RewardPart::communicate));
}

TEST_F(Evaluate, JudgedPartsNeverPassUnjudged) {
  criteria_.nl_assertions = {"was kind"};
  criteria_.reward_basis = {RewardPart::db, RewardPart::nl_assertion};
  // The database has failed, so the judge's word can't matter.
  EXPECT_EQ(evaluated()->reward, 0.0);
  act("cancel_pending_order", kCancelling);
  EXPECT_EQ(evaluated()->reward, std::nullopt);
  const auto judge = [](bool met) {
    return [met](std::span<const std::string> assertions,
                 std::span<const Message>) -> Outcome<std::vector<NlCheck>> {
      return std::vector<NlCheck>{{assertions[0], met, "read it"}};
    };
  };
  EXPECT_EQ(evaluated(EvaluationType::all, "user_stop", judge(true))->reward, 1.0);
  const RewardInfo refused = evaluated(EvaluationType::all, "user_stop", judge(false)).value();
  EXPECT_EQ(refused.reward, 0.0);
  EXPECT_EQ(refused.nl_assertions.value().at(0).justification, "read it");
  criteria_.nl_assertions->clear();
  EXPECT_EQ(evaluated()->reward, 1.0);
}

TEST(Matches, ComparesTheArgumentsThatCount) {
  const Object golden{{"a", 1}, {"b", List{"x", "y"}}};
  const std::vector<std::string> none;
  const std::vector<std::string> only_a = {"a"};
  const std::vector<std::string> only_c = {"c"};
  const struct {
    Object given;
    std::optional<std::vector<std::string>> compare_args;
    bool match;
  } cases[] = {
      {{{"a", 1.0}, {"b", List{"x", "y"}}}, std::nullopt, true},
      {{{"b", List{"x", "y"}}}, std::nullopt, true},
      {{}, std::nullopt, true},
      {{{"b", List{"y", "x"}}}, std::nullopt, false},
      {{{"a", "1"}}, std::nullopt, false},
      {{{"a", 1}, {"c", 1}}, std::nullopt, false},
      {{{"a", 2}}, none, true},
      {{{"a", true}, {"b", 0}}, only_a, true},
      {{{"b", 0}}, only_a, false},
      {{{"b", 0}}, only_c, true},
  };
  for (const auto& example : cases) {
    const GoldenAction action{"", Party::agent, "act", golden, std::nullopt, example.compare_args};
    EXPECT_EQ(matches(action, {"", "act", example.given, Party::user}), example.match)
        << dump_json(example.given);
    EXPECT_FALSE(matches(action, {"", "other", example.given, Party::agent}));
  }
}

TEST(EvaluationTypes, HaveTau2sNames) {
  EXPECT_EQ(evaluation_type_of("all_with_nl_assertions_ignore_basis"),
            EvaluationType::all_with_nl_assertions_ignore_basis);
  EXPECT_FALSE(evaluation_type_of("ALL").has_value());
}

}  // namespace
}  // namespace unmask::world
