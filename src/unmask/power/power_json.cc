#include <string>

#include <nlohmann/json.hpp>

#include "unmask/base/twelve_digits.h"
#include "unmask/power/power_report.h"

namespace unmask::power {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Power& power, std::uint32_t studies) {
  const stats::Interval interval = interval_of(power, studies);
  return {{"share", twelve_digits(power.share)},
          {"standard_error", twelve_digits(power.standard_error)},
          {"low", twelve_digits(interval.low)},
          {"high", twelve_digits(interval.high)}};
}

Json json_of(const std::optional<Design>& design) {
  if (!design) return nullptr;
  return {{"tasks", design->tasks}, {"trials", design->trials}};
}

Json json_of(const ArmTruth& truth, const PowerAnswer& answer) {
  return {{"errors_per_call", twelve_digits(truth.errors_per_call)},
          {"errors_per_episode", twelve_digits(truth.errors_per_episode)},
          {"score",
           {{{"k", answer.first_budget}, {"value", twelve_digits(truth.score_first)}},
            {{"k", answer.last_budget}, {"value", twelve_digits(truth.score_last)}}}}};
}

Json json_of(const DesignPower& power, std::uint32_t studies) {
  Json verdicts;
  for (std::size_t v = 0; v < kVerdictCount; ++v) {
    verdicts[std::string(name_of(static_cast<Verdict>(v)))] = json_of(power.verdicts[v], studies);
  }
  return {{"tasks", power.design.tasks},
          {"trials", power.design.trials},
          {"amplified", json_of(power.amplified, studies)},
          {"widened", json_of(power.widened, studies)},
          {"damaged", json_of(power.damaged, studies)},
          {"equivalent", json_of(power.equivalent, studies)},
          {"verdicts", verdicts}};
}

Json json_of(const EffectPower& effect, const PowerAnswer& answer) {
  const bool widening = effect.effect.kind == Effect::Kind::widening;
  Json designs = Json::array();
  for (const DesignPower& power : effect.designs) {
    designs.push_back(json_of(power, answer.question.replicates));
  }
  return {{"asked",
           {{"kind", std::string(name_of(effect.effect.kind))},
            {"size", twelve_digits(widening ? 100.0 * effect.effect.size : effect.effect.size)}}},
          {"arm", json_of(effect.truth, answer)},
          {"amplification", twelve_digits(effect.amplification)},
          {"gap_points", twelve_digits(100.0 * effect.gap)},
          {"widening_points", twelve_digits(100.0 * effect.widening)},
          {"designs", designs},
          {"smallest",
           {{"amplified", json_of(effect.smallest.amplified)},
            {"widened", json_of(effect.smallest.widened)},
            {"masked", json_of(effect.smallest.masked)},
            {"clean", json_of(effect.smallest.clean)}}}};
}

Json settings_of(const PowerQuestion& question) {
  const bool holm = question.audit.correction == stats::Correction::holm;
  return {{"target", question.target},
          {"replicates", question.replicates},
          {"comparisons", question.comparisons},
          {"sign_flips", question.sign_flips},
          {"alpha", question.audit.alpha},
          {"margin_points", twelve_digits(100.0 * question.audit.margin)},
          {"correction", holm ? "holm" : "benjamini_hochberg"},
          {"amplified_ratio", question.audit.amplified_ratio}};
}

Json process_of(const PowerQuestion& question) {
  const synthetic::CellProcess& process = question.process;
  return {{"domain", process.domain},
          {"slip_rate", twelve_digits(question.reference.slip_rate)},
          {"max_errors", process.max_errors},
          {"solve_mean", twelve_digits(process.solve_mean)},
          {"solve_icc", twelve_digits(process.solve_icc)},
          {"trap_shape", twelve_digits(process.trap_shape)},
          {"episode_shape", twelve_digits(process.episode_shape)},
          {"solved_extra_calls", twelve_digits(process.solved_extra_calls)},
          {"unsolved_extra_calls", twelve_digits(process.unsolved_extra_calls)},
          {"unsolved_trap", twelve_digits(process.unsolved_trap)},
          {"recovery", twelve_digits(process.recovery)},
          {"user_calls", twelve_digits(process.user_calls)},
          {"user_failure", twelve_digits(process.user_failure)},
          {"mix",
           {{"tool_name", twelve_digits(process.mix.tool_name)},
            {"arguments", twelve_digits(process.mix.arguments)},
            {"entity", twelve_digits(process.mix.entity)},
            {"precondition", twelve_digits(process.mix.precondition)}}}};
}

}  // namespace

std::string power_json(const PowerAnswer& answer, std::string_view version,
                       std::string_view commit) {
  const PowerQuestion& question = answer.question;
  Json effects = Json::array();
  for (const EffectPower& effect : answer.effects) effects.push_back(json_of(effect, answer));
  const Json document = {{"schema", "unmask.power/1"},
                         {"unmask",
                          {{"version", std::string(version)},
                           {"commit", commit.empty() ? Json(nullptr) : Json(std::string(commit))}}},
                         {"seed", question.audit.seed},
                         {"settings", settings_of(question)},
                         {"process", process_of(question)},
                         {"notes", question.notes},
                         {"reference", json_of(answer.reference, answer)},
                         {"no_effect", json_of(answer.none, answer)},
                         {"effects", effects}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace unmask::power
