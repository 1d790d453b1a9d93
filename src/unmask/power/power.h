#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/settings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/error.h"
#include "unmask/power/reference_process.h"
#include "unmask/power/replicates.h"
#include "unmask/stats/interval.h"
#include "unmask/synthetic/process.h"

namespace unmask::power {

/// Numbers of tasks and of trials a task, in each arm.
struct Design {
  int tasks = 0;
  int trials = 0;

  [[nodiscard]] std::int64_t episodes() const { return std::int64_t{tasks} * trials; }
  bool operator==(const Design&) const = default;
};

/// What an arm is asked to show.
struct Effect {
  enum class Kind : std::uint8_t {
    amplification,  ///< `size` times the reference's errors an episode, > 0; 1 = no effect
    widening,       ///< W(first budget) of `size`, a fraction > 0
  };
  Kind kind = Kind::amplification;
  double size = 1.0;

  bool operator==(const Effect&) const = default;
};
[[nodiscard]] std::string_view name_of(Effect::Kind kind);

/// How many tasks and trials does it take to see an effect?
struct PowerQuestion {
  /// How episodes come about; its numbers of tasks and trials are replaced by the designs'.
  synthetic::CellProcess process;
  synthetic::ArmProcess reference;  ///< its slip rate is the base rate
  std::vector<Effect> effects = {{Effect::Kind::amplification, 1.5},
                                 {Effect::Kind::amplification, 2.5}};
  std::vector<int> tasks = {20, 50, 114, 200};  ///< each >= 2
  std::vector<int> trials = {1, 4};             ///< each >= 1
  double target = 0.8;                          ///< power asked for, in (0, 1)
  std::uint32_t replicates = 200;               ///< simulated studies a design and effect
  std::uint32_t comparisons = 1;     ///< arms that the whole study compares: the families' size
  std::uint32_t sign_flips = 9'999;  ///< random sign vectors of a rate test
  AuditSettings audit;               ///< alpha, margin, correction, budgets, thresholds, seed
  unsigned threads = 1;              ///< the answer does not depend on it
  std::vector<std::string> notes;    ///< passed on to the answer
};

/// A question with the simulated study's process of `domain` (`telecom`, `retail`) and a base rate
/// of `errors_per_call` in (0, 1), all channels together. Errors: invalid_argument for an unknown
/// domain or a rate that the process can't reach.
[[nodiscard]] Result<PowerQuestion> power_question(std::string_view domain, double errors_per_call);

/// A question with a process fitted to a reference's log (reference_process.h). Its budget and mix
/// of channels are the log's.
[[nodiscard]] Result<PowerQuestion> power_question(const ArmFacts& reference);

/// Sets the base rate of `question` to `errors_per_call`. Errors: invalid_argument.
[[nodiscard]] Result<PowerQuestion> with_base_rate(PowerQuestion question, double errors_per_call);

/// How often something was found: a share of the simulated studies and its Monte Carlo standard
/// error.
struct Power {
  double share = 0.0;
  double standard_error = 0.0;

  bool operator==(const Power&) const = default;
};

/// 95 % Wilson interval of the true share, from `studies` simulated ones: what 0 or all of them
/// still leave open, too.
[[nodiscard]] stats::Interval interval_of(const Power& power, std::uint32_t studies);

/// What audits of one design find of one effect.
struct DesignPower {
  Design design;
  Power amplified;   ///< some channel amplified: tested, significant, ratio >= 1.25
  Power widened;     ///< W(first budget) > 0 significant
  Power damaged;     ///< verdict visible, masked, amplified or budget-sensitive
  Power equivalent;  ///< scores equivalent at K_obs
  std::array<Power, kVerdictCount> verdicts;  ///< by Verdict

  [[nodiscard]] const Power& verdict(Verdict which) const {
    return verdicts[static_cast<std::size_t>(which)];
  }
  bool operator==(const DesignPower&) const = default;
};

/// Averages of an arm's process: what a study of endless size would find.
struct ArmTruth {
  double errors_per_call = 0.0;
  double errors_per_episode = 0.0;
  double score_first = 0.0;  ///< S(first budget)
  double score_last = 0.0;   ///< S(K_obs)

  bool operator==(const ArmTruth&) const = default;
};

/// The smallest designs of the grid, by episodes and then by tasks, whose power reaches the target;
/// empty where none does.
struct SmallestDesigns {
  std::optional<Design> amplified, widened, masked;
  std::optional<Design> clean;  ///< meaningful where there is no effect

  bool operator==(const SmallestDesigns&) const = default;
};

struct EffectPower {
  Effect effect;
  ArmTruth truth;
  double amplification = 1.0;  ///< true ratio of errors an episode
  double gap = 0.0;            ///< true D(K_obs), a fraction
  double widening = 0.0;       ///< true W(first budget), a fraction
  std::vector<DesignPower> designs;
  SmallestDesigns smallest;

  bool operator==(const EffectPower&) const = default;
};

struct PowerAnswer {
  PowerQuestion question;
  ArmTruth reference;
  int first_budget = 2;
  int last_budget = 10;
  EffectPower none;  ///< an arm that is the reference again: false alarms, and `clean`
  std::vector<EffectPower> effects;
};

/// Simulates pairs of arms for each effect and design, audits each as a real study and counts what
/// is found; an arm without effect beside them. Deterministic in the question, whatever the number
/// of threads. Errors: invalid_argument for an empty or senseless question or an effect that the
/// budget leaves no room for (names the largest that can be had), interrupted if `progress` asked
/// to stop.
[[nodiscard]] Result<PowerAnswer> power(const PowerQuestion& question,
                                        const Progress& progress = {});

}  // namespace unmask::power
