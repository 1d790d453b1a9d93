// Compares the statistics with vectors made with scipy, statsmodels and numpy (stats/*.json beside
// the repository). Tolerance: relative 1e-9, absolute 1e-12.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/stats/amplification.h"
#include "unmask/stats/detectable.h"
#include "unmask/stats/equivalence.h"
#include "unmask/stats/figure.h"
#include "unmask/stats/interval.h"
#include "unmask/stats/multiple_comparisons.h"
#include "unmask/stats/name_counts.h"
#include "unmask/stats/novelty.h"
#include "unmask/stats/paired_difference.h"
#include "unmask/stats/pass_k.h"
#include "unmask/stats/quantile.h"
#include "unmask/stats/rank_correlation.h"
#include "unmask/stats/rate.h"
#include "unmask/stats/score.h"
#include "unmask/stats/shape.h"
#include "unmask/stats/sign_flip.h"
#include "unmask/stats/special.h"
#include "unmask/stats/task_total.h"

namespace unmask::stats {
namespace {

using Json = nlohmann::json;
using Doubles = std::vector<double>;

// Null in the vector = nothing here.
void expect_number(const Json& expected, std::optional<double> actual, const char* what) {
  if (expected.is_null()) {
    EXPECT_FALSE(actual.has_value()) << what << " is " << *actual << " but can't be had";
    return;
  }
  const double value = expected.get<double>();
  ASSERT_TRUE(actual.has_value()) << what << " is missing, expected " << value;
  EXPECT_NEAR(*actual, value, std::max(1e-9 * std::abs(value), 1e-12)) << what;
}

void expect_interval(const Json& expected, std::optional<double> low, std::optional<double> high,
                     const char* what) {
  if (expected.is_null()) {
    EXPECT_FALSE(low.has_value() || high.has_value()) << what;
    return;
  }
  expect_number(expected.at(0), low, what);
  expect_number(expected.at(1), high, what);
}

// Standard errors below 1e-12 count as 0 in the vectors as well.
void expect_se(const Json& expected, std::optional<double> actual, const char* what) {
  if (expected.is_number() && expected.get<double>() < kSmallestSe) {
    EXPECT_EQ(actual, 0.0) << what;
  } else {
    expect_number(expected, actual, what);
  }
}

// A t interval collapses on the value where there is no spread; ours is null there (STATISTICS,
// "Numbers that can't be had").
void expect_t_interval(const Json& expected, const Estimate& actual, const char* what) {
  if (actual.se == 0.0) {
    EXPECT_FALSE(actual.figure.low.has_value()) << what;
    EXPECT_EQ(actual.figure.reason, kNoSpread) << what;
    EXPECT_NEAR(expected.at(0).get<double>(), expected.at(1).get<double>(), 1e-11) << what;
  } else {
    expect_interval(expected, actual.figure.low, actual.figure.high, what);
  }
}

template <typename Check>
void for_each_case(const std::string& file, std::size_t expected, const Check& check) {
  reference::Vectors vectors("stats/" + file, expected);
  if (!vectors.available()) return;
  const Json document = vectors.json();
  for (const Json& item : document.at("cases")) {
    SCOPED_TRACE(item.at("id").get<std::string>());
    check(item.at("input"), item.at("expected"));
    vectors.count();
  }
  vectors.finish();
}

std::vector<TaskTotal> totals(const Json& numerators, const Json& denominators) {
  std::vector<TaskTotal> tasks;
  tasks.reserve(numerators.size());
  for (std::size_t i = 0; i < numerators.size(); ++i) {
    tasks.push_back({numerators[i].get<double>(), denominators[i].get<double>()});
  }
  return tasks;
}

std::vector<TaskPair> pairs(const Json& input) {
  const auto reference = totals(input.at("A_ref"), input.at("B_ref"));
  const auto arm = totals(input.at("A_arm"), input.at("B_arm"));
  std::vector<TaskPair> tasks;
  tasks.reserve(arm.size());
  for (std::size_t i = 0; i < arm.size(); ++i) tasks.push_back({reference[i], arm[i]});
  return tasks;
}

TEST(StatsReference, Rates) {
  for_each_case("rates.json", 30, [](const Json& input, const Json& expected) {
    const auto tasks = totals(input.at("A"), input.at("B"));
    const bool share = input.at("share").get<bool>();
    const Rate plain = rate(tasks, IntervalKind::plain_t);
    EXPECT_EQ(plain.estimate.tasks, expected.at("n").get<std::size_t>());
    expect_number(expected.at("sum_A"), plain.numerator, "sum_A");
    expect_number(expected.at("sum_B"), plain.denominator, "sum_B");
    expect_number(expected.at("R"), plain.estimate.figure.value, "R");
    if (expected.contains("reason")) {
      EXPECT_FALSE(plain.estimate.se.has_value());
      EXPECT_FALSE(plain.estimate.figure.reason.empty());
      return;
    }
    expect_se(expected.at("SE"), plain.estimate.se, "SE");
    expect_number(expected.at("t975"), t_quantile(0.975, expected.at("df").get<double>()), "t975");
    if (!share) {
      expect_t_interval(expected.at("ci_t"), plain.estimate, "ci_t");
      return;
    }
    const Rate calls = rate(tasks, IntervalKind::korn_graubard);
    const Rate episodes = rate(tasks, IntervalKind::wilson);
    expect_number(expected.at("deff"), calls.deff, "deff");
    ASSERT_TRUE(calls.n_eff.has_value());
    expect_number(expected.at("n_eff_kg"),
                  korn_graubard_observations(*calls.n_eff, calls.denominator,
                                             static_cast<double>(tasks.size())),
                  "n_eff_kg");
    expect_interval(expected.at("ci_kg"), calls.estimate.figure.low, calls.estimate.figure.high,
                    "ci_kg");
    expect_interval(expected.at("ci_wilson_neff"), episodes.estimate.figure.low,
                    episodes.estimate.figure.high, "ci_wilson_neff");
  });
}

TEST(StatsReference, Differences) {
  for_each_case("differences.json", 29, [](const Json& input, const Json& expected) {
    const auto tasks = pairs(input);
    const Amplification result = amplification(tasks);
    const Estimate& difference = result.difference;
    EXPECT_EQ(difference.tasks, expected.at("n").get<std::size_t>());
    expect_number(expected.at("diff"), difference.figure.value, "diff");
    expect_se(expected.at("diff_SE"), difference.se, "diff_SE");
    if (expected.contains("reason")) {  // one task
      EXPECT_FALSE(result.ratio.figure.value.has_value());
      EXPECT_FALSE(result.ratio.figure.reason.empty());
      return;
    }
    expect_t_interval(expected.at("diff_ci"), difference, "diff_ci");
    const std::optional<double> detectable = smallest_detectable(difference.se, tasks.size());
    if (difference.se == 0.0) {
      EXPECT_FALSE(detectable.has_value());
    } else {
      expect_number(expected.at("diff_mde"), detectable, "diff_mde");
    }
    if (expected.at("rr").is_null()) {
      EXPECT_FALSE(result.ratio.figure.value.has_value());
      EXPECT_FALSE(result.ratio.figure.reason.empty());
      return;
    }
    expect_number(expected.at("rr"), result.plain_ratio, "rr");
    expect_se(expected.at("ln_rr_SE_jack"), result.se_ln, "ln_rr_SE_jack");
    expect_interval(expected.at("rr_ci_jack"), result.ratio.figure.low, result.ratio.figure.high,
                    "rr_ci_jack");
    if (expected.contains("jack_reason")) {
      EXPECT_FALSE(result.ratio.figure.value.has_value());
      EXPECT_FALSE(result.ratio.figure.reason.empty());
    } else {
      expect_number(expected.at("rr"), result.ratio.figure.value, "rr");
      expect_number(expected.at("ln_rr"), result.ln_ratio, "ln_rr");
    }
  });
}

// Solved trials over trials of each task at each budget 1 .. k_obs, from rows [task, trial, y, E].
struct ScoreArm {
  std::map<int, std::vector<std::pair<int, int>>> trials;  // task -> (y, E)

  explicit ScoreArm(const Json& rows) {
    for (const Json& row : rows) {
      trials[row[0].get<int>()].emplace_back(row[2].get<int>(), row[3].get<int>());
    }
  }
  [[nodiscard]] TaskTotal at(int task, int k) const {
    TaskTotal total;
    for (const auto& [y, errors] : trials.at(task)) {
      total.denominator += 1.0;
      if (y == 1 && errors < k) total.numerator += 1.0;
    }
    return total;
  }
  [[nodiscard]] std::vector<TaskTotal> at(int k) const {
    std::vector<TaskTotal> tasks;
    tasks.reserve(trials.size());
    for (const auto& [task, unused] : trials) tasks.push_back(at(task, k));
    return tasks;
  }
  // Episodes that ran out of budget count as passed.
  [[nodiscard]] double upper_band(int k_obs) const {
    double passed = 0.0;
    double episodes = 0.0;
    for (const auto& [task, list] : trials) {
      for (const auto& [y, errors] : list) {
        episodes += 1.0;
        if (y == 1 ? errors < k_obs : errors >= k_obs) passed += 1.0;
      }
    }
    return passed / episodes;
  }
};

void expect_arm_scores(const ScoreArm& arm, const Json& expected, const std::string& name,
                       int k_obs) {
  for (int k = 1; k <= k_obs; ++k) {
    SCOPED_TRACE(name + " K=" + std::to_string(k));
    const auto index = static_cast<std::size_t>(k - 1);
    const auto tasks = arm.at(k);
    expect_number(expected.at("S_taskmean_" + name)[index], score(tasks).figure.value,
                  "S_taskmean");
    // The episode mean that benchmarks print: a ratio of sums; the vector has its plain t interval.
    const Estimate episodes = rate(tasks, IntervalKind::plain_t).estimate;
    expect_number(expected.at("S_" + name)[index], episodes.figure.value, "S");
    expect_se(expected.at("S_SE_" + name)[index], episodes.se, "S_SE");
    if (episodes.figure.low.has_value()) {
      expect_interval(expected.at("S_ci_" + name)[index], std::max(*episodes.figure.low, 0.0),
                      std::min(*episodes.figure.high, 1.0), "S_ci");
    }
  }
  expect_number(expected.at("band_above_kobs_" + name)[0],
                rate(arm.at(k_obs), IntervalKind::plain_t).estimate.figure.value, "band lower");
  expect_number(expected.at("band_above_kobs_" + name)[1], arm.upper_band(k_obs), "band upper");
}

TEST(StatsReference, Scores) {
  for_each_case("scores.json", 22, [](const Json& input, const Json& expected) {
    const int k_obs = input.at("K_obs").get<int>();
    const ScoreArm reference(input.at("ref"));
    const ScoreArm arm(input.at("arm"));
    expect_arm_scores(reference, expected, "ref", k_obs);
    expect_arm_scores(arm, expected, "arm", k_obs);

    std::vector<int> shared;
    for (const auto& [task, unused] : reference.trials) {
      if (arm.trials.contains(task)) shared.push_back(task);
    }
    EXPECT_EQ(shared.size(), expected.at("shared_tasks").get<std::size_t>());
    const auto gap_at = [&](int k) {
      std::vector<TaskPair> tasks;
      tasks.reserve(shared.size());
      for (const int task : shared) tasks.push_back({reference.at(task, k), arm.at(task, k)});
      return tasks;
    };
    // Minus the arm's rate difference is the plain version of the gap.
    double plain_area = 0.0;
    for (int k = 1; k <= k_obs; ++k) {
      SCOPED_TRACE("gap at K=" + std::to_string(k));
      const auto index = static_cast<std::size_t>(k - 1);
      const PairedDifference gap = paired_difference(gap_at(k));
      expect_number(expected.at("D_taskmean")[index], gap.estimate.figure.value, "D_taskmean");
      expect_se(expected.at("D_taskmean_SE")[index], gap.estimate.se, "D_taskmean_SE");
      const Estimate plain = rate_difference(gap_at(k));
      ASSERT_TRUE(plain.figure.value.has_value());
      expect_number(expected.at("D")[index], -*plain.figure.value, "D");
      expect_se(expected.at("D_SE")[index], plain.se, "D_SE");
      plain_area -= *plain.figure.value / k_obs;
    }
    expect_number(expected.at("area"), plain_area, "area");

    const PairedDifference gap = paired_difference(gap_at(k_obs));
    EXPECT_TRUE(gap.test.exact);
    expect_number(expected.at("flip_p_D_kobs_exact"), gap.test.p, "flip_p_D_kobs_exact");
    for (const int k : {2, 5}) {
      const std::string name = "W" + std::to_string(k);
      if (k >= k_obs) {
        EXPECT_FALSE(expected.contains(name)) << name;
        continue;
      }
      std::vector<TaskPair> tasks = gap_at(k);
      for (std::size_t i = 0; i < tasks.size(); ++i) {
        tasks[i].reference.numerator -= reference.at(shared[i], k_obs).numerator;
        tasks[i].arm.numerator -= arm.at(shared[i], k_obs).numerator;
      }
      const PairedDifference widening = paired_difference(tasks);
      expect_number(expected.at(name + "_taskmean"), widening.estimate.figure.value, "W_taskmean");
      expect_se(expected.at(name + "_taskmean_SE"), widening.estimate.se, "W_taskmean_SE");
      // The plain versions: differences of rates with the widening's numerators.
      const Estimate plain = rate_difference(tasks);
      expect_number(expected.at(name), -plain.figure.value.value_or(NAN), "W");
      expect_se(expected.at(name + "_SE"), plain.se, "W_SE");
      if (k == 2) expect_number(expected.at("flip_p_W2_exact"), widening.test.p, "flip_p_W2_exact");
    }
    // Equivalence at K_obs, plain version: from the difference of episode means.
    if (expected.contains("tost_kobs") && !expected.at("tost_kobs").at("p").is_null()) {
      const Json& tost = expected.at("tost_kobs");
      const Estimate plain = rate_difference(gap_at(k_obs));
      ASSERT_TRUE(plain.figure.value.has_value() && plain.se.has_value());
      const Equivalence test = equivalence_t(-*plain.figure.value, *plain.se,
                                             static_cast<double>(shared.size()) - 1.0, 0.075);
      expect_number(tost.at("p_upper"), test.p_upper, "p_upper");
      expect_number(tost.at("p_lower"), test.p_lower, "p_lower");
      expect_number(tost.at("p"), test.p, "p");
      EXPECT_EQ(test.equivalent(), tost.at("equivalent").get<bool>());
      EXPECT_EQ(test.non_inferior(), tost.at("non_inferior").get<bool>());
      expect_interval(tost.at("ci90"), test.interval90->low, test.interval90->high, "ci90");
    }
  });
}

void expect_t_test(const Json& expected, const Equivalence& test) {
  expect_number(expected.at("p_upper"), test.p_upper, "p_upper");
  expect_number(expected.at("p_lower"), test.p_lower, "p_lower");
  expect_number(expected.at("p"), test.p, "p");
  ASSERT_TRUE(test.interval90.has_value());
  expect_interval(expected.at("ci90"), test.interval90->low, test.interval90->high, "ci90");
  EXPECT_EQ(test.equivalent(), expected.at("equivalent").get<bool>());
  EXPECT_EQ(test.non_inferior(), expected.at("non_inferior").get<bool>());
}

TEST(StatsReference, Equivalence) {
  for_each_case("tost.json", 19, [](const Json& input, const Json& expected) {
    const auto d = input.at("d").get<Doubles>();
    const double margin = input.at("margin").get<double>();
    const Equivalence test = equivalence(d, margin);
    const Json& guarded = expected.at("guarded");
    EXPECT_EQ(test.worse, guarded.at("x_plus").get<std::size_t>());
    EXPECT_EQ(test.better, guarded.at("x_minus").get<std::size_t>());
    if (guarded.at("method") == "t") {
      ASSERT_EQ(test.method, Equivalence::Method::t);
      expect_t_test(guarded, test);
    } else {
      ASSERT_EQ(test.method, Equivalence::Method::binomial);
      EXPECT_FALSE(test.interval90.has_value());
      expect_number(guarded.at("p_upper"), test.p_upper, "p_upper");
      expect_number(guarded.at("p_lower"), test.p_lower, "p_lower");
      expect_number(guarded.at("p"), test.p, "p");
    }
    if (expected.at("plain").at("p").is_null()) return;
    std::vector<TaskTotal> tasks;
    for (const double value : d) tasks.push_back({value, 1.0});
    const Estimate mean = task_mean(tasks);
    ASSERT_TRUE(mean.figure.value.has_value() && mean.se.has_value());
    expect_t_test(expected.at("plain"), equivalence_t(*mean.figure.value, *mean.se,
                                                      static_cast<double>(d.size()) - 1.0, margin));
  });
}

TEST(StatsReference, Adjust) {
  for_each_case("adjust.json", 18, [](const Json& input, const Json& expected) {
    const auto p = input.at("p").get<Doubles>();
    const Doubles by_holm = holm(p);
    const Doubles by_bh = benjamini_hochberg(p);
    ASSERT_EQ(by_holm.size(), expected.at("holm").size());
    ASSERT_EQ(by_bh.size(), expected.at("bh").size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      expect_number(expected.at("holm")[i], by_holm[i], "holm");
      expect_number(expected.at("bh")[i], by_bh[i], "bh");
    }
  });
}

TEST(StatsReference, SignFlip) {
  for_each_case("signflip.json", 29, [](const Json& input, const Json& expected) {
    if (input.at("kind") == "sum") {
      const auto d = input.at("d").get<std::vector<std::int64_t>>();
      expect_number(expected.at("p_exact"), exact_flip_p(d), "p_exact");
      return;
    }
    const auto tasks = pairs(input);
    const FlipTest test = rate_flip_test(tasks);
    EXPECT_TRUE(test.exact);
    expect_number(expected.at("p_score"), test.p, "p_score");
    const Amplification ratio = amplification(tasks);
    EXPECT_EQ(ratio.tasks_with_errors, expected.at("tasks_with_error").get<std::size_t>());
    // The same test on the vector's own contributions.
    const auto d = expected.at("contrib_times_sumB").get<std::vector<std::int64_t>>();
    EXPECT_EQ(test.nonzero, static_cast<std::size_t>(
                                std::count_if(d.begin(), d.end(), [](auto x) { return x != 0; })));
    expect_number(expected.at("p_score"), exact_flip_p(d), "p_score by convolution");
    // p_studentised_swap and its statistic belong to a version that no definition uses.
  });
}

TEST(StatsReference, Proportion) {
  for_each_case("proportion.json", 15, [](const Json& input, const Json& expected) {
    const auto n = input.at("n").get<std::int64_t>();
    const auto successes = input.at("successes").get<std::int64_t>();
    const Interval by_wilson = wilson(successes, n);
    const Interval exact = clopper_pearson(static_cast<double>(successes), static_cast<double>(n));
    expect_interval(expected.at("wilson"), by_wilson.low, by_wilson.high, "wilson");
    expect_interval(expected.at("clopper_pearson"), exact.low, exact.high, "clopper_pearson");
    if (successes == 0) {
      const auto trials = static_cast<double>(n);
      expect_number(expected.at("upper95_one_sided_if_zero"),
                    zero_count_upper_bound(trials, trials, std::nullopt), "zero count");
    }
  });
}

// Counts of both arms over the union of names, names sorted.
struct NameCounts {
  std::map<std::string, std::pair<double, double>> names;
  Doubles reference;
  Doubles arm;

  explicit NameCounts(const Json& input) {
    for (const auto& [name, count] : input.at("ref").items()) names[name].first = count;
    for (const auto& [name, count] : input.at("arm").items()) names[name].second = count;
    for (const auto& [name, counts] : names) {
      reference.push_back(counts.first);
      arm.push_back(counts.second);
    }
  }
};

TEST(StatsReference, Rank) {
  for_each_case("rank.json", 19, [](const Json& input, const Json& expected) {
    const NameCounts counts(input);
    const RankCorrelation result = rank_correlation(counts.reference, counts.arm);
    EXPECT_EQ(result.items, expected.at("names").get<std::size_t>());
    expect_number(expected.at("spearman"), result.spearman, "spearman");
    expect_number(expected.at("kendall_tau_b"), result.kendall_tau_b, "kendall_tau_b");
    EXPECT_EQ(result.reason.empty(), !expected.contains("reason"));
    if (expected.contains("ranks_ref")) {
      EXPECT_EQ(average_ranks(counts.reference), expected.at("ranks_ref").get<Doubles>());
      EXPECT_EQ(average_ranks(counts.arm), expected.at("ranks_arm").get<Doubles>());
    }
  });
}

TEST(StatsReference, Shape) {
  for_each_case("shape.json", 13, [](const Json& input, const Json& expected) {
    const NameCounts counts(input);
    const ShapeDistance distance = shape_distance(counts.reference, counts.arm);
    expect_number(expected.at("tv"), distance.total_variation, "tv");
    expect_number(expected.at("js_divergence"), distance.js_divergence, "js_divergence");
    expect_number(expected.at("js_distance"), distance.js_distance, "js_distance");
    EXPECT_EQ(distance.reason.empty(), !expected.contains("reason"));
  });
}

std::vector<NameRow> rows_of(const Json& tasks) {
  std::vector<NameRow> rows;
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    for (std::size_t name = 0; name < tasks[task].size(); ++name) {
      const auto count = tasks[task][name].get<std::int64_t>();
      if (count == 0) continue;
      rows.push_back({static_cast<std::uint32_t>(task), static_cast<std::uint32_t>(task),
                      static_cast<std::uint32_t>(name), count});
    }
  }
  return rows;
}

TEST(StatsReference, ShapeOfTasks) {
  for_each_case("shape_tasks.json", 6, [](const Json& input, const Json& expected) {
    const auto reference = rows_of(input.at("ref"));
    const auto arm = rows_of(input.at("arm"));
    const ShapeTest test = shape_test({.tasks = input.at("ref").size(),
                                       .names = input.at("names").get<std::size_t>(),
                                       .reference = reference,
                                       .arm = arm});
    EXPECT_EQ(test.tasks, expected.at("tasks_used").get<std::size_t>());
    EXPECT_TRUE(test.exact);
    expect_number(expected.at("H"), test.h, "H");
    expect_number(expected.at("p_exact"), test.p, "p_exact");
  });
}

TEST(StatsReference, PassHatK) {
  for_each_case("passk.json", 13, [](const Json& input, const Json& expected) {
    const auto tasks = totals(input.at("successes"), input.at("trials"));
    for (const auto& [k, values] : expected.items()) {
      SCOPED_TRACE("k=" + k);
      const Estimate result = pass_hat_k(tasks, std::stoi(k));
      EXPECT_EQ(result.tasks, values.at("tasks").get<std::size_t>());
      expect_number(values.at("value"), result.figure.value, "value");
      expect_se(values.at("SE"), result.se, "SE");
    }
  });
}

// Ids for names and tasks in order of appearance.
class Ids {
 public:
  std::uint32_t operator()(const std::string& text) {
    return ids_.try_emplace(text, static_cast<std::uint32_t>(ids_.size())).first->second;
  }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  std::map<std::string, std::uint32_t> ids_;
};

TEST(StatsReference, Novelty) {
  for_each_case("novelty.json", 17, [](const Json& input, const Json& expected) {
    Ids tasks;
    Ids names;
    const auto read = [&](const Json& episodes) {
      std::vector<NameRow> rows;
      std::uint32_t episode = 0;
      for (const Json& item : episodes) {
        const std::uint32_t task = tasks(item[0].dump());
        for (const auto& [name, count] : item[2].items()) {
          rows.push_back({task, episode, names(name), count.get<std::int64_t>()});
        }
        ++episode;
      }
      return rows;
    };
    const auto reference = read(input.at("ref"));
    const auto arm = read(input.at("arm"));
    const Novelty result =
        novelty({.tasks = tasks.size(), .names = names.size(), .reference = reference, .arm = arm});
    const auto expect = [&](const char* key, std::optional<double> actual) {
      expect_number(expected.value(key, Json()), actual, key);
    };
    expect("N_ref", result.errors_reference);
    expect("N_arm", result.errors_arm);
    expect("distinct_ref", static_cast<double>(result.distinct_reference));
    expect("distinct_arm", static_cast<double>(result.distinct_arm));
    expect("novel_share", result.novel_share);
    expect("novel_distinct_share", result.novel_distinct_share);
    expect("good_turing_call", result.good_turing_call);
    expect("good_turing_episode", result.good_turing_episode);
    expect("rarefied_to", result.rarefied_to);
    expect("distinct_arm_rarefied", result.distinct_arm_rarefied);
    expect("novel_distinct_rarefied", result.novel_distinct_rarefied);
    expect("novel_distinct_share_rarefied", result.novel_distinct_share_rarefied);
    expect("excess", result.excess.figure.value);
    expect("excess_SE_jack", result.excess.se);
  });
}

TEST(StatsReference, Quantile) {
  for_each_case("quantile.json", 11, [](const Json& input, const Json& expected) {
    const auto values = input.at("x").get<Doubles>();
    for (const auto& [name, value] : expected.items()) {
      expect_number(value, quantile(values, std::stod(name.substr(1))), name.c_str());
    }
  });
}

TEST(StatsReference, Special) {
  for_each_case("special.json", 16, [](const Json& input, const Json& expected) {
    const auto in = [&](const char* key) { return input.at(key).get<double>(); };
    const auto whole = [&](const char* key) { return input.at(key).get<std::int64_t>(); };
    const std::map<std::string, double> actual = {
        {"t_ppf", t_quantile(in("p"), in("df"))},
        {"t_cdf", t_cdf(in("t"), in("df"))},
        {"t_sf", t_upper_tail(in("t"), in("df"))},
        {"norm_cdf", normal_cdf(in("z"))},
        {"norm_ppf", normal_quantile(in("p"))},
        {"beta_ppf", beta_quantile(in("q"), in("a"), in("b"))},
        {"betainc_at_q", beta_cdf(in("q"), in("a"), in("b"))},
        {"poisson_cdf", poisson_cdf(whole("k"), in("lam"))},
        {"binom_cdf", binomial_cdf(whole("x"), whole("n"), in("pi"))},
        {"polya_aeppli_cdf", polya_aeppli_cdf(whole("k"), in("lam"), in("rho"))}};
    ASSERT_EQ(expected.size(), actual.size());
    for (const auto& [name, value] : actual) expect_number(expected.at(name), value, name.c_str());
  });
}

}  // namespace
}  // namespace unmask::stats
