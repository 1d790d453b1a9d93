#include "unmask/report/csv_report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/report/csv_text.h"

namespace unmask {
namespace {

using text::csv_number;

constexpr double kPoints = 100.0;

struct Row {
  std::string_view measure;
  std::string_view channel;
  std::optional<int> k;
  Figure figure;
  double scale = 1.0;
  std::optional<double> p, p_adjusted;
};

// Rows of one arm of one cell.
class ArmRows {
 public:
  ArmRows(text::CsvWriter& csv, std::string_view cell, std::string_view arm)
      : csv_(csv), cell_(cell), arm_(arm) {}

  void add(const Row& row) {
    csv_.text(cell_).text(arm_).raw(row.measure).text(row.channel);
    csv_.raw(row.k ? std::to_string(*row.k) : "");
    csv_.raw(csv_number(row.figure.value, row.scale));
    csv_.raw(csv_number(row.figure.low, row.scale)).raw(csv_number(row.figure.high, row.scale));
    csv_.raw(csv_number(row.p)).raw(csv_number(row.p_adjusted));
    const bool nothing = !row.figure.value && row.figure.reason.empty();
    csv_.text(nothing ? "not computed" : row.figure.reason).end_line();
  }

  void count(std::string_view measure, std::uint64_t value, std::string_view channel = {}) {
    add({.measure = measure, .channel = channel, .k = {}, .figure = exact(value)});
  }
  void rate(std::string_view measure, const Figure& figure, std::string_view channel = {}) {
    add({.measure = measure, .channel = channel, .k = {}, .figure = figure});
  }

 private:
  static Figure exact(std::uint64_t value) {
    return {static_cast<double>(value), std::nullopt, std::nullopt, {}};
  }

  text::CsvWriter& csv_;
  std::string_view cell_, arm_;
};

void add_channel(ArmRows& rows, const ChannelFindings& channel) {
  rows.count("errors", channel.errors, channel.name);
  rows.rate("errors_per_call", channel.per_call, channel.name);
  rows.rate("errors_per_episode", channel.per_episode, channel.name);
  rows.rate("errors_per_successful_call", channel.per_successful_call, channel.name);
  rows.rate("episodes_with_share", channel.episodes_with_share, channel.name);
}

void add_consequence(ArmRows& rows, const ConsequenceFindings& found) {
  rows.count("writes_known_episodes", found.episodes);
  rows.count("stray_write_episodes", found.episodes_with);
  rows.count("stray_write_solved", found.solved_with);
  rows.count("stray_writes", found.writes);
  rows.rate("stray_write_share", found.share);
  rows.rate("stray_write_first_call", found.first_call);
  rows.rate("stray_write_first_message", found.first_message);
  rows.add({.measure = "score_writes_known", .channel = {}, .k = found.k, .figure = found.score});
  rows.add({.measure = "score_consequence",
            .channel = {},
            .k = found.k,
            .figure = found.score_consequence});
}

void add_evidence(ArmRows& rows, const EvidenceFindings& evidence) {
  rows.count("decided_stated", evidence.stated);
  rows.count("decided_structure", evidence.structure);
  rows.count("decided_reexecution", evidence.reexecution);
  rows.count("decided_error_text", evidence.error_text);
  rows.count("decided_none", evidence.none);
  if (evidence.asked_world) rows.count("answered_otherwise", evidence.differing);
}

void add_arm(ArmRows& rows, const ArmFindings& arm) {
  rows.count("tasks", arm.tasks);
  rows.count("episodes", arm.episodes);
  rows.count("vanished", arm.vanished());
  rows.count("stopped_by_budget", arm.stopped_by_budget);
  rows.count("contradictions", arm.contradictions);
  rows.count("agent_calls", arm.agent_calls);
  rows.count("agent_failed", arm.agent_failed);
  rows.count("user_calls", arm.user_calls);
  rows.count("user_failed", arm.user_failed);
  rows.count("communication_errors", arm.communication_errors);
  rows.count("infrastructure_errors", arm.infrastructure_errors);
  rows.rate("failed_per_call", arm.failed_per_call);
  for (const ChannelFindings& channel : arm.channels) add_channel(rows, channel);
  for (const ChannelFindings& kind : arm.kinds) add_channel(rows, kind);
  for (const ScorePoint& point : arm.score)
    rows.add({.measure = "score", .channel = {}, .k = point.k, .figure = point.score});
  for (const PassPowers& powers : arm.pass) {
    for (std::size_t i = 0; i < powers.pass.size(); ++i) {
      const std::string measure = "pass_" + std::to_string(i + 1);
      rows.add({.measure = measure, .channel = {}, .k = powers.budget, .figure = powers.pass[i]});
    }
  }
  add_evidence(rows, arm.evidence);
  if (arm.evidence.asked_world) add_consequence(rows, arm.consequence);
  rows.rate("next_call_recovery", arm.recovery.next_call.share);
  rows.rate("run_recovery", arm.recovery.run.share);
  rows.rate("episode_recovery", arm.recovery.episode.share);
  rows.rate("repeat_share", arm.recovery.repeat.share);
  for (const LengthFindings& length : arm.lengths) {
    rows.rate(length.name + "_mean", length.mean);
    rows.rate(length.name + "_median", length.median);
    rows.rate(length.name + "_p90", length.p90);
  }
}

void add_comparison(ArmRows& rows, const ComparisonFindings& comparison) {
  rows.add({.measure = "verdict_" + std::string(name_of(comparison.verdict)),
            .channel = {},
            .k = comparison.k_obs,
            .figure = {1.0, std::nullopt, std::nullopt, comparison.sentence}});
  for (const GapPoint& point : comparison.gap) {
    rows.add({.measure = "gap_points",
              .channel = {},
              .k = point.k,
              .figure = point.gap.figure,
              .scale = kPoints,
              .p = point.gap.p,
              .p_adjusted = point.gap.p_adjusted});
  }
  for (const WideningPoint& point : comparison.widening) {
    rows.add({.measure = "widening_points",
              .channel = {},
              .k = point.k,
              .figure = point.widening.figure,
              .scale = kPoints,
              .p = point.widening.p,
              .p_adjusted = point.widening.p_adjusted});
  }
  rows.add({.measure = "area_points",
            .channel = {},
            .k = {},
            .figure = comparison.area,
            .scale = kPoints});
  if (comparison.consequence.shared_tasks > 0) {
    const auto add_gap = [&](std::string_view measure, const TestedFigure& gap) {
      rows.add({.measure = measure,
                .channel = {},
                .k = comparison.consequence.k,
                .figure = gap.figure,
                .scale = kPoints,
                .p = gap.p});
    };
    add_gap("gap_writes_known_points", comparison.consequence.gap);
    add_gap("gap_consequence_points", comparison.consequence.gap_consequence);
  }
  for (const EquivalencePoint& point : comparison.equivalence) {
    rows.add({.measure = "equivalent",
              .channel = {},
              .k = point.k,
              .figure = {point.equivalent ? 1.0 : 0.0, std::nullopt, std::nullopt, {}},
              .p = point.p});
  }
  for (const AmplificationFindings& channel : comparison.amplification) {
    Figure ratio = channel.ratio;
    if (ratio.reason.empty()) ratio.reason = channel.reason;
    rows.add({.measure = "amplification",
              .channel = channel.channel,
              .k = {},
              .figure = std::move(ratio),
              .p = channel.p,
              .p_adjusted = channel.p_adjusted});
    rows.rate("ratio_per_call", channel.per_call, channel.channel);
    rows.rate("ratio_per_successful_call", channel.per_successful_call, channel.channel);
    rows.rate("difference_per_call", channel.difference, channel.channel);
  }
  for (const Attribution& attribution : comparison.attribution) {
    for (const AttributionPoint& point : attribution.points) {
      rows.add({.measure = "attribution_points",
                .channel = attribution.channel,
                .k = point.k,
                .figure = point.difference,
                .scale = kPoints});
    }
  }
  for (const FailureSetFindings& set : comparison.failure_sets) {
    const auto figure = [&](std::optional<double> value) {
      return Figure{value, std::nullopt, std::nullopt, set.reason};
    };
    rows.rate("failure_set_spearman", figure(set.spearman), set.channel);
    rows.rate("failure_set_novel_share", figure(set.novel_share), set.channel);
    rows.rate("failure_set_excess", set.excess, set.channel);
  }
}

void add_first_calls(ArmRows& rows, const SingleTurnArm& arm) {
  rows.count("first_call_answers", arm.answers);
  for (const FirstCall call : kFirstCalls) {
    rows.count("first_call_" + std::string(name_of(call)),
               arm.calls[static_cast<std::size_t>(call)]);
  }
  rows.rate("first_call_right_share", arm.right);
  for (const SingleTurnSteps& steps : arm.by_due) {
    const std::string due = "first_call_" + std::string(name_of(steps.due)) + "_due_";
    rows.count(due + "answers", steps.answers);
    rows.rate(due + "right_share", steps.right);
  }
  rows.rate("first_call_failed_share", arm.failed_share);
  rows.rate("first_call_tool_name_share", arm.tool_name_share);
}

void add_first_call_gaps(ArmRows& rows, const SingleTurnComparison& comparison) {
  const auto add = [&](std::string_view measure, const TestedFigure& gap) {
    rows.add({.measure = measure,
              .channel = {},
              .k = {},
              .figure = gap.figure,
              .scale = kPoints,
              .p = gap.p});
  };
  add("first_call_gap_points", comparison.gap);
  for (const SingleTurnGap& gap : comparison.by_due)
    add("first_call_" + std::string(name_of(gap.due)) + "_due_gap_points", gap.gap);
  for (const AmplificationFindings& channel : comparison.amplification) {
    rows.add({.measure = "first_call_amplification",
              .channel = channel.channel,
              .k = {},
              .figure = channel.ratio,
              .p = channel.p});
  }
}

}  // namespace

std::string audit_csv(const AuditFindings& findings) {
  text::CsvWriter csv;
  csv.raw("cell,arm,measure,channel,k,value,low,high,p,p_adjusted,reason").end_line();
  for (const CellFindings& cell : findings.cells) {
    for (const ArmFindings& arm : cell.arms) {
      ArmRows rows(csv, cell.info.cell, arm.arm);
      add_arm(rows, arm);
      for (const ComparisonFindings& comparison : cell.comparisons) {
        if (comparison.arm == arm.arm) add_comparison(rows, comparison);
      }
    }
    for (const SingleTurnArm& arm : cell.single_turn.arms) {
      ArmRows rows(csv, cell.info.cell, arm.arm);
      add_first_calls(rows, arm);
      for (const SingleTurnComparison& comparison : cell.single_turn.comparisons) {
        if (comparison.arm == arm.arm) add_first_call_gaps(rows, comparison);
      }
    }
  }
  return csv.content();
}

}  // namespace unmask
