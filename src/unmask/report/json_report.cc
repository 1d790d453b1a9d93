#include "unmask/report/json_report.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/base/diagnostics.h"
#include "unmask/report/json_arm.h"
#include "unmask/report/json_comparison.h"
#include "unmask/report/json_screen.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"
#include "unmask/stats/multiple_comparisons.h"

namespace unmask {
namespace {

using json_report::Json;
using json_report::kPoints;
using json_report::number;
using json_report::text_or_null;

Json settings_json(const AuditSettings& settings) {
  return {{"alpha", settings.alpha},
          {"margin", settings.margin * kPoints},
          {"correction",
           settings.correction == stats::Correction::holm ? "holm" : "benjamini_hochberg"},
          {"comparisons_elsewhere", settings.comparisons_elsewhere},
          {"budgets", settings.budgets},
          {"amplified_ratio", settings.amplified_ratio},
          {"near_zero_rate", settings.near_zero_rate},
          {"quiet_difference", settings.quiet_difference},
          {"novelty_margin", settings.novelty_margin},
          {"shown_budget", settings.shown_budget},
          {"sign_flips", settings.sign_flips},
          {"label_swaps", settings.label_swaps},
          {"bootstrap", settings.bootstrap},
          {"sensitivity", settings.sensitivity},
          {"details", settings.details}};
}

Json warning_json(const Diagnostic& diagnostic) {
  Json json{{"code", diagnostic.code},
            {"severity", name_of(diagnostic.severity)},
            {"file", text_or_null(diagnostic.file)},
            {"episode", text_or_null(diagnostic.episode)},
            {"sentence", diagnostic.sentence}};
  json["offset"] = diagnostic.offset ? Json(*diagnostic.offset) : Json(nullptr);
  return json;
}

Json warnings_json(const Diagnostics& diagnostics) {
  Json warnings = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.kept())
    warnings.push_back(warning_json(diagnostic));
  return warnings;
}

Json input_json(const InputFindings& input, const Diagnostics& diagnostics) {
  Json json{{"path", input.path},
            {"cell", text_or_null(input.cell)},
            {"arm", text_or_null(input.arm)},
            {"sha256", text_or_null(input.header.sha256)},
            {"bytes", input.header.bytes},
            {"format", text_or_null(input.header.format)},
            {"domain", text_or_null(input.header.domain)},
            {"timestamp", text_or_null(input.header.timestamp)},
            {"harness", json_report::harness(input.header.harness)},
            {"budget", json_report::budget(input.budget)},
            {"episodes", input.episodes},
            {"skipped", input.skipped},
            {"missing_fields", input.header.missing_fields}};
  Json& warnings = json["warnings"] = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.file == input.path) warnings.push_back(warning_json(diagnostic));
  }
  return json;
}

Json null_json(const NullFindings& null) {
  Json json{{"from_null_arm", null.from_null_arm},
            {"arm", text_or_null(null.arm)},
            {"shared_tasks", null.shared_tasks},
            {"gap", json_report::figure(null.gap, kPoints)},
            {"amplification", null.from_null_arm ? json_report::amplification(null.amplification)
                                                 : json_report::split_ratios(null.amplification)}};
  if (!null.reason.empty()) json["reason"] = null.reason;
  return json;
}

Json cell_json(const CellFindings& cell, double margin) {
  Json json{{"cell", cell.info.cell},
            {"domain", text_or_null(cell.info.domain)},
            {"family", text_or_null(cell.info.family)},
            {"architecture", text_or_null(cell.info.architecture)},
            {"size", text_or_null(cell.info.size)},
            {"reference", cell.reference}};
  Json& arms = json["arms"] = Json::array();
  for (const ArmFindings& arm : cell.arms) arms.push_back(json_report::arm(arm));
  Json& comparisons = json["comparisons"] = Json::array();
  for (const ComparisonFindings& comparison : cell.comparisons)
    comparisons.push_back(json_report::comparison(comparison, cell, margin));
  json["noise_floor"] = null_json(cell.null);
  if (cell.screen) json["screen"] = json_report::arm_screen(*cell.screen);
  if (!cell.single_turn.arms.empty())
    json["single_turn"] = json_report::single_turn(cell.single_turn);
  return json;
}

Json foretold_json(const ForetoldFindings& foretold) {
  Json json{{"k", foretold.k},
            {"cells", foretold.cells},
            {"spearman", number(foretold.spearman)},
            {"p", number(foretold.p)},
            {"mean_error", number(foretold.mean_error, kPoints)},
            {"mean_absolute_error", number(foretold.mean_absolute_error, kPoints)}};
  if (!foretold.spearman || !foretold.p)
    json["reason"] = foretold.reason.empty() ? "not computed" : foretold.reason;
  return json;
}

Json study_json(const StudyFindings& study) {
  Json json = Json::object();
  if (!study.reason.empty()) json["reason"] = study.reason;
  json["cells"] = study.cells;
  Json& spearman = json["spearman_amplification_widening"];
  spearman = {{"value", number(study.spearman_amplification_widening)},
              {"p", number(study.spearman_p)}};
  if (!study.spearman_amplification_widening || !study.spearman_p)
    spearman["reason"] = study.reason.empty() ? "not computed" : study.reason;
  Json& predictors = json["predictors"] = Json::array();
  for (const Predictor& predictor : study.predictors) {
    Json entry{{"name", predictor.name},
               {"spearman", number(predictor.spearman)},
               {"p", number(predictor.p)}};
    if (!predictor.spearman || !predictor.p)
      entry["reason"] = predictor.reason.empty() ? "not computed" : predictor.reason;
    predictors.push_back(std::move(entry));
  }
  if (study.foretold.k > 0) json["foretold"] = foretold_json(study.foretold);
  json["equivalent_cells"] = study.equivalent;
  json["tested_cells"] = study.cells;
  json["equivalence_tests"] = study.equivalence_tests;
  json["gaps_surviving"] = study.gaps_surviving;
  json["families"] = {{"scores", study.family_scores},
                      {"widening", study.family_widening},
                      {"amplification", study.family_amplification}};
  json["channel_by_domain"] = study.channel_by_domain;
  return json;
}

}  // namespace

std::string audit_json(const AuditFindings& findings, const Producer& producer) {
  Json json{{"schema", "unmask.audit/1"},
            {"unmask", json_report::producer(producer)},
            {"settings", settings_json(findings.settings)},
            {"seed", findings.settings.seed}};
  Json& inputs = json["inputs"] = Json::array();
  for (const InputFindings& input : findings.inputs)
    inputs.push_back(input_json(input, findings.diagnostics));
  Json& cells = json["cells"] = Json::array();
  Json repairs = Json::array();
  for (const CellFindings& cell : findings.cells) {
    cells.push_back(cell_json(cell, findings.settings.margin));
    for (const RepairFindings& repair : cell.repairs)
      repairs.push_back(json_report::repair(repair, cell.info.cell));
  }
  json["repairs"] = std::move(repairs);
  json["study"] = study_json(findings.study);
  json["warnings"] = warnings_json(findings.diagnostics);
  json["warning_counts"] = findings.diagnostics.counts();
  return json_report::document(json);
}

}  // namespace unmask
