#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/margins/findings.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/figure.h"

/// What the outputs of margins say of single findings.
namespace unmask::text {

/// `bf16 (model.gguf, 16.0 bits a weight)`; names as they are, not yet safe to show.
[[nodiscard]] std::string scored_arm_words(const ScoredArm& arm);
/// "tool_name", "call_or_answer, the right one", "tool_name, near_miss".
[[nodiscard]] std::string margin_group_words(const margins::MarginGroup& group);
/// "12 left out: 8 bound, 4 context_overflow in the arm"; empty where there are none.
[[nodiscard]] std::string left_out_words(const margins::MarginGroup& group);

/// "0.97 [0.90, 1.04]" with `decimals`, an ASCII minus; a dash and the reason where there is none.
[[nodiscard]] std::string number_words(const stats::Figure& figure, int decimals,
                                       const TextStyle& style);
/// "8.8 % [5.0, 14.1]".
[[nodiscard]] std::string share_words(const stats::Figure& figure, const TextStyle& style);

/// Histogram bins taken together two by two until there are at most `most`, at least 3.
[[nodiscard]] std::vector<margins::HistogramBin> coarser(std::vector<margins::HistogramBin> bins,
                                                         std::size_t most);

/// "bias -0.29 [...], sigma 0.97 [...], slope ... over 411 decisions with |m_ref| <= 1.94".
[[nodiscard]] std::string noise_words(const margins::MarginGroup& group, const TextStyle& style);
/// "13 of 148 good decisions turn bad, 8.8 % [...]; predicted 8.3 % [...], 8.1 % from the errors as
/// they are".
[[nodiscard]] std::string flip_words(const margins::FlipFindings& flips, bool good,
                                     const TextStyle& style);
/// "T=1: 12.1 -> 18.3 %, x1.5 [1.2, 1.9]".
[[nodiscard]] std::string mass_words(const margins::MassFindings& mass, const TextStyle& style);
/// "an inadmissible choice on top in 31 -> 52 of 640 decisions, x1.7 [...]; in the logs x1.9".
[[nodiscard]] std::string top_words(const margins::TopChoiceFindings& top, const TextStyle& style);
/// Inadmissible mass at T = 1, arm over reference.
[[nodiscard]] stats::Figure mass_ratio(const margins::MarginGroup& group);
/// What the margin and KL divergence say of flips.
[[nodiscard]] std::string side_test_words(const margins::SideTest& test, const TextStyle& style);

}  // namespace unmask::text
