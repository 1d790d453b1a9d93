#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/report/figure_parts.h"
#include "unmask/report/figure_style.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/svg_drawing.h"
#include "unmask/report/svg_scale.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/multiple_comparisons.h"

namespace unmask::figure {
namespace {

using svg::Scale;

bool is_roll_up(std::string_view channel) {
  return channel == "entity_argument" || channel == "tool_name_nobody";
}

// "0.5", "10": a tick's number without zeros that say nothing.
std::string short_percent(double fraction) {
  const std::string text = text::fixed(100.0 * fraction, 1);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

// What the channel with the most errors, and its rates, are.
std::string largest_channel(const std::vector<const ArmFindings*>& arms) {
  std::uint64_t most = 0;
  const ChannelFindings* largest = nullptr;
  for (const ArmFindings* arm : arms) {
    for (const ChannelFindings& channel : arm->channels) {
      if (is_roll_up(channel.name) || channel.errors <= most) continue;
      most = channel.errors;
      largest = &channel;
    }
  }
  if (largest == nullptr) return words("channels", "none");
  std::vector<std::string> rates;
  for (const ArmFindings* arm : arms) {
    const ChannelFindings* channel = arm->channel(largest->name);
    if (channel != nullptr && channel->per_call.value)
      rates.push_back(shortened(arm->arm, kNameColumns) + " " +
                      text::percent(*channel->per_call.value) + " %");
  }
  return filled(words("channels", "text"),
                {{"channel", words("channel", largest->name)}, {"rates", text::joined(rates)}});
}

}  // namespace

std::optional<std::string> channel_figure(const CellFindings& cell) {
  const std::vector<const ArmFindings*> arms = drawn_arms(cell);
  if (arms.empty() || arms.front()->channels.empty()) return std::nullopt;
  double highest = 0.01;
  for (const ArmFindings* arm : arms)
    for (const ChannelFindings& channel : arm->channels)
      highest = std::max(
          {highest, channel.per_call.value.value_or(0.0), channel.per_call.high.value_or(0.0)});

  const std::string title = words("channels", "title");
  const std::string of = text::cell_title(cell, TextStyle{});
  svg::Drawing drawing(kWidth, title + " \u00b7 " + of, largest_channel(arms));
  const double top = draw_heading(drawing, title, of, legend_of(arms));
  constexpr double kLeft = 196.0, kRow = 42.0;
  const std::vector<ChannelFindings>& rows = arms.front()->channels;
  const double bottom = top + kRow * static_cast<double>(rows.size());
  const Scale x{.kind = Scale::Kind::root,
                .from = 0.0,
                .to = std::min(1.0, 1.02 * highest),
                .start = kLeft + 8.0,
                .end = kWidth - 20.0};
  for (const double tick : svg::spaced(
           x, {0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1}, 34.0, 0.0)) {
    drawing.line({x(tick), top}, {x(tick), bottom}, {.colour = palette().line});
    drawing.text({x(tick), bottom + 13.0}, short_percent(tick),
                 {.colour = palette().dim, .anchor = "middle"});
  }
  drawing.text({(kLeft + kWidth) / 2.0, bottom + 31.0}, words("channels", "axis"),
               {.colour = palette().dim, .anchor = "middle"});
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string& name = rows[row].name;
    const double y = top + kRow * (static_cast<double>(row) + 0.5);
    const bool roll_up = is_roll_up(name);
    drawing.text({kLeft - 8.0, y}, shortened(words("channel", name), 34),
                 {.size = 12.5,
                  .colour = roll_up ? std::string_view(palette().dim) : std::string_view(),
                  .anchor = "end",
                  .italic = roll_up});
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const ArmFindings* arm : arms) {
      const ChannelFindings* channel = arm->channel(name);
      if (channel == nullptr || !channel->per_call.value) continue;
      least = std::min(least, *channel->per_call.value);
      most = std::max(most, *channel->per_call.value);
    }
    if (least < most)
      drawing.line({x(least), y}, {x(most), y}, {.colour = palette().line, .width = 3.0});
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const ChannelFindings* channel = arms[i]->channel(name);
      if (channel == nullptr || !channel->per_call.value) continue;
      const Figure& rate = channel->per_call;
      const double spread = arms.size() > 4 ? 5.0 : 8.0;
      const double here =
          y + spread * (static_cast<double>(i) - static_cast<double>(arms.size() - 1) / 2.0);
      if (rate.low && rate.high)
        drawing.line({x(*rate.low), here}, {x(*rate.high), here},
                     {.colour = tone(i), .width = 1.5, .opacity = channel->errors == 0 ? 0.4 : 1});
      drawing.mark({x(*rate.value), here}, {.shape = i, .colour = tone(i)},
                   shortened(arms[i]->arm, kNameColumns) + ", " + words("channel", name) + ": " +
                       with_interval(rate, text::percent) + " %");
    }
  }
  return drawing.finished(draw_note(drawing, bottom + 38.0, words("channels", "note")));
}

namespace {

struct ForestRow {
  std::string label;
  const AmplificationFindings* found = nullptr;
  double ratio = 1.0;  ///< its value
  std::size_t colour = 0;
};

}  // namespace

std::optional<std::string> amplification_figure(const AuditFindings& findings,
                                                std::string_view arm) {
  std::vector<ForestRow> rows;
  std::size_t tested = 0, amplified = 0;
  constexpr std::array<std::string_view, 6> kChannels = {"malformed", "tool_name",    "arguments",
                                                         "entity",    "precondition", "other"};
  for (const std::string_view channel : kChannels) {
    for (const CellFindings& cell : findings.cells) {
      const std::vector<const ArmFindings*> arms = drawn_arms(cell);
      for (const ComparisonFindings& comparison : cell.comparisons) {
        const AmplificationFindings* found = comparison.channel(channel);
        if (comparison.arm != arm || found == nullptr || !found->in_family ||
            found->errors_ref + found->errors_arm == 0) {
          continue;
        }
        ++tested;
        amplified += found->amplified ? 1 : 0;
        if (!found->ratio.value) continue;
        const auto place = std::ranges::find(arms, arm, &ArmFindings::arm);
        rows.push_back({.label = findings.cells.size() > 1
                                     ? words("channel_short", channel) + " \u00b7 " +
                                           shortened(cell.info.cell, 28)
                                     : words("channel", channel),
                        .found = found,
                        .ratio = *found->ratio.value,
                        .colour = static_cast<std::size_t>(place - arms.begin())});
      }
    }
  }
  if (rows.empty()) return std::nullopt;

  double lowest = 0.8, highest = 2.0;
  for (const ForestRow& row : rows) {
    const Figure& ratio = row.found->ratio;
    lowest = std::min(lowest, ratio.low.value_or(row.ratio));
    highest = std::max(highest, ratio.high.value_or(row.ratio));
  }
  const std::string title =
      filled(words("forest", "title"), {{"arm", shortened(arm, kNameColumns)}});
  svg::Drawing drawing(kWidth, title,
                       filled(words("forest", "text"),
                              {{"amplified", std::to_string(amplified)},
                               {"all", std::to_string(tested)},
                               {"from", text::fixed(findings.settings.amplified_ratio, 2)}}));
  const double top = draw_heading(drawing, title, {}, {});
  constexpr double kRight = kWidth - 150.0, kRow = 26.0;
  const double left = findings.cells.size() > 1 ? 290.0 : 196.0;
  const double bottom = top + kRow * static_cast<double>(rows.size());
  const Scale x{.kind = Scale::Kind::log,
                .from = std::max(0.004, lowest),
                .to = std::min(300.0, highest),
                .start = left + 6.0,
                .end = kRight - 6.0};
  for (const double tick : svg::spaced(
           x, {0.004, 0.008, 0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256},
           36.0, 1.0)) {
    std::string number = text::fixed(tick, 3);
    while (number.ends_with('0')) number.pop_back();
    if (number.ends_with('.')) number.pop_back();
    drawing.line({x(tick), top}, {x(tick), bottom},
                 {.colour = tick == 1.0 ? palette().dim : palette().line});
    drawing.text({x(tick), bottom + 13.0}, "\u00d7" + number,
                 {.colour = palette().dim, .anchor = "middle"});
  }
  drawing.text({(left + kRight) / 2.0, bottom + 31.0}, words("forest", "axis"),
               {.colour = palette().dim, .anchor = "middle"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Figure& ratio = rows[i].found->ratio;
    const double y = top + kRow * (static_cast<double>(i) + 0.5);
    const std::string& colour = tone(rows[i].colour);
    drawing.text({left - 8.0, y}, rows[i].label, {.size = 12.5, .anchor = "end"});
    if (ratio.low && ratio.high)
      drawing.line({x(*ratio.low), y}, {x(*ratio.high), y}, {.colour = colour, .width = 1.5});
    const std::string numbers = "\u00d7" + with_interval(ratio, text::ratio);
    drawing.mark({x(rows[i].ratio), y},
                 {.shape = 1, .colour = colour, .size = 4.0, .hollow = !rows[i].found->amplified},
                 rows[i].label + ": " + numbers);
    drawing.text({kRight + 6.0, y}, numbers);
  }
  const bool holm = findings.settings.correction == stats::Correction::holm;
  const std::string note =
      filled(words("forest", "note"),
             {{"correction", words("forest", holm ? "holm" : "bh")},
              {"family", std::to_string(findings.study.family_amplification)}}) +
      " " + words("forest", "filled");
  return drawing.finished(draw_note(drawing, bottom + 38.0, note));
}

}  // namespace unmask::figure
