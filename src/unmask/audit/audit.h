#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/facts.h"

namespace unmask {

enum class ArmRole : std::uint8_t {
  compared,  ///< against the reference; the reference itself too
  null,      ///< the reference once more, with other seeds: the noise floor
  repaired,  ///< another arm with a repair in the loop
};

/// One arm of a cell as the audit takes it.
struct ArmInput {
  ArmFacts facts;
  ArmRole role = ArmRole::compared;
  std::string unrepaired;  ///< repaired: name of the arm that it repairs
  std::string mode;        ///< repaired: `rule`, `reflex`, `intercept`
};

struct CellInput {
  CellInfo info;
  std::string reference;  ///< name of the reference arm
  std::vector<ArmInput> arms;
  std::vector<ArmFacts> single_turn;  ///< first calls at the states of perfect runs, by arm
};

/// Called as the work goes on; `done` of `total` steps. Returns false to stop early.
using AuditProgress = std::function<bool(std::size_t done, std::size_t total)>;

/// The whole audit of a study: arms, comparisons, verdicts, findings over cells. Pure: equal input
/// and settings give equal findings. Families of p-values run over all cells and arms. A cell whose
/// reference is missing gets arms and no comparison. `inputs` and `diagnostics` of the result stay
/// empty; whoever read the logs fills them. Empty if `progress` asked to stop.
/// Source: STATISTICS.
[[nodiscard]] std::optional<AuditFindings> audit_study(const std::vector<CellInput>& cells,
                                                       const AuditSettings& settings,
                                                       const AuditProgress& progress = {});

}  // namespace unmask
