#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/episode/facts.h"
#include "unmask/screen/run_model.h"
#include "unmask/screen/settings.h"
#include "unmask/stats/figure.h"

/// What an arm's own log says about the damage that more errors would do: before quantizing.
/// Shares and scores are fractions.
namespace unmask::screen {

/// The roll-up of wrong arguments and unknown entities: shown, not judged beside its parts.
inline constexpr std::string_view kEntityArgument = "entity_argument";

/// How prone the agent is to a channel of errors.
struct Propensity {
  std::string channel;
  std::uint64_t errors = 0;
  stats::Figure per_call;  ///< share of the agent's calls, Korn-Graubard
  /// One-sided 95 % bound of it. Of a count of zero 1 - 0.05^(1/N_eff) with N_eff = max(n',
  /// N/deff), n' the tasks with calls, N the calls, deff the largest of the arm's channels that
  /// have errors in at least 10 tasks (without any, N_eff = n').
  std::optional<double> upper;
  bool near_zero = false;     ///< `upper` is under the setting
  bool few_clusters = false;  ///< true coverage may be below 90 %

  bool operator==(const Propensity&) const = default;
};

struct LostPoint {
  int k = 0;
  stats::Figure lost;  ///< S(k) - S(k|a) by the run model, jackknife over tasks
  /// The same by the simple form: a lower bound at small k. Only for all counted errors.
  std::optional<double> lost_simple;

  bool operator==(const LostPoint&) const = default;
};

/// What is lost if errors were `factor` times as many.
struct WhatIf {
  double factor = 1.0;
  std::vector<LostPoint> points;  ///< k = 1 .. K_obs (or its stand-in)

  [[nodiscard]] const LostPoint* at(int k) const;
  bool operator==(const WhatIf&) const = default;
};

/// The what-if curve of a part of the errors, all others as they are.
struct SourceWhatIf {
  std::string source;           ///< `agent` or a channel
  double share = 0.0;           ///< of the counted errors of solved episodes
  std::vector<WhatIf> what_if;  ///< by factor; points at the headline budgets only

  bool operator==(const SourceWhatIf&) const = default;
};

enum class RiskClass : std::uint8_t {
  low,      ///< every channel near zero, and a serious loss excluded
  guarded,  ///< between
  high,     ///< a channel that is not near zero, and a serious loss expected
  unknown,  ///< the log does not tell
};
inline constexpr std::size_t kRiskClassCount = 4;
/// `low`, `guarded` ...
[[nodiscard]] std::string_view name_of(RiskClass risk);
[[nodiscard]] std::optional<RiskClass> risk_class_from_name(std::string_view name);

struct ArmScreen {
  std::string arm;
  std::uint32_t tasks = 0, episodes = 0, solved = 0;  ///< observations
  int k_obs = 0;                                      ///< last budget of the curves
  bool censored = false;                              ///< k_obs was enforced
  std::vector<int> budgets;            ///< headline ones: the settings' below k_obs, then k_obs
  std::vector<Propensity> propensity;  ///< the six channels, then `entity_argument`
  std::string reason;                  ///< why there are no curves; empty if there are
  RunModel runs;                       ///< of solved episodes
  std::vector<stats::Figure> score;    ///< [k-1]: S(k)
  std::vector<WhatIf> what_if;         ///< all counted errors
  std::vector<SourceWhatIf>
      by_source;  ///< `agent`, then the channels with errors in solved episodes
  RiskClass risk = RiskClass::unknown;
  std::vector<std::string> reasons;  ///< sentences, at least one

  [[nodiscard]] const WhatIf* at_factor(double factor) const;
  [[nodiscard]] const SourceWhatIf* source(std::string_view name) const;
  bool operator==(const ArmScreen&) const = default;
};

/// Screens one arm; a reference is what one would screen before quantizing it. The judged factor is
/// among the factors of the result. Source: STATISTICS, "Risk screen from the reference alone";
/// docs/screen.md defines the risk class.
[[nodiscard]] ArmScreen screen_arm(const ArmFacts& arm, const ScreenSettings& settings = {});

}  // namespace unmask::screen
