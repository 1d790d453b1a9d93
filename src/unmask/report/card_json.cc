#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/verdict.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/card.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"

namespace unmask {
namespace {

using json_report::figure;
using json_report::Json;
using json_report::kPoints;
using json_report::text_or_null;

Json scores(const std::vector<CardScore>& points, double scale = 1.0) {
  Json json = Json::object();
  for (const CardScore& point : points) json[std::to_string(point.k)] = figure(point.score, scale);
  return json;
}

Json channels(const std::vector<CardChannel>& channels) {
  Json json = Json::object();
  for (const CardChannel& channel : channels) {
    json[channel.name] = {{"errors", channel.errors},
                          {"per_episode", figure(channel.per_episode)},
                          {"per_call", figure(channel.per_call)},
                          {"per_successful_call", figure(channel.per_successful_call)}};
  }
  return json;
}

Json ratios(const std::vector<CardChannel>& channels) {
  Json json = Json::object();
  for (const CardChannel& channel : channels) {
    json[channel.name] = {{"per_episode", figure(channel.per_episode)},
                          {"per_call", figure(channel.per_call)},
                          {"per_successful_call", figure(channel.per_successful_call)}};
  }
  return json;
}

Json coverage(const CardCoverage& coverage) {
  return {{"tasks", coverage.tasks},
          {"episodes", coverage.episodes},
          {"vanished", coverage.vanished},
          {"excluded",
           {{"infrastructure", coverage.excluded_infrastructure},
            {"no_reward", coverage.excluded_no_reward}}},
          {"missing_trials", coverage.missing_trials},
          {"stopped_by_budget", coverage.stopped_by_budget},
          {"contradictions", coverage.contradictions},
          {"agent_calls", coverage.agent_calls}};
}

Json budget(const BudgetRegime& regime, const BudgetSemantics& semantics) {
  return {{"k_obs", json_report::integer(regime.enforced)},
          {"enforced", regime.enforced.has_value()},
          {"known", regime.known},
          {"nominal", json_report::integer(regime.nominal)},
          {"counts", name_of(semantics.counts)},
          {"how", name_of(semantics.how)},
          {"tested", name_of(semantics.tested)},
          {"ends", name_of(semantics.ends)},
          {"evidence", text_or_null(regime.evidence)}};
}

Json comparison(const CardComparison& comparison) {
  return {{"reference", comparison.reference},
          {"verdict", name_of(comparison.verdict)},
          {"suffix", text_or_null(name_of(comparison.suffix))},
          {"sentence", comparison.sentence},
          {"gap_points", scores(comparison.gap, kPoints)},
          {"amplification", ratios(comparison.channels)}};
}

}  // namespace

std::string card_json(const Card& card, const Producer& producer) {
  Json json{{"schema", "unmask.card/1"},
            {"unmask", json_report::producer(producer)},
            {"cell", card.cell},
            {"domain", text_or_null(card.domain)},
            {"arm", card.arm},
            {"identity", json_report::identity(card.identity)},
            {"harness", json_report::harness(card.harness)},
            {"reward_basis", card.reward_basis},
            {"budget", budget(card.budget, card.semantics)},
            {"coverage", coverage(card.coverage)}};
  Json score{{"k", card.k_obs}};
  json_report::put_figure(score, card.score);
  json["score"] = std::move(score);
  json["score_by_budget"] = scores(card.score_by_budget);
  json["channels"] = channels(card.channels);
  Json recovery{{"recovered", card.next_call_recovery.recovered},
                {"followed", card.next_call_recovery.followed}};
  json_report::put_figure(recovery, card.next_call_recovery.share);
  json["next_call_recovery"] = std::move(recovery);
  json["comparison"] = card.comparison ? comparison(*card.comparison) : Json(nullptr);
  if (card.risk) json["risk"] = name_of(*card.risk);
  Json inputs = Json::array();
  for (const CardInput& input : card.inputs)
    inputs.push_back(
        {{"sha256", text_or_null(input.sha256)}, {"format", text_or_null(input.format)}});
  json["inputs"] = std::move(inputs);
  return json_report::document(json);
}

}  // namespace unmask
