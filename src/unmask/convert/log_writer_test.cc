#include "unmask/convert/log_writer.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace unmask {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;

LogHeader header() {
  LogHeader header;
  header.format = "made by hand";
  header.arm = "int4";
  header.domain = "workshop";
  header.timestamp = "2026-01-02T03:04:05";
  header.harness = {.name = "bench-press", .version = "3.1", .evidence = "it says so"};
  header.max_errors = 10;
  header.num_trials = 1;
  header.identity.model = "acme/Tinker-8B";
  header.identity.precision = "int4";
  header.identity.sampling = {{"temperature", "0.7"}, {"tool_choice", "auto"}};
  header.identity.engine = "steam";
  header.identity.agent_implementation = "llm_agent";
  header.identity.user_implementation = "user_simulator";
  header.identity.user_sampling = {{"temperature", "0"}};
  header.seed = 31;
  header.policy = "Open the lid first.";
  header.tools.agent = {{"open_lid", R"({"type":"object"})"}};
  header.tools.user = {{"look", ""}};
  header.tools.complete = true;
  header.tasks = {{.id = "lamp", .content_hash = "abc"}};
  return header;
}

/// Says, calls twice at once, gets one answer; the user calls and fails.
Episode episode() {
  Episode episode;
  episode.id = "e-1";
  episode.task_id = "lamp";
  episode.trial = 2;
  episode.seed = 7;
  episode.reward = 1.0;
  episode.termination = Termination::user_stop;
  episode.termination_text = "user_stop";
  episode.cost = {.prompt_tokens = 100, .completion_tokens = 9, .seconds = 2.5};
  episode.messages = 6;
  episode.agent_messages = 2;
  episode.calls = {{.id = "a",
                    .name = "open_lid",
                    .arguments = R"({"lamp":7})",
                    .message = 1,
                    .answered = true,
                    .result = "open"},
                   {.id = "a",
                    .name = "crank",
                    .arguments = "{by",
                    .arguments_are_object = false,
                    .message = 1,
                    .failed = true},
                   {.name = "look",
                    .arguments = "{}",
                    .party = Party::user,
                    .message = 3,
                    .answered = true,
                    .failed = true,
                    .result = "Error: dark"}};
  return episode;
}

Episode with_transcript() {
  Episode all = episode();
  all.transcript = {{.role = MessageRole::system, .text = "Be kind."},
                    {.role = MessageRole::agent, .text = "One moment", .call_count = 2},
                    {.role = MessageRole::tool, .text = "open", .answers = 0},
                    {.role = MessageRole::user, .first_call = 2, .call_count = 1},
                    {.role = MessageRole::tool, .text = "Error: dark", .answers = 2},
                    {.role = MessageRole::agent, .text = "Bye", .first_call = 3}};
  return all;
}

struct Written {
  std::string text;
  Losses losses;
};

Written write(LogFormat format, const std::vector<Episode>& episodes, const LogHeader& of,
              const WriteOptions& options = {}, const std::vector<CallDiagnosis>& diagnoses = {}) {
  Written written;
  LogSurvey survey;
  for (const Episode& each : episodes) survey.see(each);
  survey.finish(of);
  const auto writer = log_writer(format, survey, options,
                                 [&written](std::string_view piece) { written.text += piece; });
  writer->begin();
  for (const Episode& each : episodes) writer->episode(each, diagnoses);
  writer->end();
  written.losses = writer->losses();
  return written;
}

std::vector<json> lines(const std::string& text) {
  std::vector<json> all;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = text.find('\n', from);
    EXPECT_NE(to, std::string::npos) << "a line without an end";
    all.push_back(json::parse(text.substr(from, to - from)));
    from = to + 1;
  }
  return all;
}

TEST(LogFormat, Names) {
  for (const LogFormat format : {LogFormat::tau2, LogFormat::openai, LogFormat::table}) {
    EXPECT_EQ(log_format_from_name(name_of(format)), format);
  }
  EXPECT_FALSE(log_format_from_name("csv").has_value());
  EXPECT_EQ(extension_of(LogFormat::tau2), ".json");
  EXPECT_EQ(extension_of(LogFormat::table), ".jsonl");
}

TEST(TableWriter, RowsWithChannels) {
  const std::vector<CallDiagnosis> diagnoses = {
      {}, {.channel = Channel::malformed, .kind = "not_json"}, {.channel = Channel::precondition}};
  const Written written = write(LogFormat::table, {with_transcript()}, header(), {}, diagnoses);
  const std::vector<json> all = lines(written.text);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["schema"], "unmask.table/1");
  EXPECT_EQ(all[0]["arm"], "int4");
  EXPECT_EQ(all[0]["precision"], "int4");
  EXPECT_EQ(all[0]["sampling"], json::parse(R"({"temperature":0.7,"tool_choice":"auto"})"));
  EXPECT_EQ(all[0]["harness"]["version"], "3.1");
  EXPECT_EQ(all[0]["tools"]["complete"], true);
  EXPECT_EQ(all[0]["tasks"], json::parse(R"([{"id":"lamp","key":"abc"}])"));
  EXPECT_FALSE(all[0].contains("policy")) << "a text";
  EXPECT_EQ(all[1]["calls"], json::parse(R"([["agent","open_lid",1,null,null,1],
      ["agent","crank",0,"malformed","not_json",1],["user","look",0,"precondition",null,3]])"));
  EXPECT_EQ(all[1]["messages"], 6);
  EXPECT_EQ(all[1]["prompt_tokens"], 100);
  EXPECT_EQ(all[1]["reward"], 1.0);
  EXPECT_THAT(written.losses, Contains(Key(HasSubstr("--texts"))));
  EXPECT_EQ(written.text.find("Error: dark"), std::string::npos);
}

TEST(TableWriter, TextsOnRequest) {
  const Written written = write(LogFormat::table, {with_transcript()}, header(), {.texts = true});
  const std::vector<json> all = lines(written.text);
  EXPECT_EQ(all[0]["policy"], "Open the lid first.");
  EXPECT_EQ(all[1]["calls"][0]["arguments"]["lamp"], 7);
  EXPECT_EQ(all[1]["calls"][1]["arguments"], "{by");
  EXPECT_EQ(all[1]["calls"][2]["result"], "Error: dark");
  EXPECT_FALSE(all[1]["calls"][2].contains("channel")) << "no diagnosis was given";
}

TEST(TableWriter, AbsentRewardAndUnansweredCall) {
  Episode bare;
  bare.reward_was_nan = true;
  bare.calls = {{.name = "open_lid", .arguments = "{}"}};
  const Written written = write(LogFormat::table, {bare}, LogHeader{});
  const std::vector<json> all = lines(written.text);
  EXPECT_TRUE(all[1]["reward"].is_null());
  EXPECT_TRUE(all[1]["calls"][0][2].is_null());
  EXPECT_THAT(written.losses, Contains(Key(HasSubstr("no number"))));
}

TEST(TableWriter, HistoryIsLeftOut) {
  Episode with_history = with_transcript();
  with_history.history_messages = 3;
  with_history.calls[0].in_history = with_history.calls[1].in_history = true;
  const std::vector<json> all = lines(write(LogFormat::table, {with_history}, header()).text);
  EXPECT_EQ(all[1]["calls"].size(), 1U);
}

TEST(OpenaiWriter, MessagesWithBothPartiesCalls) {
  const Written written = write(LogFormat::openai, {with_transcript()}, header());
  const std::vector<json> all = lines(written.text);
  ASSERT_EQ(all.size(), 1U);
  const json& line = all[0];
  EXPECT_EQ(line["schema"], "unmask.openai/1");
  EXPECT_EQ(line["task_id"], "lamp");
  EXPECT_EQ(line["trial"], 2);
  EXPECT_EQ(line["tools"][0]["function"]["name"], "open_lid");
  EXPECT_EQ(line["user_tools"][0]["function"]["name"], "look");
  EXPECT_EQ(line["tools_complete"], true);
  EXPECT_EQ(line["sampling"], json::parse(R"({"temperature": 0.7, "tool_choice": "auto"})"));
  EXPECT_EQ(line["engine"], "steam");
  EXPECT_EQ(line["agent_implementation"], "llm_agent");
  EXPECT_EQ(line["user_implementation"], "user_simulator");
  EXPECT_EQ(line["user_sampling"]["temperature"], 0);
  EXPECT_THAT(written.losses, Contains(Key(HasSubstr("the run's own seed"))));
  const json& messages = line["messages"];
  ASSERT_EQ(messages.size(), 7U) << "the call that failed without a result got one";
  EXPECT_EQ(messages[0]["role"], "system");
  EXPECT_EQ(messages[1]["content"], "One moment");
  EXPECT_EQ(messages[1]["tool_calls"][1]["function"]["arguments"], "{by");
  EXPECT_NE(messages[1]["tool_calls"][0]["id"], messages[1]["tool_calls"][1]["id"])
      << "ids that repeat are replaced";
  EXPECT_EQ(messages[2]["role"], "tool");
  EXPECT_EQ(messages[2]["error"], true);
  EXPECT_EQ(messages[2]["tool_call_id"], messages[1]["tool_calls"][1]["id"]);
  EXPECT_EQ(messages[3]["error"], false);
  EXPECT_EQ(messages[4]["role"], "user");
  EXPECT_TRUE(messages[4]["content"].is_null());
  EXPECT_EQ(messages[5]["requestor"], "user");
  EXPECT_EQ(messages[5]["content"], "Error: dark");
  EXPECT_EQ(messages[6]["content"], "Bye");
}

TEST(OpenaiWriter, WithoutATranscriptCallsMakeTheMessages) {
  const Written written = write(LogFormat::openai, {episode()}, header());
  const json line = lines(written.text)[0];
  ASSERT_EQ(line["messages"].size(), 5U);
  EXPECT_EQ(line["messages"][0]["tool_calls"].size(), 2U) << "calls of one message stay together";
  EXPECT_THAT(written.losses, Contains(Key(HasSubstr("no message texts"))));
}

TEST(OpenaiWriter, ErrorsOfCommunicationThatNoMessageShowsAreALoss) {
  Episode noted = with_transcript();
  noted.transcript.push_back({.role = MessageRole::agent, .first_call = 3});
  noted.communication_errors = 1;  // the empty message
  EXPECT_THAT(write(LogFormat::openai, {noted}, header()).losses,
              testing::Not(Contains(Key(HasSubstr("errors of communication")))));
  noted.communication_errors = 2;
  EXPECT_THAT(write(LogFormat::openai, {noted}, header()).losses,
              Contains(Key(HasSubstr("errors of communication"))));
}

TEST(OpenaiWriter, TasksWithoutAnEpisodeAreALoss) {
  LogHeader more = header();
  more.tasks.push_back({.id = "shed"});
  EXPECT_THAT(write(LogFormat::openai, {episode()}, more).losses,
              Contains(Key(HasSubstr("tasks without an episode"))));
  EXPECT_THAT(write(LogFormat::openai, {episode()}, header()).losses,
              testing::Not(Contains(Key(HasSubstr("tasks without an episode")))));
}

TEST(OpenaiWriter, ThePolicyStandsOnce) {
  const std::vector<json> all =
      lines(write(LogFormat::openai, {episode(), episode()}, header()).text);
  EXPECT_TRUE(all[0].contains("policy"));
  EXPECT_FALSE(all[1].contains("policy"));
}

TEST(Tau2Writer, ResultsFile) {
  const Written written = write(LogFormat::tau2, {with_transcript()}, header());
  const json log = json::parse(written.text);
  EXPECT_EQ(log["timestamp"], "2026-01-02T03:04:05");
  EXPECT_EQ(log["info"]["max_errors"], 10);
  EXPECT_EQ(log["info"]["agent_info"]["llm"], "acme/Tinker-8B");
  EXPECT_EQ(log["info"]["agent_info"]["llm_args"]["temperature"], 0.7);
  EXPECT_EQ(log["info"]["environment_info"]["tool_defs"][0]["function"]["name"], "open_lid");
  EXPECT_EQ(log["unmask"]["harness"]["name"], "bench-press");
  EXPECT_EQ(log["unmask"]["engine"], "steam");
  EXPECT_EQ(log["unmask"]["task_keys"]["lamp"], "abc");
  EXPECT_EQ(log["tasks"][0]["id"], "lamp");
  const json& simulation = log["simulations"][0];
  for (const char* member : {"id", "task_id", "start_time", "end_time", "duration",
                             "termination_reason", "reward_info", "messages", "trial", "seed"}) {
    EXPECT_TRUE(simulation.contains(member)) << member;
  }
  EXPECT_EQ(simulation["reward_info"]["reward"], 1.0);
  const json& messages = simulation["messages"];
  ASSERT_EQ(messages.size(), 7U);
  EXPECT_EQ(messages[1]["usage"]["prompt_tokens"], 100);
  EXPECT_EQ(messages[1]["tool_calls"][0]["arguments"]["lamp"], 7);
  EXPECT_EQ(messages[1]["tool_calls"][1]["arguments"], "{by") << "what is no object stays a text";
  EXPECT_EQ(messages[4]["tool_calls"][0]["requestor"], "user");
  EXPECT_EQ(messages[5]["error"], true);
}

TEST(Tau2Writer, NoEpisodesAndNoHeaderAreStillAFile) {
  const json log = json::parse(write(LogFormat::tau2, {}, LogHeader{}).text);
  EXPECT_THAT(log["simulations"], IsEmpty());
  EXPECT_TRUE(log["info"]["max_errors"].is_null());
}

TEST(Tau2Writer, TasksOfTheEpisodesAndTheirHistory) {
  Episode with_history = with_transcript();
  with_history.history_messages = 3;
  with_history.calls[0].in_history = with_history.calls[1].in_history = true;
  LogHeader bare = header();
  bare.tasks.clear();
  const json log = json::parse(write(LogFormat::tau2, {with_history}, bare).text);
  ASSERT_EQ(log["tasks"].size(), 1U);
  EXPECT_EQ(log["tasks"][0]["initial_state"]["message_history"].size(), 3U);
  EXPECT_EQ(log["tasks"][0]["initial_state"]["message_history"][1]["tool_calls"].size(), 2U);
  EXPECT_EQ(log["simulations"][0]["messages"].size(), 6U);
  EXPECT_EQ(log["unmask"]["task_keys"]["lamp"], "lamp") << "tasks without content pair by id";
}

TEST(Tau2Writer, AHistoryWithoutATranscriptKeepsItsLength) {
  Episode with_history = episode();
  with_history.history_messages = 3;
  with_history.calls[0].in_history = with_history.calls[1].in_history = true;
  const json log = json::parse(write(LogFormat::tau2, {with_history}, header()).text);
  EXPECT_EQ(log["tasks"][0]["initial_state"]["message_history"].size(), 3U);
  const json& messages = log["simulations"][0]["messages"];
  ASSERT_EQ(messages.size(), 5U);
  EXPECT_EQ(messages[2]["content"], "") << "it fills the history up";
  EXPECT_EQ(messages[3]["tool_calls"][0]["name"], "look");
}

TEST(Tau2Writer, ACrashAndAMissingRewardStayWhatTheyAre) {
  Episode crash;
  crash.task_id = "lamp";
  crash.termination = Termination::infrastructure_error;
  crash.infrastructure_note = "503";
  const json simulation =
      json::parse(write(LogFormat::tau2, {crash}, header()).text)["simulations"][0];
  EXPECT_EQ(simulation["termination_reason"], "infrastructure_error");
  EXPECT_EQ(simulation["info"]["error"], "503");
  EXPECT_TRUE(simulation["reward_info"].is_null());
  EXPECT_THAT(simulation["messages"], IsEmpty());
}

}  // namespace
}  // namespace unmask
