#include "unmask/audit/verdict.h"

namespace unmask {
namespace {

bool below(std::optional<double> p, double alpha) { return p.has_value() && *p < alpha; }

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::visible_damage:
      return "visible_damage";
    case Verdict::masked_damage:
      return "masked_damage";
    case Verdict::amplified:
      return "amplified";
    case Verdict::budget_sensitive:
      return "budget_sensitive";
    case Verdict::improved:
      return "improved";
    case Verdict::clean:
      return "clean";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "";
}

std::string_view title_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::visible_damage:
      return "VISIBLE DAMAGE";
    case Verdict::masked_damage:
      return "MASKED DAMAGE";
    case Verdict::amplified:
      return "AMPLIFIED";
    case Verdict::budget_sensitive:
      return "BUDGET-SENSITIVE";
    case Verdict::improved:
      return "IMPROVED";
    case Verdict::clean:
      return "CLEAN";
    case Verdict::inconclusive:
      return "INCONCLUSIVE";
  }
  return "";
}

std::optional<Verdict> verdict_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kVerdictCount; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (name_of(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool is_damage(Verdict verdict) {
  switch (verdict) {
    case Verdict::visible_damage:
    case Verdict::masked_damage:
    case Verdict::amplified:
    case Verdict::budget_sensitive:
      return true;
    case Verdict::improved:
    case Verdict::clean:
    case Verdict::inconclusive:
      return false;
  }
  return false;
}

std::string_view name_of(ScoreSuffix suffix) {
  switch (suffix) {
    case ScoreSuffix::none:
      return "";
    case ScoreSuffix::equivalent:
      return "score equivalent";
    case ScoreSuffix::better:
      return "score better";
    case ScoreSuffix::not_decided:
      return "score not decided";
  }
  return "";
}

Verdict decide(const ScoreEvidence& score, const ChannelEvidence& channels, double alpha) {
  const bool gap_significant = below(score.gap_p_adjusted, alpha);
  const bool widened =
      score.has_widening && score.widening > 0.0 && below(score.widening_p_adjusted, alpha);
  if (score.gap > 0.0 && gap_significant) return Verdict::visible_damage;
  if (channels.any_amplified) return widened ? Verdict::masked_damage : Verdict::amplified;
  if (widened) return Verdict::budget_sensitive;
  if (score.gap < 0.0 && gap_significant) return Verdict::improved;
  const bool widening_suspected =
      score.has_widening && score.widening > 0.0 && below(score.widening_p, alpha);
  const bool flat = score.equivalent_at_k_obs && (!score.has_widening || score.equivalent_at_first);
  if (flat && channels.all_quiet && !channels.any_rising && !widening_suspected)
    return Verdict::clean;
  return Verdict::inconclusive;
}

ScoreSuffix suffix_of(Verdict verdict, const ScoreEvidence& score, double alpha) {
  if (verdict != Verdict::masked_damage && verdict != Verdict::amplified) return ScoreSuffix::none;
  if (score.equivalent_at_k_obs) return ScoreSuffix::equivalent;
  if (score.gap < 0.0 && below(score.gap_p_adjusted, alpha)) return ScoreSuffix::better;
  return ScoreSuffix::not_decided;
}

}  // namespace unmask
