#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/scored_decision.h"
#include "unmask/margins/margin.h"
#include "unmask/stats/figure.h"

/// What paired replay shows of margins (STATISTICS, "Margins"): values only, in the order in which
/// they are printed. Margins are in nats. Intervals are 95 %, clustered by task. What can't be had
/// is empty, with a reason.
namespace unmask::margins {

using stats::Figure;

/// Amplification that an audit of the arms' own logs has found, to stand beside the predicted one.
struct LoggedAmplification {
  std::string arm;
  DecisionKind kind = DecisionKind::tool_name;
  std::string provenance;  ///< empty: of the whole kind
  Figure ratio;            ///< of errors a call, arm over reference

  bool operator==(const LoggedAmplification&) const = default;
};

struct MarginSettings {
  std::size_t folds = 5;    ///< groups of tasks of cross-fitted predictions; at least 2
  std::size_t listed = 20;  ///< decisions and names that are listed as carrying the damage
  std::vector<LoggedAmplification> logged;

  bool operator==(const MarginSettings&) const = default;
};

/// Decisions without a margin in both arms, by reason: `one_sided` (no admissible or no
/// inadmissible option), `bound` (the best of a side is only known not to exceed something),
/// `not_finite`, `not_scored`, or an ArmScores::fault. Each decision is counted once, with the
/// reference if the reason is already there.
struct LeftOut {
  std::string reason;
  std::uint32_t reference = 0, arm = 0;

  bool operator==(const LeftOut&) const = default;
};

/// A decision with its margins in both arms.
struct MarginPoint {
  std::uint32_t decision = 0;  ///< index into ScoredDecisions::decisions
  double reference = 0.0, arm = 0.0;

  /// Good in one arm and not in the other.
  [[nodiscard]] bool flipped() const { return (reference > 0) != (arm > 0); }

  bool operator==(const MarginPoint&) const = default;
};

/// Counts of decisions; good = margin above 0, so that a tie is bad.
struct FlipMatrix {
  std::uint32_t good_good = 0;  ///< good in both
  std::uint32_t good_bad = 0;   ///< good in the reference, bad in the arm
  std::uint32_t bad_good = 0, bad_bad = 0;

  bool operator==(const FlipMatrix&) const = default;
};

/// e = m_arm - m_ref where the reference's margin is within the window.
struct NoiseFindings {
  std::optional<double> window;  ///< w = 2 SD(e) over all decisions
  std::uint32_t inside = 0;      ///< decisions with |m_ref| <= w
  Figure bias;                   ///< b, mean of e
  Figure sigma;                  ///< s, SD of e
  Figure slope;                  ///< of e on m_ref; negative = regression to the mean

  bool operator==(const NoiseFindings&) const = default;
};

/// Share of the good (or of the bad) decisions of the reference that flip.
struct FlipFindings {
  std::uint32_t decisions = 0;  ///< good (bad) ones of the reference
  std::uint32_t flipped = 0;
  Figure observed;
  Figure normal;      ///< predicted from b and s of the other tasks
  Figure empirical;   ///< predicted from the errors e of the other tasks as they are
  Figure difference;  ///< observed less `normal`

  bool operator==(const FlipFindings&) const = default;
};

/// A tenth of the decisions, by m_ref.
struct CalibrationBin {
  double low = 0.0, high = 0.0;  ///< least and greatest m_ref
  double mean = 0.0;             ///< of m_ref
  std::uint32_t decisions = 0, flipped = 0;
  std::optional<double> predicted;  ///< mean predicted probability of a flip
  Figure observed;                  ///< share that flipped

  bool operator==(const CalibrationBin&) const = default;
};

struct Calibration {
  std::vector<CalibrationBin> bins;  ///< upwards; none with a reason
  std::string reason;

  bool operator==(const Calibration&) const = default;
};

/// Decisions with m_ref in (low, high], by what became of them. The outermost bins hold all beyond.
struct HistogramBin {
  double low = 0.0, high = 0.0;
  FlipMatrix outcomes;

  bool operator==(const HistogramBin&) const = default;
};

/// Probability of inadmissible options at a temperature, over decisions that have it in both arms.
struct MassFindings {
  double temperature = 1.0;
  std::uint32_t decisions = 0;
  Figure reference, arm;  ///< mean probability
  Figure amplification;   ///< arm's mean over the reference's: predicted

  bool operator==(const MassFindings&) const = default;
};

/// Decisions whose likeliest option is inadmissible.
struct TopChoiceFindings {
  std::uint32_t decisions = 0;
  std::uint32_t reference = 0, arm = 0;  ///< with an inadmissible one on top
  Figure amplification;                  ///< arm over reference: observed at temperature 0
  Figure logged;                         ///< of the arms' own logs, where the caller has given it

  bool operator==(const TopChoiceFindings&) const = default;
};

/// Does the margin say which decisions flip where KL divergence at the same places does not?
/// Thinness is -|m_ref|, known before there is an arm; divergence needs the arm.
struct SideTest {
  std::uint32_t decisions = 0;  ///< with margins and divergence
  std::uint32_t flipped = 0;
  Figure auc_thinness, auc_divergence;    ///< probability that a flip ranks above a decision kept
  Figure auc_difference;                  ///< thinness less divergence
  std::uint32_t with_mass = 0;            ///< of `decisions`, with inadmissible mass at T = 1
  Figure rank_thinness, rank_divergence;  ///< Spearman with the rise in inadmissible mass

  bool operator==(const SideTest&) const = default;
};

/// What decisions are taken together.
enum class GroupBy : std::uint8_t {
  kind,        ///< DecisionKind's word
  provenance,  ///< of the reference's likeliest inadmissible name, among tool_name decisions
};

/// One group of decisions, under one arm.
struct MarginGroup {
  GroupBy by = GroupBy::kind;
  std::string name;  ///< `tool_name`; `wrong_owner`, `not_known`
  MarginSide side = MarginSide::admissible;
  std::uint32_t decisions = 0;  ///< in the group
  std::uint32_t tasks = 0;      ///< of the decisions that have margins
  std::vector<LeftOut> left_out;
  std::vector<MarginPoint> points;  ///< decisions with margins in both arms, in their order
  NoiseFindings noise;
  Figure thin_share;  ///< share with |m_ref| < 2 s
  FlipMatrix matrix;
  FlipFindings good, bad;
  Calibration calibration;
  std::vector<HistogramBin> histogram;
  std::vector<MassFindings> mass;  ///< upwards by temperature; none for side golden
  TopChoiceFindings top;           ///< all 0 for side golden
  SideTest side_test;

  bool operator==(const MarginGroup&) const = default;
};

/// A decision that carries damage: its inadmissible mass at T = 1 rises most, or it flips.
struct CarrierDecision {
  std::uint32_t decision = 0;  ///< index into ScoredDecisions::decisions
  std::string task_id;
  int trial = 0;
  std::uint32_t message = 0, call = 0;
  Party party = Party::agent;
  DecisionKind kind = DecisionKind::tool_name;
  std::string argument;
  std::string admissible;              ///< the reference's likeliest admissible option
  std::string inadmissible;            ///< the arm's likeliest inadmissible option
  std::string provenance;              ///< of the latter
  std::optional<double> m_ref, m_arm;  ///< with which it flips or not
  std::optional<double> mass_ref, mass_arm;
  bool flipped = false;  ///< from good to bad

  bool operator==(const CarrierDecision&) const = default;
};

/// An inadmissible name (or value) over all decisions where it could be chosen.
struct CarrierName {
  DecisionKind kind = DecisionKind::tool_name;
  std::string name, provenance;
  std::uint32_t decisions = 0;   ///< with its probability in both arms
  double rise = 0.0;             ///< sum over them of its probability at T = 1, arm less reference
  std::uint32_t flipped_to = 0;  ///< decisions that flipped to it

  bool operator==(const CarrierName&) const = default;
};

struct Carriers {
  std::vector<CarrierDecision> decisions;  ///< by rise in mass, then flips without one
  std::vector<CarrierName> names;          ///< by rise
  double rise = 0.0;                       ///< sum over all decisions whose inadmissible mass rises
  double listed_rise = 0.0;                ///< of those listed

  bool operator==(const Carriers&) const = default;
};

/// An arm against the reference.
struct MarginComparison {
  ScoredArm arm;
  /// The arm has the reference's model name, precision and bits: what flips here is the noise floor
  /// of replay.
  bool control = false;
  std::vector<MarginGroup> groups;  ///< by kind, the golden side after the admissible; provenances
  Carriers carriers;

  [[nodiscard]] const MarginGroup* group(GroupBy by, std::string_view name,
                                         MarginSide side = MarginSide::admissible) const;
  bool operator==(const MarginComparison&) const = default;
};

struct MarginFindings {
  MarginSettings settings;
  ScoredArm reference;
  std::uint32_t decisions = 0, tasks = 0, episodes = 0;
  std::vector<MarginComparison> comparisons;  ///< in the order of the arms
  std::string reason;  ///< why there are none: no decision, no arm beside the reference

  bool operator==(const MarginFindings&) const = default;
};

}  // namespace unmask::margins
