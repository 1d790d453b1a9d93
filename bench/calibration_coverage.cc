#include "calibration_coverage.h"

#include <optional>
#include <utility>

#include "unmask/audit/audit.h"
#include "unmask/base/check.h"
#include "unmask/power/process_moments.h"
#include "unmask/power/replicates.h"
#include "unmask/power/simulated_study.h"

namespace unmask::calibration {
namespace {

using power::ProcessMoments;

// The channel that holds 98 % of the errors.
constexpr const char* kChannel = "tool_name";

// One figure of one replicate.
struct Reading {
  std::string figure;
  Group group = Group::rate;
  double truth = 0.0;
  stats::Figure estimate;
};

struct Truth {
  ProcessMoments reference, same, amplified;
  double channel_share = 0.0;
};

double errors_per_call(const ProcessMoments& m) { return m.errors_per_call(); }
double errors_per_episode(const ProcessMoments& m) { return m.errors_per_episode; }
double errors_per_success(const ProcessMoments& m) { return m.errors_per_successful_call(); }
double score_at(const ProcessMoments& m, int k) { return m.score[static_cast<std::size_t>(k - 1)]; }

// A one-sided upper bound as an interval that is open below.
stats::Figure up_to(std::optional<double> value, std::optional<double> bound) {
  if (!bound) return stats::missing("no bound");
  return {value, -1e300, bound, {}};
}

class Readings {
 public:
  explicit Readings(const Truth& truth) : truth_(truth) {}

  void add_arm(const std::string& whose, const ArmFindings& arm, const ProcessMoments& truth) {
    const ChannelFindings* channel = arm.channel(kChannel);
    UNMASK_CHECK(channel != nullptr);
    const double share = truth_.channel_share;
    add("errors a call, " + whose, Group::rate, share * errors_per_call(truth), channel->per_call);
    add("errors an episode, " + whose, Group::rate, share * errors_per_episode(truth),
        channel->per_episode);
    add("errors a successful call, " + whose, Group::rate, share * errors_per_success(truth),
        channel->per_successful_call);
    for (const int k : {2, 5, 10}) {
      add("S(" + std::to_string(k) + "), " + whose, Group::score, score_at(truth, k),
          arm.score[static_cast<std::size_t>(k - 1)].score);
    }
  }

  void add_comparison(const std::string& whose, const ComparisonFindings& comparison,
                      const ProcessMoments& arm) {
    const ProcessMoments& reference = truth_.reference;
    const AmplificationFindings* channel = comparison.channel(kChannel);
    UNMASK_CHECK(channel != nullptr);
    const auto ratio = [&](double (*figure)(const ProcessMoments&)) {
      return figure(arm) / figure(reference);
    };
    const double by_episode = ratio(errors_per_episode);
    add("ratio an episode, " + whose, Group::rate, by_episode, channel->ratio);
    add("ratio a call, " + whose, Group::rate, ratio(errors_per_call), channel->per_call);
    add("ratio a successful call, " + whose, Group::rate, ratio(errors_per_success),
        channel->per_successful_call);
    add("difference a call, " + whose, Group::rate,
        truth_.channel_share * (errors_per_call(arm) - errors_per_call(reference)),
        channel->difference);
    add("ratio's upper bound, " + whose, Group::rate, by_episode,
        up_to(channel->plain_ratio, channel->ratio_upper));
    add("call rate's upper bound, " + whose, Group::rate,
        truth_.channel_share * errors_per_call(arm), up_to(std::nullopt, channel->rate_upper));
    const auto gap = [&](int k) { return score_at(reference, k) - score_at(arm, k); };
    for (const int k : {2, 5, 10}) {
      add("D(" + std::to_string(k) + "), " + whose, Group::score, gap(k),
          comparison.gap_at(k)->gap.figure);
    }
    for (const int k : {2, 5}) {
      add("W(" + std::to_string(k) + "), " + whose, Group::widening, gap(k) - gap(10),
          comparison.widening_at(k)->widening.figure);
    }
    double area = 0.0;
    for (int k = 1; k <= comparison.k_obs; ++k) area += gap(k) / comparison.k_obs;
    add("area, " + whose, Group::score, area, comparison.area);
  }

  [[nodiscard]] std::vector<Reading> take() { return std::move(readings_); }

 private:
  void add(std::string figure, Group group, double truth, const stats::Figure& estimate) {
    readings_.push_back({std::move(figure), group, truth, estimate});
  }

  const Truth& truth_;
  std::vector<Reading> readings_;
};

void tally(Coverage& coverage, const Reading& reading) {
  if (!reading.estimate.low || !reading.estimate.high) {
    ++coverage.missing;
    return;
  }
  ++coverage.replicates;
  coverage.mean += reading.estimate.value.value_or(0.0);
  if (*reading.estimate.high < reading.truth) {
    ++coverage.below;
  } else if (*reading.estimate.low > reading.truth) {
    ++coverage.above;
  } else {
    ++coverage.covered;
  }
}

}  // namespace

std::vector<Coverage> measure_coverage(double call_rate, const Design& design,
                                       std::size_t replicates, std::uint64_t seed,
                                       unsigned threads) {
  const synthetic::StudyCell cell = sized({coverage_cell(call_rate)}, design).front();
  const Truth truth{.reference = power::process_moments(cell.process, cell.arms[0]),
                    .same = power::process_moments(cell.process, cell.arms[1]),
                    .amplified = power::process_moments(cell.process, cell.arms[2]),
                    .channel_share = cell.process.mix.tool_name};
  std::vector<std::vector<Reading>> all(replicates);
  const bool finished = power::run_replicates(replicates, threads, [&](std::size_t i) {
    // Intervals need no sign vectors.
    const std::optional<AuditFindings> findings =
        audit_study({power::simulate_cell(cell, seed, i)}, power::simulation_settings(1, seed, i));
    UNMASK_CHECK(findings.has_value());
    const CellFindings& found = findings->cells.front();
    Readings readings(truth);
    readings.add_arm("reference", found.arms[0], truth.reference);
    readings.add_arm("amplified", found.arms[2], truth.amplified);
    readings.add_comparison("same", found.comparisons[0], truth.same);
    readings.add_comparison("amplified", found.comparisons[1], truth.amplified);
    all[i] = readings.take();
  });
  UNMASK_CHECK(finished);

  std::vector<Coverage> coverages;
  for (const std::vector<Reading>& readings : all) {
    coverages.resize(readings.size());
    for (std::size_t i = 0; i < readings.size(); ++i) {
      coverages[i].figure = readings[i].figure;
      coverages[i].group = readings[i].group;
      coverages[i].truth = readings[i].truth;
      tally(coverages[i], readings[i]);
    }
  }
  for (Coverage& coverage : coverages) {
    if (coverage.replicates > 0) coverage.mean /= static_cast<double>(coverage.replicates);
  }
  return coverages;
}

}  // namespace unmask::calibration
