// Every generated task is solved by its golden actions, and not without any one of their writes: on
// the worlds themselves, through the evaluator. UNMASK_GENERATED_TASKS says how many tasks a domain
// and level of difficulty.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

using generated::Difficulty;
using generated::GeneratedDomain;
using generated::GeneratedFile;
using generated::WorldSettings;

std::uint32_t tasks_a_level() {
  const char* wanted = std::getenv("UNMASK_GENERATED_TASKS");
  return wanted == nullptr ? 60 : static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
}

std::shared_ptr<const World> load(const WorldSettings& settings) {
  const Result<std::shared_ptr<const World>> world =
      generated::own_world(name_of(settings.domain), settings);
  EXPECT_TRUE(world.has_value()) << (world ? "" : world.error().message);
  return world ? *world : nullptr;
}

ToolCall call_of(const GoldenAction& action) {
  return {action.id, action.name, action.arguments, action.requestor};
}

/// An episode of the golden actions but the one at `left_out`, at whose end the agent says what it
/// has to; nullopt if a call fails although none was left out.
std::optional<std::vector<Message>> play(const World& world, const Task& task,
                                         std::optional<std::size_t> left_out) {
  const Outcome<std::unique_ptr<Environment>> environment = world.make_environment();
  if (!environment) return std::nullopt;
  const InitialState* initial = task.initial_state ? &*task.initial_state : nullptr;
  if (!set_state(**environment, initial, {})) return std::nullopt;
  std::vector<Message> messages;
  const std::vector<GoldenAction>& actions = *task.evaluation_criteria->actions;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (i == left_out) continue;
    Message asks;
    asks.role = actions[i].requestor == Party::agent ? Role::assistant : Role::user;
    asks.tool_calls = {call_of(actions[i])};
    const CallResult result = (*environment)->call(asks.tool_calls->front());
    if (result.error && !left_out) return std::nullopt;
    Message answers;
    answers.role = Role::tool;
    answers.id = actions[i].id;
    answers.requestor = actions[i].requestor;
    answers.content = result.content;
    answers.error = result.error;
    messages.push_back(std::move(asks));
    messages.push_back(std::move(answers));
  }
  Message says;
  says.role = Role::assistant;
  says.content = "That is all.";
  for (const std::string& text : *task.evaluation_criteria->communicate_info) {
    *says.content += " " + text;
  }
  messages.push_back(std::move(says));
  return messages;
}

/// nullopt where there is no reward.
std::optional<double> reward(const World& world, const Task& task,
                             const std::vector<Message>& messages) {
  const Outcome<RewardInfo> info = evaluate(world, task, {messages, "user_stop", false});
  if (!info) return std::nullopt;
  return info->reward;
}

/// Whether leaving the action out must cost the reward: all but the reads, which only look.
bool is_needed(const World& world, const GoldenAction& action) {
  const EnvironmentSetup& setup = world.setup();
  const Toolkit& toolkit =
      setup.user && action.requestor == Party::user ? *setup.user : setup.agent;
  const Tool* tool = toolkit.find_tool(action.name);
  return tool == nullptr || tool->kind != ToolKind::read;
}

struct Level {
  GeneratedDomain domain = GeneratedDomain::retail;
  Difficulty difficulty = Difficulty::medium;
};

class GeneratedWorlds : public testing::TestWithParam<Level> {};

TEST_P(GeneratedWorlds, EachTaskIsSolvedByItsActionsAndNotWithoutOneOfItsWrites) {
  WorldSettings settings;
  settings.domain = GetParam().domain;
  settings.difficulty = GetParam().difficulty;
  settings.tasks = tasks_a_level();
  settings.seed = 11;
  const std::shared_ptr<const World> world = load(settings);
  ASSERT_NE(world, nullptr);
  ASSERT_EQ(world->tasks().size(), settings.tasks);
  std::size_t left_out = 0;
  for (const Task& task : world->tasks()) {
    const std::optional<std::vector<Message>> golden = play(*world, task, std::nullopt);
    ASSERT_TRUE(golden.has_value()) << task.id << ": a golden action fails";
    ASSERT_EQ(reward(*world, task, *golden), 1.0) << task.id;
    const std::vector<GoldenAction>& actions = *task.evaluation_criteria->actions;
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (!is_needed(*world, actions[i])) continue;
      const std::optional<std::vector<Message>> less = play(*world, task, i);
      ASSERT_TRUE(less.has_value()) << task.id;
      ASSERT_EQ(reward(*world, task, *less), 0.0) << task.id << " without " << actions[i].id;
      ++left_out;
    }
  }
  EXPECT_GT(left_out, settings.tasks / 2);
  RecordProperty("left_out", static_cast<int>(left_out));
}

void expect_described(const Toolkit& toolkit, const Value* texts_of_party) {
  ASSERT_NE(texts_of_party, nullptr);
  EXPECT_EQ(texts_of_party->object()->size(), toolkit.tools.size());
  for (const Tool& tool : toolkit.tools) {
    const Value* texts = texts_of_party->find(tool.name);
    ASSERT_NE(texts, nullptr) << tool.name;
    EXPECT_FALSE(texts->find("description")->string()->empty()) << tool.name;
    EXPECT_EQ(texts->find("parameters")->object()->size(), tool.parameters.size()) << tool.name;
    for (const Parameter& parameter : tool.parameters) {
      const Value* text = texts->find("parameters")->find(parameter.name);
      ASSERT_NE(text, nullptr) << tool.name << ": " << parameter.name;
      EXPECT_FALSE(text->string()->empty()) << tool.name << ": " << parameter.name;
    }
  }
}

TEST(GeneratedToolDescriptions, CoverEveryToolAndParameter) {
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    WorldSettings settings;
    settings.domain = domain;
    settings.tasks = 1;
    const Result<std::vector<GeneratedFile>> files = generated::generate(settings);
    ASSERT_TRUE(files.has_value());
    ASSERT_EQ(files->back().name, "tool_descriptions.json");
    const Result<Value> described = parse_json(files->back().bytes);
    ASSERT_TRUE(described.has_value());
    const std::shared_ptr<const World> world = load(settings);
    ASSERT_NE(world, nullptr);
    const Value* parties = described->find(name_of(domain));
    ASSERT_NE(parties, nullptr);
    expect_described(world->setup().agent, parties->find("agent"));
    if (world->setup().user) expect_described(*world->setup().user, parties->find("user"));
  }
}

std::vector<Level> levels() {
  std::vector<Level> all;
  for (const GeneratedDomain domain : {GeneratedDomain::retail, GeneratedDomain::telecom}) {
    for (const Difficulty difficulty : generated::kDifficulties)
      all.push_back({domain, difficulty});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, GeneratedWorlds, testing::ValuesIn(levels()), [](const auto& level) {
  return std::string(name_of(level.param.domain)) + "_" +
         std::string(name_of(level.param.difficulty));
});

}  // namespace
}  // namespace unmask::world
