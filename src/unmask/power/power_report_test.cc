#include "unmask/power/power_report.h"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace unmask::power {
namespace {

// Made by hand: rendering computes nothing.
PowerAnswer sample() {
  PowerAnswer answer;
  answer.question.process = synthetic::telecom_process("cell");
  answer.question.notes = {
      "few episodes failed by themselves: their length is taken from stopped ones, which are cut "
      "short by the budget"};
  answer.reference = {0.2, 1.5, 0.58, 0.67};
  DesignPower small{.design = {20, 1}, .amplified = {0.45, 0.035}};
  small.verdicts[static_cast<std::size_t>(Verdict::inconclusive)] = {1.0, 0.0};
  DesignPower large{.design = {114, 4}, .amplified = {1.0, 0.0}, .widened = {0.995, 0.005}};
  large.verdicts[static_cast<std::size_t>(Verdict::masked_damage)] = {0.97, 0.012};
  answer.none = {.truth = answer.reference, .designs = {small, large}};
  answer.effects = {{.effect = {Effect::Kind::amplification, 2.5},
                     .truth = {0.38, 3.75, 0.42, 0.65},
                     .amplification = 2.5,
                     .gap = 0.02,
                     .widening = 0.14,
                     .designs = {small, large},
                     .smallest = {.amplified = Design{114, 4}, .masked = Design{114, 4}}}};
  return answer;
}

TEST(PowerText, FitsEightyColumnsAndSaysTheAnswer) {
  const std::string text = power_text(sample(), true);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }))
        << line;
  }
  EXPECT_THAT(text, testing::HasSubstr("20.0 % of calls fail"));
  EXPECT_THAT(text,
              testing::HasSubstr(
                  "x2.50 errors an episode: 38.0 % of calls, gap 2.0 at K=10, widening 14.0"));
  EXPECT_THAT(text, testing::HasSubstr("45 [38,52]"));
  EXPECT_THAT(text,
              testing::HasSubstr(
                  "smallest: amplified 114 x 4, widening none of these, masked damage 114 x 4"));
  EXPECT_EQ(text.back(), '\n');
  EXPECT_THAT(power_text(sample()), testing::HasSubstr("×2.50"));
}

TEST(Power, AllOrNoneLeavesSomethingOpen) {
  EXPECT_EQ(interval_of({0.0, 0.0}, 200).low, 0.0);
  EXPECT_NEAR(interval_of({0.0, 0.0}, 200).high, 0.0188, 0.0001);
  EXPECT_NEAR(interval_of({1.0, 0.0}, 20).low, 0.8389, 0.0001);
  EXPECT_EQ(interval_of({1.0, 0.0}, 20).high, 1.0);
}

TEST(PowerJson, HoldsEveryNumber) {
  const auto json = nlohmann::json::parse(power_json(sample(), "1.2.3", ""));
  EXPECT_EQ(json["schema"], "unmask.power/1");
  EXPECT_EQ(json["unmask"]["version"], "1.2.3");
  EXPECT_TRUE(json["unmask"]["commit"].is_null());
  const auto& effect = json["effects"][0];
  EXPECT_EQ(effect["asked"]["kind"], "amplification");
  EXPECT_EQ(effect["asked"]["size"], 2.5);
  EXPECT_EQ(effect["widening_points"], 14.0);
  EXPECT_EQ(effect["arm"]["score"][0]["k"], 2);
  EXPECT_EQ(effect["designs"][1]["widened"]["share"], 0.995);
  EXPECT_EQ(effect["designs"][1]["verdicts"]["masked_damage"]["standard_error"], 0.012);
  EXPECT_NEAR(effect["designs"][1]["widened"]["low"].get<double>(), 0.972, 0.001);
  EXPECT_NEAR(effect["designs"][1]["widened"]["high"].get<double>(), 0.999, 0.001);
  EXPECT_EQ(effect["smallest"]["masked"]["tasks"], 114);
  EXPECT_TRUE(effect["smallest"]["widened"].is_null());
  EXPECT_EQ(json["no_effect"]["asked"]["size"], 1.0);
}

}  // namespace
}  // namespace unmask::power
