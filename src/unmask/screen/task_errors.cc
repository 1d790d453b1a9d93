#include "unmask/screen/task_errors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/budget/success_curve.h"
#include "unmask/diagnose/recovery.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/screen/run_model.h"

namespace unmask::screen {
namespace {

std::vector<ErrorSource> make_sources() {
  std::vector<ErrorSource> sources{
      {.name = "counted", .channels = {}},
      {.name = "agent", .channels = {kModelChannels.begin(), kModelChannels.end()}}};
  for (const Channel channel : kModelChannels)
    sources.push_back({.name = std::string(name_of(channel)), .channels = {channel}});
  return sources;
}

void count_solved(TaskErrors& task, const EpisodeFacts& episode, std::int64_t runs) {
  task.runs += {.episodes = 1, .runs = runs, .runs_squared = runs * runs};
  for (const CallFacts& call : episode.calls) {
    if (!call.failed) continue;
    ++task.solved_errors[kCountedSource];
    if (call.party != Party::agent) continue;
    for (std::size_t i = kAgentSource; i < kErrorSources; ++i) {
      task.solved_errors[i] += std::ranges::count(error_sources()[i].channels, call.channel);
    }
  }
}

}  // namespace

const std::vector<ErrorSource>& error_sources() {
  static const std::vector<ErrorSource> sources = make_sources();
  return sources;
}

std::vector<TaskErrors> task_errors(const ArmFacts& arm, int last_budget) {
  std::vector<TaskErrors> tasks(arm.tasks.size());
  SuccessCurve curve = success_curve(arm, {.last_budget = last_budget});
  for (TaskCurve& task : curve.tasks) {
    tasks[task.task].trials = task.trials;
    tasks[task.task].passed = std::move(task.passed_low);
  }
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    TaskErrors& task = tasks[episode.task];
    RecoveryCounts recovery = recovery_of(episode, Party::agent);
    recovery += recovery_of(episode, Party::user);
    task.recovered += recovery.next_recovered;
    task.followed += recovery.next_followed;
    task.episodes.push_back(
        {.success = episode.success,
         .errors = static_cast<int>(counted_errors(episode, CountedParty::both))});
    if (episode.success) count_solved(task, episode, recovery.runs);
  }
  return tasks;
}

void ErrorPool::add(const TaskErrors& task, int sign) {
  tasks = sign > 0 ? tasks + 1 : tasks - 1;
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] += sign * (static_cast<double>(task.passed[i]) / task.trials);
  if (sign > 0) {
    runs += task.runs;
  } else {
    runs -= task.runs;
  }
  recovered += sign * task.recovered;
  followed += sign * task.followed;
  for (std::size_t i = 0; i < kErrorSources; ++i) solved_errors[i] += sign * task.solved_errors[i];
}

double ErrorPool::score(int budget) const {
  return tasks > 0 ? scores[static_cast<std::size_t>(budget) - 1] / static_cast<double>(tasks)
                   : 0.0;
}

double ErrorPool::continuation() const {
  return followed > 0 ? static_cast<double>(followed - recovered) / static_cast<double>(followed)
                      : 0.0;
}

double ErrorPool::share(std::size_t source) const {
  const std::int64_t all = solved_errors[kCountedSource];
  return all > 0 ? static_cast<double>(solved_errors[source]) / static_cast<double>(all) : 0.0;
}

double ErrorPool::errors_per_solved() const {
  return runs.episodes > 0 ? static_cast<double>(solved_errors[kCountedSource]) /
                                 static_cast<double>(runs.episodes)
                           : 0.0;
}

ErrorPool pooled(std::span<const TaskErrors> tasks, int last_budget) {
  ErrorPool pool(last_budget);
  for (const TaskErrors& task : tasks) {
    if (task.trials > 0) pool.add(task);
  }
  return pool;
}

std::vector<double> lost_scores(const ErrorPool& pool, double factor, std::size_t source) {
  std::vector<double> lost(pool.scores.size());
  if (pool.runs.episodes == 0) return lost;
  const RunModel model = fit_runs(pool.runs, pool.continuation());
  const double whole = 1.0 + (factor - 1.0) * pool.share(source);
  lost = surviving_shares(model, source == kCountedSource ? factor : whole,
                          static_cast<int>(lost.size()));
  for (std::size_t i = 0; i < lost.size(); ++i)
    lost[i] = pool.score(static_cast<int>(i) + 1) * (1.0 - lost[i]);
  return lost;
}

}  // namespace unmask::screen
