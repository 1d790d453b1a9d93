// Calls that a repair held back: counted apart, and scores with them counted.
#include "unmask/audit/intercepted.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {
namespace {

/// Calls of an episode, by message; a call that failed is a name that is not offered.
struct Shape {
  bool success = true;
  std::vector<bool> failed;  ///< of each call, one a message
  std::optional<std::vector<InterceptedCall>> intercepted;
};

ArmFacts arm_of(const std::string& name, const std::vector<Shape>& episodes) {
  ArmFacts arm;
  arm.name = name;
  arm.kinds.intern("");
  arm.budget = {.nominal = 4, .enforced = 4, .known = true};
  arm.names.intern("look");
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    const std::string id = "task_" + std::to_string(i);
    arm.tasks.push_back({id, id});
    EpisodeFacts episode;
    episode.task = static_cast<std::uint32_t>(i);
    episode.success = episodes[i].success;
    episode.reward = episode.success ? 1.0 : 0.0;
    episode.termination = Termination::user_stop;
    std::uint32_t message = 0;
    for (const bool failed : episodes[i].failed) {
      CallFacts call;
      call.failed = failed;
      call.channel = Channel::tool_name;
      call.message = message++;
      episode.calls.push_back(call);
    }
    episode.intercepted = episodes[i].intercepted;
    arm.episodes.push_back(std::move(episode));
  }
  return arm;
}

constexpr InterceptedCall kName{.message = 1, .channel = Channel::tool_name};
constexpr InterceptedCall kArguments{.message = 1, .channel = Channel::arguments};

TEST(Intercepted, IsNothingWhereNobodyRecordsIt) {
  EXPECT_FALSE(intercepted_findings(arm_of("int4", {}), {}).has_value());
  EXPECT_FALSE(
      intercepted_findings(arm_of("int4", {{true, {false}, std::nullopt}}), {}).has_value());
  const auto none =
      intercepted_findings(arm_of("int4", {{true, {false}, std::vector<InterceptedCall>{}}}), {});
  ASSERT_TRUE(none.has_value()) << "recorded, and there were none";
  EXPECT_EQ(none->calls, 0U);
  EXPECT_EQ(none->per_episode.value, 0.0);
}

TEST(Intercepted, IsCountedByChannelAndInScores) {
  using Held = std::vector<InterceptedCall>;
  const ArmFacts arm =
      arm_of("int4",
             {{true, {false, true, false}, Held{kName, kName, kArguments}},  // 1 error, 4 with them
              {true, {false, false}, Held{}},
              {true, {false, true}, Held{kName}},  // 1, then 2
              {false, {false, true}, Held{kName}}});
  const auto found = intercepted_findings(arm, {});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->calls, 5U);
  EXPECT_EQ(found->by_channel[static_cast<std::size_t>(Channel::tool_name)], 4U);
  EXPECT_EQ(found->by_channel[static_cast<std::size_t>(Channel::arguments)], 1U);
  EXPECT_EQ(found->episodes_with, 3U);
  EXPECT_EQ(found->per_episode.value, 1.25);
  ASSERT_EQ(found->scores.size(), 4U);
  const std::vector<double> plain = {0.25, 0.75, 0.75, 0.75};
  const std::vector<double> counted = {0.25, 0.25, 0.5, 0.5};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(found->scores[i].k, static_cast<int>(i) + 1);
    EXPECT_EQ(found->scores[i].score.value, plain[i]) << i;
    EXPECT_EQ(found->scores[i].score_counted.value, counted[i]) << i;
  }
}

TEST(Intercepted, LeavesOutWhatIsNoObservation) {
  ArmFacts arm = arm_of("int4", {{true, {false}, std::vector<InterceptedCall>{kName}},
                                 {true, {false}, std::vector<InterceptedCall>{kName}}});
  arm.episodes[0].excluded = Exclusion::infrastructure;
  EXPECT_EQ(intercepted_findings(arm, {})->calls, 1U);
}

TEST(Intercepted, StandsWhereItWasHeldBack) {
  const ArmFacts counted = with_intercepted_counted(
      arm_of("int4", {{true, {false, false, true}, std::vector<InterceptedCall>{kArguments}}}));
  const std::vector<CallFacts>& calls = counted.episodes[0].calls;
  ASSERT_EQ(calls.size(), 4U);
  EXPECT_EQ(calls[1].message, 1U);
  EXPECT_TRUE(calls[1].failed);
  EXPECT_EQ(calls[1].channel, Channel::arguments);
  EXPECT_FALSE(calls[2].failed) << "the call that was made instead";
}

TEST(Intercepted, IsComparedInBothWays) {
  std::vector<Shape> reference, unrepaired, repaired;
  for (int i = 0; i < 12; ++i) {
    reference.push_back({true, {false, false}, std::nullopt});
    // Two errors an episode; held back in the repaired arm, where the score gains by it.
    unrepaired.push_back({i % 2 == 0, {true, true, false}, std::nullopt});
    repaired.push_back({true, {false, false}, std::vector<InterceptedCall>{kName, kName}});
  }
  CellInput cell;
  cell.reference = "bf16";
  cell.arms.push_back({.facts = arm_of("bf16", reference)});
  cell.arms.push_back({.facts = arm_of("int4", unrepaired)});
  cell.arms.push_back({.facts = arm_of("held", repaired),
                       .role = ArmRole::repaired,
                       .unrepaired = "int4",
                       .mode = "intercept"});
  AuditSettings settings;
  settings.bootstrap = 200;
  settings.label_swaps = 100;
  settings.sign_flips = 999;
  const auto findings = audit_study({cell}, settings);
  ASSERT_TRUE(findings.has_value());
  const RepairFindings& repair = findings->cells[0].repairs.at(0);
  ASSERT_TRUE(repair.intercepted.has_value());
  EXPECT_EQ(repair.intercepted->calls, 24U);
  for (const AmplificationFindings& channel : repair.amplification) {
    if (channel.channel != "tool_name") continue;
    EXPECT_EQ(channel.errors_arm, 0U) << "no failed calls";
  }
  // At K = 1 the unrepaired arm solves nothing: without them counted the repair wins all, with them
  // counted it wins nothing.
  ASSERT_EQ(repair.gap_intercepted_counted.size(), 4U);
  EXPECT_EQ(repair.gap[0].gap.figure.value, -1.0);
  EXPECT_EQ(repair.gap_intercepted_counted[0].gap.figure.value, 0.0);
  EXPECT_EQ(repair.gap_intercepted_counted[1].gap.figure.value, 0.0);
  EXPECT_EQ(repair.gap_intercepted_counted[2].gap.figure.value, -0.5);
  ASSERT_TRUE(findings->cells[0].arms[2].intercepted.has_value());
  EXPECT_FALSE(findings->cells[0].arms[1].intercepted.has_value());
}

}  // namespace
}  // namespace unmask
