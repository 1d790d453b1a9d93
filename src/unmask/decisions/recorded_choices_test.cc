#include "unmask/decisions/recorded_choices.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(RecordedChoices, AreBoundsButForTheChosenName) {
  LogHeader header;
  header.arm = "bf16";
  header.tools.agent = {{"find_lamp", ""}, {"set_light", ""}};
  Episode episode;
  episode.task_id = "t";
  episode.calls_without_choices = 2;
  episode.calls.resize(2);
  episode.calls[0].name = "find_lmp";
  episode.calls[0].message = 4;
  episode.decisions = {
      {.message = 4,
       .candidates = {{"find_lmp", -0.5, false}, {"find_lamp", -1.0, true}, {"dim", -2.0, false}},
       .complete = false},
      {.message = 4, .candidates = {{"set_light", -0.1, true}}, .complete = false}};
  const RecordedChoices recorded = recorded_choices(header, std::vector<Episode>{episode});
  EXPECT_EQ(recorded.without_choices, 2U);
  EXPECT_EQ(recorded.calls, 2U);
  ASSERT_THAT(recorded.scored.arms, SizeIs(1));
  EXPECT_EQ(recorded.scored.arms[0].name, "bf16");
  ASSERT_THAT(recorded.scored.decisions, SizeIs(2));
  const ScoredDecision& first = recorded.scored.decisions[0];
  EXPECT_EQ(first.recorded, 0U);
  EXPECT_EQ(first.options[0].provenance, "near_miss");
  EXPECT_EQ(first.options[2].provenance, "novel");
  EXPECT_THAT(first.arms.at(0).log_probability, ElementsAre(-0.5, -1.0, -2.0));
  EXPECT_THAT(first.arms.at(0).at_most, ElementsAre(false, true, true));
  EXPECT_EQ(recorded.scored.decisions[1].call, 1U);
  EXPECT_FALSE(recorded.scored.decisions[1].recorded);
}

TEST(RecordedChoices, AreNoneWhereALogHasNone) {
  EXPECT_TRUE(recorded_choices(LogHeader(), {}).scored.decisions.empty());
}

}  // namespace
}  // namespace unmask::decisions
