#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/base/diagnostics.h"
#include "unmask/report/json_screen.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"
#include "unmask/report/screen_report.h"
#include "unmask/screen/arm_screen.h"
#include "unmask/screen/margin_screen.h"
#include "unmask/screen/validation.h"

namespace unmask {
namespace json_report {
namespace {

Json points_json(const std::vector<screen::LostPoint>& points) {
  Json all = Json::array();
  for (const screen::LostPoint& point : points) {
    Json entry{{"k", point.k}};
    put_figure(entry, point.lost, kPoints, "lost");
    if (point.lost_simple) entry["lost_at_least"] = number(point.lost_simple, kPoints);
    all.push_back(std::move(entry));
  }
  return all;
}

Json curves_json(const std::vector<screen::WhatIf>& curves) {
  Json all = Json::array();
  for (const screen::WhatIf& curve : curves)
    all.push_back({{"factor", curve.factor}, {"points", points_json(curve.points)}});
  return all;
}

Json propensity_json(const std::vector<screen::Propensity>& channels) {
  Json all = Json::object();
  for (const screen::Propensity& channel : channels) {
    all[channel.channel] = {{"errors", channel.errors},
                            {"rate", figure(channel.per_call)},
                            {"upper", number(channel.upper)},
                            {"near_zero", channel.near_zero},
                            {"few_clusters", channel.few_clusters}};
  }
  return all;
}

Json predicted_json(const screen::PredictedShare& share) {
  return {{"now", figure(share.now)},
          {"predicted", figure(share.predicted)},
          {"amplification", figure(share.amplification)}};
}

}  // namespace

Json arm_screen(const screen::ArmScreen& arm) {
  Json json{{"arm", arm.arm},           {"risk", name_of(arm.risk)},
            {"reasons", arm.reasons},   {"tasks", arm.tasks},
            {"episodes", arm.episodes}, {"solved", arm.solved},
            {"k_obs", arm.k_obs},       {"censored", arm.censored},
            {"budgets", arm.budgets},   {"propensity", propensity_json(arm.propensity)}};
  Json& scores = json["score"] = Json::array();
  for (std::size_t i = 0; i < arm.score.size(); ++i) {
    Json entry{{"k", i + 1}};
    put_figure(entry, arm.score[i]);
    scores.push_back(std::move(entry));
  }
  if (!arm.reason.empty()) {
    json["runs"] = nullptr;
    json["what_if"] = Json::array();
    json["by_source"] = Json::array();
    json["reason"] = arm.reason;
    return json;
  }
  json["runs"] = {{"mean", number(arm.runs.mean)},
                  {"variance", number(arm.runs.variance)},
                  {"shape", number(arm.runs.shape)},
                  {"continuation", number(arm.runs.continuation)}};
  json["what_if"] = curves_json(arm.what_if);
  Json& sources = json["by_source"] = Json::array();
  for (const screen::SourceWhatIf& source : arm.by_source) {
    sources.push_back({{"source", source.source},
                       {"share", number(source.share)},
                       {"what_if", curves_json(source.what_if)}});
  }
  return json;
}

Json validation(const screen::Validation& validation) {
  Json json{{"shared_tasks", validation.shared_tasks},
            {"solved_ref", validation.solved_ref},
            {"solved_arm", validation.solved_arm},
            {"factor", figure(validation.factor)}};
  Json& points = json["points"] = Json::array();
  for (const screen::ValidationPoint& point : validation.points) {
    points.push_back({{"k", point.k},
                      {"predicted", figure(point.predicted, kPoints)},
                      {"observed", figure(point.observed, kPoints)},
                      {"difference", figure(point.difference, kPoints)}});
  }
  if (!validation.reason.empty()) json["reason"] = validation.reason;
  return json;
}

Json margin_screen(const screen::MarginScreen& screened) {
  Json json{{"noise", screened.noise.label},
            {"sigma", number(screened.noise.sigma)},
            {"bias", number(screened.noise.bias)},
            {"measured_in", text_or_null(screened.noise.measured_in)}};
  Json& kinds = json["kinds"] = Json::array();
  for (const screen::MarginKindScreen& kind : screened.kinds) {
    kinds.push_back({{"kind", kind.kind},
                     {"decisions", kind.decisions},
                     {"left_out", kind.left_out},
                     {"tasks", kind.tasks},
                     {"likeliest", predicted_json(kind.greedy)},
                     {"sampled", predicted_json(kind.sampled)}});
  }
  return json;
}

}  // namespace json_report

namespace {

using json_report::Json;
using json_report::kPoints;
using json_report::number;
using json_report::text_or_null;

Json settings_json(const screen::ScreenSettings& settings) {
  return {{"near_zero_rate", settings.near_zero_rate},
          {"factors", settings.factors},
          {"budgets", settings.budgets},
          {"judged_factor", settings.judged_factor},
          {"serious_loss", number(settings.serious_loss, kPoints)},
          {"shown_budget", settings.shown_budget}};
}

Json warnings_json(const Diagnostics& diagnostics) {
  Json warnings = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    warnings.push_back({{"code", diagnostic.code},
                        {"severity", name_of(diagnostic.severity)},
                        {"file", text_or_null(diagnostic.file)},
                        {"episode", text_or_null(diagnostic.episode)},
                        {"sentence", diagnostic.sentence}});
  }
  return warnings;
}

}  // namespace

std::string screen_json(const ScreenReport& report, const Producer& producer) {
  Json json{{"schema", "unmask.screen/1"},
            {"unmask", json_report::producer(producer)},
            {"settings", settings_json(report.settings)}};
  Json& inputs = json["inputs"] = Json::array();
  for (const InputFindings& input : report.inputs) {
    inputs.push_back({{"path", input.path},
                      {"cell", text_or_null(input.cell)},
                      {"arm", text_or_null(input.arm)},
                      {"sha256", text_or_null(input.header.sha256)},
                      {"format", text_or_null(input.header.format)},
                      {"harness", json_report::harness(input.header.harness)},
                      {"budget", json_report::budget(input.budget)},
                      {"episodes", input.episodes},
                      {"skipped", input.skipped}});
  }
  Json& cells = json["cells"] = Json::array();
  for (const ScreenReport::Cell& cell : report.cells) {
    Json arms = Json::array();
    for (const screen::ArmScreen& arm : cell.arms) arms.push_back(json_report::arm_screen(arm));
    cells.push_back({{"cell", cell.info.cell},
                     {"domain", text_or_null(cell.info.domain)},
                     {"arms", std::move(arms)}});
  }
  Json& margins = json["margins"] = Json::array();
  for (const screen::MarginScreen& each : report.margins)
    margins.push_back(json_report::margin_screen(each));
  json["warnings"] = warnings_json(report.diagnostics);
  json["warning_counts"] = report.diagnostics.counts();
  return json_report::document(json);
}

}  // namespace unmask
