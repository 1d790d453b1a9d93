#include "unmask/power/power.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "unmask/audit/audit.h"
#include "unmask/base/check.h"
#include "unmask/power/process_moments.h"
#include "unmask/power/simulated_study.h"
#include "unmask/power/slip_rate.h"

namespace unmask::power {
namespace {

constexpr int kMostTasks = 100'000;
constexpr int kMostTrials = 1'000;

std::string short_number(double value) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3);
  return {digits, end.ptr};
}

ArmTruth truth_of(const ProcessMoments& moments, int first_budget) {
  return {.errors_per_call = moments.errors_per_call(),
          .errors_per_episode = moments.errors_per_episode,
          .score_first = moments.score[static_cast<std::size_t>(first_budget - 1)],
          .score_last = moments.score.back()};
}

// What one audit found of the arm.
struct Found {
  bool amplified = false;
  bool widened = false;
  bool equivalent = false;
  Verdict verdict = Verdict::inconclusive;
};

Found found_in(const ComparisonFindings& comparison, const AuditSettings& settings) {
  Found found{.verdict = comparison.verdict};
  for (const AmplificationFindings& channel : comparison.amplification) {
    found.amplified = found.amplified || (channel.in_family && channel.amplified);
  }
  if (const WideningPoint* point = comparison.widening_at(settings.budgets.front())) {
    const TestedFigure& widening = point->widening;
    found.widened = widening.figure.value.value_or(0.0) > 0.0 && widening.p_adjusted &&
                    *widening.p_adjusted < settings.alpha;
  }
  if (const EquivalencePoint* point = comparison.equivalence_at(comparison.k_obs)) {
    found.equivalent = point->equivalent;
  }
  return found;
}

Power power_of(std::size_t count, std::size_t of) {
  const auto n = static_cast<double>(of);
  const double share = static_cast<double>(count) / n;
  return {share, std::sqrt(share * (1.0 - share) / n)};
}

DesignPower summed_up(const Design& design, const std::vector<Found>& found) {
  const auto share = [&](const auto& holds) {
    return power_of(static_cast<std::size_t>(std::count_if(found.begin(), found.end(), holds)),
                    found.size());
  };
  DesignPower result{.design = design,
                     .amplified = share([](const Found& f) { return f.amplified; }),
                     .widened = share([](const Found& f) { return f.widened; }),
                     .damaged = share([](const Found& f) { return is_damage(f.verdict); }),
                     .equivalent = share([](const Found& f) { return f.equivalent; })};
  for (std::size_t v = 0; v < kVerdictCount; ++v) {
    result.verdicts[v] =
        share([v](const Found& f) { return f.verdict == static_cast<Verdict>(v); });
  }
  return result;
}

std::optional<Design> smallest(const std::vector<DesignPower>& designs, double target,
                               const Power& (*of)(const DesignPower&)) {
  std::optional<Design> best;
  for (const DesignPower& each : designs) {
    if (of(each).share < target) continue;
    const Design& design = each.design;
    if (!best ||
        std::pair(design.episodes(), design.tasks) < std::pair(best->episodes(), best->tasks)) {
      best = design;
    }
  }
  return best;
}

// Masked damage needs a large study; one so large that even the small score gap is seen calls the
// damage visible, which is no worse an answer.
void find_smallest(EffectPower& effect, double target) {
  effect.smallest = {
      .amplified = smallest(effect.designs, target,
                            [](const DesignPower& d) -> const Power& { return d.amplified; }),
      .widened = smallest(effect.designs, target,
                          [](const DesignPower& d) -> const Power& { return d.widened; }),
      .masked = smallest(
          effect.designs, target,
          [](const DesignPower& d) -> const Power& { return d.verdict(Verdict::masked_damage); }),
      .clean = smallest(effect.designs, target, [](const DesignPower& d) -> const Power& {
        return d.verdict(Verdict::clean);
      })};
}

std::optional<Error> complaint(const PowerQuestion& question) {
  const auto wrong = [](std::string message) {
    return Error{ErrorCode::invalid_argument, std::move(message)};
  };
  if (question.tasks.empty() || question.trials.empty()) {
    return wrong("power: give at least one number of tasks and one of trials");
  }
  for (const int tasks : question.tasks) {
    if (tasks < 2 || tasks > kMostTasks) return wrong("power: tasks must lie in 2 to 100,000");
  }
  for (const int trials : question.trials) {
    if (trials < 1 || trials > kMostTrials) return wrong("power: trials must lie in 1 to 1,000");
  }
  if (!(question.target > 0.0 && question.target < 1.0)) {
    return wrong("power: the target must lie between 0 and 1, both excluded");
  }
  if (question.replicates < 1 || question.comparisons < 1 || question.sign_flips < 1 ||
      question.threads < 1) {
    return wrong("power: replicates, comparisons, sign vectors and threads must be at least 1");
  }
  if (question.audit.budgets.empty() || question.audit.budgets.front() < 1) {
    return wrong("power: the first budget must be at least 1");
  }
  if (question.reference.slip_rate <= 0.0) {
    return wrong("power: the reference makes no errors; give a base rate above 0");
  }
  for (const Effect& effect : question.effects) {
    if (!(effect.size > 0.0) || !std::isfinite(effect.size)) {
      return wrong("power: an effect must be a number above 0");
    }
    if (effect.kind == Effect::Kind::widening &&
        question.audit.budgets.front() >= question.process.max_errors) {
      return wrong("power: no widening from K = " + std::to_string(question.audit.budgets.front()) +
                   " at a budget of " + std::to_string(question.process.max_errors));
    }
  }
  return std::nullopt;
}

Result<double> slip_rate_of(const PowerQuestion& question, const Effect& effect) {
  const synthetic::CellProcess& process = question.process;
  if (effect.kind == Effect::Kind::amplification) {
    if (const auto slip = slip_rate_for_amplification(process, question.reference, effect.size)) {
      return *slip;
    }
    return fail(ErrorCode::invalid_argument,
                "power: " + short_number(effect.size) +
                    " times the errors can't be had: the budget of " +
                    std::to_string(process.max_errors) + " leaves room for x" +
                    short_number(largest_amplification(process, question.reference)) + " at most");
  }
  const int budget = question.audit.budgets.front();
  if (const auto slip = slip_rate_for_widening(process, question.reference, budget, effect.size)) {
    return *slip;
  }
  return fail(ErrorCode::invalid_argument,
              "power: a widening of " + short_number(100.0 * effect.size) +
                  " points can't be had from more errors alone: the largest at K = " +
                  std::to_string(budget) + " is " +
                  short_number(100.0 * largest_widening(process, question.reference, budget)) +
                  " points");
}

// Simulates and audits every replicate of every design and effect.
class Simulation {
 public:
  Simulation(const PowerQuestion& question, const std::vector<synthetic::ArmProcess>& arms)
      : question_(question), arms_(arms) {
    for (const int tasks : question.tasks) {
      for (const int trials : question.trials) designs_.push_back({tasks, trials});
    }
    std::sort(designs_.begin(), designs_.end(), [](const Design& a, const Design& b) {
      return std::pair(a.trials, a.tasks) < std::pair(b.trials, b.tasks);
    });
    designs_.erase(std::unique(designs_.begin(), designs_.end()), designs_.end());
  }

  // Powers of each arm at each design; empty if stopped.
  std::optional<std::vector<std::vector<DesignPower>>> run(const Progress& progress) {
    // The largest designs first, so that no thread is left alone with one at the end.
    const std::size_t replicates = question_.replicates;
    std::vector<std::size_t> order(designs_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return designs_[a].episodes() > designs_[b].episodes();
    });
    // [design][arm][replicate]
    std::vector<std::vector<std::vector<Found>>> found(
        designs_.size(), std::vector(arms_.size(), std::vector<Found>(replicates)));
    const auto one = [&](std::size_t index) {
      const std::size_t design = order[index / replicates];
      const std::size_t replicate = index % replicates;
      const std::vector<Found> of_arms = audit(designs_[design], replicate);
      for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
        found[design][arm][replicate] = of_arms[arm];
      }
    };
    if (!run_replicates(designs_.size() * replicates, question_.threads, one, progress)) {
      return std::nullopt;
    }
    std::vector<std::vector<DesignPower>> powers(arms_.size());
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      for (std::size_t design = 0; design < designs_.size(); ++design) {
        powers[arm].push_back(summed_up(designs_[design], found[design][arm]));
      }
    }
    return powers;
  }

 private:
  // Every arm against the same reference, each in a study of its own.
  [[nodiscard]] std::vector<Found> audit(const Design& design, std::size_t replicate) const {
    AuditSettings settings = question_.audit;
    const AuditSettings of_replicate =
        simulation_settings(question_.sign_flips, question_.audit.seed, replicate);
    settings.details = of_replicate.details;
    settings.sensitivity = of_replicate.sensitivity;
    settings.sign_flips = of_replicate.sign_flips;
    settings.seed = of_replicate.seed;
    settings.comparisons_elsewhere = question_.comparisons - 1;

    synthetic::StudyCell cell{.process = question_.process};
    cell.process.tasks = design.tasks;
    cell.process.trials = design.trials;
    cell.arms = {question_.reference};
    std::vector<CellInput> study = {simulate_cell(cell, question_.audit.seed, replicate)};
    std::vector<ArmInput>& pair = study.front().arms;
    std::vector<Found> found;
    for (const synthetic::ArmProcess& arm : arms_) {
      pair.resize(1);
      pair.push_back({.facts = simulate_arm(cell.process, arm, question_.audit.seed, replicate)});
      const std::optional<AuditFindings> findings = audit_study(study, settings);
      UNMASK_CHECK(findings.has_value());
      found.push_back(found_in(findings->cells.front().comparisons.front(), settings));
    }
    return found;
  }

  const PowerQuestion& question_;
  const std::vector<synthetic::ArmProcess>& arms_;
  std::vector<Design> designs_;
};

EffectPower effect_power(const PowerQuestion& question, const Effect& effect,
                         const ProcessMoments& reference, const synthetic::ArmProcess& arm) {
  const int first = std::min(question.audit.budgets.front(), question.process.max_errors);
  const ProcessMoments moments = process_moments(question.process, arm);
  EffectPower result{.effect = effect, .truth = truth_of(moments, first)};
  const ArmTruth of_reference = truth_of(reference, first);
  result.amplification = result.truth.errors_per_episode / of_reference.errors_per_episode;
  result.gap = of_reference.score_last - result.truth.score_last;
  result.widening = of_reference.score_first - result.truth.score_first - result.gap;
  return result;
}

}  // namespace

std::string_view name_of(Effect::Kind kind) {
  switch (kind) {
    case Effect::Kind::amplification:
      return "amplification";
    case Effect::Kind::widening:
      return "widening";
  }
  return "";
}

Result<PowerQuestion> power_question(std::string_view domain, double errors_per_call) {
  PowerQuestion question;
  if (domain == "telecom") {
    question.process = synthetic::telecom_process("power");
  } else if (domain == "retail") {
    question.process = synthetic::retail_process("power");
  } else {
    return fail(ErrorCode::invalid_argument, "power: no process is known for domain '" +
                                                 std::string(domain) + "'; known: telecom, retail");
  }
  question.reference.name = "reference";
  return with_base_rate(std::move(question), errors_per_call);
}

Result<PowerQuestion> power_question(const ArmFacts& reference) {
  Result<ReferenceProcess> fit = estimate_process(reference);
  if (!fit) return tl::unexpected(fit.error());
  PowerQuestion question;
  question.process = std::move(fit->process);
  question.reference = std::move(fit->arm);
  question.notes = std::move(fit->notes);
  return question;
}

Result<PowerQuestion> with_base_rate(PowerQuestion question, double errors_per_call) {
  if (!(errors_per_call > 0.0 && errors_per_call < 1.0)) {
    return fail(ErrorCode::invalid_argument,
                "power: the base rate is a share of calls between 0 and 1, both excluded");
  }
  const std::optional<double> slip =
      slip_rate_for_call_rate(question.process, question.reference, errors_per_call);
  if (!slip) {
    return fail(ErrorCode::invalid_argument,
                "power: " + short_number(100.0 * errors_per_call) +
                    " % failed calls can't be had with a recovery of " +
                    short_number(100.0 * question.process.recovery) + " %; ask for fewer");
  }
  question.reference.slip_rate = *slip;
  return question;
}

stats::Interval interval_of(const Power& power, std::uint32_t studies) {
  const auto found = std::llround(power.share * static_cast<double>(studies));
  return stats::wilson(static_cast<std::int64_t>(found), static_cast<std::int64_t>(studies));
}

Result<PowerAnswer> power(const PowerQuestion& question, const Progress& progress) {
  if (std::optional<Error> wrong = complaint(question)) return tl::unexpected(*std::move(wrong));
  // The arm without effect, then one for each effect.
  const Effect no_effect;
  std::vector<synthetic::ArmProcess> arms;
  const auto add_arm = [&](double slip_rate) {
    synthetic::ArmProcess arm = question.reference;
    arm.name = question.reference.name + " arm " + std::to_string(arms.size());
    arm.slip_rate = slip_rate;
    arms.push_back(std::move(arm));
  };
  add_arm(question.reference.slip_rate);
  for (const Effect& effect : question.effects) {
    const Result<double> slip = slip_rate_of(question, effect);
    if (!slip) return tl::unexpected(slip.error());
    add_arm(*slip);
  }

  PowerAnswer answer{.question = question, .last_budget = question.process.max_errors};
  answer.first_budget = std::min(question.audit.budgets.front(), answer.last_budget);
  const ProcessMoments reference = process_moments(question.process, question.reference);
  answer.reference = truth_of(reference, answer.first_budget);
  answer.none = effect_power(question, no_effect, reference, arms[0]);
  for (std::size_t i = 0; i < question.effects.size(); ++i) {
    answer.effects.push_back(effect_power(question, question.effects[i], reference, arms[i + 1]));
  }
  auto powers = Simulation(question, arms).run(progress);
  if (!powers) return fail(ErrorCode::interrupted, "power: stopped");
  answer.none.designs = std::move(powers->front());
  find_smallest(answer.none, question.target);
  for (std::size_t i = 0; i < answer.effects.size(); ++i) {
    answer.effects[i].designs = std::move((*powers)[i + 1]);
    find_smallest(answer.effects[i], question.target);
  }
  return answer;
}

}  // namespace unmask::power
