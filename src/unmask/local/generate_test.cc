#include "unmask/local/generate.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/local/fake_fixtures.h"
#include "unmask/local/language_model.h"

namespace unmask::local {
namespace {

const std::vector<Token> kPrompt = {1, 2, 3};

TEST(GenerateTest, WritesWhatTheModelSays) {
  fixtures::FakeModel model("Hello");
  const ModelResult<Answer> answer = generate(model, kPrompt, {.alternatives = 2});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "Hello");
  EXPECT_EQ(answer->end, AnswerEnd::stop);
  ASSERT_EQ(answer->tokens.size(), 5U);
  const double expected = 5.0 - std::log(std::exp(5.0) + 256.0);
  EXPECT_EQ(answer->tokens[0].chosen.token, 'H');
  EXPECT_NEAR(answer->tokens[0].chosen.log_probability, expected, 1e-12);
  ASSERT_EQ(answer->tokens[0].alternatives.size(), 2U);
  EXPECT_EQ(answer->tokens[0].alternatives[0], answer->tokens[0].chosen);
  EXPECT_NEAR(answer->tokens[0].alternatives[1].log_probability, expected - 5.0, 1e-12);
}

TEST(GenerateTest, EndsAtLengthAndAtTheContextsEnd) {
  fixtures::FakeModel model("Hello");
  ModelResult<Answer> answer = generate(model, kPrompt, {.most_tokens = 3});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "Hel");
  EXPECT_EQ(answer->end, AnswerEnd::length);
  model.context = kPrompt.size() + 2;
  answer = generate(model, kPrompt, {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "He");
  EXPECT_EQ(answer->end, AnswerEnd::length);
}

TEST(GenerateTest, RefusesAPromptThatLeavesNoRoom) {
  fixtures::FakeModel model("Hello");
  model.context = kPrompt.size();
  const ModelResult<Answer> answer = generate(model, kPrompt, {});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, ModelFault::context_overflow);
}

TEST(GenerateTest, RefusesLogitsThatAreNoNumbers) {
  fixtures::FakeModel model("Hello");
  for (const std::size_t place : {std::size_t{0}, std::size_t{4}}) {
    model.nan_at = place;
    const ModelResult<Answer> answer = generate(model, kPrompt, {});
    ASSERT_FALSE(answer) << place;
    EXPECT_EQ(answer.error().fault, ModelFault::not_a_number) << place;
  }
}

TEST(GenerateTest, CutsAtATextThatEndsTheAnswer) {
  fixtures::FakeModel model("I see.\nUser: And then?");
  const ModelResult<Answer> answer = generate(model, kPrompt, {.ends = {"", "\nUser:", "zz"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text, "I see.");
  EXPECT_EQ(answer->end, AnswerEnd::stop);
}

TEST(GenerateTest, StopsWhenItIsToldTo) {
  fixtures::FakeModel model("Hello");
  int asked = 0;
  const ModelResult<Answer> answer =
      generate(model, kPrompt, {.goes_on = [&] { return ++asked < 3; }});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, ModelFault::stopped);
}

TEST(GenerateTest, DrawsTheSameForTheSameSeed) {
  fixtures::FakeModel model(std::string(200, 'a'));
  const auto text = [&](std::uint64_t seed) {
    return generate(model, kPrompt, {.temperature = 1.0, .seed = seed, .most_tokens = 40})
        .value()
        .text;
  };
  EXPECT_EQ(text(1), text(1));
  EXPECT_NE(text(1), text(2));
}

TEST(GenerateTest, ScoresAGivenSequence) {
  fixtures::FakeModel model("abcd");
  const std::vector<Token> tokens = {9, 'b', 'x', 'd'};
  const ModelResult<std::vector<ScoredToken>> scored = score(model, tokens, 2, 257);
  ASSERT_TRUE(scored);
  // The model would say byte i + 1 of its text after token i.
  const double likely = 5.0 - std::log(std::exp(5.0) + 256.0);
  ASSERT_EQ(scored->size(), 2U);
  EXPECT_NEAR((*scored)[0].log_probability, likely - 5.0, 1e-12);
  EXPECT_EQ((*scored)[0].likeliest.size(), 257U);
  EXPECT_EQ((*scored)[0].likeliest[0].token, 'b');
  EXPECT_EQ((*scored)[1].likeliest[0].token, 'c');
}

TEST(GenerateTest, ScoresNothingBeyondTheSequence) {
  fixtures::FakeModel model("abcd");
  EXPECT_TRUE(score(model, kPrompt, 3, 1).value().empty());
  EXPECT_TRUE(score(model, {}, 1, 1).value().empty());
  EXPECT_FALSE(score(model, kPrompt, 0, 1));
  model.nan_at = 1;
  const ModelResult<std::vector<ScoredToken>> scored = score(model, kPrompt, 1, 1);
  ASSERT_FALSE(scored);
  EXPECT_EQ(scored.error().fault, ModelFault::not_a_number);
}

}  // namespace
}  // namespace unmask::local
