#include "unmask/screen/arm_screen.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/budget/budget_regime.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/screen/jackknife.h"
#include "unmask/screen/risk.h"
#include "unmask/screen/run_model.h"
#include "unmask/screen/settings.h"
#include "unmask/screen/simple_form.h"
#include "unmask/screen/task_errors.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/moments.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"
#include "unmask/stats/task_total.h"

namespace unmask::screen {
namespace {

constexpr std::array<std::string_view, kRiskClassCount> kRiskNames = {"low", "guarded", "high",
                                                                      "unknown"};
constexpr std::size_t kTasksForDeff = 10;
constexpr const char* kNothingToMultiply =
    "no failed call in a solved episode: there is nothing to multiply";

// One channel's errors by task, with the calls that they are of.
struct ChannelTotals {
  std::string channel;
  std::vector<stats::TaskTotal> tasks;
  stats::Rate rate;
  double tasks_with_calls = 0.0;
};

ChannelTotals totals_of(const ArmFacts& arm, std::string name,
                        const std::vector<Channel>& channels) {
  ChannelTotals result{.channel = std::move(name), .tasks = {}, .rate = {}};
  std::vector<stats::TaskTotal> totals(arm.tasks.size());
  std::vector<bool> seen(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    seen[episode.task] = true;
    for (const CallFacts& call : episode.calls) {
      if (call.party != Party::agent) continue;
      totals[episode.task].denominator += 1.0;
      if (call.failed && std::ranges::find(channels, call.channel) != channels.end())
        totals[episode.task].numerator += 1.0;
    }
  }
  for (std::size_t i = 0; i < totals.size(); ++i) {
    if (!seen[i]) continue;
    result.tasks.push_back(totals[i]);
    result.tasks_with_calls += totals[i].denominator > 0.0 ? 1.0 : 0.0;
  }
  result.rate = stats::rate(result.tasks, stats::IntervalKind::korn_graubard);
  return result;
}

// The largest design effect of channels with errors in enough tasks to tell one.
std::optional<double> largest_deff(std::span<const ChannelTotals> channels) {
  std::optional<double> largest;
  for (const ChannelTotals& channel : channels) {
    if (channel.rate.tasks_with_numerator < kTasksForDeff || !channel.rate.deff) continue;
    largest = std::max(largest.value_or(1.0), *channel.rate.deff);
  }
  return largest;
}

std::vector<Propensity> propensities(const ArmFacts& arm, const ScreenSettings& settings) {
  std::vector<ChannelTotals> channels;
  for (const Channel channel : kModelChannels)
    channels.push_back(totals_of(arm, std::string(name_of(channel)), {channel}));
  const std::optional<double> deff = largest_deff(channels);
  channels.push_back(
      totals_of(arm, std::string(kEntityArgument), {Channel::arguments, Channel::entity}));
  std::vector<Propensity> all;
  for (const ChannelTotals& channel : channels) {
    Propensity& propensity = all.emplace_back();
    propensity.channel = channel.channel;
    propensity.errors = static_cast<std::uint64_t>(channel.rate.numerator);
    propensity.per_call = channel.rate.estimate.figure;
    propensity.few_clusters = channel.rate.few_clusters;
    propensity.upper = channel.rate.estimate.upper_bound;
    if (propensity.upper && propensity.errors == 0) {
      propensity.upper =
          stats::zero_count_upper_bound(channel.rate.denominator, channel.tasks_with_calls, deff);
    }
    propensity.near_zero = propensity.upper && *propensity.upper < settings.near_zero_rate;
  }
  return all;
}

std::vector<stats::Figure> scores(std::span<const TaskErrors> tasks, int last) {
  std::vector<stats::Figure> figures;
  for (int k = 1; k <= last; ++k) {
    std::vector<stats::TaskTotal> totals;
    for (const TaskErrors& task : tasks) {
      if (task.trials == 0) continue;
      totals.push_back({static_cast<double>(task.passed[static_cast<std::size_t>(k) - 1]),
                        static_cast<double>(task.trials)});
    }
    figures.push_back(stats::score(totals).figure);
  }
  return figures;
}

// Mean over tasks, as S(K), of what the simple form takes away.
double simple_loss(std::span<const TaskErrors> tasks, double factor, int k) {
  std::vector<double> lost;
  for (const TaskErrors& task : tasks) {
    if (task.trials == 0) continue;
    double kept = 0.0;
    for (const EpisodeErrors& episode : task.episodes) kept += simple_success(episode, factor, k);
    lost.push_back((task.passed[static_cast<std::size_t>(k) - 1] - kept) / task.trials);
  }
  return lost.empty() ? 0.0 : stats::moments_of(lost).mean;
}

// A loss is no gain; a symmetric interval may reach below 0.
stats::Figure loss_figure(stats::Figure figure, const RunModel& runs) {
  if (runs.mean == 0.0) return stats::without_interval(0.0, kNothingToMultiply);
  if (figure.low) figure.low = std::max(*figure.low, 0.0);
  return figure;
}

std::vector<double> factors_of(const ScreenSettings& settings) {
  std::vector<double> factors = settings.factors;
  factors.push_back(settings.judged_factor);
  std::ranges::sort(factors);
  const auto repeated = std::ranges::unique(factors);
  factors.erase(repeated.begin(), repeated.end());
  return factors;
}

// The curves of one source by factor, at all budgets.
std::vector<WhatIf> what_if(std::span<const TaskErrors> tasks, const ArmScreen& screen,
                            const std::vector<double>& factors, std::size_t source) {
  std::vector<WhatIf> all;
  for (const double factor : factors) {
    const std::vector<stats::Figure> lost =
        jackknife_figures(tasks, screen.k_obs,
                          [&](const ErrorPool& pool) { return lost_scores(pool, factor, source); });
    WhatIf& curve = all.emplace_back();
    curve.factor = factor;
    for (int k = 1; k <= screen.k_obs; ++k) {
      LostPoint point{.k = k,
                      .lost = loss_figure(lost[static_cast<std::size_t>(k) - 1], screen.runs),
                      .lost_simple = {}};
      if (source == kCountedSource) point.lost_simple = simple_loss(tasks, factor, k);
      curve.points.push_back(std::move(point));
    }
  }
  return all;
}

void keep_budgets(std::vector<WhatIf>& curves, const std::vector<int>& budgets) {
  for (WhatIf& curve : curves) {
    std::erase_if(curve.points, [&](const LostPoint& point) {
      return std::ranges::find(budgets, point.k) == budgets.end();
    });
  }
}

}  // namespace

std::string_view name_of(RiskClass risk) { return kRiskNames[static_cast<std::size_t>(risk)]; }

std::optional<RiskClass> risk_class_from_name(std::string_view name) {
  const auto* const found = std::ranges::find(kRiskNames, name);
  if (found == kRiskNames.end()) return std::nullopt;
  return static_cast<RiskClass>(std::distance(kRiskNames.begin(), found));
}

const LostPoint* WhatIf::at(int k) const {
  const auto found = std::ranges::find(points, k, &LostPoint::k);
  return found == points.end() ? nullptr : &*found;
}

const WhatIf* ArmScreen::at_factor(double factor) const {
  const auto found = std::ranges::find(what_if, factor, &WhatIf::factor);
  return found == what_if.end() ? nullptr : &*found;
}

const SourceWhatIf* ArmScreen::source(std::string_view name) const {
  const auto found = std::ranges::find(by_source, name, &SourceWhatIf::source);
  return found == by_source.end() ? nullptr : &*found;
}

ArmScreen screen_arm(const ArmFacts& arm, const ScreenSettings& settings) {
  UNMASK_CHECK(settings.judged_factor >= 1.0 && settings.shown_budget >= 1 &&
               std::ranges::all_of(settings.factors, [](double a) { return a >= 1.0; }));
  ArmScreen screen;
  screen.arm = arm.name;
  screen.censored = observed_budget(arm.budget).has_value();
  screen.k_obs = observed_budget(arm.budget).value_or(settings.shown_budget);
  screen.budgets = headline_budgets(settings, screen.k_obs);
  screen.propensity = propensities(arm, settings);
  const std::vector<TaskErrors> tasks = task_errors(arm, screen.k_obs);
  const ErrorPool pool = pooled(tasks, screen.k_obs);
  screen.tasks = static_cast<std::uint32_t>(pool.tasks);
  screen.solved = static_cast<std::uint32_t>(pool.runs.episodes);
  for (const TaskErrors& task : tasks) screen.episodes += task.trials;
  screen.score = scores(tasks, screen.k_obs);
  if (screen.solved == 0) {
    screen.reason =
        screen.episodes == 0 ? "no episodes" : "no solved episode: there is no score to lose";
  } else {
    screen.runs = fit_runs(pool.runs, pool.continuation());
    const std::vector<double> factors = factors_of(settings);
    screen.what_if = what_if(tasks, screen, factors, kCountedSource);
    for (std::size_t i = kAgentSource; i < kErrorSources; ++i) {
      if (i != kAgentSource && pool.solved_errors[i] == 0) continue;
      SourceWhatIf& part = screen.by_source.emplace_back();
      part.source = error_sources()[i].name;
      part.share = pool.share(i);
      part.what_if = what_if(tasks, screen, factors, i);
      keep_budgets(part.what_if, screen.budgets);
    }
  }
  judge(screen, settings);
  return screen;
}

}  // namespace unmask::screen
