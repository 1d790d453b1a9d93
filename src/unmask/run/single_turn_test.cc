// Runs of first calls at the states of perfect runs: scored by scripts whose answers are known,
// resumed, exported.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/first_call.h"
#include "unmask/llm/chat.h"
#include "unmask/play/message_rules.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_fixtures.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

using fixtures::contents;
using fixtures::play_single_turn;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using unmask::fixtures::TemporaryFolder;

class SingleTurn : public ::testing::Test {
 protected:
  [[nodiscard]] std::string folder(const std::string& name) const {
    return (files_.path() / name).string();
  }

  /// How many answers of an arm are what, as the audit will read them from the exported log.
  [[nodiscard]] ArmFacts facts(const std::string& study, const std::string& run,
                               const std::string& arm) const {
    const RunStudy parsed = parse_run_study(study, folder("study.toml")).value();
    EXPECT_TRUE(export_logs(parsed, folder(run)).has_value());
    const auto cells = read_study_file(folder(run)).value();
    const StudyRead read = read_study(cells, {}).value();
    for (const ArmFacts& found : read.cells.front().single_turn) {
      if (found.name == arm) return found;
    }
    ADD_FAILURE() << "no arm " << arm;
    return {};
  }

  TemporaryFolder files_;
};

std::map<std::string, int> counted(const ArmFacts& arm) {
  std::map<std::string, int> counts;
  for (const EpisodeFacts& answer : arm.episodes) {
    ++counts[answer.first_call ? std::string(name_of(*answer.first_call)) : "none"];
    EXPECT_EQ(answer.success, answer.first_call == FirstCall::right);
  }
  return counts;
}

/// Says the golden actions of all tasks of the study's cell, changed by `change` where that gives
/// another message; a step of the user's is asked for.
template <typename Change>
std::string script_of(const RunPlan& plan, const Change& change) {
  world::Object script;
  for (const CellTask& task : plan.worlds.front().tasks) {
    world::List messages;
    std::size_t number = 0;
    for (const world::GoldenAction& action : play::golden_actions(*task.task)) {
      std::string name = action.name;
      world::Object arguments = action.arguments;
      const bool asks = change(number++, action, name, arguments);
      world::Object message{{"role", "assistant"}};
      if (asks) {
        message.set("content", "Please do that.");
      } else {
        message.set("tool_calls",
                    world::List{world::Object{
                        {"id", "c"}, {"name", name}, {"arguments", std::move(arguments)}}});
      }
      messages.push_back(std::move(message));
    }
    script.set(task.task->id, std::move(messages));
  }
  return world::dump_json(script);
}

std::string scripted_study() {
  return "[study]\nname = \"s\"\ntrials = 2\nmax_errors = 1\nmax_steps = 3\n"
         "[[cell]]\nid = \"c\"\ndomain = \"telecom\"\n[cell.tasks]\nnumber = 5\n"
         "[[cell.arm]]\nname = \"oracle\"\nagent = \"oracle\"\nreference = true\n"
         "[[cell.arm]]\nname = \"asking\"\nagent = \"scripted\"\nscript = \"asking.json\"\n"
         "[[cell.arm]]\nname = \"calling\"\nagent = \"scripted\"\nscript = \"calling.json\"\n"
         "[[cell.arm]]\nname = \"again\"\nagent = \"oracle\"\nnull = true\n";
}

TEST_F(SingleTurn, ScoresScriptsWhoseAnswersAreKnown) {
  std::ofstream(folder("asking.json")) << "{}";
  std::ofstream(folder("calling.json")) << "{}";
  const RunPlan before =
      plan_run(parse_run_study(scripted_study(), folder("study.toml")).value(), "").value();
  int own = 0;
  int lenient = 0;  // of these: all arguments will do
  int users = 0;
  for (const CellTask& task : before.worlds.front().tasks) {
    for (const world::GoldenAction& action : play::golden_actions(*task.task)) {
      ++(action.requestor == Party::user ? users : own);
      lenient += action.requestor == Party::agent && action.compare_args.has_value();
    }
  }
  ASSERT_GT(own, lenient);
  ASSERT_GT(lenient, 0);
  ASSERT_GT(users, 0);
  // One asks in words for everything; the other calls everything, the phone's tools too, and each
  // own tool with an argument more.
  std::ofstream(folder("asking.json"))
      << script_of(before, [](std::size_t, const world::GoldenAction&, std::string&,
                              world::Object&) { return true; });
  std::ofstream(folder("calling.json"))
      << script_of(before, [](std::size_t, const world::GoldenAction& action, std::string&,
                              world::Object& arguments) {
           if (action.requestor == Party::agent) arguments.set("mood", "good");
           return false;
         });
  const Result<RunResult> result =
      play_single_turn(scripted_study(), folder("run"), folder("study.toml"));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->progress.done, static_cast<std::size_t>(3 * 2 * (own + users)))
      << "the null arm is not asked";

  using Counts = std::map<std::string, int>;
  EXPECT_EQ(counted(facts(scripted_study(), "run", "oracle")),
            (Counts{{"right", 2 * (own + users)}}));
  EXPECT_EQ(counted(facts(scripted_study(), "run", "asking")),
            (Counts{{"right", 2 * users}, {"no_call", 2 * own}}));
  const ArmFacts calling = facts(scripted_study(), "run", "calling");
  EXPECT_EQ(counted(calling), (Counts{{"wrong_arguments", 2 * (own - lenient)},
                                      {"right", 2 * lenient},
                                      {"unknown_tool", 2 * users}}));
  int of_name = 0;
  int of_arguments = 0;
  for (const EpisodeFacts& answer : calling.episodes) {
    ASSERT_THAT(answer.calls, SizeIs(1));
    ASSERT_TRUE(answer.calls[0].failed);
    of_name += answer.calls[0].channel == Channel::tool_name;
    of_arguments += answer.calls[0].channel == Channel::arguments;
  }
  EXPECT_EQ(of_name, 2 * users) << "its channel is what the diagnosis finds in the log";
  EXPECT_EQ(of_arguments, 2 * own);
  EXPECT_EQ(calling.missing_trials, 0U);
}

TEST_F(SingleTurn, StandsBesideTheEpisodesOfItsFolder) {
  const std::string study = fixtures::local_study(1);
  ASSERT_TRUE(fixtures::play(study, folder("both")).has_value());
  const std::vector<std::string> episodes = contents(folder("both"));
  const Result<RunResult> result = play_single_turn(study, folder("both"));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(contents(folder("both")), episodes);
  EXPECT_EQ(export_logs(parse_run_study(study, "study.toml").value(), folder("both")).value(), 3U);
  const StudyRead both = read_study(read_study_file(folder("both")).value(), {}).value();
  EXPECT_THAT(both.cells.front().arms, SizeIs(3));
  EXPECT_THAT(both.cells.front().single_turn, SizeIs(3));
  EXPECT_EQ(both.cells.front().arms[0].facts.episodes.size(), 6U) << "no answer among the episodes";
  EXPECT_FALSE(both.diagnostics.any_warning());

  ASSERT_TRUE(play_single_turn(study, folder("alone")).has_value());
  ASSERT_TRUE(export_logs(parse_run_study(study, "study.toml").value(), folder("alone")));
  const StudyRead alone = read_study(read_study_file(folder("alone")).value(), {}).value();
  EXPECT_THAT(alone.cells.front().arms, SizeIs(0));
  EXPECT_THAT(alone.cells.front().single_turn, SizeIs(3));
  EXPECT_EQ(alone.cells.front().reference, "bf16");
}

TEST_F(SingleTurn, AsksModelsOnceAndGoesOn) {
  const Result<RunResult> whole = play_single_turn(fixtures::model_study(), folder("whole"));
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->progress.done, whole->progress.planned);
  EXPECT_GT(whole->progress.arms[0].counts.prompt_tokens, 0U);
  const std::vector<std::string> expected = contents(folder("whole"), RunKind::single_turn);
  EXPECT_THAT(expected, SizeIs(whole->progress.planned));

  // Stopped again and again, with requests that fail; what was answered is not asked again.
  std::size_t rounds = 0;
  for (bool done = false; !done && rounds < 200; ++rounds) {
    RunnerHooks hooks;
    hooks.progress = [looks = 3](const RunProgress&) mutable { return looks-- > 0; };
    RunnerSettings settings;
    settings.failures_in_row = 1000;
    const Result<RunResult> part = play_single_turn(
        fixtures::model_study(), folder("parts"), "study.toml", settings, hooks,
        {[](std::uint64_t number) {
           return number % 5 == 1 ? std::optional(llm::ChatFault::connection) : std::nullopt;
         },
         {},
         {}});
    ASSERT_TRUE(part.has_value()) << part.error().message;
    done = part->progress.done == part->progress.planned;
  }
  EXPECT_GT(rounds, 2U);
  EXPECT_EQ(contents(folder("parts"), RunKind::single_turn), expected);
}

TEST_F(SingleTurn, AnAnswerThatWasStoredIsNotAskedForAgain) {
  ASSERT_TRUE(play_single_turn(fixtures::model_study(), folder("run")).has_value());
  const std::vector<std::string> before = contents(folder("run"), RunKind::single_turn);
  // As if the process had died between answers and outcomes: the units are taken up again.
  std::filesystem::create_directories(folder("cut"));
  {
    const store::RunReader reader =
        store::RunReader::open(store_file(folder("run"), RunKind::single_turn)).value();
    store::RunStore cut =
        store::RunStore::create(store_file(folder("cut"), RunKind::single_turn), *reader.info())
            .value();
    const std::vector<store::ArmInfo> arms = *reader.arms();
    for (const store::ArmInfo& arm : arms) ASSERT_TRUE(cut.put_arm(arm).has_value());
    ASSERT_TRUE(cut.put_tasks("big/telecom", *reader.tasks("big/telecom")).has_value());
    const std::vector<store::Unit> units = *reader.units();
    for (const store::Unit& unit : units) {
      const store::UnitId id = cut.open_unit(unit.key, unit.seed).value();
      ASSERT_TRUE(cut.append_turns(id, *reader.turns(unit.id)).has_value());
    }
    ASSERT_TRUE(cut.close().has_value());
  }
  const auto never = [](std::uint64_t) { return std::optional(llm::ChatFault::connection); };
  const Result<RunResult> resumed = play_single_turn(fixtures::model_study(), folder("cut"),
                                                     "study.toml", {}, {}, {never, never, never});
  ASSERT_TRUE(resumed.has_value()) << resumed.error().message;
  EXPECT_EQ(resumed->progress.done, resumed->progress.planned);
  EXPECT_EQ(contents(folder("cut"), RunKind::single_turn), before);
}

TEST_F(SingleTurn, KeepsTheCallsAfterTheFirstOneAside) {
  ASSERT_TRUE(play_single_turn(fixtures::model_study(), folder("run")).has_value());
  bool several = false;
  for (const std::string& unit : contents(folder("run"), RunKind::single_turn)) {
    EXPECT_THAT(unit, Not(HasSubstr("error_type")));
    several = several || unit.find("further_calls") != std::string::npos;
  }
  EXPECT_TRUE(several);
  for (const EpisodeFacts& answer : facts(fixtures::model_study(), "run", "int4").episodes) {
    EXPECT_LE(answer.calls.size(), 1U);
  }
}

TEST_F(SingleTurn, TakesMoreTrials) {
  ASSERT_TRUE(play_single_turn(fixtures::local_study(1), folder("run")).has_value());
  const Result<RunResult> more = play_single_turn(fixtures::local_study(2), folder("run"));
  ASSERT_TRUE(more.has_value()) << more.error().message;
  EXPECT_EQ(more->progress.earlier * 2, more->progress.planned);
  ASSERT_TRUE(play_single_turn(fixtures::local_study(2), folder("fresh")).has_value());
  EXPECT_EQ(contents(folder("run"), RunKind::single_turn),
            contents(folder("fresh"), RunKind::single_turn));
}

TEST_F(SingleTurn, NeedsGoldenActions) {
  RunPlan plan =
      plan_run(parse_run_study(fixtures::local_study(1), "study.toml").value(), "").value();
  plan.worlds.front().tasks.clear();
  const Result<void> planned = plan_single_turn(plan);
  ASSERT_FALSE(planned.has_value());
  EXPECT_EQ(planned.error().code, ErrorCode::bad_input);
  EXPECT_THAT(planned.error().message, HasSubstr("no task has golden actions"));
}

}  // namespace
}  // namespace unmask::run
