#include "unmask/decisions/local_scorer.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/decisions/decision_context.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/llm/chat.h"
#include "unmask/local/fake_fixtures.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::decisions {
namespace {

using local::fixtures::DrawingModel;
using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

DecisionContext context_of(const std::string& said, const std::vector<std::string>& names) {
  DecisionContext context;
  context.messages.push_back({.role = llm::ChatRole::system, .content = "Help with orders."});
  context.messages.push_back({.role = llm::ChatRole::user, .content = said});
  context.begins = "{\"tool\": \"";
  for (const std::string& name : names) {
    context.decision.options.push_back({.text = name, .admissible = true});
    context.continuations.push_back(name + '"');
  }
  return context;
}

std::vector<DecisionContext> three_contexts() {
  return {context_of("Where is my order?", {"get_order", "get_user", "search"}),
          context_of("Cancel it.", {"cancel_order", "get_order"}),
          context_of("Where is my order?", {"get_order", "get_user", "search"})};
}

std::map<std::size_t, ArmScores> all_scores(Scorer& scorer,
                                            const std::vector<DecisionContext>& contexts) {
  std::map<std::size_t, ArmScores> scores;
  const Result<void> done =
      scorer.score(contexts,
                   [&](std::size_t index, ArmScores each) {
                     EXPECT_TRUE(scores.emplace(index, std::move(each)).second) << index;
                   },
                   {});
  EXPECT_TRUE(done);
  return scores;
}

TEST(LocalScorer, ScoresEachContextOnceAndTheSameInAnyOrder) {
  DrawingModel model({"get_", "order"});
  LocalScorer scorer(model, {.arm = {.name = "high"}, .temperatures = {0.5}, .likeliest = 4});
  const std::vector<DecisionContext> contexts = three_contexts();
  std::map<std::size_t, ArmScores> scores = all_scores(scorer, contexts);
  ASSERT_THAT(scores, SizeIs(3));
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    EXPECT_THAT(scores[i].log_probability, SizeIs(contexts[i].continuations.size()));
    EXPECT_THAT(scores[i].log_probability, Each(testing::Lt(0.0)));
    ASSERT_THAT(scores[i].tempered, SizeIs(1));
    EXPECT_EQ(scores[i].tempered[0].temperature, 0.5);
    EXPECT_THAT(scores[i].tempered[0].log_probability, SizeIs(contexts[i].continuations.size()));
    EXPECT_THAT(scores[i].likeliest, SizeIs(4));
    EXPECT_FALSE(scores[i].divergence);
    EXPECT_EQ(scores[i].fault, "");
    EXPECT_EQ(all_scores(scorer, {contexts[i]})[0], scores[i]);
  }
  EXPECT_EQ(scores[0], scores[2]);
  EXPECT_NE(scores[0], scores[1]);
}

TEST(LocalScorer, MeasuresDivergenceFromWhatTheReferenceTold) {
  DrawingModel high;
  DrawingModel low;
  low.seed = 2;
  LocalScorer reference(high, {.arm = {.name = "high"}});
  std::vector<DecisionContext> contexts = three_contexts();
  for (auto& [index, scores] : all_scores(reference, contexts)) {
    contexts[index].likeliest = scores.likeliest;
  }
  const auto measured = [&](local::LanguageModel& model, const std::string& reference_tokenizer) {
    LocalScorer arm(model, {.arm = {.name = "arm"}, .reference_tokenizer = reference_tokenizer});
    EXPECT_EQ(why_no_divergence(reference.arm(), arm.arm()).empty(),
              arm.arm().tokenizer == reference.arm().tokenizer);
    return all_scores(arm, contexts);
  };
  for (const auto& [index, scores] : measured(high, reference.arm().tokenizer)) {
    EXPECT_NEAR(scores.divergence.value(), 0.0, 1e-12);
    EXPECT_THAT(scores.likeliest, IsEmpty());  // only the reference's are kept
  }
  for (const auto& [index, scores] : measured(low, reference.arm().tokenizer)) {
    EXPECT_GT(scores.divergence.value(), 0.1);
  }
  // Other tokens: scored by their texts, nothing to compare token by token.
  DrawingModel other({"order"});
  for (const auto& [index, scores] : measured(other, reference.arm().tokenizer)) {
    EXPECT_THAT(scores.log_probability, SizeIs(contexts[index].continuations.size()));
    EXPECT_FALSE(scores.divergence);
  }
  EXPECT_EQ(why_no_divergence({}, reference.arm()), "the reference's tokens are not known");
  EXPECT_EQ(why_no_divergence(reference.arm(), {}), "the arm's tokens are not known");
}

TEST(LocalScorer, GoesOnBehindContextsThatCantBeScored) {
  DrawingModel model;
  std::vector<DecisionContext> contexts = three_contexts();
  contexts[0].messages[1].content = std::string(1000, 'x');
  contexts[1].continuations = {"~a", "~b"};
  model.nan_behind = '~';
  LocalScorer scorer(model, {.arm = {.name = "arm"}, .temperatures = {2.0}});
  std::map<std::size_t, ArmScores> scores = all_scores(scorer, contexts);
  ASSERT_THAT(scores, SizeIs(3));
  EXPECT_EQ(scores[0].fault, "context_overflow");
  EXPECT_EQ(scores[1].fault, "not_a_number");
  for (const std::size_t index : {0U, 1U}) {
    ArmScores empty;
    empty.fault = scores[index].fault;
    EXPECT_EQ(scores[index], empty);
  }
  EXPECT_EQ(scores[2].fault, "");
  EXPECT_THAT(scores[2].log_probability, SizeIs(3));
  EXPECT_THAT(all_scores(scorer, {}), IsEmpty());
}

TEST(LocalScorer, KeepsWhatWasScoredWhenItIsInterrupted) {
  DrawingModel model;
  LocalScorer scorer(model, {.arm = {.name = "arm"}});
  const std::vector<DecisionContext> contexts = three_contexts();
  std::size_t scored = 0;
  const auto count = [&](std::size_t /*index*/, const ArmScores& /*scores*/) { ++scored; };
  Result<void> done = scorer.score(contexts, count, [&] { return scored < 1; });
  EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  EXPECT_EQ(scored, 1U);
  // From another thread, while it evaluates.
  model.stops_at = model.sequences + 1;
  done = scorer.score(contexts, count, {});
  EXPECT_EQ(done.error().code, ErrorCode::interrupted);
  EXPECT_EQ(scored, 1U);
}

TEST(LocalScorer, SortsOnlySomeTogetherAndScoresAll) {
  DrawingModel model;
  LocalScorer scorer(model, {.arm = {.name = "arm"}, .likeliest = 1});
  std::vector<DecisionContext> contexts;
  for (int i = 0; i < 300; ++i) contexts.push_back(context_of(std::to_string(i), {"a", "b"}));
  const std::map<std::size_t, ArmScores> scores = all_scores(scorer, contexts);
  ASSERT_THAT(scores, SizeIs(300));
  EXPECT_EQ(scores.at(299), all_scores(scorer, {contexts[299]})[0]);
}

}  // namespace
}  // namespace unmask::decisions
