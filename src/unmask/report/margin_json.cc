#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/margin.h"
#include "unmask/report/json_values.h"
#include "unmask/report/margin_rendering.h"
#include "unmask/report/producer.h"

namespace unmask {
namespace {

using json_report::Json;
using json_report::number;
using json_report::text_or_null;

Json figure(const stats::Figure& figure) { return json_report::figure(figure); }

Json arm_json(const ScoredArm& arm) {
  return {{"name", arm.name},
          {"model", text_or_null(arm.model)},
          {"precision", text_or_null(arm.precision)},
          {"bits_per_weight", number(arm.bits_per_weight)}};
}

Json matrix_json(const margins::FlipMatrix& matrix) {
  return {{"good_good", matrix.good_good},
          {"good_bad", matrix.good_bad},
          {"bad_good", matrix.bad_good},
          {"bad_bad", matrix.bad_bad}};
}

Json flips_json(const margins::FlipFindings& flips) {
  return {{"decisions", flips.decisions},
          {"flipped", flips.flipped},
          {"observed", figure(flips.observed)},
          {"predicted", figure(flips.normal)},
          {"predicted_empirical", figure(flips.empirical)},
          {"difference", figure(flips.difference)}};
}

Json calibration_json(const margins::Calibration& calibration) {
  Json bins = Json::array();
  for (const margins::CalibrationBin& bin : calibration.bins) {
    bins.push_back({{"low", number(bin.low)},
                    {"high", number(bin.high)},
                    {"mean", number(bin.mean)},
                    {"decisions", bin.decisions},
                    {"flipped", bin.flipped},
                    {"predicted", number(bin.predicted)},
                    {"observed", figure(bin.observed)}});
  }
  Json json{{"bins", std::move(bins)}};
  if (!calibration.reason.empty()) json["reason"] = calibration.reason;
  return json;
}

Json histogram_json(const std::vector<margins::HistogramBin>& histogram) {
  Json bins = Json::array();
  for (const margins::HistogramBin& bin : histogram) {
    Json entry{{"low", number(bin.low)}, {"high", number(bin.high)}};
    entry.update(matrix_json(bin.outcomes));
    bins.push_back(std::move(entry));
  }
  return bins;
}

Json mass_json(const std::vector<margins::MassFindings>& masses) {
  Json json = Json::array();
  for (const margins::MassFindings& mass : masses) {
    json.push_back({{"temperature", number(mass.temperature)},
                    {"decisions", mass.decisions},
                    {"reference", figure(mass.reference)},
                    {"arm", figure(mass.arm)},
                    {"amplification", figure(mass.amplification)}});
  }
  return json;
}

Json side_test_json(const margins::SideTest& test) {
  return {{"decisions", test.decisions},
          {"flipped", test.flipped},
          {"auc_thinness", figure(test.auc_thinness)},
          {"auc_divergence", figure(test.auc_divergence)},
          {"auc_difference", figure(test.auc_difference)},
          {"with_mass", test.with_mass},
          {"rank_thinness", figure(test.rank_thinness)},
          {"rank_divergence", figure(test.rank_divergence)}};
}

Json group_json(const margins::MarginGroup& group) {
  const bool admissible = group.side == margins::MarginSide::admissible;
  Json json{{"by", group.by == margins::GroupBy::kind ? "kind" : "provenance"},
            {"name", group.name},
            {"side", admissible ? "admissible" : "golden"},
            {"decisions", group.decisions},
            {"paired", group.points.size()},
            {"tasks", group.tasks}};
  Json left_out = Json::array();
  for (const margins::LeftOut& left : group.left_out) {
    left_out.push_back({{"reason", left.reason}, {"reference", left.reference}, {"arm", left.arm}});
  }
  json["left_out"] = std::move(left_out);
  json["window"] = number(group.noise.window);
  json["inside"] = group.noise.inside;
  json["bias"] = figure(group.noise.bias);
  json["sigma"] = figure(group.noise.sigma);
  json["slope"] = figure(group.noise.slope);
  json["thin_share"] = figure(group.thin_share);
  json["matrix"] = matrix_json(group.matrix);
  json["flips"] = {{"good", flips_json(group.good)}, {"bad", flips_json(group.bad)}};
  json["calibration"] = calibration_json(group.calibration);
  json["histogram"] = histogram_json(group.histogram);
  json["side_test"] = side_test_json(group.side_test);
  if (admissible) {
    json["mass"] = mass_json(group.mass);
    json["top_choice"] = {{"decisions", group.top.decisions},
                          {"reference", group.top.reference},
                          {"arm", group.top.arm},
                          {"amplification", figure(group.top.amplification)},
                          {"logged", figure(group.top.logged)}};
  }
  if (group.by == margins::GroupBy::kind) {
    Json points = Json::array();
    for (const margins::MarginPoint& point : group.points)
      points.push_back({point.decision, number(point.reference), number(point.arm)});
    json["points"] = std::move(points);
  }
  return json;
}

Json carriers_json(const margins::Carriers& carriers) {
  Json decisions = Json::array();
  for (const margins::CarrierDecision& carrier : carriers.decisions) {
    decisions.push_back({{"decision", carrier.decision},
                         {"task", carrier.task_id},
                         {"trial", carrier.trial},
                         {"message", carrier.message},
                         {"call", carrier.call},
                         {"party", name_of(carrier.party)},
                         {"kind", name_of(carrier.kind)},
                         {"argument", text_or_null(carrier.argument)},
                         {"admissible", text_or_null(carrier.admissible)},
                         {"inadmissible", text_or_null(carrier.inadmissible)},
                         {"provenance", text_or_null(carrier.provenance)},
                         {"margin_reference", number(carrier.m_ref)},
                         {"margin_arm", number(carrier.m_arm)},
                         {"mass_reference", number(carrier.mass_ref)},
                         {"mass_arm", number(carrier.mass_arm)},
                         {"flipped", carrier.flipped}});
  }
  Json names = Json::array();
  for (const margins::CarrierName& name : carriers.names) {
    names.push_back({{"kind", name_of(name.kind)},
                     {"name", name.name},
                     {"provenance", text_or_null(name.provenance)},
                     {"decisions", name.decisions},
                     {"rise", number(name.rise)},
                     {"flipped_to", name.flipped_to}});
  }
  return {{"rise", number(carriers.rise)},
          {"listed_rise", number(carriers.listed_rise)},
          {"decisions", std::move(decisions)},
          {"names", std::move(names)}};
}

}  // namespace

std::string margin_json(const margins::MarginFindings& findings, const Producer& producer) {
  Json json{
      {"schema", "unmask.margins/1"},
      {"unmask", json_report::producer(producer)},
      {"settings", {{"folds", findings.settings.folds}, {"listed", findings.settings.listed}}},
      {"reference", arm_json(findings.reference)},
      {"decisions", findings.decisions},
      {"tasks", findings.tasks},
      {"episodes", findings.episodes}};
  if (!findings.reason.empty()) json["reason"] = findings.reason;
  Json comparisons = Json::array();
  for (const margins::MarginComparison& comparison : findings.comparisons) {
    Json groups = Json::array();
    for (const margins::MarginGroup& group : comparison.groups) groups.push_back(group_json(group));
    comparisons.push_back({{"arm", arm_json(comparison.arm)},
                           {"control", comparison.control},
                           {"groups", std::move(groups)},
                           {"carriers", carriers_json(comparison.carriers)}});
  }
  json["comparisons"] = std::move(comparisons);
  return json_report::document(json);
}

}  // namespace unmask
