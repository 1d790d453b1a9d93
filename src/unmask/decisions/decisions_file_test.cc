#include "unmask/decisions/decisions_file.h"

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/decisions_writer.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

DecisionsHeader header() {
  DecisionsHeader header;
  header.producer = "unmask test";
  header.contexts = {{"log.json", "abc"}};
  header.contexts_sha256 = "def";
  header.decisions = 2;
  header.temperatures = {0.4};
  header.settings = {{"tempting", "8"}};
  return header;
}

std::vector<ScoredDecision> decisions() {
  ScoredDecision name;
  name.task_id = "t \"1\"";
  name.trial = 2;
  name.message = 3;
  name.call = 1;
  name.options = {{.text = "a", .admissible = true, .golden = true, .provenance = {}},
                  {.text = "b", .admissible = false, .golden = false, .provenance = "novel"}};
  name.recorded = 1;
  ScoredDecision other = name;
  other.kind = DecisionKind::entity_argument;
  other.argument = "a.id";
  other.recorded.reset();
  return {name, other};
}

ArmScores scores() {
  ArmScores scores;
  scores.log_probability = {-0.25, -3.5};
  scores.at_most = {false, true};
  scores.tempered = {{0.4, {-0.125, -9.0}}};
  scores.divergence = 0.5;
  scores.likeliest = {{7, -0.25}, {9, -1.5}};
  return scores;
}

const ScoredArm kBf16{
    .name = "bf16", .model = "m", .precision = "bf16", .bits_per_weight = 16.0, .tokenizer = "x"};
const ScoredArm kInt4{
    .name = "int4", .model = "m4", .precision = "q4_0", .bits_per_weight = {}, .tokenizer = "x"};

/// All lines of a small file.
std::string whole() {
  return header_line(header()) + decision_line(0, decisions()[0], {}) +
         decision_line(1, decisions()[1], 0) + arm_line(0, kBf16) + arm_line(1, kInt4) +
         score_line({.decision = 0, .arm = 0, .scores = scores()}) +
         score_line({.decision = 1, .arm = 1, .scores = scores()});
}

TEST(DecisionsFile, ReadsWhatItWrites) {
  Diagnostics diagnostics;
  const Result<DecisionsFile> read = decode_decisions(whole(), "f", diagnostics);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(diagnostics.counts().empty());
  EXPECT_EQ(read->header, header());
  EXPECT_THAT(read->scored.arms, ElementsAre(kBf16, kInt4));
  ASSERT_THAT(read->scored.decisions, SizeIs(2));
  std::vector<ScoredDecision> bare = read->scored.decisions;
  for (ScoredDecision& decision : bare) decision.arms.clear();
  EXPECT_EQ(bare, decisions());
  EXPECT_EQ(read->scored.decisions[0].arms[0], scores());
  EXPECT_EQ(read->scored.decisions[0].arms[1].fault, kNotScored);
  EXPECT_EQ(read->scored.decisions[1].arms[1], scores());
  EXPECT_EQ(read->scores, 2U);
  EXPECT_EQ(read->whole_bytes, whole().size());
  EXPECT_TRUE(is_decisions_file(whole()));
  EXPECT_FALSE(is_decisions_file(R"({"schema":"unmask.openai/1"})"));
}

TEST(DecisionsFile, RoundsAndCallsNaNByItsName) {
  ArmScores odd;
  odd.log_probability = {-1.00000049, -0.0};
  EXPECT_THAT(rounded(odd).log_probability, ElementsAre(-1.0, 0.0));
  odd.log_probability[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(rounded(odd).fault, "not_a_number");
  EXPECT_TRUE(rounded(odd).log_probability.empty());
  EXPECT_THAT(score_line({.decision = 0, .arm = 0, .scores = odd}), HasSubstr("\"not_a_number\""));
}

TEST(DecisionsFile, DropsATornLastLine) {
  const std::string text = whole();
  for (std::size_t cut = 1; cut < 40; ++cut) {
    Diagnostics diagnostics;
    const Result<DecisionsFile> read =
        decode_decisions(text.substr(0, text.size() - cut), "f", diagnostics);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->scores, 1U);
    EXPECT_EQ(diagnostics.count("torn_line"), 1U);
    EXPECT_FALSE(diagnostics.any_warning());
  }
}

TEST(DecisionsFile, ReportsLinesThatItCantUse) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"{", "is no JSON"},
      {"[]", "is neither an arm"},
      {R"({"arm":7,"name":"x"})", "an arm out of its order"},
      {R"({"decision":9,"kind":"tool_name","options":[{"text":"a"}]})",
       "a decision out of its order"},
      {R"({"decision":2,"kind":"nothing","options":[{"text":"a"}]})", "unknown kind"},
      {R"({"decision":2,"kind":"tool_name","options":[]})", "without options"},
      {R"({"decision":2,"kind":"tool_name","options_of":2})", "not there"},
      {R"({"decision":2,"kind":"tool_name","options":[{"text":"a"}],"recorded":1})", "not there"},
      {R"({"score":5,"arm":0,"log_probability":[0,0]})", "a decision that is not there"},
      {R"({"score":0,"arm":5,"log_probability":[0,0]})", "an arm that is not there"},
      {R"({"score":0,"arm":0,"log_probability":[0,0]})", "a second time"},
      {R"({"score":0,"arm":1,"log_probability":[0]})", "one number for each option"},
      {R"({"score":0,"arm":1,"log_probability":[0,NaN]})", "one number for each option"},
      {R"({"score":0,"arm":1,"log_probability":[0,0],"at_most":[true]})", "one bound"},
      {R"({"score":0,"arm":1,"log_probability":[0,0],"tempered":[{"temperature":0}]})",
       "temperature"},
      {R"({"score":-1,"arm":18446744073709551615})", "a decision that is not there"},
  };
  for (const auto& [line, fault] : bad) {
    Diagnostics diagnostics;
    const Result<DecisionsFile> read = decode_decisions(whole() + line + "\n", "f", diagnostics);
    ASSERT_TRUE(read) << line;
    ASSERT_THAT(diagnostics.kept(), SizeIs(1)) << line;
    EXPECT_THAT(diagnostics.kept()[0].sentence, HasSubstr(fault)) << line;
    EXPECT_THAT(diagnostics.kept()[0].sentence, HasSubstr("line 8 "));
    EXPECT_EQ(diagnostics.kept()[0].file, "f");
    EXPECT_EQ(read->scores, 2U);
  }
}

TEST(DecisionsFile, RefusesWhatIsNone) {
  for (const std::string& text : {std::string(), std::string("x\n"), std::string("{}\n"),
                                  std::string("{\"schema\":\"unmask.decisions/2\"}\n")}) {
    Diagnostics diagnostics;
    const Result<DecisionsFile> read = decode_decisions(text, "f", diagnostics);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::bad_input);
  }
}

class Writing : public ::testing::Test {
 protected:
  Result<DecisionsWriter> open(const DecisionsHeader& of = header(),
                               const std::vector<ScoredDecision>& with = decisions()) {
    return DecisionsWriter::open(path_, of, with, diagnostics_);
  }

  unmask::fixtures::TemporaryFolder files_;
  std::string path_ = (files_.path() / "scores.jsonl").string();
  Diagnostics diagnostics_;
};

TEST_F(Writing, GoesOnWhereItStopped) {
  {
    Result<DecisionsWriter> writer = open();
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(*writer->add_arm(kBf16), 0U);
    EXPECT_EQ(*writer->add_arm(kInt4), 1U);
    ASSERT_TRUE(writer->add({.decision = 0, .arm = 0, .scores = scores()}));
    ASSERT_TRUE(writer->add({.decision = 1, .arm = 1, .scores = scores()}));
    EXPECT_FALSE(open()) << "one writer at a time";
  }
  const std::string bytes = unmask::fixtures::bytes_of(path_);
  EXPECT_THAT(bytes, HasSubstr("\"options_of\":0"));
  std::filesystem::resize_file(path_, bytes.size() - 5);
  {
    Result<DecisionsWriter> writer = open();
    ASSERT_TRUE(writer) << writer.error().message;
    EXPECT_EQ(*writer->add_arm(kInt4), 1U);
    EXPECT_TRUE(writer->is_scored(0, 0));
    EXPECT_FALSE(writer->is_scored(1, 1));
    ASSERT_TRUE(writer->add({.decision = 1, .arm = 1, .scores = scores()}));
    ASSERT_TRUE(writer->flush());
    EXPECT_EQ(writer->scored().decisions[1].arms[1], scores());
  }
  EXPECT_EQ(unmask::fixtures::bytes_of(path_), bytes);
}

TEST_F(Writing, RefusesAFileOfSomethingElse) {
  {
    Result<DecisionsWriter> writer = open();
    ASSERT_TRUE(writer);
    ASSERT_TRUE(writer->add_arm(kBf16));
  }
  DecisionsHeader other = header();
  other.contexts_sha256 = "other";
  EXPECT_THAT(open(other).error().message, HasSubstr("other contexts or options"));
  other = header();
  other.temperatures = {1.0};
  EXPECT_THAT(open(other).error().message, HasSubstr("other temperatures"));
  other = header();
  other.kind = "capture";
  EXPECT_THAT(open(other).error().message, HasSubstr("another kind (replay)"));
  std::vector<ScoredDecision> changed = decisions();
  changed[1].options[0].text = "z";
  EXPECT_THAT(open(header(), changed).error().message, HasSubstr("other contexts or options"));
  Result<DecisionsWriter> writer = open();
  ASSERT_TRUE(writer);
  ScoredArm impostor = kBf16;
  impostor.precision = "q8_0";
  EXPECT_THAT(writer->add_arm(impostor).error().message, HasSubstr("another model as bf16"));
}

TEST_F(Writing, RefusesDamageInTheMiddleAndFoldersThatAreMissing) {
  files_.write("scores.jsonl",
               header_line(header()) + "{\n" + decision_line(0, decisions()[0], {}));
  EXPECT_THAT(open().error().message, HasSubstr("line 2 is no JSON"));
  path_ = (files_.path() / "nowhere" / "f").string();
  EXPECT_EQ(open().error().code, ErrorCode::outside);
}

}  // namespace
}  // namespace unmask::decisions
