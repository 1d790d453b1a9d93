#pragma once

#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"

namespace unmask::text {

/// One thing that is known, as a sentence under a short heading.
struct Fact {
  std::string tag;  ///< under kFactTagWidth columns; empty continues the tag above
  std::string sentence;

  bool operator==(const Fact&) const = default;
};
inline constexpr int kFactTagWidth = 11;

/// What the audit says of one arm against the reference, most important first. `style.verbose` adds
/// what the verdict does not need.
[[nodiscard]] std::vector<Fact> comparison_facts(const CellFindings& cell,
                                                 const ComparisonFindings& comparison,
                                                 const AuditSettings& settings,
                                                 const TextStyle& style);

/// "the verdict holds under all 16 budget semantics", or which differ and which are undecided.
/// Empty if none were tried.
[[nodiscard]] std::string sensitivity_words(const ComparisonFindings& comparison);

/// Tag column and wrapped sentences, `indent` spaces in, at most `width` columns.
[[nodiscard]] std::vector<std::string> fact_lines(const std::vector<Fact>& facts, int indent,
                                                  int width, const TextStyle& style);

}  // namespace unmask::text
