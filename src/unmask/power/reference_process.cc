#include "unmask/power/reference_process.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>

#include "unmask/power/gamma_grid.h"
#include "unmask/power/process_moments.h"
#include "unmask/synthetic/world_texts.h"

namespace unmask::power {
namespace {

using synthetic::CellProcess;

constexpr int kBudgetOfUncensored = 10;
constexpr double kSmallestShape = 0.05;
constexpr double kLargestShape = 50.0;
constexpr double kSmallestSlip = 1e-6;
constexpr double kLargestSlip = 10.0;
constexpr int kRounds = 6;
constexpr int kBisections = 32;  // of a range of up to seven decades: to 1e-8 of it
constexpr double kLargestIcc = 0.95;
constexpr double kFewestEpisodes = 10.0;  // for a mean of their own

// A mean as numerator over denominator.
struct Mean {
  double sum = 0.0;
  double of = 0.0;

  void add(double value, double weight = 1.0) {
    sum += value;
    of += weight;
  }
  [[nodiscard]] double value_or(double otherwise) const { return of > 0.0 ? sum / of : otherwise; }
};

// What one episode contributes.
struct EpisodeCounts {
  bool solved = false;  // within the budget
  bool stopped = false;
  double runs = 0.0;        // of failed calls of the agent
  double productive = 0.0;  // successful calls of the agent
  double errors = 0.0;      // failed calls of the agent
  double user_calls = 0.0;
  double user_failed = 0.0;
  double counted = 0.0;  // errors that use up the budget
};

bool counts(const CallFacts& call) {
  return call.failed && call.channel != Channel::infrastructure;
}

EpisodeCounts counts_of(const EpisodeFacts& episode, const BudgetRegime& regime, int budget) {
  EpisodeCounts result;
  int counted = 0;
  bool in_run = false;
  for (const CallFacts& call : episode.calls) {
    if (counted >= budget) break;  // an uncensored log goes on
    const bool failed = counts(call);
    if (call.party == Party::user) {
      ++result.user_calls;
      if (!failed) continue;
      ++result.user_failed;
      counted += regime.counts == CountedParty::both;
      continue;
    }
    counted += failed;
    result.errors += failed;
    result.productive += !failed;
    result.runs += failed && !in_run;
    in_run = failed;
  }
  result.counted = counted;
  result.stopped = counted >= budget;
  result.solved = episode.success && !result.stopped;
  return result;
}

/// Means over the log.
struct LogMoments {
  Mean solved;           // y
  Mean solved_pairs;     // y y' of two trials of a task
  Mean solved_errors;    // counted errors of solved episodes
  Mean solved_flawless;  // solved episodes without an error
  Mean slip;             // runs a productive call, solved episodes
  Mean slip_pairs;       // runs runs' over calls calls', two solved trials of a task
  Mean solved_calls, unsolved_calls, stopped_calls;  // productive calls an episode
  Mean errors;                                       // an episode
  Mean recovery;
  Mean user_calls, user_failure;
  double by_channel[kChannelCount] = {};
  int trials = 1;
};

void add_episode(LogMoments& log, const EpisodeCounts& episode) {
  log.solved.add(episode.solved ? 1.0 : 0.0);
  log.errors.add(episode.errors);
  log.user_calls.add(episode.user_calls, episode.productive);
  log.user_failure.add(episode.user_failed, episode.user_calls);
  if (!episode.solved) {
    (episode.stopped ? log.stopped_calls : log.unsolved_calls).add(episode.productive);
    return;
  }
  log.solved_calls.add(episode.productive);
  log.slip.add(episode.runs, episode.productive);
  log.solved_errors.add(episode.counted);
  log.solved_flawless.add(episode.counted == 0.0 ? 1.0 : 0.0);
}

void add_calls(LogMoments& log, const EpisodeFacts& episode) {
  bool after_failure = false;
  for (const CallFacts& call : episode.calls) {
    if (call.party == Party::user) continue;
    const bool failed = counts(call);
    if (after_failure) log.recovery.add(failed ? 0.0 : 1.0);
    after_failure = failed;
    if (failed) ++log.by_channel[static_cast<std::size_t>(call.channel)];
  }
}

LogMoments moments_of(const ArmFacts& arm, int budget) {
  LogMoments log;
  std::vector<std::vector<EpisodeCounts>> by_task(arm.tasks.size());
  for (const EpisodeFacts& episode : arm.episodes) {
    if (episode.excluded != Exclusion::none) continue;
    by_task[episode.task].push_back(counts_of(episode, arm.budget, budget));
    add_episode(log, by_task[episode.task].back());
    add_calls(log, episode);
  }
  for (const std::vector<EpisodeCounts>& trials : by_task) {
    log.trials = std::max(log.trials, static_cast<int>(trials.size()));
    for (std::size_t i = 0; i < trials.size(); ++i) {
      for (std::size_t j = i + 1; j < trials.size(); ++j) {
        const bool both = trials[i].solved && trials[j].solved;
        log.solved_pairs.add(both ? 1.0 : 0.0);
        if (both) {
          log.slip_pairs.add(trials[i].runs * trials[j].runs,
                             trials[i].productive * trials[j].productive);
        }
      }
    }
  }
  return log;
}

// How much two episodes of a task share: E(h h') / (E h)^2 of the slip probability
// h = 1 - exp(-rate e g), e anew in each episode.
double shared_slips(const CellProcess& process, double rate) {
  const LogGrid traps =
      gamma_grid(process.trap_shape, grid_step(process.trap_shape, process.trap_shape));
  double mean = 0.0;
  double product_of_two = 0.0;
  for (std::size_t i = 0; i < traps.weights.size(); ++i) {
    // E exp(-x e) over e ~ Gamma(shape, mean 1) is (1 + x / shape)^-shape.
    const double x = rate * traps.factor(i);
    const double slip = 1.0 - std::pow(1.0 + x / process.episode_shape, -process.episode_shape);
    mean += traps.weights[i] * slip;
    product_of_two += traps.weights[i] * slip * slip;
  }
  return product_of_two / (mean * mean);
}

// Where `rises` turns true in [low, high], by bisection of the logarithm; an end if it never does.
double turning_point(double low, double high, const std::function<bool(double)>& rises) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = std::sqrt(low * high);
    (rises(middle) ? high : low) = middle;
  }
  return std::sqrt(low * high);
}

// Slip rate and both shapes, each solved for its own moment in turn.
void fit_slips(const LogMoments& log, ReferenceProcess& fit) {
  CellProcess& process = fit.process;
  const double errors = log.solved_errors.value_or(0.0);
  const double flawless = log.solved_flawless.value_or(1.0);
  const double mean = log.slip.value_or(0.0);
  const double shared = mean > 0.0 ? log.slip_pairs.value_or(0.0) / (mean * mean) : 0.0;
  const bool has_errors = errors > 0.0;
  const bool has_pairs = shared > 0.0;
  if (!has_errors) {
    fit.notes.emplace_back("no solved episode holds an error: all slips fall into failed ones");
    fit.arm.slip_rate = kSmallestSlip;
    return;
  }
  if (!has_pairs) {
    fit.notes.emplace_back(
        "no two solved trials of a task both hold errors: how errors cluster in tasks is assumed");
  }
  for (int round = 0; round < kRounds; ++round) {
    fit.arm.slip_rate = turning_point(kSmallestSlip, kLargestSlip, [&](double rate) {
      return process_moments(process, {.slip_rate = rate}).errors_solved >= errors;
    });
    if (has_pairs) {
      process.trap_shape = turning_point(kSmallestShape, kLargestShape, [&](double shape) {
        CellProcess trial = process;
        trial.trap_shape = shape;
        return shared_slips(trial, fit.arm.slip_rate) <= shared;
      });
    }
    process.episode_shape = turning_point(kSmallestShape, kLargestShape, [&](double shape) {
      CellProcess trial = process;
      trial.episode_shape = shape;
      const ProcessMoments moments = process_moments(trial, fit.arm);
      return moments.score.front() / moments.score.back() <= flawless;
    });
  }
}

void fit_scores(const LogMoments& log, CellProcess& process) {
  const double mean = log.solved.value_or(0.0);
  process.solve_icc = 0.0;
  if (log.solved_pairs.of > 0.0) {
    const double correlation =
        (log.solved_pairs.value_or(0.0) - mean * mean) / (mean * (1.0 - mean));
    process.solve_icc = std::clamp(correlation, 0.0, kLargestIcc);
  }
}

void fit_lengths(const LogMoments& log, ReferenceProcess& fit) {
  CellProcess& process = fit.process;
  process.solved_extra_calls = std::max(log.solved_calls.value_or(1.0) - 1.0, 0.0);
  // Episodes that the budget stopped are cut short; they count only where there are no others.
  Mean unsolved = log.unsolved_calls;
  if (unsolved.of < kFewestEpisodes) {
    unsolved.add(log.stopped_calls.sum, log.stopped_calls.of);
    fit.notes.emplace_back(
        "few episodes failed by themselves: their length is taken from stopped ones too");
  }
  process.unsolved_extra_calls =
      std::max(unsolved.value_or(log.solved_calls.value_or(1.0)) - 1.0, 0.0);
  process.recovery = std::clamp(log.recovery.value_or(process.recovery), 0.05, 1.0);
  process.user_calls = log.user_calls.value_or(0.0);
  process.user_failure = log.user_failure.value_or(0.0);
}

void fit_mix(const LogMoments& log, CellProcess& process) {
  const auto errors = [&](Channel channel) {
    return log.by_channel[static_cast<std::size_t>(channel)];
  };
  const double names = errors(Channel::tool_name);
  const double arguments = errors(Channel::arguments) + errors(Channel::malformed);
  const double entities = errors(Channel::entity);
  const double refused = errors(Channel::precondition) + errors(Channel::other);
  const double all = names + arguments + entities + refused;
  process.mix = {.tool_name = names / all,
                 .arguments = arguments / all,
                 .entity = entities / all,
                 .precondition = refused / all};
}

// The share of solvable episodes and the slips of the others, so that the score and the errors an
// episode are those of the log.
void fit_totals(const LogMoments& log, ReferenceProcess& fit) {
  CellProcess& process = fit.process;
  const double score = log.solved.value_or(0.0);
  process.solve_mean = score;
  const ProcessMoments moments = process_moments(process, fit.arm);
  process.solve_mean = std::clamp(score * moments.solvable / moments.score.back(), 0.001, 0.999);
  const double errors = log.errors.value_or(0.0);
  CellProcess trial = process;
  process.unsolved_trap = turning_point(1e-3, 1e5, [&](double trap) {
    trial.unsolved_trap = trap;
    return process_moments(trial, fit.arm).errors_per_episode >= errors;
  });
}

}  // namespace

Result<ReferenceProcess> estimate_process(const ArmFacts& reference) {
  const int budget = reference.budget.enforced.value_or(kBudgetOfUncensored);
  const LogMoments log = moments_of(reference, budget);
  const auto refuse = [&](const char* why) {
    return fail(ErrorCode::bad_input, "arm '" + reference.name + "': " + why);
  };
  if (log.solved.of == 0.0) return refuse("no observed episode to estimate a process from");
  const double score = log.solved.value_or(0.0);
  if (score <= 0.0 || score >= 1.0) {
    return refuse(score <= 0.0 ? "no episode is solved; give a base rate instead of a log"
                               : "every episode is solved; give a base rate instead of a log");
  }
  if (log.errors.sum == 0.0) {
    return refuse("no call failed; give a base rate instead of a log");
  }

  ReferenceProcess fit;
  const bool known = synthetic::find_world(reference.domain) != nullptr;
  const bool users_call = log.user_calls.sum > 0.0;
  const std::string cell = reference.cell.empty() ? "cell" : reference.cell;
  const bool telecom = known ? reference.domain == "telecom" : users_call;
  fit.process = telecom ? synthetic::telecom_process(cell) : synthetic::retail_process(cell);
  if (!known) {
    fit.notes.push_back("the tools of domain '" + reference.domain +
                        "' are not simulated: those of " + fit.process.domain + " stand in");
  }
  if (users_call && !telecom) {
    fit.process = synthetic::telecom_process(cell);
    fit.notes.emplace_back("users call tools in this log: the tools of telecom stand in");
  }
  if (!reference.budget.enforced) {
    fit.notes.emplace_back("the log has no enforced budget: a budget of 10 is assumed");
  }
  fit.process.max_errors = budget;
  fit.process.trials = log.trials;
  fit.process.tasks = std::max(static_cast<int>(reference.tasks.size()), 1);
  fit.arm.name = reference.name.empty() ? "reference" : reference.name;
  fit.arm.precision = reference.identity.precision;
  fit_lengths(log, fit);
  fit_scores(log, fit.process);
  fit_mix(log, fit.process);
  fit_slips(log, fit);
  fit_totals(log, fit);
  return fit;
}

}  // namespace unmask::power
