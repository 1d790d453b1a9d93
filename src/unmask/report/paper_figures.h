#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// How a simulated figure came about.
enum class FigureRole : std::uint8_t {
  fitted,      ///< a parameter was chosen for it: agreement says nothing
  assumed,     ///< an assumption all but makes it so
  prediction,  ///< nothing was chosen for it
};

/// A figure of "Flat Score, Amplified Failures" (2026) beside the same figure of a study.
struct PaperFigure {
  std::string name;
  std::string unit;  ///< `calls`, `%`, `points` ...; empty for a plain number
  double paper = 0.0;
  std::string paper_text;           ///< as the paper words it: `>= 0.97`
  std::optional<double> simulated;  ///< nullopt: the study has no such figure
  FigureRole role = FigureRole::prediction;
};

/// Which cells and arms of a study stand for the paper's.
struct PaperCells {
  std::string damaged;   ///< Gemma-4 dense, Telecom
  std::string clean;     ///< a cell without a leak, with a repaired arm
  std::string cheap;     ///< its arm at INT4
  std::string repaired;  ///< that arm with the repair prompt
};

/// The figures of the paper's text with those of a study, in the paper's order. Of a cell or arm
/// that the study lacks there are none.
[[nodiscard]] std::vector<PaperFigure> paper_figures(const AuditFindings& findings,
                                                     const PaperCells& cells);

/// They as a table for a terminal: the paper's, the simulated, the difference, the role.
[[nodiscard]] std::string paper_figures_text(const std::vector<PaperFigure>& figures,
                                             const TextStyle& style);

/// As JSON: a list of {name, unit, paper, paper_text, simulated, role}.
[[nodiscard]] std::string paper_figures_json(const std::vector<PaperFigure>& figures);

}  // namespace unmask
