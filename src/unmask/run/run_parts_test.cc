// What a run is made of: seeds, times, messages as turns, counts, an endpoint's health, changes.
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/participant.h"
#include "unmask/run/endpoint_health.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/judge_request.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_fixtures.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/run/study_changes.h"
#include "unmask/run/turn_text.h"
#include "unmask/run/unit_seed.h"
#include "unmask/store/run.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/tool.h"

namespace unmask::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(UnitSeed, DependsOnTheUnitAlone) {
  const SeededUnit unit{.study_seed = 1, .cell = "a", .task = "t", .trial = 0};
  EXPECT_EQ(unit_seed(unit), unit_seed(unit));
  std::set<std::uint64_t> seeds = {unit_seed(unit)};
  for (const SeededUnit& other :
       {SeededUnit{.study_seed = 2, .cell = "a", .task = "t", .trial = 0},
        SeededUnit{.study_seed = 1, .cell = "b", .task = "t", .trial = 0},
        SeededUnit{.study_seed = 1, .cell = "a", .task = "u", .trial = 0},
        SeededUnit{.study_seed = 1, .cell = "a", .task = "t", .trial = 1},
        SeededUnit{.study_seed = 1, .cell = "at", .task = "", .trial = 0},
        SeededUnit{.study_seed = 1, .cell = "", .task = "at", .trial = 0},
        SeededUnit{.study_seed = 1, .cell = "a", .task = "t", .trial = 0, .null_arm = true}}) {
    EXPECT_LT(unit_seed(other), std::uint64_t{1} << 31U);
    EXPECT_TRUE(seeds.insert(unit_seed(other)).second);
  }
}

TEST(TurnText, KeepsMessages) {
  world::Message message;
  message.role = world::Role::assistant;
  message.content = "Zwölf\n\"quoted\"";
  world::ToolCall good;
  good.id = "1";
  good.name = "look";
  good.arguments.set("deep", world::List{1, 2.5, "x"});
  world::ToolCall broken;
  broken.id = "2";
  broken.name = "look";
  broken.unreadable_arguments = "{\"cut\": ";
  message.tool_calls = {good, broken};
  const play::MessageRecord record{
      .time_us = 5'000'000, .cost = 0.25, .usage = {10, 3}, .seconds = 1.5};
  llm::ChatReply reply;
  reply.finish_reason = "tool_calls";
  reply.attempts = 3;
  reply.body = "{\"whole\": true}";
  const store::Turn turn = turn_of(message, record, &reply, true);
  EXPECT_EQ(turn.kind, store::TurnKind::assistant);
  ASSERT_TRUE(turn.response.has_value());
  EXPECT_EQ(turn.response->attempts, 3U);
  EXPECT_EQ(turn.response->raw_body, reply.body);
  EXPECT_THAT(turn_of(message, record, &reply, false).response->raw_body, IsEmpty());
  const Result<play::SentMessage> read = message_of(turn);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(same_message(read->message, message));
  ASSERT_TRUE(read->message.tool_calls.has_value());
  EXPECT_EQ(read->message.tool_calls->at(1).unreadable_arguments, broken.unreadable_arguments);
  EXPECT_EQ(read->time_us, record.time_us);
  EXPECT_EQ(read->cost, record.cost);
  EXPECT_EQ(read->usage, record.usage);
  store::Turn damaged = turn;
  damaged.body = "{\"role\": 7}";
  EXPECT_FALSE(message_of(damaged).has_value());
}

world::Message tool_result(bool error) {
  world::Message message;
  message.role = world::Role::tool;
  message.error = error;
  return message;
}

TEST(EpisodeCounts, CountCalls) {
  world::EnvironmentSetup setup;
  world::Tool tool;
  tool.name = "look";
  setup.agent.tools.push_back(tool);
  world::Message calling;
  world::ToolCall call;
  call.name = "look";
  world::ToolCall unknown;
  unknown.name = "peek";
  world::ToolCall broken = call;
  broken.unreadable_arguments = "{";
  calling.tool_calls = {call, unknown, broken, call};
  world::Message of_user;
  of_user.role = world::Role::user;
  world::ToolCall users = call;
  users.requestor = Party::user;
  of_user.tool_calls = {users};
  const std::vector<world::Message> messages = {
      calling, tool_result(false), tool_result(true), tool_result(true), tool_result(true),
      of_user, tool_result(true)};
  EpisodeCounts expected;
  expected.calls = 4;
  expected.failed = 3;
  expected.tool_name = 1;
  expected.malformed = 1;
  expected.errors = 4;
  EXPECT_EQ(count_calls(messages, setup, false), expected);
  EXPECT_EQ(count_calls({}, setup, false), EpisodeCounts{});
}

TEST(ArmProgress, ScoresAtSmallerBudgets) {
  ArmProgress arm;
  store::Outcome outcome;
  outcome.reward = 1.0;
  for (const std::uint64_t errors : {0U, 1U, 2U, 9U, 10U}) {
    EpisodeCounts counts;
    counts.errors = errors;
    arm.add(outcome, counts);
  }
  outcome.reward = 0.0;
  arm.add(outcome, {});
  outcome.reward.reset();  // nobody could judge
  arm.add(outcome, {});
  outcome.state = store::UnitState::infrastructure;
  arm.add(outcome, {});
  EXPECT_EQ(arm.done, 7U);
  EXPECT_EQ(arm.infrastructure, 1U);
  EXPECT_EQ(arm.scored, 6U);
  EXPECT_EQ(arm.passed, 5U);
  EXPECT_THAT(arm.passed_at, ElementsAre(2U, 4U));
}

TEST(RunProgress, TellsTheTimeLeftByWhatTakesTime) {
  RunProgress progress;
  progress.planned = 110;
  EXPECT_EQ(progress.seconds_left(1.0), std::nullopt);
  progress.earlier = 10;
  progress.done = 60;
  EXPECT_EQ(progress.rate(10.0), 5.0);
  EXPECT_EQ(progress.seconds_left(10.0), 10.0) << "no models: all are alike";
  progress.remote_planned = 20;
  EXPECT_EQ(progress.seconds_left(10.0), std::nullopt) << "models have not been asked yet";
  progress.done = 90;
  progress.playing_remote = true;
  EXPECT_EQ(progress.seconds_left(10.0), std::nullopt);
  progress.done = 94;
  progress.remote_done = 4;
  EXPECT_EQ(progress.rate(40.0), 0.1);
  EXPECT_EQ(progress.seconds_left(40.0), 160.0);
}

llm::ChatError error_of(llm::ChatFault fault) {
  llm::ChatError error;
  error.fault = fault;
  error.message = "gone";
  return error;
}

TEST(EndpointHealth, PausesTriesAndGivesUp) {
  using State = EndpointHealth::State;
  using Verdict = EndpointHealth::Verdict;
  RunnerSettings settings;
  settings.failures_in_row = 2;
  settings.pauses = {std::chrono::seconds(1), std::chrono::seconds(5)};
  const EndpointHealth::Time start{};
  const llm::ChatError gone = error_of(llm::ChatFault::connection);
  EndpointHealth health(settings);
  EXPECT_EQ(health.failed(gone, false, start), Verdict::end_episode);
  health.answered();
  EXPECT_EQ(health.failed(gone, false, start), Verdict::end_episode);
  EXPECT_EQ(health.state(), State::open);
  EXPECT_EQ(health.failed(gone, false, start), Verdict::keep_episode);
  EXPECT_EQ(health.state(), State::paused);
  EXPECT_FALSE(health.is_trial_due(start));
  EXPECT_TRUE(health.is_trial_due(start + std::chrono::seconds(1)));
  // Others that were under way change nothing.
  EXPECT_EQ(health.failed(gone, false, start), Verdict::keep_episode);
  health.trial_sent();
  EXPECT_FALSE(health.is_trial_due(start + std::chrono::seconds(1)));
  EXPECT_EQ(health.failed(gone, true, start), Verdict::keep_episode);
  EXPECT_FALSE(health.is_trial_due(start + std::chrono::seconds(4)));
  EXPECT_TRUE(health.is_trial_due(start + std::chrono::seconds(5)));
  health.trial_sent();
  EXPECT_EQ(health.failed(gone, true, start), Verdict::end_episode);
  EXPECT_EQ(health.state(), State::lost);
  EXPECT_EQ(health.last_error(), "gone");
}

TEST(EndpointHealth, TellsFaultsApart) {
  using State = EndpointHealth::State;
  RunnerSettings settings;
  settings.failures_in_row = 2;
  const EndpointHealth::Time now{};
  EndpointHealth health(settings);
  for (int i = 0; i < 5; ++i) {  // somebody answers
    (void)health.failed(error_of(llm::ChatFault::undecodable), false, now);
    (void)health.failed(error_of(llm::ChatFault::context_overflow), false, now);
    (void)health.failed(error_of(llm::ChatFault::cancelled), false, now);
  }
  EXPECT_EQ(health.state(), State::open);
  (void)health.failed(error_of(llm::ChatFault::timed_out), false, now);
  (void)health.failed(error_of(llm::ChatFault::server), false, now);
  EXPECT_EQ(health.state(), State::paused);
  health.answered();
  EXPECT_EQ(health.state(), State::open);
  (void)health.failed(error_of(llm::ChatFault::refused), false, now);
  EXPECT_EQ(health.state(), State::open);
  (void)health.failed(error_of(llm::ChatFault::refused), false, now);
  EXPECT_EQ(health.state(), State::lost) << "no wait makes a wrong key right";
}

TEST(EndpointHealth, ARefusedTrialEndsThePause) {
  using State = EndpointHealth::State;
  RunnerSettings settings;
  settings.failures_in_row = 2;
  const EndpointHealth::Time now{};
  EndpointHealth health(settings);
  (void)health.failed(error_of(llm::ChatFault::connection), false, now);
  (void)health.failed(error_of(llm::ChatFault::connection), false, now);
  ASSERT_EQ(health.state(), State::paused);
  health.trial_sent();
  EXPECT_EQ(health.failed(error_of(llm::ChatFault::refused), true, now),
            EndpointHealth::Verdict::end_episode);
  EXPECT_EQ(health.state(), State::open) << "somebody is there: the next unit is begun";
  (void)health.failed(error_of(llm::ChatFault::refused), false, now);
  EXPECT_EQ(health.state(), State::lost);
}

RunStudy parsed(const std::string& text) { return parse_run_study(text, "study.toml").value(); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(StudyChanges, AllowMore) {
  const std::string text = fixtures::model_study();
  const RunStudy before = parsed(text);
  const std::string more_arms =
      text + "[[cell.arm]]\nname = \"oracle\"\nagent = \"oracle\"\n" +
      "[[cell]]\nid = \"other\"\ndomain = \"retail\"\n[[cell.arm]]\nname = \"oracle\"\nagent = "
      "\"oracle\"\n";
  for (const std::string& now :
       {text, more_arms, replaced(text, "trials = 2", "trials = 3"),
        replaced(text, "number = 3", "number = 3\nnum_tasks = 2"),
        replaced(text, "localhost:1", "elsewhere:1"),
        replaced(text, "max_concurrency = 3", "max_concurrency = 64\nretries = 1\ntimeout = 9")}) {
    EXPECT_THAT(forbidden_changes(before, parsed(now)), IsEmpty());
  }
}

TEST(StudyChanges, NameWhatChanged) {
  const std::string text = fixtures::model_study();
  const RunStudy before = parsed(text);
  const std::vector<std::array<std::string, 3>> cases = {
      {"trials = 2", "trials = 1", "trials was 2 and is now 1"},
      {"max_steps = 24", "max_steps = 25", "max_steps was 24"},
      {"max_errors = 4", "max_errors = 5", "max_errors was 4"},
      {"name = \"models\"", "name = \"models\"\nseed = 5", "seed was"},
      {"name = \"models\"", "name = \"models\"\ntested = \"call\"", "the budget's rule was"},
      {"model = \"big\"", "model = \"other\"", "the model of arm bf16"},
      {"model = \"big-int4\"", "model = \"big-int4\"\ntemperature = 1", "endpoint of arm int4"},
      {"user = \"scripted\"", "user = \"user\"", "the user of cell big/telecom was scripted"},
      {"number = 3", "number = 4", "the world of cell big/telecom"},
      {"id = \"big/telecom\"", "id = \"bigger\"", "cell big/telecom is gone"},
      {"name = \"int4\"", "name = \"int3\"", "arm int4 of cell big/telecom is gone"},
      {"reference = true", "null = true", "arm bf16 of cell big/telecom has changed"},
  };
  for (const auto& [from, to, expected] : cases) {
    EXPECT_THAT(forbidden_changes(before, parsed(replaced(text, from, to))),
                testing::Contains(HasSubstr(expected)))
        << to;
  }
}

TEST(JudgeRequest, ShowsConversationAndExpectations) {
  world::Message message;
  message.content = "Refunded.";
  const std::vector<world::Message> messages = {message};
  const std::vector<std::string> assertions = {"The agent refunds.", "The agent is polite."};
  const llm::ChatRequest request = judge_request(assertions, messages);
  ASSERT_EQ(request.messages.size(), 2U);
  EXPECT_THAT(request.messages[1].content.value(), HasSubstr("agent: Refunded."));
  EXPECT_THAT(request.messages[1].content.value(), HasSubstr("2. The agent is polite."));
  EXPECT_EQ(judgement_in("```json\n{\"results\": []}\n```"), "{\"results\": []}");
  EXPECT_EQ(judgement_in("no"), "no");
}

TEST(LogsStudy, IsReadByAudit) {
  const std::string text = replaced(
      replaced(fixtures::model_study(), "id = \"big/telecom\"",
               "id = \"big \\\"q\\\" \\\\ \\u00e4\"\nfamily = \"f\"\narchitecture = \"moe\""),
      "name = \"int4\"", "name = \"int4\"\nprecision = \"int4\"\nrepairs = \"bf16\"");
  const RunStudy study = parsed(text);
  const std::string logs = logs_study(study, [](std::size_t, std::size_t arm) {
    return ArmLogs{.episodes = "logs/" + std::to_string(arm) + ".json.zst",
                   .single_turn = arm == 0 ? "single-turn/0.json.zst" : ""};
  });
  const Result<std::vector<CellSource>> cells = parse_study_file(logs, "run/study.toml");
  ASSERT_TRUE(cells.has_value()) << cells.error().message;
  const CellSource& cell = cells->front();
  EXPECT_EQ(cell.info.cell, study.cells.front().source.info.cell);
  EXPECT_EQ(cell.info.family, "f");
  EXPECT_EQ(cell.info.architecture, "moe");
  EXPECT_EQ(cell.reference, "bf16");
  ASSERT_EQ(cell.arms.size(), 2U);
  EXPECT_EQ(cell.arms[1].precision, "int4");
  EXPECT_EQ(cell.arms[1].unrepaired, "bf16");
  EXPECT_THAT(cell.arms[0].single_turn, ElementsAre("run/single-turn/0.json.zst"));
  EXPECT_THAT(cell.arms[1].paths, ElementsAre("run/logs/1.json.zst"));
  EXPECT_THAT(cell.arms[1].single_turn, IsEmpty());
  // An arm that repairs one without episodes has nothing to be compared with.
  const std::string without = logs_study(study, [](std::size_t, std::size_t arm) {
    return arm == 0 ? ArmLogs{.episodes = {}, .single_turn = "y.json"} : ArmLogs{"x.json", {}};
  });
  EXPECT_TRUE(parse_study_file(without, "run/study.toml").has_value());
}

}  // namespace
}  // namespace unmask::run
