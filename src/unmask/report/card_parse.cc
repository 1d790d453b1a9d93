#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/audit/findings.h"
#include "unmask/audit/verdict.h"
#include "unmask/base/error.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/log_header.h"
#include "unmask/report/card.h"

namespace unmask {
namespace {

using Json = nlohmann::json;

// Null object for what is missing or of another type: check_card has passed, so only optional
// members can be.
const Json& member(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

std::string text(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_string() ? found.get<std::string>() : std::string();
}

bool boolean(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_boolean() && found.get<bool>();
}

std::optional<double> number(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::optional<int> whole(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_number_integer() ? std::optional(found.get<int>()) : std::nullopt;
}

template <typename Count>
Count count(const Json& object, const char* key) {
  const Json& found = member(object, key);
  return found.is_number_integer() ? found.get<Count>() : Count{};
}

Figure figure(const Json& json, double scale = 1.0) {
  const auto scaled = [&](const char* key) {
    std::optional<double> value = number(json, key);
    if (value) *value /= scale;
    return value;
  };
  return {scaled("value"), scaled("low"), scaled("high"), text(json, "reason")};
}

std::map<std::string, std::string> texts(const Json& json) {
  std::map<std::string, std::string> result;
  if (!json.is_object()) return result;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) result[key] = value.get<std::string>();
  }
  return result;
}

ArmIdentity identity(const Json& json) {
  return {.model = text(json, "model"),
          .model_is_guess = boolean(json, "model_is_guess"),
          .precision = text(json, "precision"),
          .precision_is_guess = boolean(json, "precision_is_guess"),
          .quantization_method = text(json, "quantization_method"),
          .kv_cache_precision = text(json, "kv_cache_precision"),
          .engine = text(json, "engine"),
          .chat_template_hash = text(json, "chat_template_hash"),
          .tool_call_parser = text(json, "tool_call_parser"),
          .grammar_constrained = text(json, "grammar_constrained"),
          .sampling = texts(member(json, "sampling")),
          .agent_implementation = text(json, "agent_implementation"),
          .policy_hash = text(json, "policy_hash"),
          .user_model = text(json, "user_model"),
          .user_implementation = text(json, "user_implementation"),
          .user_sampling = texts(member(json, "user_sampling"))};
}

CardCoverage coverage(const Json& json) {
  const Json& excluded = member(json, "excluded");
  return {.tasks = count<std::uint32_t>(json, "tasks"),
          .episodes = count<std::uint32_t>(json, "episodes"),
          .vanished = count<std::uint32_t>(json, "vanished"),
          .excluded_infrastructure = count<std::uint32_t>(excluded, "infrastructure"),
          .excluded_no_reward = count<std::uint32_t>(excluded, "no_reward"),
          .missing_trials = count<std::uint32_t>(json, "missing_trials"),
          .stopped_by_budget = count<std::uint32_t>(json, "stopped_by_budget"),
          .contradictions = count<std::uint32_t>(json, "contradictions"),
          .agent_calls = count<std::uint64_t>(json, "agent_calls")};
}

void read_budget(const Json& json, Card& card) {
  card.budget = {
      .nominal = whole(json, "nominal"),
      .enforced = whole(json, "k_obs"),
      .known = boolean(json, "known"),
      .counts = text(json, "counts") == "agent" ? CountedParty::agent : CountedParty::both,
      .evidence = text(json, "evidence")};
  card.semantics = {.counts = card.budget.counts,
                    .how = text(json, "how") == "consecutive" ? How::consecutive : How::cumulative,
                    .tested = text(json, "tested") == "call" ? Tested::call : Tested::turn,
                    .ends = text(json, "ends") == "exceed" ? Ends::exceed : Ends::reach};
}

// Keys are budgets; anything else was refused by check_card. Ascending.
std::vector<CardScore> scores(const Json& json, double scale = 1.0) {
  std::vector<CardScore> points;
  if (!json.is_object()) return points;
  for (const auto& [key, value] : json.items()) {
    const bool digits =
        !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
    if (digits) points.push_back({std::stoi(key), figure(value, scale)});
  }
  std::ranges::sort(points, [](const CardScore& a, const CardScore& b) { return a.k < b.k; });
  return points;
}

// The known channels in their order, then others by name.
std::vector<CardChannel> channels(const Json& json) {
  std::vector<std::string> names;
  names.reserve(kModelChannels.size());
  for (const Channel channel : kModelChannels) names.emplace_back(name_of(channel));
  if (json.is_object()) {
    for (const auto& [name, value] : json.items()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  std::vector<CardChannel> result;
  for (const std::string& name : names) {
    const Json& channel = member(json, name.c_str());
    if (!channel.is_object()) continue;
    result.push_back({.name = name,
                      .errors = count<std::uint64_t>(channel, "errors"),
                      .per_episode = figure(member(channel, "per_episode")),
                      .per_call = figure(member(channel, "per_call")),
                      .per_successful_call = figure(member(channel, "per_successful_call"))});
  }
  return result;
}

std::optional<CardComparison> comparison(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const std::optional<Verdict> verdict = verdict_from_name(text(json, "verdict"));
  if (!verdict) return std::nullopt;
  CardComparison result{.reference = text(json, "reference"),
                        .verdict = *verdict,
                        .suffix = ScoreSuffix::none,
                        .sentence = text(json, "sentence"),
                        .gap = scores(member(json, "gap_points"), 100.0),
                        .channels = channels(member(json, "amplification"))};
  for (const ScoreSuffix suffix :
       {ScoreSuffix::equivalent, ScoreSuffix::better, ScoreSuffix::not_decided}) {
    if (name_of(suffix) == text(json, "suffix")) result.suffix = suffix;
  }
  return result;
}

}  // namespace

Result<Card> parse_card(std::string_view json, std::string_view file) {
  const std::vector<CardViolation> violations = check_card(json);
  if (!violations.empty()) {
    const CardViolation& first = violations.front();
    return fail(
        ErrorCode::bad_input,
        std::string(file) + ": not a valid card: " + (first.path.empty() ? "it" : first.path) +
            " " + first.sentence +
            (violations.size() > 1
                 ? "; " + std::to_string(violations.size() - 1) + " more, see unmask card check"
                 : ""));
  }
  const Json document = Json::parse(json, nullptr, false);
  Card card;
  card.cell = text(document, "cell");
  card.domain = text(document, "domain");
  card.arm = text(document, "arm");
  card.identity = identity(member(document, "identity"));
  const Json& harness = member(document, "harness");
  card.harness = {.name = text(harness, "name"),
                  .version = text(harness, "version"),
                  .git_commit = text(harness, "git_commit"),
                  .evidence = text(harness, "evidence")};
  read_budget(member(document, "budget"), card);
  if (const Json& basis = member(document, "reward_basis"); basis.is_array()) {
    for (const Json& part : basis) {
      if (part.is_string()) card.reward_basis.push_back(part.get<std::string>());
    }
  }
  card.coverage = coverage(member(document, "coverage"));
  const Json& score = member(document, "score");
  card.k_obs = whole(score, "k").value_or(0);
  card.score = figure(score);
  card.score_by_budget = scores(member(document, "score_by_budget"));
  card.channels = channels(member(document, "channels"));
  const Json& recovery = member(document, "next_call_recovery");
  card.next_call_recovery = {count<std::uint64_t>(recovery, "recovered"),
                             count<std::uint64_t>(recovery, "followed"), figure(recovery)};
  card.comparison = comparison(member(document, "comparison"));
  card.risk = screen::risk_class_from_name(text(document, "risk"));
  if (const Json& inputs = member(document, "inputs"); inputs.is_array()) {
    for (const Json& input : inputs)
      card.inputs.push_back({text(input, "sha256"), text(input, "format")});
  }
  return card;
}

}  // namespace unmask
