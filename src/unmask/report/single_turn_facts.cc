#include "unmask/report/single_turn_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/report/comparison_facts.h"
#include "unmask/report/number_text.h"
#include "unmask/report/report_words.h"
#include "unmask/report/terminal_text.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"

namespace unmask::text {
namespace {

std::string_view words_of(FirstCall call) {
  switch (call) {
    case FirstCall::right:
      return "right";
    case FirstCall::wrong_arguments:
      return "with other arguments";
    case FirstCall::other_tool:
      return "of another tool";
    case FirstCall::unknown_tool:
      return "of a name not offered";
    case FirstCall::malformed:
      return "unreadable";
    case FirstCall::no_call:
      return "without the call";
  }
  return {};
}

/// What a good answer is depends on it.
std::string_view due_words(Party due) {
  return due == Party::agent ? "a call is due"
                             : "the user's step is due, to be asked for in words,";
}

std::string arm_sentence(const SingleTurnArm& arm, const TextStyle& style) {
  std::string sentence = shown_name(arm.arm, 16, style) + ": ";
  if (arm.right.value) sentence += percent(*arm.right.value) + " % right; ";
  std::vector<std::string> parts;
  for (const FirstCall call : kFirstCalls) {
    const std::uint64_t count = arm.calls[static_cast<std::size_t>(call)];
    if (count > 0) parts.push_back(grouped(count) + " " + std::string(words_of(call)));
  }
  sentence += "of " + counted(arm.answers, "answer") + " on " + counted(arm.tasks, "task") + " " +
              (parts.empty() ? "none" : joined(parts));
  if (arm.excluded > 0) sentence += ", " + grouped(arm.excluded) + " broken off";
  return sentence;
}

/// Only where the steps are of both parties: else the whole says it already.
std::string steps_sentence(const SingleTurnArm& arm, const TextStyle& style) {
  if (arm.by_due.size() < 2) return {};
  std::vector<std::string> parts;
  for (const SingleTurnSteps& steps : arm.by_due) {
    parts.push_back(std::string(due_words(steps.due)) + " " +
                    (steps.right.value ? percent(*steps.right.value) + " % right"
                                       : std::string("no share right")) +
                    " of " + counted(steps.answers, "answer"));
  }
  return shown_name(arm.arm, 16, style) + ": where " + parts[0] + "; where " + parts[1];
}

const ComparisonFindings* loop_of(const CellFindings& cell, std::string_view arm) {
  const auto found = std::ranges::find(cell.comparisons, arm, &ComparisonFindings::arm);
  return found == cell.comparisons.end() ? nullptr : &*found;
}

/// "; in the loop 5.5 at K=10 and 16.7 at K=2".
std::string loop_gaps(const ComparisonFindings& loop) {
  const GapPoint* whole = loop.gap_at(loop.k_obs);
  if (whole == nullptr || !whole->gap.figure.value) return {};
  std::string text =
      "; in the loop " + points(*whole->gap.figure.value) + " at K=" + std::to_string(loop.k_obs);
  const GapPoint* tight = loop.widening.empty() ? nullptr : loop.gap_at(loop.widening.front().k);
  if (tight != nullptr && tight->gap.figure.value) {
    text += " and " + points(*tight->gap.figure.value) + " at K=" + std::to_string(tight->k);
  }
  return text;
}

std::string gap_sentence(const CellFindings& cell, const SingleTurnComparison& comparison,
                         const TextStyle& style) {
  std::string sentence = shown_name(comparison.arm, 16, style);
  const Figure& gap = comparison.gap.figure;
  if (!gap.value) return sentence + ": no gap (" + gap.reason + ")";
  sentence += ": gap " + points(*gap.value) + " points" + points_interval(gap);
  if (const std::string p = p_value(comparison.gap.p); !p.empty()) sentence += " (" + p + ")";
  if (comparison.equivalent) sentence += ", equivalent";
  if (const ComparisonFindings* loop = loop_of(cell, comparison.arm)) sentence += loop_gaps(*loop);
  return sentence;
}

std::string gaps_by_due(const SingleTurnComparison& comparison, const TextStyle& style) {
  if (comparison.by_due.size() < 2) return {};
  std::string sentence;
  for (const SingleTurnGap& found : comparison.by_due) {
    const Figure& gap = found.gap.figure;
    sentence += sentence.empty() ? shown_name(comparison.arm, 16, style) + ": gap " : "; ";
    sentence += found.due == Party::agent ? "where a call is due " : "where the user's step is ";
    if (!gap.value) {
      sentence += "none (" + gap.reason + ")";
      continue;
    }
    sentence += points(*gap.value) + points_interval(gap);
    if (const std::string p = p_value(found.gap.p); !p.empty()) sentence += " (" + p + ")";
    if (found.equivalent) sentence += ", equivalent";
  }
  return sentence;
}

const SingleTurnGap* gap_where(const SingleTurnComparison& comparison, Party due) {
  const auto found = std::ranges::find(comparison.by_due, due, &SingleTurnGap::due);
  return found == comparison.by_due.end() ? nullptr : &*found;
}

const AmplificationFindings* channel_of(const std::vector<AmplificationFindings>& all,
                                        std::string_view name) {
  const auto found = std::ranges::find(all, name, &AmplificationFindings::channel);
  return found == all.end() ? nullptr : &*found;
}

std::string names_sentence(const CellFindings& cell, const SingleTurnComparison& comparison,
                           const TextStyle& style) {
  const std::string_view channel = name_of(Channel::tool_name);
  const AmplificationFindings* found = channel_of(comparison.amplification, channel);
  if (found == nullptr || found->errors_ref + found->errors_arm == 0) return {};
  std::string sentence = shown_name(comparison.arm, 16, style) + ": " + channel_words(channel) +
                         " " + grouped(found->errors_ref) + " and " + grouped(found->errors_arm);
  if (found->ratio.value) sentence += ", " + ratio_with_interval(found->ratio, style);
  const ComparisonFindings* loop = loop_of(cell, comparison.arm);
  const AmplificationFindings* in_loop = loop == nullptr ? nullptr : loop->channel(channel);
  if (in_loop != nullptr && in_loop->ratio.value) {
    sentence += "; in the loop " + grouped(in_loop->errors_ref) + " and " +
                grouped(in_loop->errors_arm) + ", " + ratio_with_interval(in_loop->ratio, style);
  }
  return sentence;
}

std::optional<double> right_of(const CellFindings& cell, std::string_view arm) {
  const auto found = std::ranges::find(cell.single_turn.arms, arm, &SingleTurnArm::arm);
  return found == cell.single_turn.arms.end() ? std::nullopt : found->right.value;
}

int first_budget(const AuditSettings& settings) {
  return settings.budgets.empty() ? 2 : settings.budgets.front();
}

}  // namespace

std::vector<Fact> single_turn_facts(const CellFindings& cell, const TextStyle& style) {
  std::vector<Fact> facts;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) facts.push_back({facts.empty() ? "first call" : "", sentence});
  };
  if (cell.single_turn.arms.empty()) return facts;
  add("at each state where golden actions are done and the next one is due");
  for (const SingleTurnArm& arm : cell.single_turn.arms) {
    add(arm_sentence(arm, style));
    add(steps_sentence(arm, style));
  }
  for (const SingleTurnComparison& comparison : cell.single_turn.comparisons) {
    add(gap_sentence(cell, comparison, style));
    add(gaps_by_due(comparison, style));
    add(names_sentence(cell, comparison, style));
  }
  return facts;
}

std::vector<std::string> single_turn_lines(const AuditFindings& findings, const TextStyle& style) {
  TextTable table;
  table.columns = {
      {.header = "single turn, loop"},
      {.header = "arm"},
      {.header = "right %", .align = Align::right},
      {.header = "gap", .align = Align::right},
      {.header = "at calls", .align = Align::right},
      {.header = "loop", .align = Align::right},
      {.header = "at K=" + std::to_string(first_budget(findings.settings)), .align = Align::right},
      {.header = "names", .align = Align::right},
      {.header = "loop", .align = Align::right}};
  const std::string dash(glyphs(style).dash);
  for (const CellFindings& cell : findings.cells) {
    for (const SingleTurnComparison& comparison : cell.single_turn.comparisons) {
      const ComparisonFindings* loop = loop_of(cell, comparison.arm);
      const auto gap_at = [&](int k) {
        const GapPoint* point = loop == nullptr ? nullptr : loop->gap_at(k);
        return point != nullptr && point->gap.figure.value ? points(*point->gap.figure.value)
                                                           : dash;
      };
      const auto ratio_of = [&](const AmplificationFindings* channel) {
        return channel != nullptr && channel->ratio.value ? ratio_text(*channel->ratio.value, style)
                                                          : dash;
      };
      const std::string_view names = name_of(Channel::tool_name);
      const SingleTurnGap* at_calls = gap_where(comparison, Party::agent);
      table.rows.push_back(
          {{cell_title(cell, style)},
           {shown_name(comparison.arm, 16, style)},
           {from_to_percent(right_of(cell, cell.reference), right_of(cell, comparison.arm), style)},
           {comparison.gap.figure.value ? points(*comparison.gap.figure.value) : dash},
           {at_calls != nullptr && at_calls->gap.figure.value ? points(*at_calls->gap.figure.value)
                                                              : dash},
           {gap_at(loop == nullptr ? 0 : loop->k_obs)},
           {gap_at(first_budget(findings.settings))},
           {ratio_of(channel_of(comparison.amplification, names))},
           {ratio_of(loop == nullptr ? nullptr : loop->channel(names))}});
    }
  }
  if (table.rows.empty()) return {};
  std::vector<std::string> lines = wrapped(
      "first calls at the states of perfect runs; gaps in points, at calls: where one is due "
      "rather than a word to the user; hallucinated names as ratios of errors",
      style.width);
  for (std::string& line : lines) line = painted(line, Paint::dim, style);
  const std::vector<std::string> rows = table_lines(table, style.width, style);
  lines.insert(lines.end(), rows.begin(), rows.end());
  return lines;
}

}  // namespace unmask::text
