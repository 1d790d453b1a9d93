#include "unmask/local/option_scores.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/local/fake_fixtures.h"
#include "unmask/local/generate.h"
#include "unmask/local/language_model.h"
#include "unmask/local/log_softmax.h"

namespace unmask::local {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Texts = std::vector<std::string>;

/// Of a sequence of tokens from `first` on, at a temperature, the slow way.
double log_probability(LanguageModel& model, const std::vector<Token>& tokens, std::size_t first,
                       double temperature = 1.0) {
  double sum = 0.0;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    const std::vector<Token> before(tokens.begin(),
                                    tokens.begin() + static_cast<std::ptrdiff_t>(i));
    const std::span<const float> logits = model.evaluate(before).value();
    double all = 0.0;
    for (const float logit : logits) all += std::exp(static_cast<double>(logit) / temperature);
    sum += static_cast<double>(logits[static_cast<std::size_t>(tokens[i])]) / temperature -
           std::log(all);
  }
  return sum;
}

TEST(OptionTokens, BeginWhereTheTextEnds) {
  const fixtures::DrawingModel model({"get", "find"});
  const OptionTokens tokens =
      option_tokens(model, "a:", Texts{"get_x\"", "get_y\"", "find\""}).value();
  EXPECT_THAT(tokens.beginning, ElementsAre('a', ':'));
  // What all options share is theirs, not the text's: `_` of the first two.
  EXPECT_THAT(tokens.options, ElementsAre(ElementsAre(256, '_', 'x', '"'),
                                          ElementsAre(256, '_', 'y', '"'), ElementsAre(257, '"')));
}

TEST(OptionTokens, AMergeOverTheTextsEndIsTheOptions) {
  const fixtures::DrawingModel model({"\"get", ": \"g", "x\""});
  // `"get` is one token for one option, `"` is a token of its own for the other.
  const OptionTokens tokens = option_tokens(model, "{: \"", Texts{"get\"", "put\""}).value();
  EXPECT_THAT(tokens.beginning, ElementsAre('{'));
  EXPECT_THAT(tokens.options, ElementsAre(ElementsAre(257, 'e', 't', '"'),
                                          ElementsAre(':', ' ', '"', 'p', 'u', 't', '"')));
}

TEST(OptionTokens, NeedATextAndAreAlikeWhereOptionsAre) {
  const fixtures::DrawingModel model({"ab"});
  EXPECT_EQ(option_tokens(model, "", Texts{"x"}).error().fault, ModelFault::failed);
  EXPECT_EQ(option_tokens(model, "a", Texts{"b"}).error().fault, ModelFault::failed);
  const OptionTokens tokens = option_tokens(model, "a", Texts{"x", "x"}).value();
  EXPECT_EQ(tokens.options[0], tokens.options[1]);
  EXPECT_THAT(option_tokens(model, "a", Texts{}).value().options, IsEmpty());
}

TEST(OptionScores, AreSumsOverTokensAtEachTemperature) {
  fixtures::DrawingModel model({"get", "et_"});
  const std::string text = "Assistant: {\"tool\": \"";
  const Texts options = {"get_user\"", "get_order\"", "g\"", "x"};
  const OptionTokens tokens = option_tokens(model, text, options).value();
  const OptionScores scores =
      score_options(model, tokens, {.temperatures = {0.4, 2.0}, .likeliest = 3}, {}).value();
  ASSERT_THAT(scores.log_probability, SizeIs(4));
  ASSERT_THAT(scores.tempered, SizeIs(2));
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::vector<Token> whole = model.tokens_of(text + options[i], true).value();
    const std::size_t first = tokens.beginning.size();
    EXPECT_NEAR(scores.log_probability[i], log_probability(model, whole, first), 1e-9) << i;
    EXPECT_NEAR(scores.tempered[0][i], log_probability(model, whole, first, 0.4), 1e-9) << i;
    EXPECT_NEAR(scores.tempered[1][i], log_probability(model, whole, first, 2.0), 1e-9) << i;
  }
  ASSERT_THAT(scores.likeliest, SizeIs(3));
  EXPECT_GT(scores.likeliest[0].log_probability, scores.likeliest[1].log_probability);
  EXPECT_FALSE(scores.divergence);
}

TEST(OptionScores, MeasureTheDivergenceOfTheNextToken) {
  fixtures::DrawingModel reference;
  fixtures::DrawingModel arm;
  arm.seed = 2;
  const OptionTokens tokens = option_tokens(reference, "text", Texts{"a", "b"}).value();
  const auto divergence = [&](LanguageModel& model, std::size_t likeliest) {
    const OptionScores told =
        score_options(reference, tokens, {.likeliest = likeliest}, {}).value();
    return score_options(model, tokens, {.reference = told.likeliest}, {}).value().divergence;
  };
  EXPECT_NEAR(divergence(reference, 10).value(), 0.0, 1e-12);
  EXPECT_NEAR(divergence(reference, 256).value(), 0.0, 1e-12);
  // Classes put together hide some of it, never add to it.
  const double whole = divergence(arm, 256).value();
  const double part = divergence(arm, 20).value();
  EXPECT_GT(part, 0.1);
  EXPECT_GT(whole, part);
}

TEST(OptionScores, SayWhyThereAreNone) {
  fixtures::DrawingModel model;
  const OptionTokens tokens = option_tokens(model, "text", Texts{"ab", "cd"}).value();
  model.context = 6;
  EXPECT_TRUE(score_options(model, tokens, {}, {}));
  model.context = 5;
  EXPECT_EQ(score_options(model, tokens, {}, {}).error().fault, ModelFault::context_overflow);
  model.context = 6;
  EXPECT_EQ(score_options(model, tokens, {}, [] { return false; }).error().fault,
            ModelFault::stopped);
  model.nan_behind = 'c';
  EXPECT_EQ(score_options(model, tokens, {}, {}).error().fault, ModelFault::not_a_number);
  model.nan_behind = 'd';  // nobody asks what follows an option
  EXPECT_TRUE(score_options(model, tokens, {}, {}));
}

TEST(TokenizerDigest, TellsTokenizersApart) {
  const fixtures::DrawingModel model({"get"});
  EXPECT_EQ(tokenizer_digest(model), tokenizer_digest(fixtures::DrawingModel({"get"})));
  EXPECT_NE(tokenizer_digest(model), tokenizer_digest(fixtures::DrawingModel({"put"})));
  EXPECT_NE(tokenizer_digest(model), tokenizer_digest(fixtures::DrawingModel()));
  EXPECT_THAT(tokenizer_digest(model), SizeIs(16));
}

}  // namespace
}  // namespace unmask::local
