#include "unmask/margins/analyse.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/margins/calibration.h"
#include "unmask/margins/carriers.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/flip_prediction.h"
#include "unmask/margins/margin.h"
#include "unmask/margins/mass.h"
#include "unmask/margins/noise.h"
#include "unmask/margins/noise_findings.h"
#include "unmask/margins/paired_group.h"
#include "unmask/margins/side_test.h"
#include "unmask/margins/task_numbers.h"
#include "unmask/stats/figure.h"

namespace unmask::margins {
namespace {

using Indices = std::vector<std::uint32_t>;

// Which decisions a group takes together, and from which side.
struct GroupPlan {
  GroupBy by = GroupBy::kind;
  std::string name;
  DecisionKind kind = DecisionKind::tool_name;
  MarginSide side = MarginSide::admissible;
  Indices decisions;
};

bool has_golden(const ScoredDecision& decision) {
  return std::ranges::any_of(decision.options, &DecisionOption::golden);
}

// Provenance of the name that tempts the reference most; empty where none was scored.
std::string provenance_of(const ScoredDecision& decision) {
  const std::optional<std::size_t> tempting = likeliest(decision, 0, false);
  if (!tempting) return {};
  const std::string& provenance = decision.options[*tempting].provenance;
  return provenance.empty() ? "not_known" : provenance;
}

// Kinds in their order, tool names first; then provenances by their number of decisions.
std::vector<GroupPlan> plans_of(const ScoredDecisions& scored) {
  std::vector<GroupPlan> plans;
  for (const DecisionKind kind : {DecisionKind::tool_name, DecisionKind::call_or_answer,
                                  DecisionKind::enum_argument, DecisionKind::entity_argument}) {
    GroupPlan all{.name = std::string(name_of(kind)), .kind = kind, .decisions = {}};
    GroupPlan golden{.name = all.name, .kind = kind, .side = MarginSide::golden, .decisions = {}};
    for (std::uint32_t i = 0; i < scored.decisions.size(); ++i) {
      if (scored.decisions[i].kind != kind) continue;
      all.decisions.push_back(i);
      if (has_golden(scored.decisions[i])) golden.decisions.push_back(i);
    }
    for (GroupPlan* plan : {&all, &golden}) {
      if (!plan->decisions.empty()) plans.push_back(std::move(*plan));
    }
  }
  std::map<std::string, Indices> provenances;
  for (std::uint32_t i = 0; i < scored.decisions.size(); ++i) {
    if (scored.decisions[i].kind != DecisionKind::tool_name) continue;
    std::string provenance = provenance_of(scored.decisions[i]);
    if (!provenance.empty()) provenances[std::move(provenance)].push_back(i);
  }
  const std::size_t kinds = plans.size();
  for (auto& [name, decisions] : provenances) {
    plans.push_back({.by = GroupBy::provenance, .name = name, .decisions = std::move(decisions)});
  }
  std::ranges::stable_sort(plans.begin() + static_cast<std::ptrdiff_t>(kinds), plans.end(),
                           std::ranges::greater{},
                           [](const GroupPlan& plan) { return plan.decisions.size(); });
  return plans;
}

void leave_out(std::vector<LeftOut>& left_out, std::string reason, bool reference) {
  auto found = std::ranges::find(left_out, reason, &LeftOut::reason);
  if (found == left_out.end())
    found = left_out.insert(found, {.reason = std::move(reason), .reference = 0, .arm = 0});
  ++(reference ? found->reference : found->arm);
}

// The margins of a plan's decisions; what has none is left out with its reason.
PairedGroup pair(const ScoredDecisions& scored, std::size_t arm, const GroupPlan& plan,
                 MarginGroup& group) {
  PairedGroup paired;
  TaskNumbers numbers;
  for (const std::uint32_t i : plan.decisions) {
    const ScoredDecision& decision = scored.decisions[i];
    const std::optional<double> reference = margin_of(decision, 0, plan.side);
    const std::optional<double> other = margin_of(decision, arm, plan.side);
    if (!reference || !other) {
      leave_out(group.left_out, why_no_margin(decision, reference ? arm : 0, plan.side),
                !reference);
      continue;
    }
    group.points.push_back({.decision = i, .reference = *reference, .arm = *other});
    paired.decisions.push_back(
        {.task = numbers.of(decision.task_id), .reference = *reference, .arm = *other});
  }
  paired.tasks = numbers.size();
  std::ranges::stable_sort(group.left_out, std::ranges::greater{},
                           [](const LeftOut& left) { return left.reference + left.arm; });
  return paired;
}

FlipMatrix matrix_of(const PairedGroup& paired) {
  FlipMatrix matrix;
  for (const PairedMargin& decision : paired.decisions) {
    const bool good = decision.arm > 0.0;
    if (decision.reference > 0.0) {
      ++(good ? matrix.good_good : matrix.good_bad);
    } else {
      ++(good ? matrix.bad_good : matrix.bad_bad);
    }
  }
  return matrix;
}

SideTest side_test_of(const ScoredDecisions& scored, std::size_t arm, const MarginGroup& group) {
  std::vector<SideTestRow> rows;
  TaskNumbers numbers;
  for (const MarginPoint& point : group.points) {
    const ScoredDecision& decision = scored.decisions[point.decision];
    const std::optional<double>& divergence = decision.arms[arm].divergence;
    if (!divergence || !std::isfinite(*divergence)) continue;
    SideTestRow row{.task = numbers.of(decision.task_id),
                    .thinness = -std::abs(point.reference),
                    .divergence = *divergence,
                    .flipped = point.flipped(),
                    .mass_rise = {}};
    const std::optional<double> before = inadmissible_mass(decision, 0, 1.0);
    const std::optional<double> after = inadmissible_mass(decision, arm, 1.0);
    if (before && after) row.mass_rise = *after - *before;
    rows.push_back(row);
  }
  return side_test(rows, numbers.size());
}

Figure logged_for(const MarginSettings& settings, std::string_view arm, const GroupPlan& plan) {
  const std::string_view provenance =
      plan.by == GroupBy::provenance ? std::string_view(plan.name) : std::string_view();
  for (const LoggedAmplification& logged : settings.logged) {
    if (logged.arm == arm && logged.kind == plan.kind && logged.provenance == provenance)
      return logged.ratio;
  }
  return stats::missing("not given: an audit of the arms' own logs has it");
}

MarginGroup group_of(const ScoredDecisions& scored, std::size_t arm, const GroupPlan& plan,
                     const MarginSettings& settings) {
  MarginGroup group{.by = plan.by,
                    .name = plan.name,
                    .side = plan.side,
                    .decisions = static_cast<std::uint32_t>(plan.decisions.size())};
  const PairedGroup paired = pair(scored, arm, plan, group);
  group.tasks = static_cast<std::uint32_t>(paired.tasks);
  const WindowedNoiseOrReason windowed = windowed_noise(paired);
  group.noise = noise_findings(paired, windowed);
  group.thin_share = thin_share(paired, windowed);
  group.matrix = matrix_of(paired);
  FlipPrediction flips = flip_prediction(paired, windowed, settings.folds);
  group.good = std::move(flips.good);
  group.bad = std::move(flips.bad);
  group.calibration = calibration(paired, flips.probability);
  group.histogram = margin_histogram(paired);
  group.side_test = side_test_of(scored, arm, group);
  if (plan.side == MarginSide::golden) return group;
  group.mass = mass_findings(scored, arm, plan.decisions);
  group.top = top_choices(paired);
  group.top.logged = logged_for(settings, scored.arms[arm].name, plan);
  return group;
}

bool is_control(const ScoredArm& reference, const ScoredArm& arm) {
  return !arm.model.empty() && arm.model == reference.model &&
         arm.precision == reference.precision && arm.bits_per_weight == reference.bits_per_weight;
}

}  // namespace

const MarginGroup* MarginComparison::group(GroupBy by, std::string_view name,
                                           MarginSide side) const {
  for (const MarginGroup& each : groups) {
    if (each.by == by && each.name == name && each.side == side) return &each;
  }
  return nullptr;
}

MarginFindings analyse(const ScoredDecisions& scored, const MarginSettings& settings) {
  MarginFindings findings{.settings = settings,
                          .decisions = static_cast<std::uint32_t>(scored.decisions.size())};
  if (!scored.arms.empty()) findings.reference = scored.arms.front();
  std::set<std::string_view> tasks;
  std::set<std::pair<std::string_view, int>> episodes;
  for (const ScoredDecision& decision : scored.decisions) {
    UNMASK_CHECK(decision.arms.size() == scored.arms.size());
    tasks.insert(decision.task_id);
    episodes.insert({decision.task_id, decision.trial});
  }
  findings.tasks = static_cast<std::uint32_t>(tasks.size());
  findings.episodes = static_cast<std::uint32_t>(episodes.size());
  if (scored.arms.size() < 2) {
    findings.reason = "no arm beside the reference";
    return findings;
  }
  if (scored.decisions.empty()) {
    findings.reason = "no decision";
    return findings;
  }
  const std::vector<GroupPlan> plans = plans_of(scored);
  for (std::size_t arm = 1; arm < scored.arms.size(); ++arm) {
    MarginComparison comparison{.arm = scored.arms[arm],
                                .control = is_control(scored.arms.front(), scored.arms[arm])};
    for (const GroupPlan& plan : plans)
      comparison.groups.push_back(group_of(scored, arm, plan, settings));
    comparison.carriers = carriers(scored, arm, settings.listed);
    findings.comparisons.push_back(std::move(comparison));
  }
  return findings;
}

}  // namespace unmask::margins
