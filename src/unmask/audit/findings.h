#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/first_call.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/validation.h"
#include "unmask/stats/failure_set.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/repair_effect.h"

/// The result of an audit: values only, in the order in which they are printed.
/// Shares, rates and gaps are fractions here; printing turns gaps into points.
namespace unmask {

using stats::Figure;

/// Rates of one channel (or one kind of it, or a roll-up) in one arm; agent's calls only.
struct ChannelFindings {
  std::string name;  ///< `tool_name`, `tool_name:wrong_owner`, `entity_argument`
  std::uint64_t errors = 0;
  Figure per_call;             ///< errors a call: the share of the agent's calls
  Figure per_episode;          ///< errors an episode: what the budget feels
  Figure per_successful_call;  ///< errors a call that did not fail
  std::uint32_t episodes_with = 0;
  Figure episodes_with_share;
  std::uint32_t tasks_with = 0;
  bool few_clusters = false;  ///< true coverage of the intervals may be below 90 %
};

struct ScorePoint {
  int k = 0;
  Figure score;                        ///< mean over tasks
  std::optional<double> episode_mean;  ///< as benchmarks print it
  std::optional<double> lower, upper;  ///< where episodes' outcome at k is not known
  std::optional<double> excluded_failed,
      excluded_passed;  ///< with vanished trials as failures, as successes
};

/// pass^k for k = 1.. at one budget.
struct PassPowers {
  int budget = 0;
  std::vector<Figure> pass;  ///< [0] is pass^1
};

struct RecoveryShare {
  std::uint64_t recovered = 0;
  std::uint64_t followed = 0;  ///< denominator
  Figure share;
};

struct RecoveryFindings {
  RecoveryShare next_call, run, episode, repeat;
};

struct NameCount {
  std::string name;
  std::uint64_t count = 0;
  std::string provenance;  ///< kind of the tool_name channel
};

/// Distribution of a length or cost over episodes.
struct LengthFindings {
  std::string
      name;  ///< `messages`, `turns`, `tool_calls`, `errors`, `tokens`, `seconds`, `cost_usd`
  std::uint64_t episodes = 0;  ///< that have it
  Figure mean, median, p90;
};

/// What decided why failed calls failed; counts of the agent's.
struct EvidenceFindings {
  std::uint64_t stated = 0, structure = 0, reexecution = 0, error_text = 0, none = 0;
  bool asked_world = false;  ///< calls were to be executed again
  /// Failed calls that the world answers otherwise, which is no evidence.
  std::uint64_t differing = 0;
};

/// The consequence budget of an arm: an episode fails at its first successful write outside its
/// task's golden actions (docs/budget.md).
struct ConsequenceFindings {
  std::string reason;          ///< why there are no figures; empty if there are
  std::uint32_t episodes = 0;  ///< observations whose writes are known
  std::uint32_t no_world = 0, not_possible = 0, no_golden_actions = 0;  ///< those whose are not
  std::uint32_t episodes_with = 0;                                      ///< with such a write
  std::uint32_t solved_with = 0;    ///< of these, solved all the same
  std::uint64_t writes = 0;         ///< all of them
  Figure share;                     ///< episodes_with of `episodes`
  Figure first_call;                ///< mean number, from 1, of the call that is the first one
  Figure first_message;             ///< mean number, from 0, of its message
  int k = 0;                        ///< budget of the scores: K_obs
  Figure score, score_consequence;  ///< S(k) of `episodes`, and with those that have one failed
};

/// A score with the intercepted calls left out, as the budget saw it, and counted.
struct InterceptedScore {
  int k = 0;
  Figure score, score_counted;
};

/// Calls that a repair held back before they were executed (mode `intercept`): wrong by themselves,
/// and no failed calls of the arm.
struct InterceptedFindings {
  std::uint64_t calls = 0;
  std::array<std::uint64_t, kChannelCount> by_channel{};  ///< by Channel
  std::uint32_t episodes_with = 0;
  Figure per_episode;
  std::vector<InterceptedScore> scores;  ///< k = 1 .. K_obs, or .. shown_budget
};

struct ArmFindings {
  std::string arm;
  bool reference = false;
  ArmIdentity identity;
  Harness harness;
  BudgetRegime budget;
  std::vector<std::string> reward_basis;
  std::uint32_t tasks = 0;       ///< with an observation
  std::uint32_t lost_tasks = 0;  ///< with episodes, none of which is an observation
  std::uint32_t episodes = 0;    ///< observations
  std::uint32_t excluded_infrastructure = 0;
  std::uint32_t excluded_no_reward = 0;
  std::uint32_t missing_trials = 0;  ///< promised by the log and not recorded
  std::uint32_t stopped_by_budget = 0;
  std::uint32_t contradictions = 0;  ///< solved with more errors than the budget allows
  std::uint64_t agent_calls = 0, user_calls = 0, agent_failed = 0, user_failed = 0;
  std::uint64_t communication_errors = 0;
  std::uint64_t infrastructure_errors =
      0;                                  ///< failed calls of channel infrastructure, both parties
  Figure failed_per_call;                 ///< agent's failed calls a call
  std::vector<ChannelFindings> channels;  ///< the six, then the roll-ups
  std::vector<ChannelFindings> kinds;     ///< `channel:kind`, by channel, then by count
  std::vector<ScorePoint> score;          ///< k = 1 .. K_obs, or .. shown_budget
  std::vector<PassPowers> pass;
  RecoveryFindings recovery;
  std::vector<NameCount> hallucinated;  ///< by count
  std::vector<LengthFindings> lengths;
  EvidenceFindings evidence;
  ConsequenceFindings consequence;
  std::optional<InterceptedFindings> intercepted;  ///< nullopt: the log does not record any
  std::vector<std::uint32_t> inputs;

  /// Trials that are no observation: infrastructure, no reward, or missing.
  [[nodiscard]] std::uint32_t vanished() const {
    return excluded_infrastructure + excluded_no_reward + missing_trials;
  }
  [[nodiscard]] const ChannelFindings* channel(std::string_view name) const;
};

/// A tested figure: estimate with interval, raw and adjusted p.
struct TestedFigure {
  Figure figure;
  std::optional<double> p, p_adjusted;
};

/// Budget k ends the episode at its k-th counted error; the paper's "k errors allowed" is point
/// k+1.
struct GapPoint {
  int k = 0;
  TestedFigure gap;  ///< reference minus arm; positive = the arm is worse
};

struct WideningPoint {
  int k = 0;
  TestedFigure widening;  ///< D(k) - D(K_obs)
};

struct AmplificationFindings {
  std::string channel;
  std::uint64_t errors_ref = 0, errors_arm = 0;  ///< on shared tasks
  Figure ratio;                                  ///< of errors an episode
  std::optional<double> plain_ratio;             ///< without any claim about its error
  Figure per_call, per_successful_call;
  Figure difference;                       ///< of errors a call; stands in where there is no ratio
  std::optional<double> ratio_upper;       ///< one-sided 95 % bound
  std::optional<double> rate_upper;        ///< of the arm's errors a call, one-sided 95 %
  std::optional<double> difference_upper;  ///< of the difference a call, one-sided 95 %
  std::optional<double> zero_upper;        ///< for a count of zero: bound of errors a call
  std::uint32_t tasks_with = 0;            ///< shared tasks with an error in either arm
  bool tested = false;
  bool in_family = false;  ///< roll-ups are shown, not tested in the family
  std::string reason;      ///< why not tested, or why no ratio
  std::optional<double> p, p_adjusted;
  bool amplified = false;
  bool quiet = false;
  bool rising = false;  ///< tested, more errors than the reference, unadjusted p below alpha
  bool longer_not_worse = false;  ///< an episode's ratio is amplified, a successful call's is not
  std::optional<double>
      detectable_ratio;  ///< smallest ratio that this design finds with power 80 %
};

struct AttributionPoint {
  int k = 0;
  Figure ref, arm;    ///< score gained if the channel's errors did not count; low/high = band
  Figure difference;  ///< arm minus reference: upper bound of what repairing the channel can win
};

struct Attribution {
  std::string channel;
  std::vector<AttributionPoint> points;
};

struct EquivalencePoint {
  int k = 0;
  std::optional<double> p, p_lower, p_upper;
  bool equivalent = false;
  bool non_inferior = false;
  std::uint32_t differing = 0;  ///< tasks whose score is not the same in both arms
  bool counted = false;         ///< too few of them for t-tests: each counted as a whole task
  std::optional<std::size_t> tasks_needed;  ///< counted: see stats::guarded_tasks_needed
};

struct FailureSetFindings {
  std::string channel;
  std::string reason;  ///< why the figures below can't be had
  std::uint64_t names = 0;
  std::optional<double> spearman, kendall, ceiling_median, ceiling_low;
  std::optional<double> novel_share, novel_expected, novel_rarefied;
  Figure excess;
  stats::FailureSetOutcome outcome = stats::FailureSetOutcome::too_few_errors;
  std::optional<double> shape, shape_p, total_variation, jensen_shannon;
  bool one_trial = false;  ///< Good-Turing overstates
};

/// A condition that kept an arm from a firmer verdict, and how many tasks would settle it.
struct OpenCondition {
  std::string sentence;
  std::optional<double> tasks_needed;  ///< more than there are
};

struct SemanticsVerdict {
  BudgetSemantics semantics;
  bool decided = false;  ///< the same verdict at both ends of the band
  Verdict lower = Verdict::inconclusive, upper = Verdict::inconclusive;
};

/// Two arms under the consequence budget, on tasks with episodes in both whose writes are known.
struct ConsequenceGap {
  std::string reason;  ///< why there are no figures; empty if there are
  int k = 0;
  std::uint32_t shared_tasks = 0;
  TestedFigure gap, gap_consequence;  ///< D(k) without it and with it; in no family of tests
};

struct RateDifference {
  std::string name;  ///< `next_call_recovery`, `messages` ...
  Figure difference, ratio;
};

struct ComparisonFindings {
  std::string arm;
  Verdict verdict = Verdict::inconclusive;
  ScoreSuffix suffix = ScoreSuffix::none;
  std::string sentence;
  std::vector<std::string> reasons;
  std::vector<OpenCondition> open;
  int k_obs = 10;         ///< budget of the comparison
  bool censored = false;  ///< k_obs was enforced
  std::uint32_t shared_tasks = 0, left_out_tasks = 0;
  std::vector<GapPoint> gap;  ///< k = 1 .. k_obs
  std::vector<WideningPoint> widening;
  std::optional<double> gap_ratio;  ///< D(first budget) / D(k_obs); null where D(k_obs) may be 0
  Figure area;                      ///< mean gap over k
  std::vector<AmplificationFindings> amplification;
  std::vector<Attribution> attribution;
  std::vector<EquivalencePoint> equivalence;
  std::vector<FailureSetFindings> failure_sets;
  std::vector<RateDifference> differences;
  ConsequenceGap consequence;
  std::optional<double> detectable_gap, detectable_widening;  ///< at alpha
  std::optional<double> detectable_gap_family,
      detectable_widening_family;  ///< at alpha / family size
  bool bounds_apply = false;  ///< so many trials vanished that the verdict had to hold under bounds
  std::optional<Verdict> verdict_vanished_failed, verdict_vanished_passed;
  std::vector<SemanticsVerdict> sensitivity;
  /// For clean: the largest ratio of the channels that are quiet by their ratio, the largest rise
  /// in errors a call of the rare ones, and the largest gap at any budget, each by its 95 %
  /// interval.
  std::optional<double> largest_ratio_not_excluded, largest_difference_not_excluded,
      largest_gap_not_excluded;
  std::vector<std::string> not_equal;  ///< what differs between the arms besides precision
  /// What the reference's what-if curves foretold of this arm; empty without settings.details.
  std::optional<screen::Validation> foretold = std::nullopt;

  [[nodiscard]] const AmplificationFindings* channel(std::string_view name) const;
  [[nodiscard]] const GapPoint* gap_at(int k) const;
  [[nodiscard]] const WideningPoint* widening_at(int k) const;
  [[nodiscard]] const EquivalencePoint* equivalence_at(int k) const;
};

/// A repaired arm against its own unrepaired arm.
struct RepairFindings {
  std::string arm, unrepaired, mode;
  stats::RepairOutcome outcome = stats::RepairOutcome::no_effect_shown;
  std::vector<GapPoint> gap;            ///< unrepaired minus repaired; positive = repair is worse
  std::vector<GapPoint> gap_reference;  ///< reference minus repaired
  Figure recovered_share;               ///< of the gap at k_obs that the repair wins back
  std::optional<double> harm_bound;     ///< one-sided 95 % bound of the score lost at k_obs
  std::vector<AmplificationFindings> amplification;  ///< repaired against unrepaired
  Figure extra_tokens, extra_calls;                  ///< an episode
  std::optional<double> p_adjusted;                  ///< in the family of repairs
  std::optional<InterceptedFindings> intercepted;    ///< of the repaired arm
  /// As `gap`, with the intercepted calls counted as errors; empty where none are recorded.
  std::vector<GapPoint> gap_intercepted_counted;
};

/// The noise floor: the reference against itself.
struct NullFindings {
  bool from_null_arm = false;  ///< else split halves of the reference
  std::string arm;
  std::uint32_t shared_tasks = 0;
  Figure gap;  ///< at k_obs
  std::vector<AmplificationFindings> amplification;
  std::string reason;  ///< why there is none
};

/// First calls at the states where one party's step is due.
struct SingleTurnSteps {
  Party due = Party::agent;  ///< the user's: words are due, which ask for the step
  std::uint32_t tasks = 0;
  std::uint32_t answers = 0;
  std::array<std::uint64_t, kFirstCallCount> calls{};  ///< by FirstCall
  Figure right;                                        ///< mean over tasks
};

/// An arm's first calls at the states of perfect runs.
struct SingleTurnArm {
  std::string arm;
  bool reference = false;
  std::uint32_t tasks = 0;
  std::uint32_t answers = 0;
  std::uint32_t excluded = 0;                          ///< broken off: no observation
  std::array<std::uint64_t, kFirstCallCount> calls{};  ///< by FirstCall
  std::array<std::uint64_t, kChannelCount> failed{};   ///< calls that failed, by Channel
  Figure right;                                        ///< mean over tasks
  Figure failed_share, tool_name_share;                ///< of the answers
  std::vector<SingleTurnSteps> by_due;                 ///< of parties that the log names, in order
};

struct SingleTurnGap {
  Party due = Party::agent;
  std::uint32_t shared_tasks = 0;
  TestedFigure gap;         ///< right answers, reference minus arm; in no family
  bool equivalent = false;  ///< within the margin of scores
};

struct SingleTurnComparison {
  std::string arm;
  std::uint32_t shared_tasks = 0;
  TestedFigure gap;         ///< right answers, reference minus arm; in no family
  bool equivalent = false;  ///< within the margin of scores
  std::vector<AmplificationFindings> amplification;  ///< of errors an answer; in no family
  std::vector<SingleTurnGap> by_due;                 ///< of parties that both logs name, in order
};

/// The single-turn view of a cell; without arms where nobody asked for first calls.
struct SingleTurnFindings {
  std::vector<SingleTurnArm> arms;
  std::vector<SingleTurnComparison> comparisons;
};

/// What a cell is, for findings over cells.
struct CellInfo {
  std::string cell;
  std::string family, architecture, size, domain;
};

struct CellFindings {
  CellInfo info;
  std::string reference;
  std::vector<ArmFindings> arms;
  std::vector<ComparisonFindings> comparisons;
  std::vector<RepairFindings> repairs;
  NullFindings null;
  SingleTurnFindings single_turn;
  /// The reference alone; empty without one and without settings.details.
  std::optional<screen::ArmScreen> screen = std::nullopt;
};

struct Predictor {
  std::string name;  ///< `propensity`, `size`, `dense`
  std::optional<double> spearman, p;
  std::string reason;
};

/// Points lost as foretold by the references' what-if curves, against those that came; of each cell
/// the arm whose solved episodes have the most errors beside the reference's.
struct ForetoldFindings {
  std::string reason;       ///< why there are no figures; empty if there are
  int k = 0;                ///< budget of the points
  std::uint32_t cells = 0;  ///< with a prediction at k
  std::optional<double> spearman, p;
  std::optional<double> mean_error;           ///< mean of observed less predicted
  std::optional<double> mean_absolute_error;  ///< mean of its absolute value
};

struct StudyFindings {
  std::string reason;       ///< `too few cells` where the figures over cells can't be had
  std::uint32_t cells = 0;  ///< with a comparison
  std::optional<double> spearman_amplification_widening, spearman_p;
  std::vector<Predictor> predictors;  ///< of the rise in rate
  ForetoldFindings foretold;
  std::map<std::string, std::map<std::string, std::uint32_t>>
      channel_by_domain;                ///< amplified, by domain
  std::uint32_t equivalent = 0;         ///< of `cells`, all of whose arms are equivalent at K_obs
  std::uint32_t equivalence_tests = 0;  ///< not corrected upward: their number is stated
  std::uint32_t gaps_surviving = 0;     ///< score changes that survive the correction
  std::uint32_t family_scores = 0, family_widening = 0, family_amplification = 0;
};

/// One input file as audited.
struct InputFindings {
  std::string path;
  std::string cell, arm;
  LogHeader header;  ///< without policy, tasks, tools
  BudgetRegime budget;
  std::uint64_t episodes = 0, skipped = 0;
  /// Number of its first file among the files of all inputs, which EpisodeRef::file counts.
  std::uint32_t first_file = 0;
};

struct AuditFindings {
  AuditSettings settings;
  std::vector<InputFindings> inputs;
  std::vector<CellFindings> cells;
  StudyFindings study;
  Diagnostics diagnostics;
};

}  // namespace unmask
