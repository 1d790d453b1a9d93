#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask {

/// What the audit says of an arm in a cell; the first that fits (STATISTICS, "Verdict of an arm").
enum class Verdict : std::uint8_t {
  visible_damage,
  masked_damage,
  amplified,
  budget_sensitive,
  improved,
  clean,
  inconclusive,
};
inline constexpr std::size_t kVerdictCount = 7;
[[nodiscard]] std::string_view name_of(Verdict verdict);   ///< `masked_damage`
[[nodiscard]] std::string_view title_of(Verdict verdict);  ///< `MASKED DAMAGE`
[[nodiscard]] std::optional<Verdict> verdict_from_name(std::string_view name);
/// True for visible_damage, masked_damage, amplified and budget_sensitive.
[[nodiscard]] bool is_damage(Verdict verdict);

/// Where the score stands when channels are amplified.
enum class ScoreSuffix : std::uint8_t { none, equivalent, better, not_decided };
[[nodiscard]] std::string_view name_of(ScoreSuffix suffix);  ///< `score equivalent`; empty for none

/// What the scores say, under one budget semantics and one treatment of unknown episodes.
struct ScoreEvidence {
  double gap = 0.0;  ///< D(K_obs), a fraction; positive = the arm is worse
  std::optional<double> gap_p, gap_p_adjusted;
  bool has_widening = true;  ///< false: K_obs <= 2, the conditions on K = 2 drop out
  double widening = 0.0;     ///< W(2)
  std::optional<double> widening_p, widening_p_adjusted;
  bool equivalent_at_k_obs = false;
  bool equivalent_at_first = false;  ///< at K = 2

  bool operator==(const ScoreEvidence&) const = default;
};

/// What the channels say; the budget does not enter.
struct ChannelEvidence {
  bool any_amplified = false;
  bool all_quiet = false;
  bool any_rising = false;  ///< some channel with a ratio over 1 and an unadjusted p below alpha

  bool operator==(const ChannelEvidence&) const = default;
};

/// Source: STATISTICS, "Verdict of an arm in a cell".
[[nodiscard]] Verdict decide(const ScoreEvidence& score, const ChannelEvidence& channels,
                             double alpha);
/// Meaningful for masked_damage and amplified; `none` for the others.
[[nodiscard]] ScoreSuffix suffix_of(Verdict verdict, const ScoreEvidence& score, double alpha);

}  // namespace unmask
