#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/audit/verdict.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/report/character_width.h"
#include "unmask/report/diagnose_rendering.h"
#include "unmask/report/golden_fixtures.h"
#include "unmask/report/help_topics.h"
#include "unmask/report/inspect_rendering.h"
#include "unmask/report/schema_fixtures.h"

namespace unmask {
namespace {

using Json = nlohmann::json;
using testing::IsEmpty;

InspectReport censored_log() {
  InspectReport log;
  log.file = "results/int4.json.gz";
  log.format = "tau2 results";
  log.sha256 = "12c2688c89aa0000000000000000000000000000000000000000000000000000";
  log.bytes = 174'900;
  log.timestamp = "2026-01-15T00:00:00";
  log.domain = "telecom";
  log.harness = {.name = "tau2-bench",
                 .version = "1.0.1",
                 .git_commit = "0123abc",
                 .evidence = "the log names its version"};
  log.identity.model = "invented-27b-int4";
  log.identity.precision = "int4";
  log.identity.precision_is_guess = true;
  log.identity.sampling = {{"temperature", "0"}};
  log.identity.user_model = "invented-user";
  log.budget.regime = {.nominal = 10,
                       .enforced = 10,
                       .known = true,
                       .counts = CountedParty::both,
                       .evidence = "74 episodes ended through too_many_errors"};
  log.budget.observed = 10;
  log.budget.stopped = 74;
  log.budget.fewest_errors_at_stop = 10;
  log.budget.contradictions = {5, 448};
  log.trials = {.tasks = 114,
                .promised = 456,
                .recorded = 454,
                .observed = 448,
                .infrastructure = 5,
                .infrastructure_empty = 3,
                .no_reward = 1,
                .missing = 2,
                .first_missing = {{"7", 0}, {"9", 3}},
                .duplicates = 1};
  log.terminations.at(static_cast<std::size_t>(Termination::user_stop)) = 380;
  log.terminations.at(static_cast<std::size_t>(Termination::too_many_errors)) = 74;
  log.agent = {4303, 1719};
  log.user = {1585, 12};
  log.communication_errors = 3;
  log.tools_source = "known domain telecom";
  log.tools_complete = true;
  log.tools = {{"toggle_airplane_mode", false, true, {487, 487}, {262, 0}},
               {"get_details_by_id", true, false, {228, 0}, {0, 0}},
               {"look\x1b[2Jup", false, false, {10, 10}, {0, 0}}};
  log.reward_basis = {"ENV_ASSERTION"};
  log.averages.average_reward = 0.654;
  log.averages.pass = {{InfrastructureConvention::left_out, {0.654, 0.494}, 4, 114},
                       {InfrastructureConvention::failed, {0.641, 0.48}, 4, 114}};
  for (int k = 1; k <= 10; ++k) {
    const double score = 0.3 + 0.035 * k;
    log.score.push_back({k, {score, score}, {score - 0.01, score - 0.01}});
  }
  log.score.push_back({12, {0.65, 0.81}, {0.64, 0.8}});
  log.missing_fields = {{"messages[].usage", 456}};
  log.diagnostics = {{"duplicate_trial", 1}};
  return log;
}

TEST(InspectRendering, Text) {
  InspectReport bare;
  bare.file = "empty.json";
  const std::vector<InspectReport> logs{censored_log(), bare};
  golden::expect_golden("inspect_80.txt", inspect_text(logs, {.width = 80}));
  golden::expect_golden("inspect_ascii_120.txt",
                        inspect_text(logs, {.width = 120, .unicode = false}));
}

TEST(InspectRendering, JsonFitsItsSchema) {
  const std::vector<InspectReport> logs{censored_log(), InspectReport{}};
  const std::string text = inspect_json(logs, {"1.2.3", ""});
  EXPECT_THAT(golden::refused_by_schema("inspect.json", {text, inspect_json({}, {"1.2.3", ""})}),
              IsEmpty());
  const Json json = Json::parse(text);
  EXPECT_EQ(json["schema"], "unmask.inspect/1");
  EXPECT_EQ(json["logs"][0]["trials"]["vanished"], 8);
  EXPECT_EQ(json["logs"][0]["budget"]["k"], 10);
  EXPECT_EQ(json["logs"][0]["terminations"]["user_stop"], 380);
  EXPECT_EQ(json["logs"][0]["score"][10]["high"], 0.81);
  Json broken = json;
  broken["logs"][0].erase("trials");
  EXPECT_EQ(golden::refused_by_schema("inspect.json", {broken.dump()}).size(), 1U);
}

std::vector<DiagnosedCall> some_calls() {
  std::vector<DiagnosedCall> calls;
  calls.reserve(13);
  for (int i = 0; i < 12; ++i) {
    calls.push_back({.file = "int4.json",
                     .task = std::to_string(i),
                     .trial = i % 2,
                     .episode = {},
                     .turn = 4,
                     .call = 2,
                     .party = Party::agent,
                     .tool = i < 9 ? "toggle_airplane_mode" : "Get_Line",
                     .arguments = "{}",
                     .channel = Channel::tool_name,
                     .kind = i < 9 ? "wrong_owner" : "near_miss",
                     .evidence = EvidenceKind::structure,
                     .rule = "general.unknown_tool",
                     .detail = {},
                     .text = "Error: no such tool\nsecond line"});
  }
  calls.push_back({.file = "int4.json",
                   .task = "=1",
                   .trial = {},
                   .episode = "7f3",
                   .turn = 9,
                   .call = 4,
                   .party = Party::user,
                   .tool = "pay, \"now\"",
                   .arguments = "not JSON",
                   .channel = Channel::malformed,
                   .kind = {},
                   .evidence = EvidenceKind::none,
                   .rule = {},
                   .detail = {},
                   .text = "\x1b[31mno"});
  return calls;
}

TEST(DiagnoseRendering, Text) {
  golden::expect_golden("diagnose_80.txt", diagnose_text(some_calls(), {.width = 80}));
  golden::expect_golden("diagnose_120.txt", diagnose_text(some_calls(), {.width = 120}));
  EXPECT_EQ(diagnose_text({}, {}), "no failed calls\n");
}

TEST(DiagnoseRendering, Csv) {
  const std::vector<DiagnosedCall> calls{some_calls().back()};
  const std::string csv = diagnose_csv(calls);
  EXPECT_EQ(
      csv,
      "file,task,trial,episode,turn,call,party,tool,channel,kind,evidence,rule,detail,arguments,"
      "text\n"
      "int4.json,'=1,,7f3,9,4,user,\"pay, \"\"now\"\"\",malformed,,none,,,not JSON,\x1b[31mno\n");
}

TEST(DiagnoseRendering, JsonLines) {
  std::istringstream lines(diagnose_jsonl(some_calls()));
  std::string line;
  int count = 0;
  while (std::getline(lines, line)) {
    const Json json = Json::parse(line);
    EXPECT_EQ(json.size(), 15U);
    ++count;
    if (json["party"] == "user") {
      EXPECT_TRUE(json["trial"].is_null());
      EXPECT_TRUE(json["kind"].is_null());
      EXPECT_EQ(json["text"], "\x1b[31mno");
    }
  }
  EXPECT_EQ(count, 13);
}

TEST(HelpTopics, FitAScreen) {
  EXPECT_THAT(help_topics(), testing::ElementsAre("verdicts", "channels", "budget", "screen"));
  for (const std::string_view name : help_topics()) {
    const std::optional<std::string> text = help_topic(name);
    ASSERT_TRUE(text.has_value());
    EXPECT_TRUE(text->ends_with('\n'));
    std::istringstream lines(*text);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count)
      EXPECT_LE(text::display_width(line), 80) << line;
    EXPECT_LE(count, 48) << name;
  }
  EXPECT_EQ(help_topic("nonsense"), std::nullopt);
}

TEST(HelpTopics, ExplainEveryVerdictAndChannel) {
  const std::string verdicts = help_topic("verdicts").value_or("");
  for (std::size_t i = 0; i < kVerdictCount; ++i) {
    EXPECT_NE(verdicts.find(title_of(static_cast<Verdict>(i))), std::string::npos)
        << title_of(static_cast<Verdict>(i));
  }
  const std::string channels = help_topic("channels").value_or("");
  for (const Channel channel : kModelChannels)
    EXPECT_NE(channels.find(name_of(channel)), std::string::npos) << name_of(channel);
}

}  // namespace
}  // namespace unmask
