#include "unmask/power/power.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/rng.h"

namespace unmask::power {
namespace {

PowerQuestion quick_question() {
  PowerQuestion question = *power_question("telecom", 0.2);
  question.effects = {{Effect::Kind::amplification, 4.0}};
  question.tasks = {114};
  question.trials = {4};
  question.replicates = 40;
  question.sign_flips = 999;
  question.threads = 2;
  return question;
}

TEST(Power, LargeAmplificationIsFoundAndNoneIsNot) {
  const auto answer = power(quick_question());
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_NEAR(answer->reference.errors_per_call, 0.2, 1e-6);
  ASSERT_EQ(answer->effects.size(), 1U);
  const EffectPower& effect = answer->effects[0];
  EXPECT_NEAR(effect.amplification, 4.0, 1e-6);
  ASSERT_EQ(effect.designs.size(), 1U);
  EXPECT_GE(effect.designs[0].amplified.share, 0.95);
  EXPECT_GE(effect.designs[0].damaged.share, 0.95);
  EXPECT_EQ(effect.smallest.amplified, (Design{114, 4}));

  const DesignPower& none = answer->none.designs[0];
  EXPECT_EQ(answer->none.amplification, 1.0);
  EXPECT_EQ(answer->none.gap, 0.0);
  // Nominal 5 % for each family; 40 studies rarely show more than 8.
  EXPECT_LE(none.amplified.share, 0.2);
  EXPECT_LE(none.widened.share, 0.2);
  EXPECT_GE(none.verdict(Verdict::clean).share, 0.3);
}

TEST(Power, PowerGrowsWithTheDesignAndTheVerdictsAddUp) {
  PowerQuestion question = quick_question();
  question.effects = {{Effect::Kind::amplification, 2.5}, {Effect::Kind::widening, 0.10}};
  question.tasks = {100, 10, 30, 30};
  question.trials = {2};
  const auto answer = power(question);
  ASSERT_TRUE(answer.has_value());
  for (const EffectPower& effect : answer->effects) {
    ASSERT_EQ(effect.designs.size(), 3U);  // each once, in order
    EXPECT_EQ(effect.designs[0].design, (Design{10, 2}));
    EXPECT_EQ(effect.designs[2].design, (Design{100, 2}));
    EXPECT_LT(effect.designs[0].amplified.share, effect.designs[2].amplified.share);
    EXPECT_LT(effect.designs[0].widened.share, effect.designs[2].widened.share);
    for (const DesignPower& each : effect.designs) {
      double sum = 0.0;
      for (const Power& verdict : each.verdicts) sum += verdict.share;
      EXPECT_NEAR(sum, 1.0, 1e-12);
    }
  }
  EXPECT_NEAR(answer->effects[1].widening, 0.10, 1e-6);
}

TEST(Power, AnswerDoesNotDependOnThreads) {
  PowerQuestion question = quick_question();
  question.tasks = {20, 40};
  question.replicates = 11;
  question.threads = 1;
  const auto one = power(question);
  question.threads = 5;
  const auto five = power(question);
  ASSERT_TRUE(one.has_value() && five.has_value());
  EXPECT_EQ(one->none, five->none);
  EXPECT_EQ(one->effects, five->effects);
}

TEST(Power, MoreComparisonsCostPower) {
  PowerQuestion question = quick_question();
  question.effects = {{Effect::Kind::amplification, 1.6}};
  question.tasks = {60};
  question.sign_flips = 9'999;
  const auto alone = power(question);
  question.comparisons = 20;
  const auto one_of_twenty = power(question);
  ASSERT_TRUE(alone.has_value() && one_of_twenty.has_value());
  EXPECT_LT(one_of_twenty->effects[0].designs[0].amplified.share,
            alone->effects[0].designs[0].amplified.share);
}

TEST(Power, RefusesWhatItCanNotAnswer) {
  struct Case {
    const char* says;
    void (*spoil)(PowerQuestion&);
  };
  const Case cases[] = {
      {"tasks and one of trials", [](PowerQuestion& q) { q.tasks.clear(); }},
      {"tasks must lie in", [](PowerQuestion& q) { q.tasks = {1}; }},
      {"trials must lie in", [](PowerQuestion& q) { q.trials = {0}; }},
      {"target", [](PowerQuestion& q) { q.target = 1.0; }},
      {"at least 1", [](PowerQuestion& q) { q.replicates = 0; }},
      {"at least 1", [](PowerQuestion& q) { q.comparisons = 0; }},
      {"base rate above 0", [](PowerQuestion& q) { q.reference.slip_rate = 0.0; }},
      {"above 0", [](PowerQuestion& q) { q.effects[0].size = -1.0; }},
      {"leaves room for x", [](PowerQuestion& q) { q.effects[0].size = 50.0; }},
      {"the largest at K = 2 is",
       [](PowerQuestion& q) { q.effects[0] = {Effect::Kind::widening, 0.9}; }},
      {"no widening from K = 2 at a budget of 2",
       [](PowerQuestion& q) {
         q.effects[0] = {Effect::Kind::widening, 0.1};
         q.process.max_errors = 2;
       }},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.says);
    PowerQuestion question = quick_question();
    c.spoil(question);
    const auto answer = power(question);
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(answer.error().message, testing::HasSubstr(c.says));
  }
}

TEST(Power, StopsWhenAsked) {
  PowerQuestion question = quick_question();
  question.threads = 1;
  const auto answer = power(question, [](std::size_t done, std::size_t) { return done < 2; });
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
}

TEST(PowerQuestion, KnowsDomainsAndRates) {
  EXPECT_TRUE(power_question("retail", 0.01).has_value());
  EXPECT_FALSE(power_question("airline", 0.2).has_value());
  EXPECT_FALSE(power_question("telecom", 0.0).has_value());
  EXPECT_FALSE(power_question("telecom", 1.0).has_value());
  const auto too_many = power_question("telecom", 0.97);
  ASSERT_FALSE(too_many.has_value());
  EXPECT_THAT(too_many.error().message, testing::HasSubstr("ask for fewer"));
}

TEST(PowerQuestion, ComesFromALog) {
  synthetic::CellProcess process = synthetic::telecom_process("cell");
  process.max_errors = 5;
  const auto question = power_question(simulate_arm(process, {}, kDefaultSeed));
  ASSERT_TRUE(question.has_value());
  EXPECT_EQ(question->process.max_errors, 5);
  EXPECT_NEAR(question->reference.slip_rate, 0.0648, 0.03);
  const auto other_rate = with_base_rate(*question, 0.05);
  ASSERT_TRUE(other_rate.has_value());
  EXPECT_LT(other_rate->reference.slip_rate, question->reference.slip_rate);
}

}  // namespace
}  // namespace unmask::power
