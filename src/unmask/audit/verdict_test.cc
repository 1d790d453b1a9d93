#include "unmask/audit/verdict.h"

#include <gtest/gtest.h>

namespace unmask {
namespace {

constexpr double kAlpha = 0.05;

// Evidence of an arm that nothing is wrong with.
ScoreEvidence flat() {
  return {.gap = 0.0,
          .gap_p = 0.8,
          .gap_p_adjusted = 1.0,
          .has_widening = true,
          .widening = 0.0,
          .widening_p = 0.9,
          .widening_p_adjusted = 1.0,
          .equivalent_at_k_obs = true,
          .equivalent_at_first = true};
}
ChannelEvidence quiet() { return {.any_amplified = false, .all_quiet = true, .any_rising = false}; }

TEST(Verdict, NamesGoBothWays) {
  for (std::size_t i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    EXPECT_EQ(verdict_from_name(name_of(verdict)), verdict);
    EXPECT_FALSE(title_of(verdict).empty());
  }
  EXPECT_FALSE(verdict_from_name("fine").has_value());
}

TEST(Verdict, TheFirstRowThatFitsDecides) {
  struct Case {
    const char* what;
    ScoreEvidence score;
    ChannelEvidence channels;
    Verdict expected;
  };
  const auto with = [](auto change) {
    ScoreEvidence score = flat();
    change(score);
    return score;
  };
  const ScoreEvidence dropped = with([](ScoreEvidence& s) {
    s.gap = 0.1;
    s.gap_p = s.gap_p_adjusted = 0.01;
    s.equivalent_at_k_obs = false;
  });
  const ScoreEvidence risen = with([](ScoreEvidence& s) {
    s.gap = -0.1;
    s.gap_p = s.gap_p_adjusted = 0.01;
    s.equivalent_at_k_obs = false;
  });
  const ScoreEvidence wider = with([](ScoreEvidence& s) {
    s.widening = 0.1;
    s.widening_p = s.widening_p_adjusted = 0.001;
    s.equivalent_at_first = false;
  });
  const ScoreEvidence narrower = with([](ScoreEvidence& s) {
    s.widening = -0.1;
    s.widening_p = s.widening_p_adjusted = 0.001;
  });
  const ScoreEvidence maybe_wider = with([](ScoreEvidence& s) {
    s.widening = 0.05;
    s.widening_p = 0.03;
    s.widening_p_adjusted = 0.2;
  });
  const ScoreEvidence not_equivalent =
      with([](ScoreEvidence& s) { s.equivalent_at_k_obs = false; });
  const ScoreEvidence not_equivalent_at_first =
      with([](ScoreEvidence& s) { s.equivalent_at_first = false; });
  const ScoreEvidence no_widening = with([](ScoreEvidence& s) {
    s.has_widening = false;
    s.equivalent_at_first = false;
    s.widening_p = s.widening_p_adjusted = std::nullopt;
  });
  const ScoreEvidence no_p_value = with([](ScoreEvidence& s) {
    s.gap = 0.5;
    s.gap_p = s.gap_p_adjusted = std::nullopt;
    s.equivalent_at_k_obs = false;
  });
  const ChannelEvidence loud{.any_amplified = true, .all_quiet = false, .any_rising = true};
  const ChannelEvidence rising{.any_amplified = false, .all_quiet = true, .any_rising = true};
  const ChannelEvidence open{.any_amplified = false, .all_quiet = false, .any_rising = false};
  const Case cases[] = {
      {"nothing", flat(), quiet(), Verdict::clean},
      {"score drops", dropped, quiet(), Verdict::visible_damage},
      {"score drops and a channel is loud", dropped, loud, Verdict::visible_damage},
      {"loud and wider", wider, loud, Verdict::masked_damage},
      {"loud only", flat(), loud, Verdict::amplified},
      {"loud and narrower", narrower, loud, Verdict::amplified},
      {"wider only", wider, quiet(), Verdict::budget_sensitive},
      {"score rises", risen, quiet(), Verdict::improved},
      {"loud, score rises", risen, loud, Verdict::amplified},
      {"a channel may rise", flat(), rising, Verdict::inconclusive},
      {"a channel is not shown quiet", flat(), open, Verdict::inconclusive},
      {"may be wider", maybe_wider, quiet(), Verdict::inconclusive},
      {"not equivalent", not_equivalent, quiet(), Verdict::inconclusive},
      {"not equivalent at the first budget", not_equivalent_at_first, quiet(),
       Verdict::inconclusive},
      {"budget too small for the widening", no_widening, quiet(), Verdict::clean},
      {"no p-value", no_p_value, quiet(), Verdict::inconclusive},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(name_of(decide(each.score, each.channels, kAlpha)), name_of(each.expected))
        << each.what;
  }
}

TEST(Verdict, SuffixOnlyWhereChannelsAreAmplified) {
  ScoreEvidence score = flat();
  EXPECT_EQ(suffix_of(Verdict::masked_damage, score, kAlpha), ScoreSuffix::equivalent);
  EXPECT_EQ(suffix_of(Verdict::clean, score, kAlpha), ScoreSuffix::none);
  score.equivalent_at_k_obs = false;
  EXPECT_EQ(suffix_of(Verdict::amplified, score, kAlpha), ScoreSuffix::not_decided);
  score.gap = -0.1;
  score.gap_p_adjusted = 0.01;
  EXPECT_EQ(suffix_of(Verdict::amplified, score, kAlpha), ScoreSuffix::better);
}

}  // namespace
}  // namespace unmask
