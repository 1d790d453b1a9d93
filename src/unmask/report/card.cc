#include "unmask/report/card.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/report_words.h"
#include "unmask/stats/figure.h"

namespace unmask {
namespace {

std::vector<int> budgets_of_card(int k_obs) {
  std::set<int> budgets(std::begin(kCardBudgets), std::end(kCardBudgets));
  budgets.insert(k_obs);
  return {budgets.begin(), budgets.end()};
}

CardComparison comparison_of(const CellFindings& cell, const ComparisonFindings& comparison,
                             int k_obs) {
  CardComparison result{.reference = cell.reference,
                        .verdict = comparison.verdict,
                        .suffix = comparison.suffix,
                        .sentence = comparison.sentence,
                        .gap = {},
                        .channels = {}};
  for (const int k : budgets_of_card(k_obs)) {
    const GapPoint* point = comparison.gap_at(k);
    if (point != nullptr) result.gap.push_back({k, point->gap.figure});
  }
  for (const AmplificationFindings& channel : comparison.amplification) {
    result.channels.push_back({.name = channel.channel,
                               .errors = channel.errors_arm,
                               .per_episode = channel.ratio,
                               .per_call = channel.per_call,
                               .per_successful_call = channel.per_successful_call});
  }
  return result;
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : text::joined(names);
}

}  // namespace

Result<Card> card_from(const AuditFindings& findings, std::string_view cell_name,
                       std::string_view arm_name) {
  std::vector<std::string> cells;
  cells.reserve(findings.cells.size());
  const CellFindings* cell = nullptr;
  for (const CellFindings& candidate : findings.cells) {
    cells.push_back(candidate.info.cell);
    if (candidate.info.cell == cell_name) cell = &candidate;
  }
  if (cell == nullptr) {
    return fail(ErrorCode::invalid_argument,
                "there is no cell '" + std::string(cell_name) + "'; cells: " + listed(cells));
  }
  const ArmFindings* arm = text::find_arm(*cell, arm_name);
  if (arm == nullptr) {
    std::vector<std::string> arms;
    arms.reserve(cell->arms.size());
    for (const ArmFindings& candidate : cell->arms) arms.push_back(candidate.arm);
    return fail(ErrorCode::invalid_argument, "cell '" + std::string(cell_name) + "' has no arm '" +
                                                 std::string(arm_name) +
                                                 "'; arms: " + listed(arms));
  }
  if (arm->score.empty()) {
    return fail(ErrorCode::bad_input, "arm '" + std::string(arm_name) +
                                          "' has no score: none of its episodes has a reward");
  }

  Card card;
  card.cell = cell->info.cell;
  card.domain = cell->info.domain;
  card.arm = arm->arm;
  card.identity = arm->identity;
  card.harness = arm->harness;
  card.budget = arm->budget;
  card.reward_basis = arm->reward_basis;
  card.coverage = {.tasks = arm->tasks,
                   .episodes = arm->episodes,
                   .vanished = arm->vanished(),
                   .excluded_infrastructure = arm->excluded_infrastructure,
                   .excluded_no_reward = arm->excluded_no_reward,
                   .missing_trials = arm->missing_trials,
                   .stopped_by_budget = arm->stopped_by_budget,
                   .contradictions = arm->contradictions,
                   .agent_calls = arm->agent_calls};
  card.k_obs = arm->score.back().k;
  card.score = arm->score.back().score;
  for (const int k : budgets_of_card(card.k_obs)) {
    const ScorePoint* point = text::score_at(*arm, k);
    card.score_by_budget.push_back(
        {k, point != nullptr
                ? point->score
                : stats::missing("beyond the observed budget of " + std::to_string(card.k_obs))});
  }
  for (const ChannelFindings& channel : arm->channels) {
    card.channels.push_back({.name = channel.name,
                             .errors = channel.errors,
                             .per_episode = channel.per_episode,
                             .per_call = channel.per_call,
                             .per_successful_call = channel.per_successful_call});
  }
  card.next_call_recovery = arm->recovery.next_call;
  for (const ComparisonFindings& comparison : cell->comparisons) {
    if (comparison.arm == arm->arm) card.comparison = comparison_of(*cell, comparison, card.k_obs);
  }
  if (cell->screen && cell->screen->arm == arm->arm) card.risk = cell->screen->risk;
  for (const std::uint32_t input : arm->inputs) {
    if (input >= findings.inputs.size()) continue;
    const LogHeader& header = findings.inputs[input].header;
    card.inputs.push_back({.sha256 = header.sha256, .format = header.format});
  }
  return card;
}

}  // namespace unmask
