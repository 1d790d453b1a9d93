#include "calibration_sizes.h"

#include <optional>

#include "unmask/audit/audit.h"
#include "unmask/base/check.h"
#include "unmask/power/replicates.h"
#include "unmask/power/simulated_study.h"

namespace unmask::calibration {
namespace {

constexpr double kAlpha = 0.05;

bool below_alpha(const std::optional<double>& p) { return p.has_value() && *p < kAlpha; }

// The tests of a comparison, and whether any survives the correction.
class Tests {
 public:
  void add(Family family, const std::optional<double>& p, const std::optional<double>& adjusted) {
    if (!p) return;
    size_[static_cast<std::size_t>(family)].add(below_alpha(p));
    survives_[static_cast<std::size_t>(family)] =
        survives_[static_cast<std::size_t>(family)] || below_alpha(adjusted);
  }
  [[nodiscard]] const std::array<Count, kFamilies>& size() const { return size_; }
  [[nodiscard]] bool survives(std::size_t family) const { return survives_[family]; }

 private:
  std::array<Count, kFamilies> size_;
  std::array<bool, kFamilies> survives_{};
};

Tests tests_of(const ComparisonFindings& comparison) {
  Tests tests;
  const TestedFigure& gap = comparison.gap.back().gap;
  tests.add(Family::scores, gap.p, gap.p_adjusted);
  const TestedFigure& widening = comparison.widening.front().widening;
  tests.add(Family::widening, widening.p, widening.p_adjusted);
  for (const AmplificationFindings& channel : comparison.amplification) {
    if (channel.in_family) tests.add(Family::amplification, channel.p, channel.p_adjusted);
  }
  return tests;
}

bool damage(Verdict verdict) {
  return verdict == Verdict::visible_damage || verdict == Verdict::masked_damage ||
         verdict == Verdict::amplified || verdict == Verdict::budget_sensitive;
}

Errors errors_of(const AuditFindings& findings, bool headline) {
  Errors errors;
  std::array<bool, kFamilies> survives{};
  bool damaged = false;
  for (std::size_t cell = 0; cell < findings.cells.size(); ++cell) {
    const std::vector<ComparisonFindings>& comparisons = findings.cells[cell].comparisons;
    std::array<Count, kFamilies>& by_cell = errors.size_by_cell.emplace_back();
    errors.cells.push_back(findings.cells[cell].info.cell);
    for (std::size_t arm = 0; arm < comparisons.size(); ++arm) {
      const Verdict verdict = comparisons[arm].verdict;
      if (headline && cell == 0 && arm + 1 == comparisons.size()) {
        ++errors.headline_verdicts[static_cast<std::size_t>(verdict)];
        continue;
      }
      ++errors.null_verdicts[static_cast<std::size_t>(verdict)];
      errors.masked_or_visible.add(verdict == Verdict::masked_damage ||
                                   verdict == Verdict::visible_damage);
      damaged = damaged || damage(verdict);
      const Tests tests = tests_of(comparisons[arm]);
      for (std::size_t f = 0; f < kFamilies; ++f) {
        errors.size[f] += tests.size()[f];
        by_cell[f] += tests.size()[f];
        survives[f] = survives[f] || tests.survives(f);
      }
    }
  }
  for (std::size_t f = 0; f < kFamilies; ++f) errors.family_wise[f].add(survives[f]);
  errors.any_family.add(survives[0] || survives[1] || survives[2]);
  errors.any_damage.add(damaged);
  return errors;
}

void add(Errors& sum, const Errors& study) {
  sum.cells = study.cells;
  sum.size_by_cell.resize(study.size_by_cell.size());
  for (std::size_t f = 0; f < kFamilies; ++f) {
    sum.size[f] += study.size[f];
    sum.family_wise[f] += study.family_wise[f];
    for (std::size_t cell = 0; cell < study.size_by_cell.size(); ++cell) {
      sum.size_by_cell[cell][f] += study.size_by_cell[cell][f];
    }
  }
  sum.any_family += study.any_family;
  sum.any_damage += study.any_damage;
  sum.masked_or_visible += study.masked_or_visible;
  for (std::size_t v = 0; v < kVerdictCount; ++v) {
    sum.null_verdicts[v] += study.null_verdicts[v];
    sum.headline_verdicts[v] += study.headline_verdicts[v];
  }
}

}  // namespace

Errors measure_errors(bool headline, const Design& design, std::size_t studies,
                      std::uint32_t sign_flips, std::uint64_t seed, unsigned threads) {
  const std::vector<synthetic::StudyCell> cells =
      sized(headline ? headline_cells() : null_cells(), design);
  std::vector<Errors> all(studies);
  const bool finished = power::run_replicates(studies, threads, [&](std::size_t i) {
    std::vector<CellInput> inputs;
    inputs.reserve(cells.size());
    for (const synthetic::StudyCell& cell : cells) {
      inputs.push_back(power::simulate_cell(cell, seed, i));
    }
    const std::optional<AuditFindings> findings =
        audit_study(inputs, power::simulation_settings(sign_flips, seed, i));
    UNMASK_CHECK(findings.has_value());
    all[i] = errors_of(*findings, headline);
  });
  UNMASK_CHECK(finished);
  Errors sum;
  for (const Errors& study : all) add(sum, study);
  return sum;
}

}  // namespace unmask::calibration
