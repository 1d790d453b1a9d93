#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {

/// Reasons why numbers can't be had, each listed once: `a`, `b` ... in order of first use.
class Footnotes {
 public:
  /// The mark of `reason`.
  [[nodiscard]] std::string mark(std::string_view reason);
  /// "a  not tested: too few errors", wrapped.
  [[nodiscard]] std::vector<std::string> lines(int width) const;
  [[nodiscard]] bool empty() const { return reasons_.empty(); }

 private:
  std::vector<std::string> reasons_;
};

/// The agent's errors in 100 calls by channel, a column an arm, and the ratio of errors an episode
/// for each of `ratios_of`. Kinds stand indented under their channel: those of tool_name, or with
/// `style.verbose` all. Channels without an error in any arm are left out, but `other` never is.
[[nodiscard]] TextTable channel_table(const CellFindings& cell,
                                      const std::vector<const ArmFindings*>& arms,
                                      const std::vector<const ComparisonFindings*>& ratios_of,
                                      Footnotes& footnotes, const TextStyle& style);

}  // namespace unmask::text
