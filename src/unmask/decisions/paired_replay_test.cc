#include "unmask/decisions/paired_replay.h"

#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/decisions/decisions_writer.h"
#include "unmask/decisions/scorer.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Two decisions an episode: a name, and whether to call.
std::vector<DecisionContext> episode(std::size_t number) {
  DecisionContext name;
  name.decision.task_id = "t" + std::to_string(number);
  name.decision.options = {{.text = "a", .admissible = true, .golden = false, .provenance = {}},
                           {.text = "b", .admissible = false, .golden = false, .provenance = {}}};
  name.continuations = {"a\"", "b\""};
  name.messages.emplace_back().content = "message " + std::to_string(number);
  DecisionContext call = name;
  call.decision.kind = DecisionKind::call_or_answer;
  call.decision.recorded = 1;
  call.continuations = {"{", ""};
  return {name, call};
}

/// Gives every option the same log-probability.
class FakeScorer final : public Scorer {
 public:
  explicit FakeScorer(std::string name) : name_(std::move(name)) {}

  std::size_t stops_after = 1'000;
  std::size_t asked = 0;
  std::vector<std::size_t> likeliest;  ///< sizes, as it was given them

  [[nodiscard]] ScoredArm arm() const override {
    ScoredArm arm;
    arm.name = name_;
    return arm;
  }
  [[nodiscard]] Result<void> score(std::span<const DecisionContext> contexts,
                                   const std::function<void(std::size_t, ArmScores)>& done,
                                   const std::function<bool()>& goes_on) override {
    for (std::size_t i = contexts.size(); i-- > 0;) {  // any order
      if (asked == stops_after || !goes_on()) return fail(ErrorCode::interrupted, "stopped");
      ++asked;
      likeliest.push_back(contexts[i].likeliest.size());
      ArmScores scores;
      scores.log_probability.assign(contexts[i].continuations.size(), std::log(0.25));
      if (name_ == "reference") scores.likeliest = {{1, -0.5}};
      done(i, scores);
    }
    return {};
  }

 private:
  std::string name_;
};

class Replay : public ::testing::Test {
 protected:
  Result<DecisionsWriter> open(const ContextBook& book) {
    DecisionsHeader header;
    header.contexts_sha256 = book.sha256();
    header.decisions = book.decisions().size();
    return DecisionsWriter::open(path_, header, book.decisions(), diagnostics_);
  }
  static Result<void> score(const ContextBook& book, FakeScorer& scorer, DecisionsWriter& writer) {
    const Result<std::size_t> arm = writer.add_arm(scorer.arm());
    if (!arm) return tl::unexpected(arm.error());
    return score_arm(book, scorer, *arm, writer, [](std::size_t) { return true; });
  }

  unmask::fixtures::TemporaryFolder files_;
  std::string path_ = (files_.path() / "scores.jsonl").string();
  Diagnostics diagnostics_;
};

TEST_F(Replay, ScoresEveryArmAndHandsOnTheReferencesTokens) {
  const ContextBook book(50, episode);
  Result<DecisionsWriter> writer = open(book);
  ASSERT_TRUE(writer) << writer.error().message;
  FakeScorer reference("reference");
  FakeScorer arm("arm");
  ASSERT_TRUE(score(book, reference, *writer));
  ASSERT_TRUE(score(book, arm, *writer));
  EXPECT_EQ(reference.asked, 100U);
  EXPECT_THAT(reference.likeliest, testing::Each(0U));
  EXPECT_THAT(arm.likeliest, testing::Each(1U));
  const ScoredDecision& call = writer->scored().decisions[99];
  ASSERT_THAT(call.arms, SizeIs(2));
  EXPECT_NEAR(call.arms[1].log_probability[0], std::log(0.25), 1e-6);
  EXPECT_NEAR(call.arms[1].log_probability[1], std::log(0.75), 1e-6) << "the rest";
}

TEST_F(Replay, GoesOnWithWhatIsMissing) {
  const ContextBook book(50, episode);
  {
    Result<DecisionsWriter> writer = open(book);
    FakeScorer reference("reference");
    reference.stops_after = 30;
    const Result<void> stopped = score(book, reference, *writer);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
  }
  Result<DecisionsWriter> writer = open(book);
  ASSERT_TRUE(writer) << writer.error().message;
  FakeScorer reference("reference");
  ASSERT_TRUE(score(book, reference, *writer));
  EXPECT_EQ(reference.asked, 70U);
}

TEST_F(Replay, TakesWholeEpisodesSpreadOverAll) {
  const ContextBook all(50, episode);
  const ContextBook some(50, episode, 11);
  ASSERT_THAT(some.decisions(), SizeIs(10));
  EXPECT_NE(some.sha256(), all.sha256());
  EXPECT_EQ(some.decisions()[0].task_id, some.decisions()[1].task_id);
  EXPECT_NE(some.decisions()[9].task_id, "t4");
  EXPECT_THAT(ContextBook(3, episode, 1).decisions(), SizeIs(2)) << "one episode at least";
  EXPECT_THAT(ContextBook(0, episode).decisions(), SizeIs(0));
}

TEST(Rest, IsWhatTheOthersLeave) {
  const DecisionContext context = episode(0)[1];
  const DecisionContext asked = without_rest(context);
  EXPECT_THAT(asked.continuations, ElementsAre("{"));
  EXPECT_EQ(asked.decision.recorded, std::nullopt);
  ArmScores scores;
  scores.log_probability = {0.0};
  scores.tempered = {{0.5, {std::log(0.5)}}};
  const ArmScores complete = with_rest(context, scores);
  EXPECT_TRUE(std::isfinite(complete.log_probability[1]));
  EXPECT_LT(complete.log_probability[1], -20.0);
  EXPECT_NEAR(complete.tempered[0].log_probability[1], std::log(0.5), 1e-12);
  scores.fault = "context_overflow";
  EXPECT_EQ(with_rest(context, scores), scores);
}

}  // namespace
}  // namespace unmask::decisions
