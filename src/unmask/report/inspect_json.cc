#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "unmask/episode/episode.h"
#include "unmask/inspect/harness_averages.h"
#include "unmask/inspect/inspect_report.h"
#include "unmask/inspect/tool_usage.h"
#include "unmask/inspect/trial_ledger.h"
#include "unmask/report/inspect_rendering.h"
#include "unmask/report/json_values.h"
#include "unmask/report/producer.h"

namespace unmask {
namespace {

using json_report::integer;
using json_report::Json;
using json_report::number;
using json_report::text_or_null;

Json calls_json(const PartyCalls& calls) {
  return {{"calls", calls.calls}, {"failed", calls.failed}};
}

Json budget_json(const BudgetReport& budget) {
  Json json = json_report::budget(budget.regime);
  json["max_errors_is_stale"] = budget.max_errors_is_stale;
  json["observed"] = integer(budget.observed);
  json["stopped"] = budget.stopped;
  json["fewest_errors_at_stop"] =
      budget.fewest_errors_at_stop ? Json(*budget.fewest_errors_at_stop) : Json(nullptr);
  json["contradictions"] = budget.contradictions.contradicting;
  return json;
}

Json trials_json(const TrialLedger& trials) {
  Json json{{"tasks", trials.tasks},
            {"promised", trials.promised ? Json(*trials.promised) : Json(nullptr)},
            {"recorded", trials.recorded},
            {"observed", trials.observed},
            {"vanished", trials.vanished()},
            {"infrastructure", trials.infrastructure},
            {"infrastructure_empty", trials.infrastructure_empty},
            {"no_reward", trials.no_reward},
            {"missing", trials.missing},
            {"duplicates", trials.duplicates}};
  Json first = Json::array();
  for (const TrialKey& key : trials.first_missing)
    first.push_back({{"task", key.task_id}, {"trial", key.trial}});
  json["first_missing"] = std::move(first);
  return json;
}

Json score_json(const ScoreLine& line) {
  return {{"k", line.budget},
          {"low", number(line.score.low)},
          {"high", number(line.score.high)},
          {"episode_low", number(line.episode_score.low)},
          {"episode_high", number(line.episode_score.high)}};
}

Json averages_json(const HarnessAverages& averages) {
  Json json{{"average_reward", number(averages.average_reward)}};
  Json pass = Json::array();
  for (const PassAverages& entry : averages.pass) {
    Json values = Json::array();
    for (const double value : entry.pass_hat) values.push_back(number(value));
    pass.push_back({{"infrastructure", name_of(entry.convention)},
                    {"trials", entry.trials},
                    {"tasks", entry.tasks},
                    {"pass_k", std::move(values)}});
  }
  json["pass"] = std::move(pass);
  return json;
}

Json log_json(const InspectReport& log) {
  Json json{{"file", log.file},
            {"format", text_or_null(log.format)},
            {"sha256", text_or_null(log.sha256)},
            {"bytes", log.bytes},
            {"timestamp", text_or_null(log.timestamp)},
            {"domain", text_or_null(log.domain)},
            {"harness", json_report::harness(log.harness)},
            {"identity", json_report::identity(log.identity)},
            {"max_steps", integer(log.max_steps)},
            {"budget", budget_json(log.budget)},
            {"trials", trials_json(log.trials)}};
  Json terminations = Json::object();
  for (std::size_t i = 0; i < kTerminationCount; ++i) {
    if (log.terminations.at(i) > 0)
      terminations[std::string(name_of(static_cast<Termination>(i)))] = log.terminations.at(i);
  }
  json["terminations"] = std::move(terminations);
  json["agent"] = calls_json(log.agent);
  json["user"] = calls_json(log.user);
  json["communication_errors"] = log.communication_errors;
  json["reward_basis"] = log.reward_basis;
  Json score = Json::array();
  for (const ScoreLine& line : log.score) score.push_back(score_json(line));
  json["score"] = std::move(score);
  json["averages"] = averages_json(log.averages);
  json["tools_source"] = text_or_null(log.tools_source);
  json["tools_complete"] = log.tools_complete;
  Json tools = Json::array();
  for (const ToolUsage& tool : log.tools) {
    tools.push_back({{"name", tool.name},
                     {"offered_to_agent", tool.offered_to_agent},
                     {"offered_to_user", tool.offered_to_user},
                     {"agent", calls_json(tool.agent)},
                     {"user", calls_json(tool.user)}});
  }
  json["tools"] = std::move(tools);
  json["missing_fields"] = log.missing_fields;
  json["warning_counts"] = log.diagnostics;
  return json;
}

}  // namespace

std::string inspect_json(std::span<const InspectReport> logs, const Producer& producer) {
  Json json{{"schema", "unmask.inspect/1"}, {"unmask", json_report::producer(producer)}};
  Json entries = Json::array();
  for (const InspectReport& log : logs) entries.push_back(log_json(log));
  json["logs"] = std::move(entries);
  return json_report::document(json);
}

}  // namespace unmask
