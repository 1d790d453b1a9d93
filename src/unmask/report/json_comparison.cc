#include "unmask/report/json_comparison.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/first_call.h"
#include "unmask/report/json_screen.h"
#include "unmask/report/json_values.h"
#include "unmask/stats/failure_set.h"
#include "unmask/stats/repair_effect.h"

namespace unmask::json_report {
namespace {

// p and p_adjusted; a point outside the families says so.
void put_p(Json& object, std::optional<double> p, std::optional<double> p_adjusted) {
  object["p"] = number(p);
  object["p_adjusted"] = number(p_adjusted);
  if (!p_adjusted && !object.contains("reason"))
    object["reason"] = p ? "in no family of tests: p is not adjusted" : "not tested";
}

Json tested_points(int k, const TestedFigure& tested) {
  Json json{{"k", k}};
  put_figure(json, tested.figure, kPoints, "points");
  put_p(json, tested.p, tested.p_adjusted);
  return json;
}

Json consequence_json(const ConsequenceGap& found) {
  Json json{{"k", found.k},
            {"shared_tasks", found.shared_tasks},
            {"gap", tested_points(found.k, found.gap)},
            {"gap_consequence", tested_points(found.k, found.gap_consequence)}};
  if (!found.reason.empty()) json["reason"] = found.reason;
  return json;
}

Json ratio_json(const Figure& ratio) {
  Json json = Json::object();
  put_figure(json, ratio, 1.0, "ratio");
  return json;
}

Json amplification_json(const AmplificationFindings& channel) {
  Json json = ratio_json(channel.ratio);
  json["plain_ratio"] = number(channel.plain_ratio);
  json["p"] = number(channel.p);
  json["p_adjusted"] = number(channel.p_adjusted);
  json["tested"] = channel.tested;
  json["in_family"] = channel.in_family;
  // One `reason` for whatever is null here.
  if (!channel.reason.empty()) {
    json["reason"] = channel.reason;
  } else if (!channel.p_adjusted && !json.contains("reason")) {
    json["reason"] = channel.in_family ? "not tested" : "a roll-up is not in the family of tests";
  }
  json["amplified"] = channel.amplified;
  json["quiet"] = channel.quiet;
  json["longer_not_worse"] = channel.longer_not_worse;
  json["errors_ref"] = channel.errors_ref;
  json["errors_arm"] = channel.errors_arm;
  json["tasks_with"] = channel.tasks_with;
  json["per_call"] = ratio_json(channel.per_call);
  json["per_successful_call"] = ratio_json(channel.per_successful_call);
  json["difference_per_call"] = figure(channel.difference);
  json["upper_bounds"] = {{"ratio", number(channel.ratio_upper)},
                          {"rate", number(channel.rate_upper)},
                          {"difference", number(channel.difference_upper)},
                          {"zero_count_rate", number(channel.zero_upper)}};
  json["detectable_ratio"] = number(channel.detectable_ratio);
  return json;
}

Json attribution_json(const std::vector<Attribution>& attributions) {
  Json all = Json::object();
  for (const Attribution& attribution : attributions) {
    Json& points = all[attribution.channel] = Json::array();
    for (const AttributionPoint& point : attribution.points) {
      Json entry{{"k", point.k},
                 {"points_ref", number(point.ref.value, kPoints)},
                 {"points_arm", number(point.arm.value, kPoints)}};
      put_figure(entry, point.difference, kPoints, "difference");
      entry["band_ref"] = {number(point.ref.low, kPoints), number(point.ref.high, kPoints)};
      entry["band_arm"] = {number(point.arm.low, kPoints), number(point.arm.high, kPoints)};
      points.push_back(std::move(entry));
    }
  }
  return all;
}

Json equivalence_json(const std::vector<EquivalencePoint>& points, double margin) {
  Json all = Json::array();
  for (const EquivalencePoint& point : points) {
    Json json{{"k", point.k},
              {"margin", margin * kPoints},
              {"p", number(point.p)},
              {"equivalent", point.equivalent},
              {"non_inferior", point.non_inferior},
              {"p_lower", number(point.p_lower)},
              {"p_upper", number(point.p_upper)}};
    if (!point.p) json["reason"] = "no shared task";
    all.push_back(std::move(json));
  }
  return all;
}

Json failure_sets_json(const std::vector<FailureSetFindings>& sets) {
  Json all = Json::object();
  for (const FailureSetFindings& set : sets) {
    Json json{
        {"names", set.names},
        {"spearman", number(set.spearman)},
        {"kendall", number(set.kendall)},
        {"ceiling", {{"median", number(set.ceiling_median)}, {"low", number(set.ceiling_low)}}},
        {"novel_share", number(set.novel_share)},
        {"novel_expected", number(set.novel_expected)},
        {"novel_rarefied", number(set.novel_rarefied)},
        {"excess", figure(set.excess)},
        {"outcome", stats::name_of(set.outcome)},
        {"shape", {{"h", number(set.shape)}, {"p", number(set.shape_p)}}},
        {"total_variation", number(set.total_variation)},
        {"jensen_shannon", number(set.jensen_shannon)},
        {"one_trial", set.one_trial}};
    const bool any_null = !set.spearman || !set.kendall || !set.ceiling_median ||
                          !set.ceiling_low || !set.novel_share || !set.novel_expected ||
                          !set.novel_rarefied || !set.shape || !set.shape_p ||
                          !set.total_variation || !set.jensen_shannon;
    if (!set.reason.empty() || any_null)
      json["reason"] = set.reason.empty() ? "too few names" : set.reason;
    all[set.channel] = std::move(json);
  }
  return all;
}

Json sensitivity_json(const std::vector<SemanticsVerdict>& sensitivity) {
  Json all = Json::array();
  for (const SemanticsVerdict& entry : sensitivity) {
    all.push_back({{"counts", name_of(entry.semantics.counts)},
                   {"how", name_of(entry.semantics.how)},
                   {"tested", name_of(entry.semantics.tested)},
                   {"ends", name_of(entry.semantics.ends)},
                   {"verdict", entry.decided ? name_of(entry.lower) : "undecided"},
                   {"verdict_unknown_failed", name_of(entry.lower)},
                   {"verdict_unknown_passed", name_of(entry.upper)}});
  }
  return all;
}

Json verdict_or_null(const std::optional<Verdict>& verdict) {
  return verdict ? Json(name_of(*verdict)) : Json(nullptr);
}

Json detectable_json(const ComparisonFindings& comparison) {
  Json ratios = Json::object();
  for (const AmplificationFindings& channel : comparison.amplification)
    ratios[channel.channel] = number(channel.detectable_ratio);
  return {{"gap", number(comparison.detectable_gap, kPoints)},
          {"widening", number(comparison.detectable_widening, kPoints)},
          {"ratio", std::move(ratios)},
          {"gap_family", number(comparison.detectable_gap_family, kPoints)},
          {"widening_family", number(comparison.detectable_widening_family, kPoints)}};
}

}  // namespace

Json gaps(const std::vector<GapPoint>& gaps) {
  Json all = Json::array();
  for (const GapPoint& point : gaps) all.push_back(tested_points(point.k, point.gap));
  return all;
}

Json amplification(const std::vector<AmplificationFindings>& channels) {
  Json all = Json::object();
  for (const AmplificationFindings& channel : channels)
    all[channel.channel] = amplification_json(channel);
  return all;
}

Json split_ratios(const std::vector<AmplificationFindings>& channels) {
  Json all = Json::object();
  for (const AmplificationFindings& channel : channels) {
    Json json = amplification_json(channel);
    for (const auto& [key, value] : json.items()) {
      if (key != "ratio" && key != "low" && key != "high" && key != "reason") value = nullptr;
    }
    if (channel.ratio.value) json["reason"] = "split halves of one arm are not tested";
    all[channel.channel] = std::move(json);
  }
  return all;
}

Json comparison(const ComparisonFindings& comparison, const CellFindings& cell, double margin) {
  Json json{{"arm", comparison.arm},
            {"reference", cell.reference},
            {"verdict", name_of(comparison.verdict)},
            {"suffix", text_or_null(name_of(comparison.suffix))},
            {"sentence", comparison.sentence},
            {"reasons", comparison.reasons}};
  Json& open = json["open"] = Json::array();
  for (const OpenCondition& condition : comparison.open) {
    Json entry{{"sentence", condition.sentence}, {"tasks_needed", number(condition.tasks_needed)}};
    if (!condition.tasks_needed) entry["reason"] = "no number of tasks can be given";
    open.push_back(std::move(entry));
  }
  json["k_obs"] = comparison.k_obs;
  json["censored"] = comparison.censored;
  json["shared_tasks"] = comparison.shared_tasks;
  json["left_out_tasks"] = comparison.left_out_tasks;
  json["not_equal"] = comparison.not_equal;
  json["gap"] = gaps(comparison.gap);
  Json& widening = json["widening"] = Json::array();
  for (const WideningPoint& point : comparison.widening)
    widening.push_back(tested_points(point.k, point.widening));
  json["gap_ratio"] = number(comparison.gap_ratio);
  Json& area = json["area"] = Json::object();
  put_figure(area, comparison.area, kPoints, "points");
  json["amplification"] = amplification(comparison.amplification);
  json["attribution"] = attribution_json(comparison.attribution);
  json["equivalence"] = equivalence_json(comparison.equivalence, margin);
  json["failure_set"] = failure_sets_json(comparison.failure_sets);
  Json& differences = json["differences"] = Json::object();
  for (const RateDifference& difference : comparison.differences) {
    differences[difference.name] = {{"difference", figure(difference.difference)},
                                    {"ratio", figure(difference.ratio)}};
  }
  if (comparison.consequence.k > 0) json["consequence"] = consequence_json(comparison.consequence);
  if (comparison.foretold) json["foretold"] = validation(*comparison.foretold);
  json["detectable"] = detectable_json(comparison);
  json["largest_not_excluded"] = {
      {"ratio", number(comparison.largest_ratio_not_excluded)},
      {"rare_per_call", number(comparison.largest_difference_not_excluded)},
      {"gap", number(comparison.largest_gap_not_excluded, kPoints)}};
  json["vanished_bounds"] = {
      {"apply", comparison.bounds_apply},
      {"verdict_failed", verdict_or_null(comparison.verdict_vanished_failed)},
      {"verdict_passed", verdict_or_null(comparison.verdict_vanished_passed)}};
  json["sensitivity"] = sensitivity_json(comparison.sensitivity);
  return json;
}

Json repair(const RepairFindings& repair, std::string_view cell) {
  Json json{{"cell", cell},
            {"arm", repair.arm},
            {"unrepaired", repair.unrepaired},
            {"mode", text_or_null(repair.mode)},
            {"outcome", stats::name_of(repair.outcome)},
            {"gap", gaps(repair.gap)},
            {"gap_reference", gaps(repair.gap_reference)},
            {"recovered_share", figure(repair.recovered_share)},
            {"amplification", amplification(repair.amplification)},
            {"harm_bound", number(repair.harm_bound, kPoints)},
            {"p_adjusted", number(repair.p_adjusted)},
            {"extra_tokens", figure(repair.extra_tokens)},
            {"extra_calls", figure(repair.extra_calls)}};
  if (!repair.intercepted) {
    json["intercepted"] = nullptr;
    json["reason"] = "intercepted: these logs do not record intercepted calls";
    return json;
  }
  json["intercepted"] = repair.intercepted->calls;
  json["intercepted_calls"] = intercepted(*repair.intercepted);
  json["gap_intercepted_counted"] = gaps(repair.gap_intercepted_counted);
  return json;
}

Json intercepted(const InterceptedFindings& found) {
  Json json{{"calls", found.calls},
            {"episodes_with", found.episodes_with},
            {"per_episode", figure(found.per_episode)}};
  Json& channels = json["by_channel"] = Json::object();
  for (const Channel channel : kModelChannels) {
    channels[std::string(name_of(channel))] = found.by_channel[static_cast<std::size_t>(channel)];
  }
  Json& scores = json["score"] = Json::array();
  for (const InterceptedScore& at : found.scores) {
    scores.push_back({{"k", at.k},
                      {"score", figure(at.score)},
                      {"score_intercepted_counted", figure(at.score_counted)}});
  }
  return json;
}

namespace {

Json first_calls(const std::array<std::uint64_t, kFirstCallCount>& counts) {
  Json calls = Json::object();
  for (const FirstCall call : kFirstCalls)
    calls[std::string(name_of(call))] = counts[static_cast<std::size_t>(call)];
  return calls;
}

Json first_call_gap(const TestedFigure& found) {
  Json gap = Json::object();
  put_figure(gap, found.figure, kPoints, "points");
  put_p(gap, found.p, found.p_adjusted);
  return gap;
}

}  // namespace

Json single_turn(const SingleTurnFindings& found) {
  Json arms = Json::array();
  for (const SingleTurnArm& arm : found.arms) {
    Json by_due = Json::object();
    for (const SingleTurnSteps& steps : arm.by_due) {
      by_due[std::string(name_of(steps.due))] = {{"tasks", steps.tasks},
                                                 {"answers", steps.answers},
                                                 {"first_calls", first_calls(steps.calls)},
                                                 {"right", figure(steps.right)}};
    }
    Json failed = Json::object();
    for (std::size_t i = 0; i < kChannelCount; ++i) {
      failed[std::string(name_of(static_cast<Channel>(i)))] = arm.failed[i];
    }
    arms.push_back({{"arm", arm.arm},
                    {"reference", arm.reference},
                    {"tasks", arm.tasks},
                    {"answers", arm.answers},
                    {"excluded", arm.excluded},
                    {"first_calls", first_calls(arm.calls)},
                    {"failed_by_channel", std::move(failed)},
                    {"right", figure(arm.right)},
                    {"failed_share", figure(arm.failed_share)},
                    {"tool_name_share", figure(arm.tool_name_share)},
                    {"by_due", std::move(by_due)}});
  }
  Json comparisons = Json::array();
  for (const SingleTurnComparison& comparison : found.comparisons) {
    Json by_due = Json::object();
    for (const SingleTurnGap& gap : comparison.by_due) {
      by_due[std::string(name_of(gap.due))] = {{"shared_tasks", gap.shared_tasks},
                                               {"gap", first_call_gap(gap.gap)},
                                               {"equivalent", gap.equivalent}};
    }
    comparisons.push_back({{"arm", comparison.arm},
                           {"shared_tasks", comparison.shared_tasks},
                           {"gap", first_call_gap(comparison.gap)},
                           {"equivalent", comparison.equivalent},
                           {"amplification", amplification(comparison.amplification)},
                           {"by_due", std::move(by_due)}});
  }
  return {{"arms", std::move(arms)}, {"comparisons", std::move(comparisons)}};
}

}  // namespace unmask::json_report
