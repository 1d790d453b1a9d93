#pragma once

#include <string>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/report/figures.h"
#include "unmask/report/producer.h"
#include "unmask/report/text_style.h"

namespace unmask {

/// Paired replay for people: an arm's noise, flips, mass and what carries the damage, with a small
/// histogram of margins.
[[nodiscard]] std::string margin_text(const margins::MarginFindings& findings,
                                      const TextStyle& style);

/// For machines: `"schema": "unmask.margins/1"`, docs/schemas/margins.json. Shares are fractions,
/// margins nats; null with a `reason` where a number can't be had.
[[nodiscard]] std::string margin_json(const margins::MarginFindings& findings,
                                      const Producer& producer = this_program());

/// For pull requests and model cards.
[[nodiscard]] std::string margin_markdown(const margins::MarginFindings& findings);

/// A tidy table, one row an arm x group x measure: columns arm, by, group, side, measure, at,
/// value, low, high, reason. `at` is a temperature, or the place of a bin. An empty value has a
/// reason.
[[nodiscard]] std::string margin_csv(const margins::MarginFindings& findings);

/// SVG files for papers, of the admissible side of each arm's tool names: `margin-histogram`,
/// `margin-flips`, `margin-calibration`, with the arm's name where there are several. What has
/// nothing to show has no file.
[[nodiscard]] std::vector<FigureFile> margin_figures(const margins::MarginFindings& findings);

}  // namespace unmask
