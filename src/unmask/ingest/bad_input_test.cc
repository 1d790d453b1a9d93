#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/log_fixtures.h"
#include "unmask/json/scanner.h"

namespace unmask {
namespace {

using fixtures::Loaded;
using fixtures::SimulationText;
using testing::AllOf;
using testing::HasSubstr;

std::string good(std::string_view task, int trial = 0) {
  return to_json(fixtures::small_simulation(task, trial));
}

TEST(BadInput, TruncatedFileKeepsWhatIsComplete) {
  const std::string text = fixtures::results({good("lamp"), good("bench")});
  const std::size_t second = text.find("\"s-bench-0\"");
  const Loaded loaded = fixtures::load_text(std::string_view(text).substr(0, second + 100));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_THAT(loaded.sentence("truncated_file"),
              AllOf(HasSubstr("at byte " + std::to_string(second + 100)),
                    HasSubstr("simulations[1]"), HasSubstr("copy the file again")));
}

TEST(BadInput, EveryTruncationEndsWell) {
  const std::string text = fixtures::results({good("lamp"), good("bench")});
  const std::size_t info = text.find("environment_info");
  for (std::size_t length = 0; length < text.size(); length += 13) {
    const Loaded loaded = fixtures::load_text(std::string_view(text).substr(0, length));
    if (loaded.log.has_value()) {
      EXPECT_LE(loaded.log->episodes.size(), 2U);
      EXPECT_TRUE(loaded.diagnostics.any_warning()) << length;
    } else {
      EXPECT_EQ(loaded.log.error().code, ErrorCode::bad_input);
      EXPECT_THAT(loaded.log.error().message, HasSubstr("log.json")) << length;
      EXPECT_LT(length, text.find("\"tasks\"")) << info;
    }
  }
}

TEST(BadInput, DamagedCompressionKeepsWhatIsComplete) {
  std::vector<std::string> simulations;
  for (int trial = 0; trial < 400; ++trial) {
    SimulationText simulation = fixtures::small_simulation("lamp", trial);
    simulation.more = ", \"noise\": \"" + std::to_string(trial * 7919 % 10007) + "\"";
    simulations.push_back(to_json(simulation));
  }
  const std::string packed = fixtures::gzipped(fixtures::results(simulations));
  const Loaded loaded = fixtures::load_text(packed.substr(0, packed.size() / 2));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_GT(loaded.log->episodes.size(), 10U);
  EXPECT_LT(loaded.log->episodes.size(), 400U);
  EXPECT_THAT(loaded.sentence("damaged_file"), HasSubstr("too early"));
}

// A small packed file must not take all memory.
TEST(BadInput, AnEpisodeBeyondTheLimitIsLeftOutAndTheRestIsRead) {
  SimulationText huge = fixtures::small_simulation("bench");
  huge.messages.push_back(
      fixtures::says("assistant", std::string(json::Scanner::kMaxPieceBytes, 'a')));
  const Loaded loaded = fixtures::load_text(
      fixtures::gzipped(fixtures::results({good("lamp"), to_json(huge), good("lamp", 1)})));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  EXPECT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_THAT(loaded.sentence("too_large"),
              AllOf(HasSubstr("simulations[1]"), HasSubstr("more than 256 MiB"),
                    HasSubstr("left out, the rest is used")));
}

TEST(BadInput, BrokenJsonInsideOneEpisodeLosesThatOne) {
  std::string broken = good("bench");
  broken.replace(broken.find("\"trial\": 0"), 10, "\"trial\": 0x");
  const Loaded loaded =
      fixtures::load_text(fixtures::results({good("lamp"), broken, good("lamp", 1)}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_THAT(loaded.sentence("unreadable_json"),
              AllOf(HasSubstr("simulations[1]"), HasSubstr("at byte"), HasSubstr("left out")));
}

TEST(BadInput, BrokenJsonBetweenEpisodesKeepsTheEarlierOnes) {
  const std::string text = fixtures::results({good("lamp") + " oops", good("bench")});
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_THAT(loaded.sentence("malformed_json"),
              AllOf(HasSubstr("at byte"), HasSubstr("everything before it is used")));
}

TEST(BadInput, ABrokenLineLosesThatOne) {
  const auto line = [](std::string_view task) {
    std::string text = good(task);
    std::erase(text, '\n');
    return text;
  };
  const Loaded simulations =
      fixtures::load_text(line("lamp") + "\n" + line("bench").substr(0, 120) + "\n" + line("shed") +
                          "\nTraceback (most recent call last):\n" + line("roof"));
  ASSERT_TRUE(simulations.log.has_value()) << simulations.log.error().message;
  EXPECT_EQ(simulations.log->episodes.size(), 3U);
  EXPECT_THAT(simulations.sentence("broken_line"),
              AllOf(HasSubstr("2 lines"),
                    HasSubstr("the first at byte " + std::to_string(line("lamp").size() + 1)),
                    HasSubstr("the others are used")));

  const Loaded table = fixtures::load_text(R"({"task": "lamp", "reward": 1, "calls": []}
{"task": "shed", "reward": 1, "calls": [["agent", "op
{"task": "roof", "reward": 0, "calls": []}
)");
  ASSERT_TRUE(table.log.has_value()) << table.log.error().message;
  ASSERT_EQ(table.log->episodes.size(), 2U);
  EXPECT_EQ(table.log->episodes[1].task_id, "roof");
  EXPECT_THAT(table.sentence("broken_line"), HasSubstr("the line at byte 43 breaks off"));
}

TEST(BadInput, DeepNestingLosesOneEpisode) {
  SimulationText deep = fixtures::small_simulation("bench");
  deep.more = ", \"info\": " + std::string(5000, '[') + std::string(5000, ']');
  const Loaded loaded = fixtures::load_text(fixtures::results({to_json(deep), good("lamp")}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_THAT(loaded.sentence("unreadable_json"), HasSubstr("nested more than 1024 deep"));
}

TEST(BadInput, TextDamageIsRepairedAndSaid) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.messages.push_back(R"({"role": "user", "content": "\ud83d and )"
                                "\xFF\x01"
                                "\"}");
  const Loaded loaded = fixtures::load_text(fixtures::results({to_json(simulation)}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_THAT(loaded.sentence("repaired_json"),
              AllOf(HasSubstr("1 lone surrogate"), HasSubstr("1 invalid UTF-8 byte"),
                    HasSubstr("1 raw control character"), HasSubstr("at byte")));
}

struct RewardCase {
  std::string reward_info;
  std::optional<double> reward;
  std::string code;
  bool nan = false;
};

TEST(BadInput, StrangeRewardsAreReportedNeverGuessed) {
  for (const RewardCase& example : {
           RewardCase{R"({"reward": NaN})", std::nullopt, "nan_reward", true},
           RewardCase{R"({"reward": -Infinity})", std::nullopt, "nan_reward", true},
           RewardCase{R"({"reward": null})", std::nullopt, "missing_reward"},
           RewardCase{"null", std::nullopt, "missing_reward"},
           RewardCase{R"({})", std::nullopt, "missing_reward"},
           RewardCase{R"({"reward": "good"})", std::nullopt, "wrong_type"},
           RewardCase{R"({"reward": [1]})", std::nullopt, "wrong_type"},
           RewardCase{R"({"reward": 0.5})", 0.5, "fractional_reward"},
           RewardCase{R"({"reward": "0.5"})", 0.5, "fractional_reward"},
           RewardCase{R"({"reward": 3})", 3.0, "reward_out_of_range"},
           RewardCase{R"({"reward": true})", 1.0, ""},
           RewardCase{R"({"reward": 0.9999999})", 0.9999999, ""},
       }) {
    SimulationText simulation = fixtures::small_simulation();
    simulation.reward_info = example.reward_info;
    const Loaded loaded = fixtures::load_text(fixtures::results({to_json(simulation)}));
    ASSERT_TRUE(loaded.log.has_value());
    const Episode& episode = loaded.log->episodes.at(0);
    EXPECT_EQ(episode.reward, example.reward) << example.reward_info;
    EXPECT_EQ(episode.reward_was_nan, example.nan) << example.reward_info;
    if (example.code.empty()) {
      EXPECT_TRUE(loaded.diagnostics.kept().empty()) << example.reward_info;
    } else {
      EXPECT_EQ(loaded.diagnostics.count(example.code), 1U) << example.reward_info;
    }
  }
}

TEST(BadInput, OfADuplicateTrialTheLastCounts) {
  SimulationText second = fixtures::small_simulation("lamp", 1);
  second.id = "\"later\"";
  second.reward_info = R"({"reward": 0.0})";
  const Loaded loaded =
      fixtures::load_text(fixtures::results({good("lamp", 1), good("lamp", 0), to_json(second)}));
  ASSERT_TRUE(loaded.log.has_value());
  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  EXPECT_EQ(loaded.log->episodes[1].id, "later");
  EXPECT_EQ(loaded.log->episodes[1].reward, 0.0);
  EXPECT_THAT(loaded.sentence("duplicate_trial"), HasSubstr("the last one counts"));
  EXPECT_EQ(loaded.diagnostics.kept()[0].episode, "task lamp, trial 1");
}

TEST(BadInput, MissingTrialsAreNumberedInFileOrder) {
  SimulationText unnumbered = fixtures::small_simulation("lamp");
  unnumbered.trial.clear();
  const std::string text = to_json(unnumbered);
  const Loaded loaded =
      fixtures::load_text(fixtures::results({text, good("lamp", 1), text, good("lamp", 0)}));
  ASSERT_TRUE(loaded.log.has_value());
  std::vector<int> trials;
  for (const Episode& episode : loaded.log->episodes) trials.push_back(episode.trial.value());
  // The first got 0, so the one that says 0 moves: both stay.
  EXPECT_THAT(trials, testing::ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(loaded.diagnostics.count("missing_trial"), 3U);
  EXPECT_EQ(loaded.diagnostics.count("duplicate_trial"), 0U);
}

TEST(BadInput, WrongTypesAreReported) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.trial = "-1.5";
  const Loaded trial = fixtures::load_text(fixtures::results({to_json(simulation), "12", "null"}));
  ASSERT_TRUE(trial.log.has_value());
  EXPECT_EQ(trial.log->episodes.size(), 1U);
  EXPECT_EQ(trial.diagnostics.count("wrong_type"), 3U);

  std::string no_list = fixtures::results({});
  no_list.replace(no_list.find("\"simulations\": []"), 17, "\"simulations\": 3");
  const Loaded simulations = fixtures::load_text(no_list);
  ASSERT_TRUE(simulations.log.has_value());
  EXPECT_THAT(simulations.sentence("wrong_type"), HasSubstr("simulations is no list"));

  std::string no_object = fixtures::results({good("lamp")});
  no_object.replace(no_object.find(fixtures::info()), fixtures::info().size(), "[]");
  const Loaded info = fixtures::load_text(no_object);
  ASSERT_TRUE(info.log.has_value());
  EXPECT_EQ(info.log->episodes.size(), 1U);
  EXPECT_THAT(info.sentence("wrong_type"), HasSubstr("info is an array"));
}

TEST(BadInput, MissingMessagesLeaveTheEpisodeOut) {
  std::string null_messages = good("lamp");
  const std::size_t from = null_messages.find("\"messages\": [");
  null_messages = null_messages.substr(0, from) + "\"messages\": null}";
  SimulationText crash = fixtures::small_simulation("bench");
  crash.messages.clear();
  crash.termination_reason = "\"infrastructure_error\"";
  crash.reward_info = "null";
  crash.more = R"(, "info": {"error": "Connection reset", "error_type": "IOError"})";
  const Loaded loaded = fixtures::load_text(fixtures::results({null_messages, to_json(crash)}));
  ASSERT_TRUE(loaded.log.has_value());
  ASSERT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_EQ(loaded.log->episodes[0].termination, Termination::infrastructure_error);
  EXPECT_EQ(loaded.log->episodes[0].infrastructure_note, "Connection reset");
  EXPECT_FALSE(loaded.log->episodes[0].reward.has_value());
  EXPECT_EQ(loaded.diagnostics.count("missing_messages"), 1U);
  EXPECT_EQ(loaded.diagnostics.count("missing_reward"), 0U);
}

TEST(BadInput, DuplicateKeysTakeTheLastValue) {
  std::string twice = good("lamp");
  twice.insert(twice.size() - 1, R"(, "reward_info": {"reward": 0.0, "reward": 0.25})");
  std::string text = fixtures::results({twice});
  text.insert(text.size() - 1, R"(, "timestamp": "2026-01-01T00:00:00")");
  const Loaded loaded = fixtures::load_text(text);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.at(0).reward, 0.25);
  EXPECT_EQ(loaded.log->header.timestamp, "2026-01-01T00:00:00");
  EXPECT_EQ(loaded.diagnostics.count("duplicate_key"), 3U);
}

TEST(BadInput, ASecondDocumentIsReported) {
  const Loaded loaded = fixtures::load_text(fixtures::results({good("lamp")}) + "\n{\"info\": 1}");
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.size(), 1U);
  EXPECT_EQ(loaded.diagnostics.count("second_document"), 1U);
}

TEST(BadInput, UnknownTerminationIsKeptAsText) {
  SimulationText simulation = fixtures::small_simulation();
  simulation.termination_reason = "\"power_cut\"";
  const Loaded loaded = fixtures::load_text(fixtures::results({to_json(simulation)}));
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->episodes.at(0).termination, Termination::unknown);
  EXPECT_EQ(loaded.log->episodes.at(0).termination_text, "power_cut");
  EXPECT_THAT(loaded.sentence("unknown_termination"), HasSubstr("power_cut"));
}

struct RefusedCase {
  std::string text;
  std::string_view message;
};

TEST(BadInput, WhatIsNoLogIsNamedWithTheRemedy) {
  for (const RefusedCase& example : {
           RefusedCase{"", "is empty"},
           RefusedCase{"  \n\n", "is empty"},
           RefusedCase{"<!DOCTYPE html><html><body>404</body></html>", "is a web page"},
           RefusedCase{"\xEF\xBB\xBF\n <HTML>", "is a web page"},
           RefusedCase{"PK\x03\x04rest", "ZIP archive"},
           RefusedCase{std::string("\xFF\xFE{\0", 4), "UTF-16"},
           RefusedCase{std::string("\x7F"
                                   "ELF\x02\x01\0\0\0",
                                   9),
                       "is no text"},
           RefusedCase{"step,reward\n1,0.5\n", "is not JSON"},
           RefusedCase{"plain words", "is not JSON"},
           RefusedCase{"{'single': 'quotes'}", "is not JSON (expected a key in double quotes"},
           RefusedCase{R"({"id": "multi_turn_1", "result": [], "inference_log": []})", "BFCL"},
           RefusedCase{R"({"version": 2, "status": "success", "eval": {}, "plan": {}})", "Inspect"},
           RefusedCase{"{\"role\": \"user\", \"content\": \"x\"}\n{\"role\": \"user\"}",
                       "chat messages that stand alone"},
           RefusedCase{R"({"resourceSpans": []})", "OpenTelemetry"},
           RefusedCase{R"({"tables": [], "chairs": {}})",
                       "no known log format (it has chairs, tables)"},
           RefusedCase{"[]", "no known log format"},
           RefusedCase{R"({"timestamp": "x", "info": {"git_com)", "damaged JSON"},
       }) {
    const Loaded loaded = fixtures::load_text(example.text);
    ASSERT_FALSE(loaded.log.has_value()) << example.text;
    EXPECT_EQ(loaded.log.error().code, ErrorCode::bad_input);
    EXPECT_THAT(loaded.log.error().message,
                AllOf(HasSubstr("log.json"), HasSubstr(std::string(example.message))))
        << example.text;
  }
}

TEST(BadInput, UnreadableFileNamesTheRemedy) {
  const fixtures::TemporaryFolder folder;
  const std::string path = folder.write("log.json", fixtures::results({}));
  const fixtures::Forbidden forbidden(path);
  const Loaded loaded = fixtures::load_path(path);
  ASSERT_FALSE(loaded.log.has_value());
  EXPECT_THAT(loaded.log.error().message, HasSubstr("permission"));
}

TEST(BadInput, AFolderOfSeveralLogsIsNotOne) {
  const fixtures::TemporaryFolder folder;
  folder.write("a.json", "{}");
  folder.write("b.json", "{}");
  const Loaded loaded = fixtures::load_path(folder.path().string());
  ASSERT_FALSE(loaded.log.has_value());
  EXPECT_THAT(loaded.log.error().message, HasSubstr("holds 2 logs"));
}

}  // namespace
}  // namespace unmask
