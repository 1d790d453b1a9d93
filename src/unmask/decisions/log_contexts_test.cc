#include "unmask/decisions/log_contexts.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/context_settings.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/decision_log.h"
#include "unmask/decisions/tempting_options.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/ingest/log_input.h"

namespace unmask::decisions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kTools =
    R"("tools":[{"type":"function","function":{"name":"find_lamp","description":"Finds a lamp, such as L0001.",)"
    R"("parameters":{"type":"object","properties":{"lamp_id":{"type":"string"}}}}},)"
    R"({"type":"function","function":{"name":"set_light","parameters":{"type":"object","properties":)"
    R"({"mode":{"enum":["on","off"]},"level":{"enum":[1,12]}}}}}])";

std::string call(const std::string& name, const std::string& arguments,
                 const std::string& content = "null") {
  return R"({"role":"assistant","content":)" + content +
         R"(,"tool_calls":[{"id":"c","type":"function","function":{"name":")" + name +
         R"(","arguments":)" + arguments + "}}]}";
}

std::string line(const std::string& messages, const std::string& more = "") {
  return R"({"task_id":"t",)" + more + std::string(kTools) + R"(,"messages":[)" +
         R"({"role":"system","content":"Help."},{"role":"user","content":"Lamp L1234, or L77, please."},)" +
         messages + "]}\n";
}

class Contexts : public ::testing::Test {
 protected:
  [[nodiscard]] Result<DecisionLog> log(const std::string& text) const {
    Diagnostics diagnostics;
    const std::string path = files_.write("log.jsonl", text);
    const Result<std::vector<LogInput>> found = find_logs(path);
    if (!found) return tl::unexpected(found.error());
    return read_decision_log(found->at(0), [](auto, auto) { return true; }, diagnostics);
  }

  /// Of all episodes, tempting options as in the log itself.
  [[nodiscard]] std::vector<DecisionContext> contexts(const std::string& text,
                                                      const ContextSettings& settings = {}) const {
    const Result<DecisionLog> read = log(text);
    if (!read) throw std::runtime_error(read.error().message);
    TemptingOptions tempting;
    if (!add_tempting(read->header, read->episodes, tempting)) throw std::runtime_error("tools");
    const Result<LogContexts> made = LogContexts::open(read->header, settings, tempting);
    if (!made) throw std::runtime_error(made.error().message);
    std::vector<DecisionContext> all;
    for (const Episode& episode : read->episodes) {
      std::ranges::move(made->contexts_of(episode), std::back_inserter(all));
    }
    return all;
  }

  /// Those of one kind.
  [[nodiscard]] std::vector<DecisionContext> of(DecisionKind kind, const std::string& text,
                                                ContextSettings settings = {}) const {
    settings.kinds = {};
    settings.kinds[static_cast<std::size_t>(kind)] = true;
    return contexts(text, settings);
  }

  unmask::fixtures::TemporaryFolder files_;
};

std::string options(const DecisionContext& context) {
  std::string text;
  for (const DecisionOption& option : context.decision.options) {
    text += text.empty() ? "" : " ";
    text += option.admissible ? option.text : "!" + option.text;
    if (option.golden) text += "*";
    if (!option.provenance.empty()) text += "=" + option.provenance;
  }
  return text;
}

TEST_F(Contexts, TakeNamesWithOfferedTemptingAndRecordedOnes) {
  const std::string text = line(call("find_lmp", R"("{}")")) + line(call("find_lmp", R"("{}")")) +
                           line(call("dim", R"("{}")")) +
                           line(call("find_lamp", R"("{\"lamp_id\": \"L1234\"}")"));
  const std::vector<DecisionContext> all = of(DecisionKind::tool_name, text);
  ASSERT_THAT(all, SizeIs(4));
  EXPECT_EQ(options(all[0]), "find_lamp set_light !find_lmp=near_miss !dim=novel");
  EXPECT_EQ(all[0].decision.recorded, 2U);
  EXPECT_EQ(all[3].decision.recorded, 0U);
  EXPECT_EQ(all[3].decision.task_id, "t");
  EXPECT_EQ(all[3].decision.message, 2U);
  EXPECT_EQ(all[3].begins, R"({"tool": ")");
  EXPECT_THAT(all[3].continuations,
              ElementsAre("find_lamp\"", "set_light\"", "find_lmp\"", "dim\""));
  ASSERT_THAT(all[3].messages, SizeIs(2));
  EXPECT_THAT(*all[3].messages[0].content, HasSubstr("- find_lamp: Finds a lamp, such as L0001."));
  EXPECT_EQ(all[3].messages[1].content, "Lamp L1234, or L77, please.");

  const std::vector<DecisionContext> few = of(DecisionKind::tool_name, text, {.tempting = 1});
  EXPECT_EQ(options(few[2]), "find_lamp set_light !find_lmp=near_miss !dim=novel")
      << "the recorded name is always there";
  EXPECT_EQ(options(few[3]), "find_lamp set_light !find_lmp=near_miss");
}

TEST_F(Contexts, GoOnBehindTheMessagesOwnTextAndCalls) {
  const std::string messages =
      R"({"role":"assistant","content":"Wait.","tool_calls":[)"
      R"({"id":"a","type":"function","function":{"name":"find_lamp","arguments":"{\"lamp_id\":\"L1234\"}"}},)"
      R"({"id":"b","type":"function","function":{"name":"find_lamp","arguments":"{\"lamp_id\":\"L77\"}"}}]},)"
      R"({"role":"tool","tool_call_id":"a","content":"found L1234"},)" +
      call("set_light", R"("{\"mode\":\"on\"}")");
  const std::vector<DecisionContext> all = of(DecisionKind::tool_name, line(messages));
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].begins, "Wait.\n{\"tool\": \"");
  EXPECT_EQ(
      all[1].begins,
      "Wait.\n{\"tool\": \"find_lamp\", \"arguments\": {\"lamp_id\": \"L1234\"}}\n{\"tool\": \"");
  EXPECT_EQ(all[1].decision.call, 1U);
  ASSERT_THAT(all[2].messages, SizeIs(4));
  EXPECT_EQ(all[2].messages[3].content, "Result of find_lamp:\nfound L1234");
}

TEST_F(Contexts, TakeValuesThatSchemasList) {
  const std::vector<DecisionContext> all =
      of(DecisionKind::enum_argument,
         line(call("set_light", R"("{\"mode\":\"off\",\"level\":12}")")) +
             line(call("set_light", R"("{\"level\":7,\"mode\":\"dim\"}")")));
  ASSERT_THAT(all, SizeIs(4));
  EXPECT_EQ(all[0].decision.argument, "set_light.mode");
  EXPECT_EQ(options(all[0]), "on off !dim") << "dim tempts, as the log has it";
  EXPECT_EQ(all[0].begins, R"({"tool": "set_light", "arguments": {"mode": ")");
  EXPECT_THAT(all[0].continuations, ElementsAre("on\"", "off\"", "dim\""));
  EXPECT_EQ(all[0].decision.recorded, 1U);
  EXPECT_EQ(options(all[1]), "1 12");
  EXPECT_THAT(all[1].continuations, ElementsAre("1}", "12}")) << "neither begins the other";
  EXPECT_EQ(options(all[2]), "1 12 !7");
  EXPECT_THAT(all[2].continuations, ElementsAre("1,", "12,", "7,"));
  EXPECT_EQ(all[3].decision.recorded, 2U);
}

TEST_F(Contexts, SetIdsOfTheContextAgainstInventedOnes) {
  const std::vector<DecisionContext> all =
      of(DecisionKind::entity_argument, line(call("find_lamp", R"("{\"lamp_id\":\"L1234\"}")")) +
                                            line(call("find_lamp", R"("{\"lamp_id\":\"L555\"}")")));
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(options(all[0]), "L1234 !L555 !L0001")
      << "L77 is too short for an id; L0001 stands in a description only";
  EXPECT_EQ(all[0].begins, R"({"tool": "find_lamp", "arguments": {"lamp_id": ")");
  EXPECT_EQ(all[1].decision.recorded, 0U);
  EXPECT_EQ(options(all[1]), "!L555 L1234 !L0001");
}

TEST_F(Contexts, InventAnIdWhereNoneIsKnown) {
  const std::string text =
      R"({"tools":[{"name":"find","parameters":{"type":"object"}}],"messages":[)"
      R"({"role":"user","content":"K-1000 or K-1001"},)" +
      call("find", R"("{\"a\":\"K-1000\"}")") + "]}\n";
  const std::vector<DecisionContext> all = of(DecisionKind::entity_argument, text);
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(options(all[0]), "K-1000 K-1001 !K-1002") << "one that the context does not have";
}

TEST_F(Contexts, TakeWhetherItCallsWhereItDoesOneAlone) {
  const std::string said =
      R"({"role":"assistant","content":"Which one?"},{"role":"user","content":"L77"},)";
  const std::vector<DecisionContext> all =
      of(DecisionKind::call_or_answer, line(said + call("find_lamp", R"("{}")")) +
                                           line(call("find_lamp", R"("{}")", R"("Now.")")));
  ASSERT_THAT(all, SizeIs(2)) << "of text beside a call nothing is taken";
  EXPECT_EQ(all[0].decision.recorded, 1U);
  EXPECT_EQ(all[1].decision.recorded, 0U);
  EXPECT_THAT(all[0].continuations, ElementsAre(R"({"tool": ")", ""));
  EXPECT_EQ(all[0].begins, "");
  Result<DecisionLog> forced = log(line(call("find_lamp", R"("{}")")));
  ASSERT_TRUE(forced);
  forced->header.identity.sampling["begins"] = R"({"tool": ")";
  const Result<LogContexts> made = LogContexts::open(forced->header, {}, {});
  ASSERT_TRUE(made);
  for (const DecisionContext& context : made->contexts_of(forced->episodes.at(0))) {
    EXPECT_NE(context.decision.kind, DecisionKind::call_or_answer) << "forced to call";
  }
}

TEST_F(Contexts, LeaveOutMalformedArgumentsAndNamesThatRanOn) {
  const std::vector<DecisionContext> all =
      contexts(line(call("find_lamp", R"("{\"lamp_id\": \"L12")")) +
                   line(call(std::string(300, 'x'), R"("{}")")),
               {.kinds = {false, true, true, true}});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].decision.recorded, 0U);
  EXPECT_EQ(all[1].decision.recorded, std::nullopt);
}

TEST_F(Contexts, NeedToolsAndTexts) {
  const Result<DecisionLog> read =
      log(R"({"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]})"
          "\n");
  ASSERT_TRUE(read) << read.error().message;
  const Result<LogContexts> made = LogContexts::open(read->header, {}, {});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("which tools were offered"));
}

TEST_F(Contexts, AreTheSameEachTime) {
  const std::string text = line(call("find_lamp", R"("{\"lamp_id\":\"L1234\"}")"));
  EXPECT_EQ(contexts(text), contexts(text));
  EXPECT_THAT(contexts(text), Not(IsEmpty()));
}

}  // namespace
}  // namespace unmask::decisions
