#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unmask/decisions/decisions_file.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/json/json_text.h"

namespace unmask::decisions {
namespace {

using json::JsonText;

double rounded(double value) {
  constexpr double kSteps = 1e6;
  constexpr double kLargest = 1e9;  // beyond it there are no steps left, and in the end no numbers
  if (std::abs(value) > kLargest) return value;
  const double steps = std::round(value * kSteps);
  return steps == 0.0 ? 0.0 : steps / kSteps;
}

void write_numbers(JsonText& json, std::span<const double> values) {
  json.begin_array();
  for (const double value : values) json.real(value);
  json.end_array();
}

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void write_options(JsonText& json, const ScoredDecision& decision) {
  json.key("options").begin_array();
  for (const DecisionOption& option : decision.options) {
    json.begin_object().key("text").string(option.text);
    if (option.admissible) json.key("admissible").boolean(true);
    if (option.golden) json.key("golden").boolean(true);
    if (!option.provenance.empty()) json.key("provenance").string(option.provenance);
    json.end_object();
  }
  json.end_array();
}

bool is_finite(const ArmScores& scores) {
  const auto finite = [](double value) { return std::isfinite(value); };
  return std::ranges::all_of(scores.log_probability, finite) &&
         std::ranges::all_of(scores.tempered, [&](const TemperedScores& each) {
           return std::ranges::all_of(each.log_probability, finite);
         });
}

}  // namespace

ArmScores rounded(ArmScores scores) {
  if (!is_finite(scores)) {
    scores = ArmScores();
    scores.fault = "not_a_number";
    return scores;
  }
  const auto round_all = [](std::vector<double>& values) {
    for (double& value : values) value = rounded(value);
  };
  round_all(scores.log_probability);
  for (TemperedScores& tempered : scores.tempered) round_all(tempered.log_probability);
  if (scores.divergence && !std::isfinite(*scores.divergence)) scores.divergence.reset();
  if (scores.divergence) scores.divergence = rounded(*scores.divergence);
  std::erase_if(scores.likeliest,
                [](const LikelyToken& token) { return !std::isfinite(token.log_probability); });
  for (LikelyToken& token : scores.likeliest)
    token.log_probability = rounded(token.log_probability);
  return scores;
}

std::string header_line(const DecisionsHeader& header) {
  std::string out;
  JsonText json(out);
  json.begin_object().key("schema").string(kDecisionsSchema);
  json.key("producer").string(header.producer);
  json.key("kind").string(header.kind);
  json.key("contexts").begin_array();
  for (const ContextSource& source : header.contexts) {
    json.begin_object().key("file").string(source.file);
    json.key("sha256").string(source.sha256).end_object();
  }
  json.end_array().key("contexts_sha256").string(header.contexts_sha256);
  json.key("decisions").integer(number(header.decisions));
  json.key("temperatures");
  write_numbers(json, header.temperatures);
  json.key("settings").begin_object();
  for (const auto& [name, value] : header.settings) json.key(name).string(value);
  json.end_object().end_object();
  return out + '\n';
}

std::string arm_line(std::size_t index, const ScoredArm& arm) {
  std::string out;
  JsonText json(out);
  json.begin_object().key("arm").integer(number(index)).key("name").string(arm.name);
  json.key("model").string(arm.model).key("precision").string(arm.precision);
  if (arm.bits_per_weight && std::isfinite(*arm.bits_per_weight)) {
    json.key("bits_per_weight").real(*arm.bits_per_weight);
  }
  json.key("tokenizer").string(arm.tokenizer).end_object();
  return out + '\n';
}

std::string decision_line(std::size_t index, const ScoredDecision& decision,
                          std::optional<std::size_t> options_of) {
  std::string out;
  JsonText json(out);
  json.begin_object().key("decision").integer(number(index));
  json.key("task_id").string(decision.task_id).key("trial").integer(decision.trial);
  json.key("message").integer(decision.message).key("call").integer(decision.call);
  if (decision.party == Party::user) json.key("party").string("user");
  json.key("kind").string(name_of(decision.kind));
  if (!decision.argument.empty()) json.key("argument").string(decision.argument);
  if (decision.recorded) json.key("recorded").integer(*decision.recorded);
  if (options_of) {
    json.key("options_of").integer(number(*options_of));
  } else {
    write_options(json, decision);
  }
  json.end_object();
  return out + '\n';
}

std::string score_line(const ScoreLine& score) {
  const ArmScores scores = rounded(score.scores);
  std::string out;
  JsonText json(out);
  json.begin_object().key("score").integer(number(score.decision));
  json.key("arm").integer(number(score.arm));
  if (!scores.fault.empty()) json.key("fault").string(scores.fault);
  if (!scores.log_probability.empty()) {
    json.key("log_probability");
    write_numbers(json, scores.log_probability);
  }
  if (std::ranges::find(scores.at_most, true) != scores.at_most.end()) {
    json.key("at_most").begin_array();
    for (const bool at_most : scores.at_most) json.boolean(at_most);
    json.end_array();
  }
  if (!scores.tempered.empty()) {
    json.key("tempered").begin_array();
    for (const TemperedScores& tempered : scores.tempered) {
      json.begin_object().key("temperature").real(tempered.temperature).key("log_probability");
      write_numbers(json, tempered.log_probability);
      json.end_object();
    }
    json.end_array();
  }
  if (scores.divergence) json.key("divergence").real(*scores.divergence);
  if (!scores.likeliest.empty()) {
    json.key("likeliest").begin_array();
    for (const LikelyToken& token : scores.likeliest) {
      json.begin_array().integer(token.token).real(token.log_probability).end_array();
    }
    json.end_array();
  }
  json.end_object();
  return out + '\n';
}

}  // namespace unmask::decisions
