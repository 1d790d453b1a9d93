// Whole runs without a network: episodes of agents that need no model, and of models that answer
// from a thread of the test's.
#include "unmask/run/runner.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/llm/chat.h"
#include "unmask/run/model.h"
#include "unmask/run/run_export.h"
#include "unmask/run/run_fixtures.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/run_study.h"
#include "unmask/store/run.h"
#include "unmask/store/run_store.h"

namespace unmask::run {
namespace {

using fixtures::contents;
using fixtures::FakeModel;
using fixtures::play;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using unmask::fixtures::bytes_of;
using unmask::fixtures::TemporaryFolder;

class Runs : public ::testing::Test {
 protected:
  [[nodiscard]] std::string folder(const std::string& name) const {
    return (files_.path() / name).string();
  }

  TemporaryFolder files_;
};

/// Stops a run at the n-th look.
RunnerHooks stopping_after(int looks) {
  RunnerHooks hooks;
  hooks.progress = [looks](const RunProgress&) mutable { return looks-- > 0; };
  return hooks;
}

const ArmProgress& arm_of(const RunResult& result, const std::string& name) {
  for (const ArmProgress& arm : result.progress.arms) {
    if (arm.arm == name) return arm;
  }
  ADD_FAILURE() << "no arm " << name;
  return result.progress.arms.front();
}

TEST_F(Runs, OracleSolvesAllTasksAndSimulatedAgentsFail) {
  const Result<RunResult> result = play(fixtures::local_study(), folder("run"));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_FALSE(result->end.interrupted);
  EXPECT_EQ(result->progress.done, 36U);
  const ArmProgress& oracle = arm_of(*result, "oracle");
  EXPECT_EQ(oracle.passed, 12U);
  EXPECT_EQ(oracle.counts.failed, 0U);
  EXPECT_GT(arm_of(*result, "int4").counts.tool_name, arm_of(*result, "bf16").counts.tool_name);
  EXPECT_THAT(contents(folder("run")), SizeIs(36));
}

TEST_F(Runs, AreTheSameOnAnyNumberOfThreads) {
  RunnerSettings many;
  many.threads = 4;
  ASSERT_TRUE(play(fixtures::local_study(), folder("one")).has_value());
  ASSERT_TRUE(play(fixtures::local_study(), folder("many"), many).has_value());
  EXPECT_EQ(contents(folder("one")), contents(folder("many")));
  const RunStudy study = parse_run_study(fixtures::local_study(), "study.toml").value();
  for (const char* const name : {"one", "many"}) {
    const Result<std::size_t> arms = export_logs(study, folder(name));
    ASSERT_TRUE(arms.has_value()) << arms.error().message;
    EXPECT_EQ(*arms, 3U);
  }
  for (const char* const file :
       {"study.toml", "logs/small-telecom/bf16.json.zst", "logs/small-telecom/int4.json.zst"}) {
    EXPECT_EQ(bytes_of(files_.path() / "one" / file), bytes_of(files_.path() / "many" / file))
        << file;
  }
}

TEST_F(Runs, GoOnWhereTheyWereStopped) {
  ASSERT_TRUE(play(fixtures::local_study(), folder("whole")).has_value());
  const Result<RunResult> first =
      play(fixtures::local_study(), folder("parts"), {}, stopping_after(3));
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->end.interrupted);
  EXPECT_LT(first->progress.done, 36U);
  const Result<RunResult> second = play(fixtures::local_study(), folder("parts"));
  ASSERT_TRUE(second.has_value()) << second.error().message;
  EXPECT_EQ(second->progress.earlier, first->progress.done);
  EXPECT_EQ(contents(folder("parts")), contents(folder("whole")));
  const Result<RunResult> third = play(fixtures::local_study(), folder("parts"));
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->progress.earlier, 36U);
  // What an earlier process played is counted as if this one had.
  const Result<RunResult> whole = play(fixtures::local_study(), folder("again"));
  ASSERT_TRUE(whole.has_value());
  for (std::size_t i = 0; i < whole->progress.arms.size(); ++i) {
    EXPECT_EQ(third->progress.arms[i].counts, whole->progress.arms[i].counts);
    EXPECT_EQ(third->progress.arms[i].passed_at, whole->progress.arms[i].passed_at);
  }
}

TEST_F(Runs, ReplaceNobodysStudy) {
  std::filesystem::create_directories(folder("mine"));
  std::ofstream(folder("mine") + "/study.toml") << fixtures::local_study(1);
  const Result<RunResult> refused = play(fixtures::local_study(1), folder("mine"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("study.toml"), HasSubstr("-o")));
  EXPECT_EQ(bytes_of(folder("mine") + "/study.toml"), fixtures::local_study(1));
  EXPECT_FALSE(std::filesystem::exists(store_file(folder("mine"))));
}

TEST_F(Runs, TakeMoreTrialsButNoOtherStudy) {
  ASSERT_TRUE(play(fixtures::local_study(1), folder("run")).has_value());
  const Result<RunResult> more = play(fixtures::local_study(2), folder("run"));
  ASSERT_TRUE(more.has_value()) << more.error().message;
  EXPECT_EQ(more->progress.earlier, 18U);
  ASSERT_TRUE(play(fixtures::local_study(2), folder("fresh")).has_value());
  EXPECT_EQ(contents(folder("run")), contents(folder("fresh")));
  std::string other = fixtures::local_study(2);
  other.replace(other.find("trials = 2"), 10, "trials = 2\nseed = 3");
  const Result<RunResult> refused = play(other, folder("run"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("seed was"), HasSubstr("-o")));
}

TEST_F(Runs, MixNoWorldsInOneCell) {
  // Tasks, policy and tools stay; only the databases are others, as of another --tau2-data.
  const RunOrigin origin{.version = "0.1.0", .settings = "{}", .created = "2026-01-01T00:00:00"};
  const OpenModels no_models = [] { return Result<Models>(Models()); };
  const RunStudy study = parse_run_study(fixtures::local_study(1), "study.toml").value();
  RunPlan plan = plan_run(study, "").value();
  ASSERT_TRUE(run_study(plan, folder("run"), origin, no_models, {}, {}).has_value());
  const std::vector<std::string> before = contents(folder("run"));
  plan.study.trials = 2;
  plan.worlds[0].state_hash = std::string(64, '0');
  const Result<RunResult> refused = run_study(plan, folder("run"), origin, no_models, {}, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("study.toml: cell small/telecom"),
                    HasSubstr("initial state of its databases"), HasSubstr("--tau2-data")));
  EXPECT_EQ(contents(folder("run")), before);
}

TEST_F(Runs, AskModelsAndCountWhatTheyDo) {
  const Result<RunResult> result = play(fixtures::model_study(), folder("run"));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->progress.done, 12U);
  EXPECT_THAT(result->end.lost_endpoints, IsEmpty());
  EpisodeCounts all;
  for (const ArmProgress& arm : result->progress.arms) {
    all.tool_name += arm.counts.tool_name;
    all.malformed += arm.counts.malformed;
    all.prompt_tokens += arm.counts.prompt_tokens;
  }
  EXPECT_GT(all.tool_name, 0U);
  EXPECT_GT(all.malformed, 0U);
  EXPECT_GT(all.prompt_tokens, 1000U);
}

/// The study of models with all of them helped.
std::string repaired_study(const std::string& mode) {
  const std::string agent = "agent = \"llm\"\n";
  std::string study = fixtures::model_study();
  for (std::size_t at = 0; (at = study.find(agent, at)) != std::string::npos; at += agent.size()) {
    study.insert(at + agent.size(), "repair = \"" + mode + "\"\n");
  }
  return study;
}

TEST_F(Runs, HoldBackCallsThatAreWrongByThemselves) {
  const Result<RunResult> plain = play(fixtures::model_study(), folder("plain"));
  const Result<RunResult> helped = play(repaired_study("intercept"), folder("helped"));
  ASSERT_TRUE(plain.has_value() && helped.has_value());
  EXPECT_THAT(contents(folder("plain")), Not(Contains(HasSubstr("held_back"))));
  EXPECT_THAT(contents(folder("helped")), Contains(HasSubstr("held_back")));
}

TEST_F(Runs, WithModelsGoOnInMidEpisode) {
  const std::vector<std::pair<std::string, std::string>> studies = {
      {"scripted", fixtures::model_study()},
      {"user", fixtures::model_study("user")},
      {"reflex", repaired_study("reflex")},
      {"intercept", repaired_study("intercept")}};
  for (const auto& [user, study] : studies) {
    const std::string whole = folder("whole-" + user);
    const std::string parts = folder("parts-" + user);
    ASSERT_TRUE(play(study, whole).has_value());
    std::atomic<std::uint64_t> asked{0};
    const auto count = [&asked](std::uint64_t) {
      ++asked;
      return std::optional<llm::ChatFault>();
    };
    Rng rng(7, "stops");
    int runs = 0;
    while (true) {
      RunnerSettings settings;
      // Answers that come too late are lost, as in a kill.
      settings.grace = std::chrono::milliseconds(rng.below(2));
      const Result<RunResult> part =
          play(study, parts, settings, stopping_after(1 + static_cast<int>(rng.below(6))),
               {count, count, count});
      ASSERT_TRUE(part.has_value()) << part.error().message;
      ++runs;
      if (!part->end.interrupted) break;
      ASSERT_LT(runs, 500);
    }
    EXPECT_GT(runs, 3);
    EXPECT_EQ(contents(parts), contents(whole)) << user;
    EXPECT_GT(asked.load(), 0U);
  }
}

TEST_F(Runs, RefuseARecordThatTheWorldContradicts) {
  const std::string study = fixtures::model_study();
  ASSERT_TRUE(play(study, folder("run"), {}, stopping_after(4)).has_value());
  bool damaged = false;
  {
    Result<store::RunStore> store = store::RunStore::open(store_file(folder("run")));
    ASSERT_TRUE(store.has_value()) << store.error().message;
    for (const store::Unit& unit : store->units()) {
      if (unit.state != store::UnitState::open || unit.turns == 0 || damaged) continue;
      std::vector<store::Turn> turns = store->read_turns(unit.id).value();
      turns[0].body = R"({"role": "assistant", "content": "Another greeting."})";
      ASSERT_TRUE(store->truncate(unit.id, 0).has_value());
      ASSERT_TRUE(store->append_turns(unit.id, turns).has_value());
      damaged = true;
    }
    ASSERT_TRUE(store->close().has_value());
  }
  ASSERT_TRUE(damaged);
  const Result<RunResult> result = play(study, folder("run"));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::bad_input);
  EXPECT_THAT(result.error().message,
              AllOf(HasSubstr("message 0"), HasSubstr("Another greeting."), HasSubstr("-o")));
}

TEST_F(Runs, PauseAnEndpointAndGoOnWhenItAnswersAgain) {
  const std::string study = fixtures::model_study();
  RunnerSettings settings;
  settings.failures_in_row = 1;
  settings.pauses = {std::chrono::milliseconds(1), std::chrono::milliseconds(1),
                     std::chrono::milliseconds(1), std::chrono::milliseconds(1)};
  std::vector<std::string> notices;
  RunnerHooks hooks;
  hooks.notice = [&notices](const std::string& sentence) { notices.push_back(sentence); };
  const auto flaky = [](std::uint64_t number) {
    const bool fails = number >= 3 && number < 6;
    return fails ? std::optional(llm::ChatFault::connection) : std::nullopt;
  };
  const Result<RunResult> result = play(study, folder("run"), settings, hooks, {{}, flaky});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->progress.done, 12U);
  EXPECT_EQ(result->progress.infrastructure, 0U);
  EXPECT_THAT(notices, Contains(HasSubstr("endpoint low does not answer")));
  EXPECT_THAT(notices, Contains(HasSubstr("endpoint low answers again")));
  ASSERT_TRUE(play(study, folder("whole")).has_value());
  EXPECT_EQ(contents(folder("run")), contents(folder("whole")));
}

TEST_F(Runs, LoseOneEndpointAndFinishTheOthers) {
  const std::string study = fixtures::model_study();
  RunnerSettings settings;
  settings.failures_in_row = 2;
  settings.pauses = {std::chrono::milliseconds(1)};
  const auto dies = [](std::uint64_t number) {
    return number >= 5 ? std::optional(llm::ChatFault::timed_out) : std::nullopt;
  };
  const Result<RunResult> result = play(study, folder("run"), settings, {}, {{}, dies});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_THAT(result->end.lost_endpoints, ElementsAre(HasSubstr("low: ")));
  EXPECT_EQ(arm_of(*result, "bf16").done, 6U);
  EXPECT_LT(arm_of(*result, "int4").done, 6U);
  EXPECT_GT(arm_of(*result, "int4").infrastructure, 0U);
  // What had been answered is kept and not asked again.
  const Result<RunResult> second = play(study, folder("run"));
  ASSERT_TRUE(second.has_value()) << second.error().message;
  EXPECT_EQ(second->progress.done, 12U);
  ASSERT_TRUE(play(study, folder("whole")).has_value());
  EXPECT_EQ(contents(folder("run")), contents(folder("whole")));
}

TEST_F(Runs, FileATextInSoloModeAsTheAgentsOwnEnd) {
  // The model writes a text now and then, for which solo mode has no message.
  const std::string study = fixtures::model_study("none");
  const Result<RunResult> result = play(study, folder("run"));
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->progress.done, 12U);
  EXPECT_EQ(result->progress.infrastructure, 0U);
  EXPECT_THAT(contents(folder("run")),
              Contains(AllOf(HasSubstr("done agent_error 0.0"), HasSubstr("unused_answer"))));
  std::atomic<int> asked{0};
  const auto count = [&asked](std::uint64_t) {
    ++asked;
    return std::optional<llm::ChatFault>();
  };
  const Result<RunResult> again = play(study, folder("run"), {}, {}, {count, count, count});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->progress.earlier, 12U);
  EXPECT_EQ(asked.load(), 0);
}

TEST_F(Runs, NameAScriptThatEndsTooEarly) {
  const std::string script = folder("said.json");
  std::string study = fixtures::local_study(1);
  study += "[[cell.arm]]\nname = \"said\"\nagent = \"scripted\"\nscript = \"" + script + "\"\n";
  const Result<RunResult> missing = play(study, folder("run"));
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::bad_input);
  EXPECT_THAT(missing.error().message, HasSubstr("said.json: the script"));

  std::ofstream(script) << R"({"*": [{"role": "assistant", "content": "Hello."}]})";
  const Result<RunResult> ended = play(study, folder("run"));
  ASSERT_FALSE(ended.has_value());
  EXPECT_EQ(ended.error().code, ErrorCode::bad_input);
  EXPECT_THAT(ended.error().message,
              AllOf(HasSubstr("said.json: ["), HasSubstr("ends before the episode does"),
                    HasSubstr("cell small/telecom, arm said, trial 0")));
}

TEST_F(Runs, EndEpisodesAtAContextOverflow) {
  const auto overflows = [](std::uint64_t) {
    return std::optional(llm::ChatFault::context_overflow);
  };
  const Result<RunResult> result =
      play(fixtures::model_study(), folder("run"), {}, {}, {overflows});
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->progress.done, 12U);
  EXPECT_EQ(arm_of(*result, "bf16").passed, 0U);
  EXPECT_THAT(contents(folder("run")), Contains(HasSubstr("context_window_exceeded")).Times(6));
}

}  // namespace
}  // namespace unmask::run
