#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

/// The report's vocabulary: what the terminal and Markdown outputs say of single findings.
namespace unmask::text {

/// `tool_name` -> "hallucinated tool names"; roll-ups and kinds too. Unknown names stay as they
/// are.
[[nodiscard]] std::string channel_words(std::string_view channel);
/// As a table names it: `tool_name_nobody` -> "exists for nobody", `tool_name:near_miss` ->
/// "near_miss".
[[nodiscard]] std::string channel_label(std::string_view channel);

/// `figure` with an interval that lies where the figure can lie. Student's t knows no bounds, so
/// that intervals of scores and gaps may end beyond them where tasks are few; nobody should read a
/// gap of 104 points. For display only: JSON and CSV have the interval as it was computed.
[[nodiscard]] Figure within(Figure figure, double least, double most);
/// " [11.0, 22.4]", in points, of what lies in [-1, 1]; empty without both ends.
[[nodiscard]] std::string points_interval(const Figure& figure);
/// "x2.5 [2.1, 3.0]"; the interval only where it can be had; empty without a value.
[[nodiscard]] std::string ratio_with_interval(const Figure& figure, const TextStyle& style);
[[nodiscard]] std::string ratio_text(double ratio, const TextStyle& style);
/// A sentence of the findings, safe to show, with the style's sign in front of its ratios ("x2.1").
[[nodiscard]] std::string shown_sentence(std::string_view sentence, const TextStyle& style);
/// "19.5 -> 38.3 %", from fractions; a dash where one can't be had.
[[nodiscard]] std::string from_to_percent(std::optional<double> from, std::optional<double> to,
                                          const TextStyle& style);
/// The p that decides: adjusted where there is one.
[[nodiscard]] std::optional<double> deciding_p(const TestedFigure& figure);

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string joined(const std::vector<std::string>& parts);
/// "1 episode", "2 episodes".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view singular);

/// "114 tasks x 4 trials", or tasks and episodes where trials differ.
[[nodiscard]] std::string size_words(const ArmFindings& arm, const TextStyle& style);
/// "budget K=10 enforced, agent + user".
[[nodiscard]] std::string budget_words(const BudgetRegime& budget);
/// "tau2-bench 1.0.1"; "harness not known" if the log does not tell.
[[nodiscard]] std::string harness_words(const Harness& harness);
/// The cell's name with its domain, if the name does not already hold it.
[[nodiscard]] std::string cell_title(const CellFindings& cell, const TextStyle& style);

[[nodiscard]] const ArmFindings* find_arm(const CellFindings& cell, std::string_view name);
[[nodiscard]] const ArmFindings* reference_arm(const CellFindings& cell);
[[nodiscard]] const ScorePoint* score_at(const ArmFindings& arm, int k);

/// The amplified channel with the largest ratio (a reference count of zero is the largest); if none
/// is amplified, the one with the most errors of those that are not quiet or seem to rise; null if
/// there is none.
[[nodiscard]] const AmplificationFindings* worst_channel(const ComparisonFindings& comparison);

}  // namespace unmask::text
