#include "unmask/report/report_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/diagnostics.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/log_header.h"
#include "unmask/stats/failure_set.h"
#include "unmask/stats/figure.h"

namespace unmask::sample {
namespace {

constexpr std::uint32_t kTasks = 114;
constexpr std::uint32_t kTrials = 4;

Figure figure(double value, double half_width) {
  return {value, value - half_width, value + half_width, {}};
}
Figure share(double value, double half_width) {
  return {value, std::max(0.0, value - half_width), std::min(1.0, value + half_width), {}};
}

ChannelFindings channel(std::string name, std::uint64_t errors, std::uint64_t calls,
                        std::uint64_t failed, std::uint32_t episodes) {
  ChannelFindings findings;
  findings.name = std::move(name);
  findings.errors = errors;
  const auto count = static_cast<double>(errors);
  const double per_call = count / static_cast<double>(calls);
  findings.per_call = share(per_call, 0.1 * per_call);
  findings.per_episode = figure(count / episodes, 0.1 * count / episodes);
  findings.per_successful_call =
      figure(count / static_cast<double>(calls - failed), 0.01 * per_call);
  findings.episodes_with =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(errors, episodes / 2));
  findings.episodes_with_share =
      share(static_cast<double>(findings.episodes_with) / episodes, 0.05);
  findings.tasks_with = static_cast<std::uint32_t>(std::min<std::uint64_t>(errors, kTasks));
  findings.few_clusters = errors < 10;
  return findings;
}

// Episodes that were left out: the rates are of the others.
void leave_out(ArmFindings& arm, std::uint32_t episodes) {
  arm.episodes -= episodes;
  for (std::vector<ChannelFindings>* channels : {&arm.channels, &arm.kinds}) {
    for (ChannelFindings& channel : *channels) {
      const double rate = static_cast<double>(channel.errors) / arm.episodes;
      channel.per_episode = figure(rate, 0.1 * rate);
    }
  }
}

void set_reason(ConsequenceFindings& consequence, const char* reason) {
  consequence.reason = reason;
  for (Figure* none : {&consequence.share, &consequence.first_call, &consequence.first_message,
                       &consequence.score, &consequence.score_consequence}) {
    *none = stats::missing(reason);
  }
}

struct ChannelCounts {
  std::uint64_t tool_name = 0, arguments = 0, entity = 0, precondition = 0, other = 0;
  std::vector<std::pair<std::string, std::uint64_t>> kinds;  // of tool_name
};

ArmFindings arm(std::string name, const std::array<double, 10>& score, std::uint64_t calls,
                const ChannelCounts& counts) {
  ArmFindings findings;
  findings.arm = std::move(name);
  findings.identity = {.model = "gemma-like-27b",
                       .precision = findings.arm,
                       .precision_is_guess = true,
                       .quantization_method = {},
                       .kv_cache_precision = {},
                       .engine = {},
                       .chat_template_hash = {},
                       .tool_call_parser = {},
                       .grammar_constrained = {},
                       .sampling = {{"temperature", "0.0"}},
                       .agent_implementation = "llm_agent",
                       .policy_hash = {},
                       .user_model = "simulated-user-1",
                       .user_implementation = {},
                       .user_sampling = {}};
  findings.harness = {.name = "tau2-bench",
                      .version = "1.0.1",
                      .git_commit = "0123abc",
                      .evidence = "the log names its commit"};
  findings.budget = {.nominal = 10,
                     .enforced = 10,
                     .known = true,
                     .counts = CountedParty::both,
                     .evidence = "episodes end through too_many_errors at the 10th error"};
  findings.reward_basis = {"DB", "COMMUNICATE"};
  findings.tasks = kTasks;
  findings.episodes = kTasks * kTrials;
  findings.stopped_by_budget = static_cast<std::uint32_t>(counts.tool_name / 20);
  findings.agent_calls = calls;
  findings.user_calls = 2011;
  findings.user_failed = 101;
  findings.agent_failed =
      counts.tool_name + counts.arguments + counts.entity + counts.precondition + counts.other;
  findings.communication_errors = 2;
  const double failed = static_cast<double>(findings.agent_failed) / static_cast<double>(calls);
  findings.failed_per_call = share(failed, 0.02);
  const auto add = [&](std::vector<ChannelFindings>& to, std::string channel_name,
                       std::uint64_t errors) {
    to.push_back(
        channel(std::move(channel_name), errors, calls, findings.agent_failed, findings.episodes));
  };
  add(findings.channels, "malformed", 0);
  add(findings.channels, "tool_name", counts.tool_name);
  add(findings.channels, "arguments", counts.arguments);
  add(findings.channels, "entity", counts.entity);
  add(findings.channels, "precondition", counts.precondition);
  add(findings.channels, "other", counts.other);
  add(findings.channels, "entity_argument", counts.arguments + counts.entity);
  std::uint64_t nobody = counts.tool_name;
  for (const auto& [kind, errors] : counts.kinds) {
    add(findings.kinds, "tool_name:" + kind, errors);
    if (kind == "wrong_owner") nobody -= errors;
  }
  add(findings.channels, "tool_name_nobody", nobody);
  for (int k = 1; k <= 10; ++k) {
    const double value = score.at(static_cast<std::size_t>(k - 1));
    findings.score.push_back({.k = k,
                              .score = share(value, 0.06),
                              .episode_mean = value,
                              .lower = {},
                              .upper = {},
                              .excluded_failed = {},
                              .excluded_passed = {}});
  }
  for (const int budget : {2, 10}) {
    PassPowers powers{.budget = budget, .pass = {}};
    for (int k = 1; k <= 4; ++k) {
      powers.pass.push_back(
          share(std::pow(score.at(static_cast<std::size_t>(budget - 1)), k), 0.05));
    }
    findings.pass.push_back(std::move(powers));
  }
  const auto recovery = [](std::uint64_t recovered, std::uint64_t followed) {
    const double value = static_cast<double>(recovered) / static_cast<double>(followed);
    return RecoveryShare{recovered, followed, share(value, 0.03)};
  };
  const std::uint64_t followed = findings.agent_failed - findings.agent_failed / 20;
  findings.recovery = {.next_call = recovery(followed * 55 / 100, followed),
                       .run = recovery(followed / 2, followed * 6 / 10),
                       .episode = recovery(120, 260),
                       .repeat = recovery(counts.tool_name / 3, counts.tool_name)};
  findings.hallucinated = {{"toggle_airplane_mode", counts.tool_name / 2, "wrong_owner"},
                           {"check_network_status", counts.tool_name / 4, "wrong_owner"},
                           {"Get_Customer_By_Phone", counts.tool_name / 50, "near_miss"}};
  const auto mean_calls = static_cast<double>(calls) / findings.episodes;
  findings.lengths = {
      {"messages", findings.episodes, figure(31.4, 1.2), figure(29, 2), figure(55, 4)},
      {"tool_calls", findings.episodes, figure(mean_calls, 0.4), figure(6, 1), figure(15, 2)},
      {"tokens", findings.episodes, figure(18211.5, 900), figure(15100, 800), figure(40200, 2500)}};
  findings.inputs = {0};
  findings.evidence = {.structure = counts.tool_name,
                       .error_text = findings.agent_failed - counts.tool_name};
  findings.consequence.k = 10;
  set_reason(findings.consequence, "the calls were not executed again; --replay does that");
  return findings;
}

AmplificationFindings amplification(const ArmFindings& ref, const ArmFindings& arm,
                                    const std::string& name, bool in_family, double p_adjusted) {
  const ChannelFindings& before = *ref.channel(name);
  const ChannelFindings& after = *arm.channel(name);
  AmplificationFindings findings;
  findings.channel = name;
  findings.errors_ref = before.errors;
  findings.errors_arm = after.errors;
  findings.in_family = in_family;
  findings.tasks_with = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(std::max(before.errors, after.errors), kTasks));
  findings.rate_upper = after.per_call.high;
  findings.difference = figure(*after.per_call.value - *before.per_call.value, 0.02);
  findings.difference_upper = findings.difference.high;
  if (before.errors == 0 || after.errors == 0) {
    const std::string reason = "no ratio: an arm has no such error";
    findings.ratio = stats::missing(reason);
    findings.per_call = stats::missing(reason);
    findings.per_successful_call = stats::missing(reason);
    findings.reason = reason;
    findings.zero_upper = 0.004;
    findings.quiet = true;
    return findings;
  }
  const auto ratio_of = [](const Figure& numerator, const Figure& denominator, double spread) {
    const double ratio = *numerator.value / *denominator.value;
    return Figure{ratio, ratio / spread, ratio * spread, {}};
  };
  findings.plain_ratio = *after.per_episode.value / *before.per_episode.value;
  const double spread = std::exp(2.0 / std::sqrt(static_cast<double>(before.errors)));
  findings.ratio = ratio_of(after.per_episode, before.per_episode, spread);
  findings.per_call = ratio_of(after.per_call, before.per_call, spread);
  findings.per_successful_call =
      ratio_of(after.per_successful_call, before.per_successful_call, spread);
  findings.ratio_upper = findings.ratio.high;
  findings.tested = findings.tasks_with >= 8;
  if (!findings.tested) findings.reason = "not tested: too few errors (fewer than 8 tasks)";
  if (findings.tested) {
    findings.p = p_adjusted / 2;
    if (in_family) findings.p_adjusted = p_adjusted;
  }
  findings.detectable_ratio = spread;
  findings.amplified = findings.tested && p_adjusted < 0.05 && *findings.ratio.value >= 1.25;
  findings.quiet = !findings.amplified;
  return findings;
}

ComparisonFindings comparison(const ArmFindings& ref, const ArmFindings& arm, Verdict verdict,
                              double p_channel, double p_widening, double p_equivalence) {
  ComparisonFindings findings;
  findings.arm = arm.arm;
  findings.verdict = verdict;
  findings.k_obs = 10;
  findings.censored = true;
  findings.shared_tasks = kTasks;
  double area = 0.0;
  for (std::size_t i = 0; i < ref.score.size(); ++i) {
    const double gap = *ref.score[i].score.value - *arm.score[i].score.value;
    area += gap / static_cast<double>(ref.score.size());
    GapPoint point{.k = static_cast<int>(i) + 1, .gap = {figure(gap, 0.057), {}, {}}};
    if (point.k == 10) point.gap.p = point.gap.p_adjusted = 0.61;
    findings.gap.push_back(point);
  }
  const double last = *findings.gap.back().gap.figure.value;
  for (const int k : {2, 5}) {
    const double gap = *findings.gap[static_cast<std::size_t>(k - 1)].gap.figure.value;
    WideningPoint point{.k = k, .widening = {figure(gap - last, 0.051), {}, {}}};
    point.widening.p = p_widening / 2;
    if (k == 2) point.widening.p_adjusted = p_widening;
    findings.widening.push_back(point);
  }
  findings.area = figure(area, 0.03);
  for (const ChannelFindings& channel : ref.channels) {
    const bool in_family = channel.name != "entity_argument" && channel.name != "tool_name_nobody";
    findings.amplification.push_back(amplification(ref, arm, channel.name, in_family, p_channel));
  }
  findings.equivalence = {{.k = 10,
                           .p = p_equivalence,
                           .p_lower = p_equivalence / 10,
                           .p_upper = p_equivalence,
                           .equivalent = p_equivalence < 0.05,
                           .non_inferior = p_equivalence < 0.05},
                          {.k = 2,
                           .p = 0.8,
                           .p_lower = 0.0001,
                           .p_upper = 0.8,
                           .equivalent = verdict == Verdict::clean,
                           .non_inferior = verdict == Verdict::clean}};
  findings.differences = {{"next_call_recovery", figure(0.001, 0.03), figure(1.0, 0.05)},
                          {"messages", figure(2.1, 1.5), figure(1.07, 0.05)}};
  findings.consequence = {.reason = "no shared task", .k = 10};
  findings.consequence.gap.figure = findings.consequence.gap_consequence.figure =
      stats::missing(findings.consequence.reason);
  findings.detectable_gap = 0.081;
  findings.detectable_widening = 0.072;
  findings.detectable_gap_family = 0.101;
  findings.detectable_widening_family = 0.092;
  for (const BudgetSemantics& semantics : all_budget_semantics())
    findings.sensitivity.push_back({semantics, true, verdict, verdict});
  return findings;
}

FailureSetFindings same_failures() {
  FailureSetFindings set;
  set.channel = "tool_name";
  set.names = 12;
  set.spearman = 0.982;
  set.kendall = 0.93;
  set.ceiling_median = 0.985;
  set.ceiling_low = 0.95;
  set.novel_share = 0.0018;
  set.novel_expected = 0.0031;
  set.novel_rarefied = 0.05;
  set.excess = figure(-0.0013, 0.004);
  set.outcome = stats::FailureSetOutcome::invariant_failure_set;
  set.shape = 0.03;
  set.shape_p = 0.41;
  set.total_variation = 0.028;
  set.jensen_shannon = 0.041;
  return set;
}

CellFindings masked_cell() {
  const std::array<double, 10> flat = {.301, .407, .492, .551, .590, .617, .638, .652, .661, .667};
  const std::array<double, 10> near = {.299, .401, .489, .549, .591, .616, .639, .650, .660, .666};
  const std::array<double, 10> low = {.152, .240, .351, .439, .504, .556, .597, .624, .642, .654};
  CellFindings cell;
  cell.info = {.cell = "gemma-4-dense",
               .family = "gemma",
               .architecture = "dense",
               .size = "27b",
               .domain = "telecom"};
  cell.reference = "bf16";
  cell.arms = {arm("bf16", flat, 3328,
                   {.tool_name = 649,
                    .arguments = 27,
                    .entity = 17,
                    .precondition = 13,
                    .other = 2,
                    .kinds = {{"wrong_owner", 629}, {"near_miss", 13}, {"novel", 7}}}),
               arm("fp8", near, 3391,
                   {.tool_name = 655,
                    .arguments = 25,
                    .entity = 18,
                    .precondition = 15,
                    .other = 1,
                    .kinds = {{"wrong_owner", 637}, {"near_miss", 18}}}),
               arm("int4", low, 4298,
                   {.tool_name = 1646,
                    .arguments = 47,
                    .entity = 21,
                    .precondition = 17,
                    .other = 5,
                    .kinds = {{"wrong_owner", 1607}, {"near_miss", 26}, {"novel", 13}}})};
  cell.arms.front().reference = true;
  cell.arms.back().excluded_infrastructure = 2;
  cell.arms.back().missing_trials = 1;
  leave_out(cell.arms.back(), 3);
  cell.comparisons = {
      comparison(cell.arms[0], cell.arms[1], Verdict::clean, 0.7, 0.6, 0.0002),
      comparison(cell.arms[0], cell.arms[2], Verdict::masked_damage, 0.0004, 0.0006, 0.004)};
  cell.screen = prone_screen();
  cell.comparisons[1].foretold = prone_validation();
  ComparisonFindings& clean = cell.comparisons.front();
  clean.sentence = "Nothing is amplified and the score is equivalent.";
  clean.largest_ratio_not_excluded = 1.12;
  clean.largest_gap_not_excluded = 0.029;
  ComparisonFindings& masked = cell.comparisons.back();
  // Only the tool names are significant.
  for (AmplificationFindings& entry : masked.amplification) {
    if (entry.channel == "tool_name" || !entry.tested || !entry.in_family) continue;
    entry.p = 0.3;
    entry.p_adjusted = 0.9;
    entry.amplified = false;
  }
  masked.suffix = ScoreSuffix::equivalent;
  masked.sentence = "The score is flat and hides amplified failures.";
  masked.reasons = {"tool_name is amplified", "the gap widens at K = 2"};
  masked.attribution = {{.channel = "tool_name",
                         .points = {{.k = 2,
                                     .ref = {0.231, 0.231, 0.231, {}},
                                     .arm = {0.39, 0.38, 0.39, {}},
                                     .difference = {0.159, 0.149, 0.159, {}}},
                                    {.k = 10,
                                     .ref = {0.004, 0.0, 0.01, {}},
                                     .arm = {0.03, 0.01, 0.09, {}},
                                     .difference = {0.026, 0.0, 0.09, {}}}}}};
  masked.failure_sets = {same_failures()};
  masked.verdict_vanished_failed = Verdict::masked_damage;
  masked.verdict_vanished_passed = Verdict::masked_damage;
  cell.null.shared_tasks = kTasks;
  cell.null.gap = figure(0.004, 0.041);
  cell.null.amplification = {amplification(cell.arms[0], cell.arms[1], "tool_name", true, 0.8),
                             amplification(cell.arms[0], cell.arms[1], "precondition", true, 0.8)};
  return cell;
}

CellFindings clean_uncensored_cell() {
  CellFindings cell = masked_cell();
  cell.info = {.cell = "qwen-moe retail",
               .family = "qwen",
               .architecture = "moe",
               .size = "30b",
               .domain = "retail"};
  cell.arms.pop_back();
  cell.comparisons.pop_back();
  for (ArmFindings& findings : cell.arms) {
    findings.budget.enforced.reset();
    findings.harness.version = "0.1.x-0.2.1";
    findings.stopped_by_budget = 0;
    findings.contradictions = 4;
  }
  cell.comparisons.front().censored = false;
  cell.null = {};
  cell.null.from_null_arm = true;
  cell.null.arm = "bf16-again";
  cell.null.gap = figure(-0.002, 0.03);
  return cell;
}

CellFindings inconclusive_cell() {
  const std::array<double, 10> ref = {.61, .66, .69, .70, .71, .71, .71, .71, .71, .71};
  const std::array<double, 10> low = {.58, .61, .63, .65, .66, .66, .66, .67, .67, .67};
  CellFindings cell;
  cell.info = {.cell = "\xE5\x8D\x83\xE5\x95\x8F-4b \x1b[31mred\xE2\x80\xAE with a very long name",
               .family = {},
               .architecture = {},
               .size = {},
               .domain = "airline"};
  cell.reference = "bf16";
  cell.arms = {arm("bf16", ref, 1203,
                   {.tool_name = 2,
                    .arguments = 6,
                    .entity = 4,
                    .precondition = 11,
                    .other = 0,
                    .kinds = {}}),
               arm("int4-awq|group=128", low, 1255,
                   {.tool_name = 0,
                    .arguments = 9,
                    .entity = 7,
                    .precondition = 14,
                    .other = 0,
                    .kinds = {}})};
  cell.arms.front().reference = true;
  ArmFindings& damaged = cell.arms.back();
  damaged.hallucinated.clear();
  damaged.recovery.repeat = {0, 0, stats::missing("no hallucinated call")};
  leave_out(damaged, 40);
  damaged.excluded_infrastructure = 38;
  damaged.excluded_no_reward = 2;
  damaged.budget.known = false;
  cell.comparisons = {comparison(cell.arms[0], damaged, Verdict::inconclusive, 0.9, 0.4, 0.31)};
  ComparisonFindings& findings = cell.comparisons.front();
  findings.shared_tasks = 110;
  findings.left_out_tasks = 4;
  findings.not_equal = {"engine: vllm 0.11.0 / llama.cpp b7000", "user model: u-1 / u-2"};
  findings.open = {{"the score is not shown equivalent at K = 10", 241.0},
                   {"precondition could be amplified by up to \xC3\x97"
                    "2.1",
                    530.2}};
  findings.bounds_apply = true;
  findings.verdict_vanished_failed = Verdict::visible_damage;
  findings.verdict_vanished_passed = Verdict::inconclusive;
  for (std::size_t i = 0; i < findings.sensitivity.size(); ++i) {
    if (i % 5 == 1) findings.sensitivity[i].lower = findings.sensitivity[i].upper = Verdict::clean;
    if (i % 5 == 2)
      findings.sensitivity[i] = {findings.sensitivity[i].semantics, false, Verdict::visible_damage,
                                 Verdict::inconclusive};
  }
  FailureSetFindings set;
  set.channel = "tool_name";
  set.reason = "too few errors: 2 and 0";
  findings.failure_sets = {set};
  cell.null.reason = "fewer than 8 tasks have an error";
  return cell;
}

void add_inputs(AuditFindings& findings) {
  InputFindings input;
  input.path = "results/bf16.json";
  input.cell = "gemma-4-dense";
  input.arm = "bf16";
  input.header.file = input.path;
  input.header.format = "tau2 results";
  input.header.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  input.header.harness = findings.cells.front().arms.front().harness;
  input.budget = findings.cells.front().arms.front().budget;
  input.episodes = 456;
  input.skipped = 1;
  findings.inputs = {input};
  findings.diagnostics.add({.code = "duplicate_trial",
                            .severity = Severity::data_loss,
                            .file = "results/bf16.json",
                            .episode = "task 12, trial 3",
                            .sentence = "a second record of this trial was left out",
                            .offset = 18211});
  findings.diagnostics.add({.code = "duplicate_trial",
                            .severity = Severity::data_loss,
                            .file = "results/int4.json",
                            .episode = "task 40, trial 0",
                            .sentence = "a second record of this trial was left out",
                            .offset = {}});
  findings.diagnostics.add({.code = "precision_guessed",
                            .severity = Severity::info,
                            .file = "results/int4.json",
                            .episode = {},
                            .sentence = "the precision int4 is guessed from the model's name; "
                                        "name arms as int4=FILE to say it",
                            .offset = {}});
}

}  // namespace

screen::ArmScreen prone_screen() {
  screen::ArmScreen arm;
  arm.arm = "bf16";
  arm.tasks = kTasks;
  arm.episodes = kTasks * kTrials;
  arm.solved = 304;
  arm.k_obs = 10;
  arm.censored = true;
  arm.budgets = {2, 10};
  arm.propensity = {
      {.channel = "tool_name", .errors = 649, .per_call = share(0.195, 0.021), .upper = 0.213},
      {.channel = "entity",
       .errors = 17,
       .per_call = share(0.0051, 0.002),
       .upper = 0.0069,
       .near_zero = true},
      {.channel = "other",
       .errors = 2,
       .per_call = share(0.0006, 0.0006),
       .upper = 0.0019,
       .near_zero = true,
       .few_clusters = true}};
  arm.runs = {.mean = 0.61, .variance = 1.08, .shape = 0.8, .continuation = 0.45};
  arm.score = {share(.301, .04), share(.407, .04), share(.492, .04), share(.551, .04),
               share(.590, .04), share(.617, .04), share(.638, .04), share(.652, .04),
               share(.661, .04), share(.667, .04)};
  const auto at = [](int k, double lost, std::optional<double> simple) {
    return screen::LostPoint{.k = k, .lost = figure(lost, 0.2 * lost), .lost_simple = simple};
  };
  arm.what_if = {
      {.factor = 2.0, .points = {at(1, 0.125, 0.0), at(2, 0.098, 0.071), at(10, 0.017, 0.02)}},
      {.factor = 2.5, .points = {at(1, 0.171, 0.0), at(2, 0.134, 0.09), at(10, 0.027, 0.03)}}};
  const auto part = [&](std::string source, double share_of, double lost) {
    return screen::SourceWhatIf{
        .source = std::move(source),
        .share = share_of,
        .what_if = {{.factor = 2.0, .points = {at(2, lost, {}), at(10, lost / 6.0, {})}}}};
  };
  arm.by_source = {part("agent", 0.9, 0.089), part("tool_name", 0.84, 0.083),
                   part("entity", 0.02, 0.002)};
  arm.risk = screen::RiskClass::high;
  arm.reasons = {"tool_name errors are 19.5 % of calls [17.4, 21.6]: not near zero",
                 "with x2 the agent's errors the score would lose, in points, 8.9 [7.1, 10.7] at "
                 "K=2, 1.5 [1.2, 1.8] at K=10; from 7.5 on a loss is serious"};
  return arm;
}

screen::ArmScreen unknown_screen() {
  screen::ArmScreen arm;
  arm.arm = "int4";
  arm.k_obs = 10;
  arm.budgets = {2, 10};
  arm.propensity = {{.channel = "tool_name", .per_call = stats::missing("no tasks")}};
  arm.score.assign(10, stats::missing("no tasks"));
  arm.reason = "no episodes";
  arm.reasons = {"no propensity can be given: no tasks"};
  return arm;
}

screen::Validation prone_validation() {
  screen::Validation validation;
  validation.shared_tasks = kTasks;
  validation.solved_ref = 304;
  validation.solved_arm = 298;
  validation.factor = {2.4, 2.1, 2.8, {}};
  validation.points = {{.k = 2,
                        .predicted = figure(0.111, 0.03),
                        .observed = figure(0.167, 0.057),
                        .difference = figure(0.056, 0.05)},
                       {.k = 10,
                        .predicted = figure(0.02, 0.008),
                        .observed = figure(0.013, 0.05),
                        .difference = figure(-0.007, 0.05)}};
  return validation;
}

AuditFindings masked_audit() {
  AuditFindings findings;
  findings.cells = {masked_cell()};
  findings.study.reason = "too few cells: 1 of at least 4";
  findings.study.cells = 1;
  findings.study.equivalence_tests = 2;
  findings.study.equivalent = 1;
  findings.study.family_scores = 2;
  findings.study.family_widening = 2;
  findings.study.family_amplification = 9;
  add_inputs(findings);
  return findings;
}

AuditFindings replayed_audit() {
  AuditFindings findings = masked_audit();
  CellFindings& cell = findings.cells.front();
  for (ArmFindings& arm : cell.arms) {
    arm.evidence.asked_world = true;
    if (arm.arm == "fp8") {
      arm.consequence.no_golden_actions = arm.episodes;
      set_reason(arm.consequence, "the tasks name no golden actions");
      continue;
    }
    arm.evidence.reexecution = arm.evidence.error_text - 2;
    arm.evidence.error_text = 2;
    arm.evidence.differing = 1;
    arm.consequence = {.reason = {},
                       .episodes = arm.episodes - 4,
                       .not_possible = 4,
                       .episodes_with = 30,
                       .solved_with = 11,
                       .writes = 41,
                       .share = share(0.0664, 0.03),
                       .first_call = figure(9.25, 1.5),
                       .first_message = figure(20.5, 3.0),
                       .k = 10,
                       .score = share(0.66, 0.05),
                       .score_consequence = share(arm.reference ? 0.64 : 0.61, 0.05)};
  }
  for (ComparisonFindings& comparison : cell.comparisons) {
    if (comparison.arm == "fp8") continue;
    comparison.consequence = {
        .reason = {},
        .k = 10,
        .shared_tasks = 113,
        .gap = {.figure = figure(0.0, 0.04), .p = 0.9, .p_adjusted = {}},
        .gap_consequence = {.figure = figure(0.03, 0.04), .p = 0.14, .p_adjusted = {}}};
  }
  return findings;
}

AuditFindings study_audit() {
  AuditFindings findings = masked_audit();
  findings.cells.push_back(clean_uncensored_cell());
  findings.cells.push_back(inconclusive_cell());
  StudyFindings& study = findings.study;
  study.reason.clear();
  study.cells = 3;
  study.spearman_amplification_widening = 0.87;
  study.spearman_p = 0.0021;
  study.predictors = {{"propensity", 0.91, 0.0008, {}},
                      {"size", {}, {}, "too few sizes are known"}};
  study.foretold = {.k = 2,
                    .cells = 4,
                    .spearman = 0.8,
                    .p = 0.33,
                    .mean_error = 0.01,
                    .mean_absolute_error = 0.021};
  study.channel_by_domain = {{"retail", {}}, {"telecom", {{"tool_name", 1}}}};
  study.equivalence_tests = 4;
  study.equivalent = 2;
  study.gaps_surviving = 0;
  study.family_scores = 4;
  study.family_widening = 4;
  study.family_amplification = 15;
  return findings;
}

AuditFindings empty_audit() {
  AuditFindings findings;
  CellFindings cell;
  cell.reference = "bf16";
  ArmFindings findings_of_arm;
  findings_of_arm.arm = "bf16";
  findings_of_arm.reference = true;
  findings_of_arm.failed_per_call = stats::missing(stats::kEmptyDenominator);
  cell.arms = {findings_of_arm};
  cell.null.reason = "no episodes";
  findings.cells = {cell};
  findings.study.reason = "too few cells: 0 of at least 4";
  return findings;
}

}  // namespace unmask::sample
