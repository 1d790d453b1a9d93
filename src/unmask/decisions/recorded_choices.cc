#include "unmask/decisions/recorded_choices.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/decisions/offered_tools.h"
#include "unmask/diagnose/known_domains.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/decision_point.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/schema/tool_names.h"

namespace unmask::decisions {
namespace {

/// The call that a decision point belongs to: the message's first one of a candidate's name.
const ToolCall* call_of(const Episode& episode, const DecisionPoint& point) {
  for (const ToolCall& call : episode.calls) {
    if (call.message != point.message) continue;
    for (const Candidate& candidate : point.candidates) {
      if (candidate.name == call.name) return &call;
    }
  }
  return nullptr;
}

}  // namespace

RecordedChoices recorded_choices(const LogHeader& header, std::span<const Episode> episodes) {
  RecordedChoices recorded;
  ScoredArm& arm = recorded.scored.arms.emplace_back();
  arm.name = header.arm.empty() ? "log" : header.arm;
  arm.model = header.identity.model;
  arm.precision = header.identity.precision;
  const OfferedTools of_log = offered_tools(header.tools);
  const std::vector<std::string> elsewhere = tools_of_other_domains(header.domain);
  for (const Episode& episode : episodes) {
    recorded.without_choices += episode.calls_without_choices;
    for (const ToolCall& call : episode.calls) {
      if (call.party == Party::agent && !call.in_history) ++recorded.calls;
    }
    const OfferedTools own = episode.tools ? offered_tools(*episode.tools) : OfferedTools();
    const OfferedTools& tools = own.names.empty() ? of_log : own;
    std::map<std::uint32_t, std::uint32_t> points;  // of a message so far
    for (const DecisionPoint& point : episode.decisions) {
      ScoredDecision& decision = recorded.scored.decisions.emplace_back();
      decision.task_id = episode.task_id;
      decision.trial = episode.trial.value_or(0);
      decision.message = point.message;
      decision.call = points[point.message]++;
      ArmScores& scores = decision.arms.emplace_back();
      const ToolCall* call = call_of(episode, point);
      for (const Candidate& candidate : point.candidates) {
        DecisionOption& option = decision.options.emplace_back();
        option.text = candidate.name;
        option.admissible = candidate.admissible;
        if (!option.admissible) {
          option.provenance = name_of(
              provenance_of(candidate.name, {tools.names, tools.of_user, elsewhere, false}));
        }
        const bool is_chosen = call != nullptr && call->name == candidate.name;
        if (is_chosen) {
          decision.recorded = static_cast<std::uint32_t>(decision.options.size() - 1);
        }
        scores.log_probability.push_back(candidate.log_probability);
        scores.at_most.push_back(!is_chosen);
      }
    }
  }
  return recorded;
}

}  // namespace unmask::decisions
