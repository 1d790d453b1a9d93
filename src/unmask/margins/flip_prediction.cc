#include "unmask/margins/flip_prediction.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/margins/findings.h"
#include "unmask/margins/noise.h"
#include "unmask/margins/paired_group.h"
#include "unmask/margins/task_jackknife.h"
#include "unmask/stats/figure.h"

namespace unmask::margins {
namespace {

// Sum over the decisions of one task, good or bad ones.
struct TaskSum {
  double decisions = 0.0, flipped = 0.0;
};

// Errors inside of the window, sorted: of one task, or of all tasks outside of a fold.
using Errors = std::vector<double>;

std::size_t errors_to(std::span<const double> sorted, double m_ref) {
  return static_cast<std::size_t>(std::ranges::upper_bound(sorted, -m_ref) - sorted.begin());
}

bool is_good(const PairedMargin& decision) { return decision.reference > 0.0; }

// Cross-fitted predictions, with and without each task.
class Predictor {
 public:
  Predictor(const PairedGroup& group, const WindowedNoise& noise, std::size_t folds)
      : group_(group), noise_(noise), folds_(std::min(folds, group.tasks)) {
    task_errors_.resize(group.tasks);
    for (const PairedMargin& decision : group.decisions) {
      if (std::abs(decision.reference) <= noise.window)
        task_errors_[decision.task].push_back(decision.error());
    }
    for (Errors& errors : task_errors_) std::ranges::sort(errors);
    others_.resize(folds_);
    other_errors_.resize(folds_);
    for (std::size_t task = 0; task < group.tasks; ++task) {
      for (std::size_t fold = 0; fold < folds_; ++fold) {
        if (task % folds_ == fold) continue;
        others_[fold] += noise.by_task[task];
        other_errors_[fold].insert(other_errors_[fold].end(), task_errors_[task].begin(),
                                   task_errors_[task].end());
      }
    }
    for (Errors& errors : other_errors_) std::ranges::sort(errors);
  }

  // b and s for the tasks of a fold, without the errors of `left_out`.
  [[nodiscard]] std::vector<Noise> noises(std::optional<std::size_t> left_out) const {
    std::vector<Noise> noises;
    noises.reserve(folds_);
    for (std::size_t fold = 0; fold < folds_; ++fold) {
      NoiseSums sums = others_[fold];
      if (left_out && *left_out % folds_ != fold) sums -= noise_.by_task[*left_out];
      noises.push_back(noise_of(sums, noise_.origin));
    }
    return noises;
  }

  [[nodiscard]] std::optional<double> normal(const PairedMargin& decision,
                                             const std::vector<Noise>& noises) const {
    if (std::abs(decision.reference) > noise_.window) return 0.0;
    const Noise& noise = noises[decision.task % folds_];
    if (!noise.bias || !noise.sigma || *noise.sigma <= 0.0) return std::nullopt;
    return flip_probability(decision.reference, *noise.bias, *noise.sigma, noise_.window);
  }

  [[nodiscard]] std::optional<double> empirical(const PairedMargin& decision,
                                                std::optional<std::size_t> left_out) const {
    if (std::abs(decision.reference) > noise_.window) return 0.0;
    const std::size_t fold = decision.task % folds_;
    std::size_t count = other_errors_[fold].size();
    std::size_t to_bad = errors_to(other_errors_[fold], decision.reference);
    if (left_out && *left_out % folds_ != fold) {
      count -= task_errors_[*left_out].size();
      to_bad -= errors_to(task_errors_[*left_out], decision.reference);
    }
    if (count == 0) return std::nullopt;
    const double share = static_cast<double>(to_bad) / static_cast<double>(count);
    return is_good(decision) ? share : 1.0 - share;
  }

  // Mean prediction over good (or bad) decisions of all tasks but `left_out`.
  template <typename Predict>
  [[nodiscard]] std::optional<double> mean(bool good, std::optional<std::size_t> left_out,
                                           const Predict& predict) const {
    double sum = 0.0;
    double count = 0.0;
    for (const PairedMargin& decision : group_.decisions) {
      if (is_good(decision) != good || decision.task == left_out) continue;
      const std::optional<double> probability = predict(decision);
      if (!probability) return std::nullopt;
      sum += *probability;
      count += 1.0;
    }
    return count > 0.0 ? std::optional(sum / count) : std::nullopt;
  }

 private:
  const PairedGroup& group_;
  const WindowedNoise& noise_;
  std::size_t folds_;
  std::vector<Errors> task_errors_;
  std::vector<NoiseSums> others_;     // by fold: sums of the other folds' tasks
  std::vector<Errors> other_errors_;  // by fold: their errors, sorted
};

FlipFindings observed(const PairedGroup& group, bool good) {
  FlipFindings found;
  for (const PairedMargin& decision : group.decisions) {
    if (is_good(decision) != good) continue;
    ++found.decisions;
    if (decision.flipped()) ++found.flipped;
  }
  found.observed = share_of(
      group, [](const PairedMargin& decision) { return decision.flipped(); },
      [good](const PairedMargin& decision) { return is_good(decision) == good; },
      good ? "no decision of the reference is good" : "no decision of the reference is bad");
  return found;
}

std::vector<TaskSum> sums_by_task(const PairedGroup& group, bool good) {
  std::vector<TaskSum> tasks(group.tasks);
  for (const PairedMargin& decision : group.decisions) {
    if (is_good(decision) != good) continue;
    tasks[decision.task].decisions += 1.0;
    if (decision.flipped()) tasks[decision.task].flipped += 1.0;
  }
  return tasks;
}

void add_predictions(FlipFindings& found, bool good, const PairedGroup& group,
                     const Predictor& predictor) {
  if (found.decisions == 0) {
    found.normal = found.empirical = found.difference = stats::missing(found.observed.reason);
    return;
  }
  const std::vector<Noise> noises = predictor.noises({});
  const std::optional<double> normal =
      predictor.mean(good, {}, [&](const PairedMargin& d) { return predictor.normal(d, noises); });
  const std::optional<double> empirical =
      predictor.mean(good, {}, [&](const PairedMargin& d) { return predictor.empirical(d, {}); });
  constexpr const char* kNone = "the other tasks have too few decisions inside of the window";
  found.normal = found.empirical = found.difference = stats::missing(kNone);
  const std::vector<TaskSum> tasks = sums_by_task(group, good);
  const double share = static_cast<double>(found.flipped) / found.decisions;
  std::vector<std::optional<double>> normals;
  std::vector<std::optional<double>> empiricals;
  std::vector<std::optional<double>> differences;
  for (std::size_t task = 0; task < group.tasks; ++task) {
    const std::vector<Noise> others = predictor.noises(task);
    const std::optional<double> without = predictor.mean(
        good, task, [&](const PairedMargin& d) { return predictor.normal(d, others); });
    normals.push_back(without);
    empiricals.push_back(predictor.mean(
        good, task, [&](const PairedMargin& d) { return predictor.empirical(d, task); }));
    differences.emplace_back();
    if (without) {
      differences.back() =
          (found.flipped - tasks[task].flipped) / (found.decisions - tasks[task].decisions) -
          *without;
    }
  }
  if (normal) {
    found.normal = with_jackknife(*normal, normals, Range::share);
    found.difference = with_jackknife(share - *normal, differences, Range::any);
  }
  if (empirical) found.empirical = with_jackknife(*empirical, empiricals, Range::share);
}

}  // namespace

FlipPrediction flip_prediction(const PairedGroup& group, const WindowedNoiseOrReason& windowed,
                               std::size_t folds) {
  UNMASK_CHECK(folds >= 2);
  FlipPrediction prediction{
      .good = observed(group, true),
      .bad = observed(group, false),
      .probability = std::vector<std::optional<double>>(group.decisions.size())};
  if (!windowed.noise || group.tasks < 2) {
    const std::string reason =
        windowed.noise ? "one task: there are no others to predict from" : windowed.reason;
    for (FlipFindings* found : {&prediction.good, &prediction.bad}) {
      found->normal = found->empirical = found->difference =
          stats::missing(found->decisions == 0 ? found->observed.reason : reason);
    }
    return prediction;
  }
  const Predictor predictor(group, *windowed.noise, folds);
  add_predictions(prediction.good, true, group, predictor);
  add_predictions(prediction.bad, false, group, predictor);
  const std::vector<Noise> noises = predictor.noises({});
  for (std::size_t i = 0; i < group.decisions.size(); ++i)
    prediction.probability[i] = predictor.normal(group.decisions[i], noises);
  return prediction;
}

}  // namespace unmask::margins
