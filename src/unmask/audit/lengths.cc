#include "unmask/audit/lengths.h"

#include <algorithm>
#include <array>
#include <optional>

#include "unmask/base/check.h"
#include "unmask/stats/length_summary.h"

namespace unmask {
namespace {

using Value = std::optional<double> (*)(const EpisodeFacts&);

struct Length {
  std::string_view name;
  Value value;
};

double as_double(std::size_t count) { return static_cast<double>(count); }

constexpr std::array<std::string_view, 8> kNames = {
    "messages",          "turns",   "tool_calls", "errors", "prompt_tokens",
    "completion_tokens", "seconds", "cost_usd"};

const std::array<Length, kNames.size()>& lengths() {
  static const std::array<Length, kNames.size()> all = {{
      {kNames[0], [](const EpisodeFacts& e) -> std::optional<double> { return e.messages; }},
      {kNames[1], [](const EpisodeFacts& e) -> std::optional<double> { return e.agent_messages; }},
      {kNames[2],
       [](const EpisodeFacts& e) -> std::optional<double> {
         return as_double(static_cast<std::size_t>(
             std::count_if(e.calls.begin(), e.calls.end(),
                           [](const CallFacts& call) { return call.party == Party::agent; })));
       }},
      {kNames[3],
       [](const EpisodeFacts& e) -> std::optional<double> {
         return counted_errors(e, CountedParty::both);
       }},
      {kNames[4],
       [](const EpisodeFacts& e) -> std::optional<double> {
         if (!e.cost.prompt_tokens) return std::nullopt;
         return static_cast<double>(*e.cost.prompt_tokens);
       }},
      {kNames[5],
       [](const EpisodeFacts& e) -> std::optional<double> {
         if (!e.cost.completion_tokens) return std::nullopt;
         return static_cast<double>(*e.cost.completion_tokens);
       }},
      {kNames[6], [](const EpisodeFacts& e) { return e.cost.seconds; }},
      {kNames[7], [](const EpisodeFacts& e) { return e.cost.agent_usd; }},
  }};
  return all;
}

std::size_t count_all(const std::vector<std::vector<double>>& by_task) {
  std::size_t count = 0;
  for (const std::vector<double>& task : by_task) count += task.size();
  return count;
}

std::vector<std::vector<double>> picked(const std::vector<std::vector<double>>& by_task,
                                        std::span<const std::uint32_t> index) {
  std::vector<std::vector<double>> result;
  result.reserve(index.size());
  for (const std::uint32_t i : index) result.push_back(by_task[i]);
  return result;
}

}  // namespace

std::span<const std::string_view> length_names() { return kNames; }

std::vector<std::vector<double>> length_by_task(const ArmFacts& arm, std::string_view name) {
  const auto length = std::find_if(lengths().begin(), lengths().end(),
                                   [&](const Length& each) { return each.name == name; });
  UNMASK_CHECK(length != lengths().end());
  std::vector<std::vector<double>> by_task(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    if (const std::optional<double> value = length->value(episode)) {
      by_task[episode.task].push_back(*value);
    }
  }
  return by_task;
}

std::vector<LengthFindings> length_findings(const ArmFacts& arm, const AuditSettings& settings,
                                            std::uint64_t index) {
  std::vector<LengthFindings> findings;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::vector<std::vector<double>> by_task = length_by_task(arm, kNames[i]);
    if (count_all(by_task) == 0) continue;
    const stats::LengthSummary summary =
        stats::length_summary(by_task, {.seed = settings.seed,
                                        .index = index * kNames.size() + i,
                                        .replicates = settings.bootstrap});
    findings.push_back({.name = std::string(kNames[i]),
                        .episodes = summary.episodes,
                        .mean = summary.mean.figure,
                        .median = summary.median.figure,
                        .p90 = summary.p90.figure});
  }
  return findings;
}

std::vector<RateDifference> length_differences(const ArmFacts& ref, const ArmFacts& arm,
                                               const TaskPairing& pairing,
                                               const AuditSettings& settings, std::uint64_t index) {
  std::vector<RateDifference> differences;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto of_ref = picked(length_by_task(ref, kNames[i]), pairing.ref);
    const auto of_arm = picked(length_by_task(arm, kNames[i]), pairing.arm);
    if (count_all(of_ref) == 0 || count_all(of_arm) == 0) continue;
    const stats::LengthComparison comparison =
        stats::length_comparison(of_ref, of_arm,
                                 {.seed = settings.seed,
                                  .index = index * kNames.size() + i,
                                  .replicates = settings.bootstrap});
    const std::string name(kNames[i]);
    differences.push_back(
        {name + "_mean", comparison.mean_difference.figure, comparison.mean_ratio.figure});
    differences.push_back(
        {name + "_median", comparison.median_difference.figure, comparison.median_ratio.figure});
    differences.push_back(
        {name + "_p90", comparison.p90_difference.figure, comparison.p90_ratio.figure});
  }
  return differences;
}

}  // namespace unmask
