#include "unmask/ingest/table_importer.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/log_fixtures.h"
#include "unmask/ingest/read_episodes.h"

namespace unmask {
namespace {

using fixtures::load_text;
using fixtures::Loaded;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kHeader =
    R"({"schema":"unmask.table/1","arm":"int4","model":"acme/Tinker-8B-AWQ","domain":"workshop",)"
    R"("harness":{"name":"bench-press","version":"3.1"},"max_errors":10,"num_trials":2,)"
    R"("sampling":{"temperature":0.0,"api_key":"sk-not-for-anyone-1"},)"
    R"("tools":{"agent":["open_lid",{"name":"turn_wheel","parameters":{"type":"object"}}],)"
    R"("user":["look"],"complete":true},"tasks":["lamp",{"id":"bench","key":"k-1"}]})";

std::string lines(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& line : all) text += line + '\n';
  return text;
}

const std::vector<Episode>& episodes(const Loaded& loaded) {
  EXPECT_TRUE(loaded.log.has_value()) << (loaded.log ? "" : loaded.log.error().message);
  static const std::vector<Episode> none;
  return loaded.log ? loaded.log->episodes : none;
}

TEST(Table, HeaderAndRows) {
  const Loaded loaded = load_text(lines(
      {kHeader,
       R"({"task":"lamp","trial":0,"reward":1,"termination":"user_stop","calls":[)"
       R"(["agent","open_lid",1],["user","look",true,null],["agent","crank",0,"tool_name","invented"]]})",
       R"({"task":7,"success":false,"calls":[],"seconds":12.5,"prompt_tokens":300,)"
       R"("completion_tokens":20,"messages":4,"agent_messages":2,"id":"e-2","seed":5})"}));
  ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
  const LogHeader& header = loaded.log->header;
  EXPECT_EQ(header.format, "unmask table");
  EXPECT_EQ(header.arm, "int4");
  EXPECT_EQ(header.identity.precision, "int4");
  EXPECT_EQ(header.identity.quantization_method, "awq");
  EXPECT_EQ(header.domain, "workshop");
  EXPECT_EQ(header.harness.name, "bench-press");
  EXPECT_EQ(header.harness.version, "3.1");
  EXPECT_EQ(header.max_errors, 10);
  EXPECT_EQ(header.num_trials, 2);
  EXPECT_EQ(header.identity.sampling.size(), 1U) << "a key is no setting";
  EXPECT_EQ(header.tools.agent.size(), 2U);
  EXPECT_EQ(header.tools.user.size(), 1U);
  EXPECT_TRUE(header.tools.complete);
  ASSERT_EQ(header.tasks.size(), 2U);
  EXPECT_EQ(header.tasks[1].content_hash, "k-1");

  ASSERT_EQ(loaded.log->episodes.size(), 2U);
  const Episode& first = loaded.log->episodes[0];
  EXPECT_EQ(first.task_id, "lamp");
  EXPECT_EQ(first.reward, 1.0);
  EXPECT_EQ(first.termination, Termination::user_stop);
  ASSERT_EQ(first.calls.size(), 3U);
  EXPECT_EQ(first.calls[1].party, Party::user);
  EXPECT_TRUE(first.calls[2].failed);
  EXPECT_EQ(first.calls[2].stated_channel, Channel::tool_name);
  EXPECT_EQ(first.calls[2].stated_kind, "invented");
  EXPECT_EQ(first.calls[2].arguments, "");
  EXPECT_TRUE(first.calls[2].arguments_are_object);
  EXPECT_EQ(first.messages, 6U) << "a call and its result each";
  EXPECT_EQ(first.agent_messages, 2U);
  EXPECT_EQ(first.calls[2].message, 4U);

  const Episode& second = loaded.log->episodes[1];
  EXPECT_EQ(second.task_id, "7");
  EXPECT_EQ(second.trial, 0) << "numbered in file order";
  EXPECT_EQ(second.reward, 0.0);
  EXPECT_EQ(second.messages, 4U);
  EXPECT_EQ(second.agent_messages, 2U);
  EXPECT_EQ(second.cost.prompt_tokens, 300);
  EXPECT_EQ(second.cost.seconds, 12.5);
  EXPECT_EQ(second.seed, 5);
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(Table, CallsAsObjects) {
  const Loaded loaded = load_text(
      R"({"task":"lamp","trial":3,"reward":0,"calls":[)"
      R"({"party":"agent","name":"open_lid","ok":true,"arguments":{"lamp":7},"result":{"open":1},"message":2,"id":"c1"},)"
      R"({"party":"assistant","name":"turn_wheel","error":"Error: stuck","arguments":"{\"by\": 2}","message":2},)"
      R"({"name":"turn_wheel","ok":false,"arguments":"{by","channel":"malformed"},)"
      R"({"party":"user","name":"look","ok":null},)"
      R"({"party":"user","name":"look","error":null,"result":"dark"}]})");
  const std::vector<Episode>& all = episodes(loaded);
  ASSERT_EQ(all.size(), 1U);
  const std::vector<ToolCall>& calls = all[0].calls;
  ASSERT_EQ(calls.size(), 5U);
  EXPECT_EQ(calls[0].arguments, R"({"lamp":7})");
  EXPECT_EQ(calls[0].result, R"({"open":1})");
  EXPECT_EQ(calls[0].id, "c1");
  EXPECT_EQ(calls[1].message, 2U) << "parallel";
  EXPECT_TRUE(calls[1].failed);
  EXPECT_EQ(calls[1].result, "Error: stuck");
  EXPECT_FALSE(calls[1].stated_channel.has_value());
  EXPECT_TRUE(calls[1].arguments_are_object);
  EXPECT_FALSE(calls[2].arguments_are_object);
  EXPECT_EQ(calls[2].message, 4U);
  EXPECT_FALSE(calls[3].answered);
  EXPECT_FALSE(calls[3].failed);
  EXPECT_TRUE(calls[4].answered);
  EXPECT_FALSE(calls[4].failed);
  EXPECT_FALSE(loaded.diagnostics.any_warning());
}

TEST(Table, SettingsMayStandOnTheEpisodes) {
  const std::string line =
      R"({"arm":"fp8","model":"m","max_errors":5,"task":1,"reward":1,"trial":)";
  const Loaded loaded = load_text(line + "0,\"calls\":[]}\n" + line + "1,\"calls\":[]}\n");
  EXPECT_EQ(episodes(loaded).size(), 2U);
  ASSERT_TRUE(loaded.log.has_value());
  EXPECT_EQ(loaded.log->header.arm, "fp8");
  EXPECT_EQ(loaded.log->header.identity.precision, "fp8");
  EXPECT_EQ(loaded.log->header.max_errors, 5);
}

TEST(Table, AListOfEpisodesIsRead) {
  const Loaded loaded = load_text(
      R"([{"task":1,"reward":1,"trial":0,"calls":[]}, {"task":2,"reward":1,"trial":0,"calls":[]}])");
  EXPECT_EQ(episodes(loaded).size(), 2U);
}

TEST(Table, AnotherArmEndsItWithTheRemedy) {
  const Loaded loaded = load_text(lines({R"({"arm":"bf16","task":1,"reward":1,"calls":[]})",
                                         R"({"arm":"int4","task":1,"reward":1,"calls":[]})"}));
  ASSERT_FALSE(loaded.log.has_value());
  EXPECT_EQ(loaded.log.error().code, ErrorCode::bad_input);
  EXPECT_THAT(loaded.log.error().message, HasSubstr("line 2 is of the arm 'int4'"));
  EXPECT_THAT(loaded.log.error().message, HasSubstr("jq -c"));
}

TEST(Table, AnotherVersionIsRefused) {
  const Loaded loaded =
      load_text(lines({R"({"schema":"unmask.table/2"})", R"({"task":1,"reward":1,"calls":[]})"}));
  ASSERT_FALSE(loaded.log.has_value());
  EXPECT_THAT(loaded.log.error().message, HasSubstr("unmask.table/2"));
}

TEST(Table, JoinedFilesOfOneArmAreOneLog) {
  const std::string header = R"({"schema":"unmask.table/1","arm":"int4"})";
  const Loaded loaded = load_text(lines({header, R"({"task":1,"trial":0,"reward":1,"calls":[]})",
                                         header, R"({"task":1,"trial":1,"reward":1,"calls":[]})"}));
  EXPECT_EQ(episodes(loaded).size(), 2U);
  EXPECT_EQ(loaded.diagnostics.count("second_header"), 1U);
}

TEST(Table, AHeaderBehindTheFirstEpisodeIsTooLate) {
  const std::string episode = R"({"task":1,"trial":0,"reward":1,"calls":[]})";
  for (const char* header : {R"({"schema":"unmask.table/1","arm":"int4","max_errors":10})",
                             R"({"arm":"int4","max_errors":10})"}) {
    const Loaded loaded = load_text(lines({episode, header}));
    EXPECT_EQ(episodes(loaded).size(), 1U);
    EXPECT_EQ(loaded.diagnostics.count("second_header"), 0U);
    ASSERT_EQ(loaded.diagnostics.count("late_header"), 1U) << header;
    const Diagnostic& remark = loaded.diagnostics.kept().front();
    EXPECT_EQ(remark.severity, Severity::data_loss);
    EXPECT_THAT(remark.sentence, HasSubstr("line 2"));
    EXPECT_THAT(remark.sentence, HasSubstr("make it the first line"));
    EXPECT_EQ(loaded.log->header.max_errors, std::nullopt);
  }
}

TEST(Table, AnEpisodeWithoutOutcomeIsReported) {
  const Loaded loaded = load_text(
      lines({R"({"task":1,"trial":0,"reward":1,"calls":[]})", R"({"task":2,"trial":0,"calls":[]})",
             R"({"task":3,"trial":0,"reward":null,"calls":[]})"}));
  ASSERT_EQ(episodes(loaded).size(), 3U);
  EXPECT_EQ(episodes(loaded)[1].reward, std::nullopt);
  ASSERT_EQ(loaded.diagnostics.count("missing_reward"), 1U);
  EXPECT_THAT(loaded.diagnostics.kept().front().episode, HasSubstr("line 2"));
  EXPECT_EQ(loaded.log->header.missing_fields.at("reward"), 2U);
}

TEST(Table, AHeaderAloneHoldsNoEpisode) {
  const Loaded loaded = load_text(R"({"schema":"unmask.table/1"})");
  EXPECT_THAT(episodes(loaded), IsEmpty());
  EXPECT_EQ(loaded.diagnostics.count("no_episodes"), 1U);
}

struct OddCase {
  const char* call;
  const char* code;
  std::size_t calls;
};

TEST(Table, OddCallsAreReportedAndTheRestIsUsed) {
  const OddCase cases[] = {
      {R"("open_lid")", "wrong_type", 1},
      {R"(["robot","open_lid",1])", "unknown_party", 1},
      {R"(["agent","open_lid"])", "missing_ok", 2},
      {R"({"party":"agent","name":"open_lid"})", "missing_ok", 2},
      {R"(["agent","open_lid","yes"])", "wrong_type", 2},
      {R"(["agent","open_lid",2])", "wrong_type", 2},
      {R"(["agent","",1])", "missing_name", 2},
      {R"(["agent","open_lid",0,"name"])", "unknown_channel", 2},
  };
  for (const OddCase& odd : cases) {
    SCOPED_TRACE(odd.call);
    const Loaded loaded = load_text(std::string(R"({"task":1,"trial":0,"reward":1,"calls":[)") +
                                    odd.call + R"(,["agent","turn_wheel",1]]})");
    const std::vector<Episode>& all = episodes(loaded);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].calls.size(), odd.calls);
    EXPECT_EQ(loaded.diagnostics.count(odd.code), 1U);
    EXPECT_EQ(all[0].calls.back().name, "turn_wheel");
  }
}

TEST(Table, OddEpisodes) {
  const Loaded loaded = load_text(lines(
      {R"({"task":1,"trial":0,"reward":NaN,"calls":[]})",
       R"({"task":1,"trial":-1,"reward":"0.5","calls":[["agent","a",1]]})",
       R"({"task":1,"trial":1,"reward":1,"calls":null})",
       R"({"task":1,"trial":2,"reward":null,"infrastructure_error":"503 from https://a:b@host/","calls":[]})",
       R"({"task":1,"trial":4,"reward":1,"termination":"bored","calls":[["agent","a",1,null,null,9]],"messages":3})",
       R"({"broken)"}));
  const std::vector<Episode>& all = episodes(loaded);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].reward_was_nan);
  EXPECT_EQ(all[1].reward, 0.5);
  EXPECT_EQ(loaded.diagnostics.count("missing_calls"), 1U);
  EXPECT_THAT(all[2].infrastructure_note, HasSubstr("[removed]"));
  EXPECT_FALSE(all[2].reward.has_value());
  EXPECT_EQ(all[3].termination_text, "bored");
  EXPECT_EQ(all[3].messages, 10U) << "no fewer than its calls need";
  EXPECT_EQ(loaded.diagnostics.count("truncated_file"), 1U);
}

TEST(Table, EpisodesAreReadAgain) {
  const fixtures::TemporaryFolder folder;
  const std::string path = folder.write(
      "log.jsonl", lines({kHeader, R"({"task":1,"trial":0,"reward":1,"calls":[["agent","a",1]]})",
                          R"({"task":2,"trial":4,"success":false,"calls":[["user","b",0]]})"}));
  const Loaded loaded = fixtures::load_path(path);
  ASSERT_EQ(episodes(loaded).size(), 2U);
  const Result<Episode> again = read_episode(loaded.log->header, loaded.log->episodes[1].ref);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_EQ(again->task_id, "2");
  EXPECT_EQ(again->calls, loaded.log->episodes[1].calls);
  EXPECT_FALSE(table_importer().episode("[]", loaded.log->header).has_value());
}

TEST(Table, OtherFormatsAreNotTaken) {
  const std::vector<std::string> others = {
      R"({"schema":"unmask.openai/1","task_id":"1","reward":1,"messages":[{"role":"user","content":"x"}]})",
      fixtures::results({to_json(fixtures::small_simulation())})};
  for (const std::string& other : others) {
    const Loaded loaded = load_text(other);
    ASSERT_TRUE(loaded.log.has_value()) << loaded.log.error().message;
    EXPECT_NE(loaded.log->header.format, "unmask table");
  }
}

TEST(Table, RewardsInQuotesAndRewardsThatContradictSuccess) {
  const Loaded loaded =
      load_text(lines({R"({"task":1,"trial":0,"reward":"1","calls":[]})",
                       R"({"task":1,"trial":1,"success":"true","calls":[]})",
                       R"({"task":1,"trial":2,"success":"false","calls":[]})",
                       R"({"task":1,"trial":3,"reward":0,"success":true,"calls":[]})",
                       R"({"task":1,"trial":4,"reward":1,"success":false,"calls":[]})",
                       R"({"task":1,"trial":5,"reward":1,"success":true,"calls":[]})",
                       R"({"task":1,"trial":6,"reward":0.5,"success":false,"calls":[]})",
                       R"({"task":1,"trial":7,"success":"maybe","calls":[]})"}));
  ASSERT_TRUE(loaded.log.has_value());
  const std::vector<std::optional<double>> rewards = {1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.5, {}};
  ASSERT_EQ(loaded.log->episodes.size(), rewards.size());
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    EXPECT_EQ(loaded.log->episodes[i].reward, rewards[i]) << i;
  }
  EXPECT_EQ(loaded.diagnostics.count("quoted_reward"), 3U);
  EXPECT_EQ(loaded.diagnostics.count("reward_contradicts_success"), 2U);
  EXPECT_EQ(loaded.diagnostics.count("wrong_type"), 1U);
}

}  // namespace
}  // namespace unmask
