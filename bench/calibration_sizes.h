#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration_cells.h"

#include "unmask/audit/verdict.h"

namespace unmask::calibration {

/// How often something happened out of how often it could have.
struct Count {
  std::size_t happened = 0;
  std::size_t of = 0;

  void add(bool happens) {
    happened += happens;
    ++of;
  }
  Count& operator+=(const Count& other) {
    happened += other.happened;
    of += other.of;
    return *this;
  }
  [[nodiscard]] double share() const {
    return of == 0 ? 0.0 : static_cast<double>(happened) / static_cast<double>(of);
  }
};

enum class Family : std::uint8_t { scores, widening, amplification };
inline constexpr std::size_t kFamilies = 3;
inline constexpr std::array<const char*, kFamilies> kFamilyNames = {"scores D(10)", "widening W(2)",
                                                                    "amplification"};

using Verdicts = std::array<std::size_t, kVerdictCount>;

/// What studies of ten cells with two arms each led to. Null = the arm is the reference again.
struct Errors {
  std::array<Count, kFamilies> size;         ///< raw p < 5 % among the tests of null arms
  std::array<Count, kFamilies> family_wise;  ///< studies with an adjusted p < 5 % of a null arm
  Count any_family;                          ///< studies with one in any of the three
  Count any_damage;         ///< studies with a damage verdict of a null arm, whichever it is
  Count masked_or_visible;  ///< null arms called masked or visible
  Verdicts null_verdicts{};
  Verdicts headline_verdicts{};  ///< of the arm with the paper's pattern
  /// Raw p < 5 % by cell, of the three families together.
  std::vector<std::string> cells;
  std::vector<std::array<Count, kFamilies>> size_by_cell;
};

/// Audits `studies` simulated studies of null_cells(), or of headline_cells() if `headline`, at
/// `design` with `sign_flips` random sign vectors a test.
[[nodiscard]] Errors measure_errors(bool headline, const Design& design, std::size_t studies,
                                    std::uint32_t sign_flips, std::uint64_t seed, unsigned threads);

}  // namespace unmask::calibration
