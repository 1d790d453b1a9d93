#include "unmask/report/channel_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/episode/channel.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {
namespace {

constexpr std::size_t kKindsShown = 4;
constexpr int kArmWidth = 10;
// A kind's ratio is not tested; below this many errors in an arm it would only mislead.
constexpr std::uint64_t kKindErrors = 10;

struct Row {
  std::string channel;
  int indent = 0;
  bool kind = false;
};

const ChannelFindings* find_in(const ArmFindings& arm, const Row& row) {
  if (!row.kind) return arm.channel(row.channel);
  const auto found = std::ranges::find_if(
      arm.kinds, [&](const ChannelFindings& kind) { return kind.name == row.channel; });
  return found == arm.kinds.end() ? nullptr : &*found;
}

std::uint64_t most_errors(const std::vector<const ArmFindings*>& arms, const Row& row) {
  std::uint64_t most = 0;
  for (const ArmFindings* arm : arms) {
    const ChannelFindings* findings = find_in(*arm, row);
    if (findings != nullptr) most = std::max(most, findings->errors);
  }
  return most;
}

std::vector<Row> kinds_of(const std::vector<const ArmFindings*>& arms, const std::string& channel,
                          bool all) {
  std::vector<Row> kinds;
  for (const ArmFindings* arm : arms) {
    for (const ChannelFindings& kind : arm->kinds) {
      const bool known =
          std::ranges::any_of(kinds, [&](const Row& row) { return row.channel == kind.name; });
      if (kind.name.starts_with(channel + ":") && !known)
        kinds.push_back({.channel = kind.name, .indent = 2, .kind = true});
    }
  }
  std::ranges::stable_sort(kinds, [&](const Row& a, const Row& b) {
    return most_errors(arms, a) > most_errors(arms, b);
  });
  if (!all && kinds.size() > kKindsShown) kinds.resize(kKindsShown);
  return kinds;
}

// Channels by their size, each with its kinds; `other` and the roll-ups last.
std::vector<Row> rows_for(const std::vector<const ArmFindings*>& arms, const TextStyle& style) {
  std::vector<Row> channels;
  for (const Channel channel : kModelChannels) {
    Row row{.channel = std::string(name_of(channel))};
    if (channel != Channel::other && most_errors(arms, row) > 0) channels.push_back(std::move(row));
  }
  std::ranges::stable_sort(channels, [&](const Row& a, const Row& b) {
    return most_errors(arms, a) > most_errors(arms, b);
  });
  channels.push_back({.channel = "other"});
  std::vector<Row> rows;
  for (const Row& channel : channels) {
    rows.push_back(channel);
    const bool names = channel.channel == name_of(Channel::tool_name);
    if (!names && !style.verbose) continue;
    const std::vector<Row> kinds = kinds_of(arms, channel.channel, style.verbose);
    rows.insert(rows.end(), kinds.begin(), kinds.end());
    if (names && !kinds.empty()) rows.push_back({.channel = "tool_name_nobody", .indent = 2});
  }
  const Row both{.channel = "entity_argument"};
  if (most_errors(arms, both) > 0) rows.push_back(both);
  return rows;
}

std::string rate_cell(const ArmFindings& arm, const Row& row, Footnotes& footnotes,
                      const TextStyle& style) {
  const ChannelFindings* findings = find_in(arm, row);
  // A kind that this arm never had is a count of zero, not a missing number.
  if (findings == nullptr && row.kind && arm.agent_calls > 0) return percent_aligned(0.0);
  if (findings != nullptr && findings->per_call.value)
    return percent_aligned(*findings->per_call.value);
  const std::string reason = findings == nullptr || findings->per_call.reason.empty()
                                 ? "not counted"
                                 : findings->per_call.reason;
  return std::string(glyphs(style).dash) + " " + footnotes.mark(reason);
}

std::string dash_with(const std::string& reason, Footnotes& footnotes, const TextStyle& style) {
  return std::string(glyphs(style).dash) + " " +
         footnotes.mark(reason.empty() ? "not computed" : reason);
}

std::string kind_ratio(const ArmFindings* ref, const ArmFindings* arm, const Row& row,
                       Footnotes& footnotes, const TextStyle& style) {
  const ChannelFindings* before = ref == nullptr ? nullptr : find_in(*ref, row);
  const ChannelFindings* after = arm == nullptr ? nullptr : find_in(*arm, row);
  const auto rate_of = [](const ChannelFindings* findings) {
    return findings != nullptr && findings->errors >= kKindErrors ? findings->per_episode.value
                                                                  : std::nullopt;
  };
  const std::optional<double> rate_before = rate_of(before);
  const std::optional<double> rate_after = rate_of(after);
  if (!rate_before || !rate_after)
    return dash_with("kinds get no ratio below " + std::to_string(kKindErrors) + " errors an arm",
                     footnotes, style);
  return ratio_text(*rate_after / *rate_before, style);
}

std::string ratio_cell(const CellFindings& cell, const ComparisonFindings& comparison,
                       const Row& row, Footnotes& footnotes, const TextStyle& style) {
  const AmplificationFindings* channel = comparison.channel(row.channel);
  if (channel == nullptr) {
    if (row.kind)
      return kind_ratio(reference_arm(cell), find_arm(cell, comparison.arm), row, footnotes, style);
    return dash_with("not compared", footnotes, style);
  }
  if (!channel->ratio.value) {
    const std::string& reason =
        channel->ratio.reason.empty() ? channel->reason : channel->ratio.reason;
    return dash_with(reason, footnotes, style);
  }
  std::string content = ratio_with_interval(channel->ratio, style);
  if (channel->in_family && !channel->tested && !channel->reason.empty()) {
    content += " " + footnotes.mark(channel->reason);
  } else if (channel->in_family) {
    const std::string_view significant = stars(channel->p_adjusted);
    if (!significant.empty()) content.append(" ").append(significant);
  }
  return content;
}

}  // namespace

std::string Footnotes::mark(std::string_view reason) {
  auto found = std::ranges::find(reasons_, reason);
  if (found == reasons_.end()) found = reasons_.insert(reasons_.end(), std::string(reason));
  const auto index = static_cast<std::size_t>(found - reasons_.begin());
  std::string mark(1, static_cast<char>('a' + index % 26));
  if (index >= 26) mark += std::to_string(index / 26);
  return mark;
}

std::vector<std::string> Footnotes::lines(int width) const {
  std::vector<std::string> result;
  Footnotes marks;
  for (const std::string& reason : reasons_) {
    std::string start = marks.mark(reason) + "  ";
    for (const std::string& line : wrapped(reason, std::max(20, width - 3))) {
      result.push_back(padded_right(std::exchange(start, ""), 3) + line);
    }
  }
  return result;
}

TextTable channel_table(const CellFindings& cell, const std::vector<const ArmFindings*>& arms,
                        const std::vector<const ComparisonFindings*>& ratios_of,
                        Footnotes& footnotes, const TextStyle& style) {
  TextTable table;
  table.columns.push_back({.header = "channel"});
  for (const ArmFindings* arm : arms) {
    table.columns.push_back(
        {.header = shown_name(arm->arm, kArmWidth, style) + " %", .align = Align::right});
  }
  for (const ComparisonFindings* comparison : ratios_of) {
    table.columns.push_back(
        {.header = ratios_of.size() == 1 ? "ratio an episode"
                                         : shown_name(comparison->arm, kArmWidth, style) + " ratio",
         .gap = 3});
  }
  for (const Row& row : rows_for(arms, style)) {
    std::vector<TableCell> cells;
    cells.push_back({std::string(static_cast<std::size_t>(row.indent), ' ') +
                     safe(channel_label(row.channel), !style.unicode)});
    for (const ArmFindings* arm : arms) cells.push_back({rate_cell(*arm, row, footnotes, style)});
    for (const ComparisonFindings* comparison : ratios_of) {
      const AmplificationFindings* channel = comparison->channel(row.channel);
      const bool amplified = channel != nullptr && channel->amplified && channel->in_family;
      cells.push_back({ratio_cell(cell, *comparison, row, footnotes, style),
                       amplified ? paint_of(comparison->verdict) : Paint::none});
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace unmask::text
