#include "unmask/audit/audit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "unmask/audit/arm_findings.h"
#include "unmask/audit/channel_attribution.h"
#include "unmask/audit/channel_comparison.h"
#include "unmask/audit/consequence.h"
#include "unmask/audit/identity_differences.h"
#include "unmask/audit/lengths.h"
#include "unmask/audit/noise_floor.h"
#include "unmask/audit/repair_comparison.h"
#include "unmask/audit/score_comparison.h"
#include "unmask/audit/screen_validation.h"
#include "unmask/audit/sentences.h"
#include "unmask/audit/single_turn.h"
#include "unmask/audit/study_findings.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/stats/detectable.h"

namespace unmask {
namespace {

// Where the excluded share exceeds it in an arm, or differs between two arms by more, the verdict
// must hold with the vanished trials all failed and all passed (STATISTICS, "Units").
constexpr double kVanishedShare = 0.02;

struct Comparison {
  ArmPair pair;
  std::size_t cell = 0;
  ScoreEvidence score;
  ChannelEvidence channels;
  ComparisonFindings findings;
};

double vanished_share(const ArmFindings& arm) {
  const double all = static_cast<double>(arm.episodes) + arm.vanished();
  return all > 0.0 ? arm.vanished() / all : 0.0;
}

// One family: raw p of each member, in order, replaced by adjusted ones.
class Family {
 public:
  void add(std::optional<double> p, std::optional<double>* adjusted) {
    raw_.push_back(p);
    targets_.push_back(adjusted);
  }
  /// `elsewhere` more members, of which only the number is known, count as p = 1. Returns the
  /// number of tested members, these too.
  std::uint32_t correct(stats::Correction correction, std::size_t elsewhere = 0) {
    raw_.resize(raw_.size() + elsewhere, 1.0);
    const std::vector<std::optional<double>> adjusted = stats::adjusted(raw_, correction);
    std::uint32_t tested = 0;
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      if (i < targets_.size()) *targets_[i] = adjusted[i];
      tested += adjusted[i].has_value();
    }
    return tested;
  }
  [[nodiscard]] std::size_t tested() const {
    return static_cast<std::size_t>(
        std::count_if(raw_.begin(), raw_.end(), [](const auto& p) { return p.has_value(); }));
  }

 private:
  std::vector<std::optional<double>> raw_;
  std::vector<std::optional<double>*> targets_;
};

// Corrects gap and widening of all comparisons under one treatment.
void correct_scores(std::vector<ScoreEvidence>& scores, const AuditSettings& settings) {
  Family gaps, widenings;
  for (ScoreEvidence& score : scores) {
    gaps.add(score.gap_p, &score.gap_p_adjusted);
    widenings.add(score.widening_p, &score.widening_p_adjusted);
  }
  gaps.correct(settings.correction, settings.comparisons_elsewhere);
  widenings.correct(settings.correction, settings.comparisons_elsewhere);
}

std::vector<Verdict> verdicts_under(const std::vector<Comparison>& comparisons,
                                    const ScoreTreatment& treatment,
                                    const AuditSettings& settings) {
  std::vector<ScoreEvidence> scores;
  scores.reserve(comparisons.size());
  for (const Comparison& each : comparisons) {
    ArmPair pair = each.pair;
    if (treatment.vanished != VanishedAs::left_out) {
      // A task all of whose trials vanished in an arm counts here.
      pair.tasks = pair_tasks(*pair.ref, *pair.arm, TasksPaired::known);
    }
    scores.push_back(ScoreComparison(pair, treatment).evidence(settings));
  }
  correct_scores(scores, settings);
  std::vector<Verdict> verdicts;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    verdicts.push_back(decide(scores[i], comparisons[i].channels, settings.alpha));
  }
  return verdicts;
}

const ArmFindings* find_arm(const CellFindings& cell, const std::string& name) {
  const auto found = std::find_if(cell.arms.begin(), cell.arms.end(),
                                  [&](const ArmFindings& arm) { return arm.arm == name; });
  return found == cell.arms.end() ? nullptr : &*found;
}

// A channel that is quiet by its ratio limits the ratio; one that is quiet because it is rare
// limits the difference: at one error against none every ratio is open, and none matters to a
// budget.
void limits_of_clean(ComparisonFindings& findings, const AuditSettings& settings) {
  const auto raise = [](std::optional<double>& limit, const std::optional<double>& high) {
    if (high && (!limit || *high > *limit)) limit = high;
  };
  for (const AmplificationFindings& channel : findings.amplification) {
    if (!channel.in_family || channel.errors_arm + channel.errors_ref == 0) continue;
    if (channel.ratio_upper && *channel.ratio_upper < settings.amplified_ratio) {
      raise(findings.largest_ratio_not_excluded, channel.ratio.high);
    } else {
      raise(findings.largest_difference_not_excluded,
            channel.difference.high ? channel.difference.high : channel.rate_upper);
    }
  }
  for (const GapPoint& point : findings.gap)
    raise(findings.largest_gap_not_excluded, point.gap.figure.high);
}

// Verdict, suffix and texts of one comparison whose p-values are corrected.
void settle(Comparison& comparison, const AuditSettings& settings) {
  ComparisonFindings& findings = comparison.findings;
  findings.verdict = decide(comparison.score, comparison.channels, settings.alpha);
  findings.suffix = suffix_of(findings.verdict, comparison.score, settings.alpha);
}

void describe(Comparison& comparison, const AuditSettings& settings) {
  ComparisonFindings& findings = comparison.findings;
  if (findings.verdict == Verdict::clean) limits_of_clean(findings, settings);
  if (findings.verdict == Verdict::inconclusive) {
    std::vector<OpenCondition> open = open_conditions(findings, comparison.score, settings);
    findings.open.insert(findings.open.end(), std::make_move_iterator(open.begin()),
                         std::make_move_iterator(open.end()));
  }
  findings.sentence = verdict_sentence(findings);
  findings.reasons = verdict_reasons(findings, settings);
}

// Verdicts with all vanished trials failed and all passed; they must agree where many vanished.
void apply_vanished_bounds(std::vector<Comparison>& comparisons,
                           const std::vector<CellFindings>& cells, const AuditSettings& settings) {
  const bool any = std::any_of(cells.begin(), cells.end(), [](const CellFindings& cell) {
    return std::any_of(cell.arms.begin(), cell.arms.end(),
                       [](const ArmFindings& arm) { return arm.vanished() > 0; });
  });
  if (!any) return;
  const std::vector<Verdict> failed =
      verdicts_under(comparisons, {.vanished = VanishedAs::failed}, settings);
  const std::vector<Verdict> passed =
      verdicts_under(comparisons, {.end = BandEnd::high, .vanished = VanishedAs::passed}, settings);
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    ComparisonFindings& findings = comparisons[i].findings;
    const CellFindings& cell = cells[comparisons[i].cell];
    const double ref = vanished_share(*find_arm(cell, cell.reference));
    const double arm = vanished_share(*find_arm(cell, findings.arm));
    if (ref == 0.0 && arm == 0.0) continue;
    findings.verdict_vanished_failed = failed[i];
    findings.verdict_vanished_passed = passed[i];
    findings.bounds_apply =
        std::max(ref, arm) > kVanishedShare || std::abs(ref - arm) > kVanishedShare;
    if (!findings.bounds_apply) continue;
    if (failed[i] == findings.verdict && passed[i] == findings.verdict) continue;
    findings.open.push_back({.sentence = "the verdict (" + std::string(name_of(findings.verdict)) +
                                         ") does not hold with vanished trials all failed (" +
                                         std::string(name_of(failed[i])) + ") and all passed (" +
                                         std::string(name_of(passed[i])) + ")",
                             .tasks_needed = {}});
    findings.verdict = Verdict::inconclusive;
    findings.suffix = ScoreSuffix::none;
  }
}

void apply_sensitivity(std::vector<Comparison>& comparisons, const AuditSettings& settings) {
  for (const BudgetSemantics& semantics : all_budget_semantics()) {
    const std::vector<Verdict> lower =
        verdicts_under(comparisons, {.semantics = semantics, .end = BandEnd::low}, settings);
    const std::vector<Verdict> upper =
        verdicts_under(comparisons, {.semantics = semantics, .end = BandEnd::high}, settings);
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      comparisons[i].findings.sensitivity.push_back({.semantics = semantics,
                                                     .decided = lower[i] == upper[i],
                                                     .lower = lower[i],
                                                     .upper = upper[i]});
    }
  }
}

class Study {
 public:
  Study(const std::vector<CellInput>& cells, const AuditSettings& settings,
        const AuditProgress& progress)
      : cells_(cells), settings_(settings), progress_(progress) {
    for (const CellInput& cell : cells) steps_ += 2 * cell.arms.size();
    steps_ += 1;
  }

  std::optional<AuditFindings> run() {
    findings_.settings = settings_;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!add_cell(i)) return std::nullopt;
    }
    correct_families();
    for (Comparison& comparison : comparisons_) settle(comparison, settings_);
    apply_vanished_bounds(comparisons_, findings_.cells, settings_);
    if (settings_.sensitivity) apply_sensitivity(comparisons_, settings_);
    for (Comparison& comparison : comparisons_) {
      describe(comparison, settings_);
      findings_.cells[comparison.cell].comparisons.push_back(std::move(comparison.findings));
    }
    const StudyFindings families = findings_.study;
    findings_.study = study_findings(findings_.cells, settings_);
    findings_.study.family_scores = families.family_scores;
    findings_.study.family_widening = families.family_widening;
    findings_.study.family_amplification = families.family_amplification;
    if (!step()) return std::nullopt;
    return std::move(findings_);
  }

 private:
  bool step() { return !progress_ || progress_(++done_, steps_); }

  bool add_cell(std::size_t index) {
    const CellInput& input = cells_[index];
    CellFindings& cell = findings_.cells.emplace_back();
    cell.info = input.info;
    cell.reference = input.reference;
    const ArmFacts* reference = nullptr;
    const ArmFacts* null_arm = nullptr;
    for (const ArmInput& arm : input.arms) {
      cell.arms.push_back(arm_findings(arm.facts, settings_, stream_++));
      cell.arms.back().reference = arm.facts.name == input.reference;
      if (cell.arms.back().reference) reference = &arm.facts;
      if (arm.role == ArmRole::null) null_arm = &arm.facts;
      if (!step()) return false;
    }
    cell.single_turn =
        single_turn_findings(input.single_turn, input.reference, settings_, single_turn_stream_);
    single_turn_stream_ += input.single_turn.size();
    if (reference == nullptr) return true;
    for (const ArmInput& arm : input.arms) {
      if (&arm.facts != reference && arm.role == ArmRole::compared)
        add_comparison(*reference, arm.facts, index);
      if (arm.role == ArmRole::repaired) add_repair(*reference, arm, input, index);
      if (!step()) return false;
    }
    if (settings_.details) cell.screen = screen::screen_arm(*reference, screen_settings(settings_));
    if (settings_.details) cell.null = noise_floor(*reference, null_arm, settings_, stream_++);
    return true;
  }

  void add_comparison(const ArmFacts& reference, const ArmFacts& arm, std::size_t cell) {
    Comparison& comparison = comparisons_.emplace_back();
    comparison.pair = pair_arms(reference, arm, settings_, stream_++);
    comparison.cell = cell;
    ComparisonFindings& findings = comparison.findings;
    findings.arm = arm.name;
    compare_scores(comparison.pair, settings_, findings);
    comparison.score = ScoreComparison(comparison.pair, {}).evidence(settings_);
    findings.amplification = compare_channels(comparison.pair, settings_);
    findings.not_equal = identity_differences(reference, arm);
    if (!settings_.details) return;
    findings.attribution = attribute(comparison.pair);
    findings.consequence = compare_consequences(comparison.pair, settings_);
    findings.foretold = validate_screen(comparison.pair, settings_);
    findings.failure_sets = compare_failure_sets(comparison.pair, settings_);
    findings.differences = compare_recovery(comparison.pair);
    std::vector<RateDifference> lengths =
        length_differences(reference, arm, comparison.pair.tasks, settings_, comparison.pair.index);
    std::move(lengths.begin(), lengths.end(), std::back_inserter(findings.differences));
  }

  void add_repair(const ArmFacts& reference, const ArmInput& repaired, const CellInput& input,
                  std::size_t cell) {
    const auto unrepaired =
        std::find_if(input.arms.begin(), input.arms.end(),
                     [&](const ArmInput& arm) { return arm.facts.name == repaired.unrepaired; });
    if (unrepaired == input.arms.end()) return;
    repairs_.push_back(
        {compare_repair(reference, unrepaired->facts, repaired.facts, settings_, stream_++), cell});
    repairs_.back().comparison.findings.mode = repaired.mode;
  }

  void correct_families() {
    Family gaps, widenings, channels, repairs;
    for (Comparison& comparison : comparisons_) {
      gaps.add(comparison.score.gap_p, &comparison.score.gap_p_adjusted);
      widenings.add(comparison.score.widening_p, &comparison.score.widening_p_adjusted);
      for (AmplificationFindings& channel : comparison.findings.amplification) {
        if (channel.in_family) channels.add(channel.p, &channel.p_adjusted);
      }
    }
    const std::size_t elsewhere = settings_.comparisons_elsewhere;
    findings_.study.family_scores = gaps.correct(settings_.correction, elsewhere);
    findings_.study.family_widening = widenings.correct(settings_.correction, elsewhere);
    // A comparison elsewhere tests as many channels as one here does on average.
    const std::size_t here = std::max<std::size_t>(comparisons_.size(), 1);
    const std::size_t channels_elsewhere = (elsewhere * channels.tested() + here - 1) / here;
    findings_.study.family_amplification =
        channels.correct(settings_.correction, channels_elsewhere);
    for (Comparison& comparison : comparisons_) {
      ComparisonFindings& findings = comparison.findings;
      if (!findings.gap.empty())
        findings.gap.back().gap.p_adjusted = comparison.score.gap_p_adjusted;
      if (comparison.score.has_widening && !findings.widening.empty()) {
        findings.widening.front().widening.p_adjusted = comparison.score.widening_p_adjusted;
      }
      comparison.channels = settle_channels(findings.amplification, settings_);
      detectable_in_family(comparison);
    }
    std::vector<std::optional<double>> adjusted(repairs_.size());
    for (std::size_t i = 0; i < repairs_.size(); ++i) {
      repairs.add(repairs_[i].comparison.effect.gain.test.p, &adjusted[i]);
    }
    repairs.correct(settings_.correction);
    for (std::size_t i = 0; i < repairs_.size(); ++i) {
      settle_repair(repairs_[i].comparison, adjusted[i], settings_);
      findings_.cells[repairs_[i].cell].repairs.push_back(
          std::move(repairs_[i].comparison.findings));
    }
  }

  // The smallest effects that survive the correction: alpha shared among the family.
  void detectable_in_family(Comparison& comparison) const {
    ComparisonFindings& findings = comparison.findings;
    const auto at_family = [&](std::optional<double> at_alpha,
                               std::uint32_t family) -> std::optional<double> {
      if (!at_alpha || family == 0) return std::nullopt;
      // Both are SE times a factor of alpha alone.
      const auto unit =
          stats::smallest_detectable(1.0, comparison.pair.tasks.size(), settings_.alpha);
      const auto shared =
          stats::smallest_detectable(1.0, comparison.pair.tasks.size(), settings_.alpha / family);
      if (!unit || !shared) return std::nullopt;
      return *at_alpha * *shared / *unit;
    };
    findings.detectable_gap_family =
        at_family(findings.detectable_gap, findings_.study.family_scores);
    findings.detectable_widening_family =
        at_family(findings.detectable_widening, findings_.study.family_widening);
  }

  struct Repair {
    RepairComparison comparison;
    std::size_t cell = 0;
  };

  const std::vector<CellInput>& cells_;
  const AuditSettings& settings_;
  const AuditProgress& progress_;
  std::size_t steps_ = 0, done_ = 0;
  std::uint64_t stream_ = 0;
  // Apart, so that the loop's figures are the same with and without first calls.
  std::uint64_t single_turn_stream_ = std::uint64_t{1} << 32U;
  AuditFindings findings_;
  std::vector<Comparison> comparisons_;
  std::vector<Repair> repairs_;
};

}  // namespace

std::optional<AuditFindings> audit_study(const std::vector<CellInput>& cells,
                                         const AuditSettings& settings,
                                         const AuditProgress& progress) {
  return Study(cells, settings, progress).run();
}

}  // namespace unmask
