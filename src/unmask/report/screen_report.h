#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/producer.h"
#include "unmask/report/text_style.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/margin_screen.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/validation.h"

namespace unmask {

/// What `unmask screen` found.
struct ScreenReport {
  struct Cell {
    CellInfo info;
    std::vector<screen::ArmScreen> arms;
  };

  screen::ScreenSettings settings;
  std::vector<InputFindings> inputs;
  std::vector<Cell> cells;
  /// Of scored decisions, by noise; empty without any.
  std::vector<screen::MarginScreen> margins;
  Diagnostics diagnostics;
};

/// For a terminal.
[[nodiscard]] std::string screen_text(const ScreenReport& report, const TextStyle& style);
/// `"schema": "unmask.screen/1"`, docs/schemas/screen.json. Shares are fractions, losses points.
[[nodiscard]] std::string screen_json(const ScreenReport& report,
                                      const Producer& producer = this_program());
[[nodiscard]] std::string screen_markdown(const ScreenReport& report);

namespace text {

[[nodiscard]] Paint paint_of(screen::RiskClass risk);
/// "1.5", "2": a factor without zeros that say nothing.
[[nodiscard]] std::string factor_words(double factor);
/// "errors x2.1 [1.9, 2.3] in solved episodes; from this the reference's curve makes 8.3 points
/// lost at K=2, observed 9.0; ...", or why not. `style.verbose` adds intervals; "(more)" and
/// "(less)" say where the two differ beyond their 95 % interval.
[[nodiscard]] std::string validation_words(const screen::Validation& validation,
                                           const TextStyle& style);

}  // namespace text
}  // namespace unmask
