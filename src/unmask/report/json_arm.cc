#include "unmask/report/json_arm.h"

#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/report/json_comparison.h"
#include "unmask/report/json_values.h"

namespace unmask::json_report {
namespace {

Json score_json(const ScorePoint& point) {
  Json json{{"k", point.k}};
  put_figure(json, point.score);
  json["episode_mean"] = number(point.episode_mean);
  json["lower"] = number(point.lower);
  json["upper"] = number(point.upper);
  json["vanished_failed"] = number(point.excluded_failed);
  json["vanished_passed"] = number(point.excluded_passed);
  return json;
}

Json share_json(const RecoveryShare& share) {
  Json json{{"recovered", share.recovered}, {"followed", share.followed}};
  put_figure(json, share.share);
  return json;
}

Json length_json(const LengthFindings& length) {
  return {{"episodes", length.episodes},
          {"mean", figure(length.mean)},
          {"median", figure(length.median)},
          {"p90", figure(length.p90)}};
}

Json evidence_json(const EvidenceFindings& evidence) {
  return {{"stated", evidence.stated},
          {"structure", evidence.structure},
          {"reexecution", evidence.reexecution},
          {"error_text", evidence.error_text},
          {"none", evidence.none},
          {"executed_again", evidence.asked_world},
          {"answered_otherwise", evidence.differing}};
}

Json consequence_json(const ConsequenceFindings& found) {
  Json json{{"k", found.k},
            {"episodes", found.episodes},
            {"not_known",
             {{"no_world", found.no_world},
              {"not_possible", found.not_possible},
              {"no_golden_actions", found.no_golden_actions}}},
            {"episodes_with", found.episodes_with},
            {"solved_with", found.solved_with},
            {"writes", found.writes},
            {"share", figure(found.share)},
            {"first_call", figure(found.first_call)},
            {"first_message", figure(found.first_message)},
            {"score", figure(found.score)},
            {"score_consequence", figure(found.score_consequence)}};
  if (!found.reason.empty()) json["reason"] = found.reason;
  return json;
}

bool is_tokens(const LengthFindings& length) { return length.name.ends_with("tokens"); }

}  // namespace

Json channel(const ChannelFindings& channel) {
  return {{"errors", channel.errors},
          {"rate", figure(channel.per_call)},
          {"per_episode", figure(channel.per_episode)},
          {"per_successful_call", figure(channel.per_successful_call)},
          {"episodes_with", channel.episodes_with},
          {"episodes_with_share", figure(channel.episodes_with_share)},
          {"tasks_with", channel.tasks_with},
          {"few_clusters", channel.few_clusters}};
}

Json channels(const ArmFindings& arm) {
  Json all = Json::object();
  for (const ChannelFindings& entry : arm.channels) {
    Json json = channel(entry);
    Json& kinds = json["kinds"] = Json::object();
    const std::string prefix = entry.name + ":";
    for (const ChannelFindings& kind : arm.kinds) {
      if (kind.name.starts_with(prefix)) kinds[kind.name.substr(prefix.size())] = channel(kind);
    }
    all[entry.name] = std::move(json);
  }
  return all;
}

Json arm(const ArmFindings& arm) {
  Json json{
      {"arm", arm.arm},
      {"reference", arm.reference},
      {"tasks", arm.tasks},
      {"episodes", arm.episodes},
      {"excluded",
       {{"infrastructure", arm.excluded_infrastructure}, {"no_reward", arm.excluded_no_reward}}},
      {"missing_trials", arm.missing_trials},
      {"vanished", arm.vanished()},
      {"stopped_by_budget", arm.stopped_by_budget},
      {"contradictions", arm.contradictions},
      {"agent_calls", arm.agent_calls},
      {"user_calls", arm.user_calls},
      {"agent_failed", arm.agent_failed},
      {"user_failed", arm.user_failed},
      {"failed_rate", figure(arm.failed_per_call)},
      {"channels", channels(arm)},
      {"communication_errors", arm.communication_errors},
      {"infrastructure_errors", arm.infrastructure_errors}};
  Json& score = json["score"] = Json::array();
  for (const ScorePoint& point : arm.score) score.push_back(score_json(point));
  Json& pass = json["pass_k"] = Json::array();
  for (const PassPowers& powers : arm.pass) {
    Json values = Json::array();
    for (std::size_t i = 0; i < powers.pass.size(); ++i) {
      Json entry{{"trials", i + 1}};
      put_figure(entry, powers.pass[i]);
      values.push_back(std::move(entry));
    }
    pass.push_back({{"k", powers.budget}, {"pass", std::move(values)}});
  }
  json["recovery"] = {{"next_call", share_json(arm.recovery.next_call)},
                      {"run", share_json(arm.recovery.run)},
                      {"episode", share_json(arm.recovery.episode)},
                      {"repeat", share_json(arm.recovery.repeat)}};
  Json& names = json["names"] = Json::array();
  for (const NameCount& name : arm.hallucinated) {
    names.push_back({{"name", name.name},
                     {"count", name.count},
                     {"provenance", text_or_null(name.provenance)}});
  }
  Json lengths = Json::object();
  Json tokens = Json::object();
  for (const LengthFindings& length : arm.lengths)
    (is_tokens(length) ? tokens : lengths)[length.name] = length_json(length);
  json["lengths"] = std::move(lengths);
  json["tokens"] = std::move(tokens);
  json["evidence"] = evidence_json(arm.evidence);
  if (arm.consequence.k > 0) json["consequence"] = consequence_json(arm.consequence);
  if (arm.intercepted) json["intercepted"] = intercepted(*arm.intercepted);
  json["identity"] = identity(arm.identity);
  json["harness"] = harness(arm.harness);
  json["budget"] = budget(arm.budget);
  json["reward_basis"] = arm.reward_basis;
  json["inputs"] = arm.inputs;
  return json;
}

}  // namespace unmask::json_report
