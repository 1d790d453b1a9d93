#include "unmask/report/verbose_tables.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/episode/channel.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {
namespace {

constexpr std::size_t kNamesShown = 10;
constexpr int kArmWidth = 16;

std::string dash(const TextStyle& style) { return std::string(glyphs(style).dash); }

// Everything, or what fits a narrow terminal.
enum class Detail { full, values };

std::string with_interval(const Figure& figure, Detail detail, const TextStyle& style,
                          const std::function<std::string(double)>& number) {
  if (!figure.value) return dash(style);
  std::string content = number(*figure.value);
  if (detail == Detail::full && figure.low && figure.high)
    content += " [" + number(*figure.low) + ", " + number(*figure.high) + "]";
  return content;
}

TextTable arm_columns(const CellFindings& cell, std::string first, const TextStyle& style) {
  TextTable table;
  table.columns.push_back({.header = std::move(first)});
  for (const ArmFindings& arm : cell.arms)
    table.columns.push_back({.header = shown_name(arm.arm, kArmWidth, style), .gap = 3});
  return table;
}

TextTable gaps(const CellFindings& cell, Detail detail, const TextStyle& style) {
  TextTable table;
  table.columns.push_back({.header = "gap, points", .align = Align::right});
  std::vector<int> budgets;
  for (const ComparisonFindings& comparison : cell.comparisons) {
    table.columns.push_back({.header = shown_name(comparison.arm, kArmWidth, style), .gap = 3});
    for (const GapPoint& point : comparison.gap) {
      if (std::ranges::find(budgets, point.k) == budgets.end()) budgets.push_back(point.k);
    }
  }
  std::ranges::sort(budgets);
  for (const int k : budgets) {
    std::vector<TableCell> row{{"K=" + std::to_string(k)}};
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const GapPoint* point = comparison.gap_at(k);
      std::string content = point == nullptr ? dash(style)
                                             : with_interval(within(point->gap.figure, -1.0, 1.0),
                                                             detail, style, points);
      const std::string p = point == nullptr ? "" : p_value(deciding_p(point->gap));
      if (!p.empty()) content += "  " + p;
      row.push_back({std::move(content)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable recovery(const CellFindings& cell, Detail detail, const TextStyle& style) {
  struct Kind {
    const char* label;
    RecoveryShare RecoveryFindings::* share;
  };
  static constexpr Kind kKinds[] = {
      {"next call works", &RecoveryFindings::next_call},
      {"run of errors ends", &RecoveryFindings::run},
      {"solved after an error", &RecoveryFindings::episode},
      {"name repeated", &RecoveryFindings::repeat},
  };
  TextTable table = arm_columns(cell, "recovery, %", style);
  for (const Kind& kind : kKinds) {
    std::vector<TableCell> row{{kind.label}};
    for (const ArmFindings& arm : cell.arms) {
      const RecoveryShare& share = arm.recovery.*kind.share;
      std::string content = with_interval(share.share, detail, style, percent);
      if (share.share.value) content += " of " + grouped(share.followed);
      row.push_back({std::move(content)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable pass_powers(const CellFindings& cell, Detail detail, const TextStyle& style) {
  std::size_t most = 0;
  std::optional<int> budget;  // if all arms have the same
  for (const ArmFindings& arm : cell.arms) {
    if (arm.pass.empty()) continue;
    most = std::max(most, arm.pass.back().pass.size());
    budget = !budget || *budget == arm.pass.back().budget ? arm.pass.back().budget : 0;
  }
  const int shown_budget = budget.value_or(0);
  const bool one_budget = shown_budget > 0;
  TextTable table =
      arm_columns(cell, one_budget ? "% at K=" + std::to_string(shown_budget) : "%", style);
  for (std::size_t k = 0; k < most; ++k) {
    std::vector<TableCell> row{{"pass^" + std::to_string(k + 1)}};
    for (const ArmFindings& arm : cell.arms) {
      if (arm.pass.empty() || k >= arm.pass.back().pass.size()) {
        row.push_back({dash(style)});
        continue;
      }
      std::string content =
          with_interval(within(arm.pass.back().pass[k], 0.0, 1.0), detail, style, percent);
      if (!one_budget) content += " at K=" + std::to_string(arm.pass.back().budget);
      row.push_back({std::move(content)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable lengths(const CellFindings& cell, Detail detail, const TextStyle& style) {
  TextTable table =
      arm_columns(cell, detail == Detail::full ? "mean (median, p90)" : "mean", style);
  std::vector<std::string> names;
  for (const ArmFindings& arm : cell.arms) {
    for (const LengthFindings& length : arm.lengths) {
      if (std::ranges::find(names, length.name) == names.end()) names.push_back(length.name);
    }
  }
  for (const std::string& name : names) {
    std::vector<TableCell> row{{name}};
    for (const ArmFindings& arm : cell.arms) {
      const auto found = std::ranges::find_if(
          arm.lengths, [&](const LengthFindings& length) { return length.name == name; });
      const std::optional<double> mean =
          found == arm.lengths.end() ? std::nullopt : found->mean.value;
      if (!mean) {
        row.push_back({dash(style)});
        continue;
      }
      const int decimals = *mean < 10 ? 2 : *mean < 1000 ? 1 : 0;
      const auto number = [&](const Figure& figure) {
        return figure.value ? fixed(*figure.value, decimals) : dash(style);
      };
      std::string content = number(found->mean);
      if (detail == Detail::full)
        content += " (" + number(found->median) + ", " + number(found->p90) + ")";
      row.push_back({std::move(content)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable names(const CellFindings& cell, const TextStyle& style) {
  struct Name {
    std::string name, provenance;
    std::vector<std::uint64_t> counts;
  };
  std::vector<Name> all;
  for (std::size_t i = 0; i < cell.arms.size(); ++i) {
    for (const NameCount& entry : cell.arms[i].hallucinated) {
      auto found = std::ranges::find_if(all, [&](const Name& known) {
        return known.name == entry.name && known.provenance == entry.provenance;
      });
      if (found == all.end())
        found = all.insert(all.end(), {entry.name, entry.provenance,
                                       std::vector<std::uint64_t>(cell.arms.size(), 0)});
      found->counts[i] += entry.count;
    }
  }
  std::ranges::stable_sort(all, [](const Name& a, const Name& b) {
    return *std::ranges::max_element(a.counts) > *std::ranges::max_element(b.counts);
  });
  if (all.size() > kNamesShown) all.resize(kNamesShown);
  TextTable table;
  table.columns = {{.header = "hallucinated name"}, {.header = "is"}};
  for (const ArmFindings& arm : cell.arms) {
    table.columns.push_back(
        {.header = shown_name(arm.arm, kArmWidth, style), .align = Align::right});
  }
  for (const Name& name : all) {
    std::vector<TableCell> row{{shown_name(name.name, 36, style)},
                               {shown_name(name.provenance, 16, style)}};
    for (const std::uint64_t count : name.counts) row.push_back({grouped(count)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

TextTable detectable(const CellFindings& cell, const TextStyle& style) {
  TextTable table;
  table.columns = {{.header = "smallest effect found"}};
  for (const ComparisonFindings& comparison : cell.comparisons) {
    table.columns.push_back(
        {.header = shown_name(comparison.arm, kArmWidth, style), .align = Align::right});
  }
  const auto add_row = [&](std::string label, const auto& content_of) {
    std::vector<TableCell> row{{std::move(label)}};
    bool any = false;
    for (const ComparisonFindings& comparison : cell.comparisons) {
      const std::string content = content_of(comparison);
      any = any || !content.empty();
      row.push_back({content.empty() ? dash(style) : content});
    }
    if (any) table.rows.push_back(std::move(row));
  };
  const auto points_or_none = [](std::optional<double> value) {
    return value ? points(*value) : std::string();
  };
  add_row("gap, points", [&](const ComparisonFindings& comparison) {
    return points_or_none(comparison.detectable_gap);
  });
  add_row("widening, points", [&](const ComparisonFindings& comparison) {
    return points_or_none(comparison.detectable_widening);
  });
  for (const Channel channel : kModelChannels) {
    add_row("ratio " + std::string(name_of(channel)), [&](const ComparisonFindings& comparison) {
      const AmplificationFindings* found = comparison.channel(name_of(channel));
      return found != nullptr && found->detectable_ratio
                 ? ratio_text(*found->detectable_ratio, style)
                 : std::string();
    });
  }
  return table;
}

}  // namespace

std::vector<std::vector<std::string>> verbose_tables(const CellFindings& cell,
                                                     const TextStyle& style) {
  std::vector<std::vector<std::string>> result;
  const int width = style.width - 2;
  const auto add = [&](const TextTable& table) {
    if (!table.rows.empty()) result.push_back(table_lines(table, width, style));
  };
  for (const auto& build : {gaps, recovery, pass_powers, lengths}) {
    const TextTable full = build(cell, Detail::full, style);
    add(full.natural_width() <= width ? full : build(cell, Detail::values, style));
  }
  add(names(cell, style));
  add(detectable(cell, style));
  return result;
}

}  // namespace unmask::text
