// Whole audits of small arms made by hand or by a simple process with a known effect.
#include "unmask/audit/audit.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/audit/task_table.h"
#include "unmask/base/rng.h"

namespace unmask {
namespace {

struct ArmShape {
  std::string name = "bf16";
  int tasks = 114;
  int trials = 4;
  double solve = 0.67;  // probability of a success without a budget
  double errors = 0.5;  // mean hallucinated names of a solved episode
  int k_obs = 10;
  std::uint64_t seed = 1;
};

// Solved episodes draw a Poisson number of errors between successful calls; the 10th error ends
// one.
ArmFacts make_arm(const ArmShape& shape) {
  ArmFacts arm;
  arm.name = shape.name;
  arm.domain = "telecom";
  arm.kinds.intern("");
  const std::uint32_t wrong_owner = arm.kinds.intern("wrong_owner");
  arm.budget = {.nominal = shape.k_obs, .enforced = shape.k_obs, .known = true};
  arm.trials_promised = shape.trials;
  const std::uint32_t good = arm.names.intern("get_details_by_id");
  const std::uint32_t bad[] = {arm.names.intern("toggle_data"), arm.names.intern("reboot_device"),
                               arm.names.intern("check_sim_status"),
                               arm.names.intern("run_speed_test"),
                               arm.names.intern("toggle_roaming")};
  const double weights[] = {16, 8, 4, 2, 1};
  for (int task = 0; task < shape.tasks; ++task) {
    const std::string id = "task_" + std::to_string(task);
    arm.tasks.push_back({id, id});
    // Tasks differ in difficulty, alike in every arm.
    const double lean = Rng(7, "task", static_cast<std::uint64_t>(task)).beta(2.0, 2.0) - 0.5;
    for (int trial = 0; trial < shape.trials; ++trial) {
      Rng rng(shape.seed, shape.name, static_cast<std::uint64_t>(task * 64 + trial));
      EpisodeFacts episode;
      episode.task = static_cast<std::uint32_t>(task);
      episode.trial = trial;
      episode.success = rng.bernoulli(shape.solve + 0.6 * lean);
      const std::uint32_t errors = rng.poisson(shape.errors * (episode.success ? 1.0 : 3.0));
      std::uint32_t message = 0;
      const auto call = [&](std::uint32_t name, bool failed) {
        CallFacts facts;
        facts.name = name;
        facts.failed = failed;
        facts.message = message++;
        facts.channel = Channel::tool_name;
        facts.kind = failed ? wrong_owner : 0;
        episode.calls.push_back(facts);
      };
      call(good, false);
      for (std::uint32_t i = 0; i < errors && i < static_cast<std::uint32_t>(shape.k_obs); ++i) {
        call(bad[rng.weighted(weights)], true);
        call(good, false);
      }
      episode.termination = Termination::user_stop;
      if (errors >= static_cast<std::uint32_t>(shape.k_obs)) {
        episode.calls.pop_back();
        episode.termination = Termination::too_many_errors;
        episode.success = false;
      }
      episode.reward = episode.success ? 1.0 : 0.0;
      episode.messages = message;
      arm.episodes.push_back(std::move(episode));
    }
  }
  return arm;
}

CellInput cell_of(std::vector<ArmFacts> arms, std::string reference = "bf16") {
  CellInput cell;
  cell.info = {.cell = "cell",
               .family = "family",
               .architecture = "dense",
               .size = "27B",
               .domain = "telecom"};
  cell.reference = std::move(reference);
  for (ArmFacts& arm : arms) cell.arms.push_back({.facts = std::move(arm)});
  return cell;
}

AuditSettings quick() {
  AuditSettings settings;
  settings.sign_flips = 1999;
  settings.label_swaps = 100;
  settings.bootstrap = 200;
  return settings;
}

AuditFindings audit(std::vector<CellInput> cells, const AuditSettings& settings = quick()) {
  std::optional<AuditFindings> findings = audit_study(cells, settings);
  EXPECT_TRUE(findings.has_value());
  return findings.value_or(AuditFindings{});
}

TEST(Audit, NoCellsGiveNoFindings) {
  const AuditFindings findings = audit({});
  EXPECT_TRUE(findings.cells.empty());
  EXPECT_FALSE(findings.study.reason.empty());
}

TEST(Audit, OneArmGetsFindingsAndNoComparison) {
  const AuditFindings findings = audit({cell_of({make_arm({})})});
  ASSERT_EQ(findings.cells.size(), 1U);
  EXPECT_TRUE(findings.cells[0].comparisons.empty());
  EXPECT_EQ(findings.cells[0].arms[0].episodes, 456U);
  EXPECT_EQ(findings.cells[0].arms[0].score.size(), 10U);
  EXPECT_FALSE(findings.cells[0].null.from_null_arm);
  EXPECT_TRUE(findings.cells[0].null.gap.value.has_value());
}

TEST(Audit, AnArmWithoutEpisodesIsInconclusiveWithReasons) {
  ArmFacts empty;
  empty.name = "int4";
  empty.kinds.intern("");
  const AuditFindings findings = audit({cell_of({make_arm({}), empty})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
  EXPECT_EQ(comparison.shared_tasks, 0U);
  EXPECT_THAT(comparison.sentence, testing::HasSubstr("share no task"));
  EXPECT_FALSE(findings.cells[0].arms[1].score.at(0).score.value.has_value());
  EXPECT_FALSE(findings.cells[0].arms[1].score.at(0).score.reason.empty());
}

TEST(Audit, MoreErrorsBehindAFlatScoreAreMasked) {
  const AuditFindings findings =
      audit({cell_of({make_arm({}), make_arm({.name = "int4", .errors = 1.6})})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_EQ(comparison.verdict, Verdict::masked_damage) << comparison.sentence;
  const AmplificationFindings* names = comparison.channel("tool_name");
  ASSERT_NE(names, nullptr);
  EXPECT_TRUE(names->amplified);
  EXPECT_GT(*names->ratio.value, 2.0);
  EXPECT_LT(*names->ratio.low, *names->ratio.value);
  // A widening is the gap at that budget less the gap at the whole one.
  const double widening = *comparison.widening_at(2)->widening.figure.value;
  EXPECT_NEAR(widening,
              *comparison.gap_at(2)->gap.figure.value - *comparison.gap_at(10)->gap.figure.value,
              1e-12);
  // Without the hallucinated names nothing is lost at any budget.
  ASSERT_EQ(comparison.attribution.size(), 1U);
  EXPECT_GT(*comparison.attribution[0].points.at(1).difference.value, 0.1);
  // The same names in the same proportions.
  ASSERT_FALSE(comparison.failure_sets.empty());
  EXPECT_GT(*comparison.failure_sets[0].spearman, 0.85);
  EXPECT_EQ(comparison.failure_sets[0].outcome, stats::FailureSetOutcome::invariant_failure_set);
  EXPECT_EQ(comparison.sensitivity.size(), 16U);
  EXPECT_EQ(comparison.sensitivity[0].lower, comparison.verdict);
}

TEST(Audit, ADropOfTheScoreIsVisible) {
  const AuditFindings findings =
      audit({cell_of({make_arm({}), make_arm({.name = "int4", .solve = 0.45})})});
  EXPECT_EQ(findings.cells[0].comparisons.at(0).verdict, Verdict::visible_damage);
  EXPECT_EQ(findings.study.gaps_surviving, 1U);
}

TEST(Audit, TheSameArmTwiceIsClean) {
  ArmFacts twin = make_arm({});
  twin.name = "fp8";
  const AuditFindings findings = audit({cell_of({make_arm({}), twin})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_EQ(comparison.verdict, Verdict::clean) << comparison.sentence;
  EXPECT_EQ(*comparison.gap_at(10)->gap.figure.value, 0.0);
  EXPECT_EQ(*comparison.gap_at(10)->gap.p, 1.0);
  EXPECT_EQ(*comparison.channel("tool_name")->ratio.value, 1.0);
}

// Few tasks that differ are counted whole; the hint must speak of that count, not of an interval.
TEST(Audit, TasksThatWouldSettleItAreMoreThanThereAre) {
  const auto flipped = [](int tasks) {
    ArmFacts arm = make_arm({.errors = 0.1});
    arm.name = "int4";
    int last = -1;
    for (EpisodeFacts& episode : arm.episodes) {
      const auto task = static_cast<int>(episode.task);
      if (tasks == 0 || !episode.success || task == last) continue;
      episode.success = false;
      episode.reward = 0.0;
      last = task;
      --tasks;
    }
    return arm;
  };
  const AuditFindings findings = audit({cell_of({make_arm({.errors = 0.1}), flipped(5)})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons[0];
  ASSERT_EQ(comparison.verdict, Verdict::inconclusive);
  ASSERT_FALSE(comparison.open.empty());
  EXPECT_THAT(comparison.open.front().sentence, testing::HasSubstr("only 5 tasks differ"));
  ASSERT_TRUE(comparison.open.front().tasks_needed.has_value());
  EXPECT_EQ(*comparison.open.front().tasks_needed, std::ceil(114.0 * 8 / 5));
  for (const OpenCondition& open : comparison.open) {
    if (open.tasks_needed) {
      EXPECT_GT(*open.tasks_needed, 114.0) << open.sentence;
    }
  }
}

TEST(Audit, VanishedTrialsMakeTheVerdictHoldUnderBounds) {
  ArmFacts arm = make_arm({.name = "fp8"});
  // A tenth of the trials crashed.
  for (std::size_t i = 0; i < arm.episodes.size(); i += 10) {
    arm.episodes[i].excluded = Exclusion::infrastructure;
    arm.episodes[i].calls.clear();
  }
  const AuditFindings findings = audit({cell_of({make_arm({}), arm})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_TRUE(comparison.bounds_apply);
  ASSERT_TRUE(comparison.verdict_vanished_failed.has_value());
  EXPECT_EQ(comparison.verdict, Verdict::inconclusive);
  const ScorePoint& whole = findings.cells[0].arms[1].score.back();
  EXPECT_LT(*whole.excluded_failed, *whole.score.value);
  EXPECT_GT(*whole.excluded_passed, *whole.score.value);
}

TEST(Audit, ATaskThatVanishedAltogetherStillCountsInTheBounds) {
  ArmFacts arm = make_arm({.name = "fp8"});
  for (EpisodeFacts& episode : arm.episodes) {
    if (episode.task < 12) episode.excluded = Exclusion::infrastructure;
  }
  const AuditFindings findings = audit({cell_of({make_arm({}), arm})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_EQ(comparison.left_out_tasks, 12U);
  EXPECT_TRUE(comparison.bounds_apply);
  EXPECT_EQ(*comparison.verdict_vanished_failed, Verdict::visible_damage);
}

TEST(Audit, ANullArmIsTheNoiseFloor) {
  CellInput cell = cell_of({make_arm({}), make_arm({.name = "int4", .errors = 1.6})});
  cell.arms.push_back({.facts = make_arm({.name = "again", .seed = 2}), .role = ArmRole::null});
  const AuditFindings findings = audit({cell});
  EXPECT_EQ(findings.cells[0].comparisons.size(), 1U);
  EXPECT_TRUE(findings.cells[0].null.from_null_arm);
  EXPECT_EQ(findings.cells[0].null.arm, "again");
}

TEST(Audit, ARepairIsComparedWithItsOwnArm) {
  CellInput cell = cell_of({make_arm({}), make_arm({.name = "int4", .solve = 0.45})});
  cell.arms.push_back({.facts = make_arm({.name = "int4-reflex", .solve = 0.66}),
                       .role = ArmRole::repaired,
                       .unrepaired = "int4",
                       .mode = "reflex"});
  const AuditFindings findings = audit({cell});
  ASSERT_EQ(findings.cells[0].repairs.size(), 1U);
  const RepairFindings& repair = findings.cells[0].repairs[0];
  EXPECT_EQ(repair.outcome, stats::RepairOutcome::helps);
  EXPECT_LT(*repair.gap.back().gap.figure.value, 0.0) << "unrepaired minus repaired";
  ASSERT_TRUE(repair.recovered_share.value.has_value());
  EXPECT_GT(*repair.recovered_share.value, 0.5);
}

TEST(Audit, AnUncensoredLogIsComparedUpToTheShownBudget) {
  ArmFacts ref = make_arm({});
  ArmFacts arm = make_arm({.name = "int4", .errors = 1.6});
  ref.budget = arm.budget = {.nominal = 10, .enforced = {}, .known = true};
  const AuditFindings findings = audit({cell_of({ref, arm})});
  EXPECT_FALSE(findings.cells[0].comparisons.at(0).censored);
  EXPECT_EQ(findings.cells[0].comparisons.at(0).k_obs, 10);
}

TEST(Audit, ABudgetOfTwoDropsTheConditionsOnTheWidening) {
  ArmFacts ref = make_arm({.k_obs = 2});
  ArmFacts arm = make_arm({.name = "int4", .errors = 1.6, .k_obs = 2});
  const AuditFindings findings = audit({cell_of({ref, arm})});
  const ComparisonFindings& comparison = findings.cells[0].comparisons.at(0);
  EXPECT_TRUE(comparison.widening.empty());
  EXPECT_TRUE(comparison.verdict == Verdict::visible_damage ||
              comparison.verdict == Verdict::amplified);
}

TEST(Audit, FamiliesRunOverAllCellsAndStudyFindingsNeedFour) {
  std::vector<CellInput> cells;
  for (int i = 0; i < 4; ++i) {
    const auto seed = static_cast<std::uint64_t>(10 + i);
    cells.push_back(
        cell_of({make_arm({.tasks = 40, .seed = seed}),
                 make_arm({.name = "int4", .tasks = 40, .errors = 0.5 + 0.5 * i, .seed = seed})}));
    cells.back().info.size = std::to_string(4 + i) + "B";
  }
  const AuditFindings findings = audit(cells);
  EXPECT_EQ(findings.study.family_scores, 4U);
  EXPECT_EQ(findings.study.family_amplification, 4U);
  EXPECT_EQ(findings.study.cells, 4U);
  ASSERT_TRUE(findings.study.spearman_amplification_widening.has_value());
  EXPECT_GT(*findings.study.spearman_amplification_widening, 0.5);
  ASSERT_EQ(findings.study.predictors.size(), 3U);
  cells.pop_back();
  EXPECT_FALSE(audit(cells).study.reason.empty());
}

TEST(Audit, EqualInputGivesEqualFigures) {
  const std::vector<CellInput> cells = {
      cell_of({make_arm({}), make_arm({.name = "int4", .errors = 1.6})})};
  const AuditFindings first = audit(cells), second = audit(cells);
  const auto& a = first.cells[0].comparisons[0];
  const auto& b = second.cells[0].comparisons[0];
  EXPECT_EQ(a.sentence, b.sentence);
  EXPECT_EQ(a.channel("tool_name")->p, b.channel("tool_name")->p);
  EXPECT_EQ(a.failure_sets[0].ceiling_median, b.failure_sets[0].ceiling_median);
}

TEST(Audit, StopsWhenAsked) {
  const std::vector<CellInput> cells = {cell_of({make_arm({}), make_arm({.name = "int4"})})};
  EXPECT_FALSE(
      audit_study(cells, quick(), [](std::size_t, std::size_t) { return false; }).has_value());
}

TEST(TaskPairing, TasksOfOneContentPairByTheirIds) {
  ArmFacts ref = make_arm({.tasks = 4, .trials = 1});
  ArmFacts arm = make_arm({.name = "int4", .tasks = 4, .trials = 1});
  for (TaskFacts& task : ref.tasks) task.key = "hash_of_all";
  for (TaskFacts& task : arm.tasks) task.key = "hash_of_all";
  std::swap(arm.tasks[0].id, arm.tasks[2].id);
  arm.tasks[3].id = "renumbered";
  const TaskPairing pairing = pair_tasks(ref, arm);
  EXPECT_THAT(pairing.ref, testing::ElementsAre(0U, 1U, 2U, 3U));
  EXPECT_THAT(pairing.arm, testing::ElementsAre(2U, 1U, 0U, 3U));
  EXPECT_EQ(pairing.left_out, 0U);
}

TEST(TaskPairing, PairsByContentAndTellsTheRest) {
  ArmFacts ref = make_arm({.tasks = 3, .trials = 1});
  ArmFacts arm = make_arm({.name = "int4", .tasks = 3, .trials = 1});
  ref.tasks[0].key = "hash_a";
  arm.tasks[0].key = "hash_a";
  ref.tasks[1].key = "hash_b";
  arm.tasks[1].key = "hash_of_something_else";
  arm.tasks[2].key = "hash_c";  // the reference's log has no task texts here
  const TaskPairing pairing = pair_tasks(ref, arm);
  EXPECT_EQ(pairing.size(), 2U);
  EXPECT_THAT(pairing.same_id_other_content, testing::ElementsAre("task_1"));
  EXPECT_EQ(pairing.left_out, 2U);
}

}  // namespace
}  // namespace unmask
