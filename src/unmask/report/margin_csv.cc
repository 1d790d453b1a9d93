#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/csv_text.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/stats/figure.h"

namespace unmask {
namespace {

using stats::Figure;

class GroupRows {
 public:
  GroupRows(text::CsvWriter& csv, std::string_view arm, const margins::MarginGroup& group)
      : csv_(csv), arm_(arm), group_(group) {}

  void add(std::string_view measure, const Figure& figure, std::optional<double> at = {}) {
    begin(measure, at);
    csv_.raw(text::csv_number(figure.value))
        .raw(text::csv_number(figure.low))
        .raw(text::csv_number(figure.high));
    const bool nothing = !figure.value && figure.reason.empty();
    csv_.text(nothing ? "not computed" : figure.reason).end_line();
  }

  void count(std::string_view measure, std::uint64_t value, std::optional<double> at = {}) {
    begin(measure, at);
    csv_.raw(std::to_string(value)).raw("").raw("").text("").end_line();
  }

 private:
  void begin(std::string_view measure, std::optional<double> at) {
    const bool kind = group_.by == margins::GroupBy::kind;
    const bool golden = group_.side == margins::MarginSide::golden;
    csv_.text(arm_).raw(kind ? "kind" : "provenance").text(group_.name);
    csv_.raw(golden ? "golden" : "admissible").text(measure).raw(text::csv_number(at));
  }

  text::CsvWriter& csv_;
  std::string_view arm_;
  const margins::MarginGroup& group_;
};

Figure plain(std::optional<double> value, const char* none) {
  return value ? Figure{*value, std::nullopt, std::nullopt, {}} : stats::missing(none);
}

void add_flips(GroupRows& rows, const std::string& which, const margins::FlipFindings& flips) {
  rows.count(which + "_decisions", flips.decisions);
  rows.count(which + "_flipped", flips.flipped);
  rows.add(which + "_flip_share", flips.observed);
  rows.add(which + "_flip_share_predicted", flips.normal);
  rows.add(which + "_flip_share_empirical", flips.empirical);
  rows.add(which + "_flip_share_difference", flips.difference);
}

void add_group(GroupRows& rows, const margins::MarginGroup& group) {
  rows.count("decisions", group.decisions);
  rows.count("paired", group.points.size());
  rows.count("tasks", group.tasks);
  for (const margins::LeftOut& left : group.left_out)
    rows.count("left_out_" + left.reason, left.reference + left.arm);
  rows.add("window", plain(group.noise.window, "fewer than two decisions"));
  rows.add("bias", group.noise.bias);
  rows.add("sigma", group.noise.sigma);
  rows.add("slope", group.noise.slope);
  rows.add("thin_share", group.thin_share);
  add_flips(rows, "good", group.good);
  add_flips(rows, "bad", group.bad);
  for (const margins::CalibrationBin& bin : group.calibration.bins) {
    rows.add("calibration_predicted", plain(bin.predicted, "no prediction"), bin.mean);
    rows.add("calibration_observed", bin.observed, bin.mean);
  }
  for (const margins::MassFindings& mass : group.mass) {
    rows.add("mass_reference", mass.reference, mass.temperature);
    rows.add("mass_arm", mass.arm, mass.temperature);
    rows.add("mass_amplification", mass.amplification, mass.temperature);
  }
  if (group.side == margins::MarginSide::admissible) {
    rows.count("top_inadmissible_reference", group.top.reference);
    rows.count("top_inadmissible_arm", group.top.arm);
    rows.add("top_amplification", group.top.amplification);
    rows.add("logged_amplification", group.top.logged);
  }
  rows.add("auc_thinness", group.side_test.auc_thinness);
  rows.add("auc_divergence", group.side_test.auc_divergence);
  rows.add("auc_difference", group.side_test.auc_difference);
  rows.add("rank_thinness", group.side_test.rank_thinness);
  rows.add("rank_divergence", group.side_test.rank_divergence);
}

}  // namespace

std::string margin_csv(const margins::MarginFindings& findings) {
  text::CsvWriter csv;
  csv.raw("arm,by,group,side,measure,at,value,low,high,reason").end_line();
  for (const margins::MarginComparison& comparison : findings.comparisons) {
    for (const margins::MarginGroup& group : comparison.groups) {
      GroupRows rows(csv, comparison.arm.name, group);
      add_group(rows, group);
    }
  }
  return csv.content();
}

}  // namespace unmask
