#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "unmask/episode/channel.h"
#include "unmask/report/card.h"
#include "unmask/report/number_text.h"

namespace unmask {
namespace {

using Json = nlohmann::json;

constexpr double kRounding = 0.0011;  // of shares with three decimals, both ends
constexpr std::int64_t kMostCount = 4'000'000'000;
constexpr std::int64_t kMostBudget = 999'999'999;

// A member's name as a JSON Pointer spells it.
std::string pointer_token(std::string_view name) {
  std::string token;
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token.push_back(c);
    }
  }
  return token;
}

// Walks a card and notes what is wrong. `path` is the JSON Pointer of what a function looks at.
class Checker {
 public:
  std::vector<CardViolation> violations;

  void note(std::string path, std::string sentence) {
    violations.push_back({std::move(path), std::move(sentence)});
  }

  // The member, or null with a note if it is missing.
  const Json* member(const Json& object, const std::string& path, const std::string& key,
                     const std::string& remedy) {
    const auto found = object.find(key);
    if (found != object.end()) return &*found;
    note(path + "/" + key, "is missing; " + remedy);
    return nullptr;
  }

  const Json* object(const Json& parent, const std::string& path, const std::string& key,
                     const std::string& remedy) {
    const Json* found = member(parent, path, key, remedy);
    if (found == nullptr || found->is_object()) return found;
    note(path + "/" + key, "must be an object; " + remedy);
    return nullptr;
  }

  void text(const Json& parent, const std::string& path, const std::string& key, bool may_be_null,
            const std::string& remedy) {
    const Json* found = member(parent, path, key, remedy);
    if (found == nullptr || (may_be_null && found->is_null())) return;
    if (!found->is_string() || found->get_ref<const std::string&>().empty())
      note(path + "/" + key, "must be a text that is not empty; " + remedy);
  }

  void one_of(const Json& parent, const std::string& path, const std::string& key,
              std::initializer_list<std::string_view> words) {
    std::string list;
    for (const std::string_view word : words)
      list.append(list.empty() ? "" : " or ").append("\"").append(word).append("\"");
    const Json* found = member(parent, path, key, "write " + list);
    if (found == nullptr) return;
    for (const std::string_view word : words) {
      if (found->is_string() && found->get_ref<const std::string&>() == word) return;
    }
    note(path + "/" + key, "must be " + list);
  }

  void boolean(const Json& parent, const std::string& path, const std::string& key,
               const std::string& remedy) {
    const Json* found = member(parent, path, key, remedy);
    if (found != nullptr && !found->is_boolean())
      note(path + "/" + key, "must be true or false; " + remedy);
  }

  std::optional<std::int64_t> count(const Json& parent, const std::string& path,
                                    const std::string& key, std::int64_t least,
                                    const std::string& remedy) {
    const Json* found = member(parent, path, key, remedy);
    if (found == nullptr) return std::nullopt;
    if (found->is_number_integer()) {
      const auto value = found->get<std::int64_t>();
      if (value >= least && value <= kMostCount) return value;
    }
    note(path + "/" + key, "must be a whole number of at least " + std::to_string(least) +
                               " and at most " + text::grouped(kMostCount));
    return std::nullopt;
  }

  // {value, low, high[, reason]}: each a number or null, null only with a reason, low <= value <=
  // high, and within 0..`most` where a limit is given. Returns the value.
  std::optional<double> figure(const Json& json, const std::string& path,
                               std::optional<double> most) {
    bool any_null = false;
    const auto part = [&](const char* key, const char* remedy) -> std::optional<double> {
      const Json* found = member(json, path, key, remedy);
      if (found == nullptr) return std::nullopt;
      if (found->is_null()) {
        any_null = true;
        return std::nullopt;
      }
      const std::string place = path + "/" + key;
      if (!found->is_number() || !std::isfinite(found->get<double>())) {
        note(place, "must be a number or null");
        return std::nullopt;
      }
      const auto number = found->get<double>();
      if (number < 0.0 || (most && number > *most))
        note(place, most ? "is a share and must lie between 0 and 1; write 38.3 % as 0.383"
                         : "must not be negative");
      return number;
    };
    const std::optional<double> value = part("value", "give the number, or null with a reason");
    const std::optional<double> low = part("low", "give the 95 % interval, or null with a reason");
    const std::optional<double> high =
        part("high", "give the 95 % interval, or null with a reason");
    if (any_null) {
      const auto reason = json.find("reason");
      if (reason == json.end() || !reason->is_string() ||
          reason->get_ref<const std::string&>().empty())
        note(path + "/reason", "is missing; say why a number is null");
    }
    const bool below = value && low && *value < *low - kRounding;
    const bool above = value && high && *value > *high + kRounding;
    if (below || above) note(path, "has a value outside its own interval");
    return value;
  }
};

void check_identity(Checker& checker, const Json& card) {
  const std::string remedy = "say what the arm is, null where it is not known";
  const Json* identity = checker.object(card, "", "identity", remedy);
  if (identity == nullptr) return;
  checker.text(*identity, "/identity", "model", false, "name the model");
  checker.text(*identity, "/identity", "precision", false,
               "name the precision of the weights: bf16, fp8, int4 ...");
  checker.boolean(*identity, "/identity", "precision_is_guess",
                  "say whether the precision was only guessed");
  for (const char* key :
       {"quantization_method", "kv_cache_precision", "engine", "chat_template_hash",
        "tool_call_parser", "grammar_constrained", "policy_hash", "user_model"})
    checker.text(*identity, "/identity", key, true, remedy);
  if (const Json* sampling = checker.object(*identity, "/identity", "sampling",
                                            "give temperature and the like, {} if not known")) {
    for (const auto& [name, value] : sampling->items()) {
      if (!value.is_string())
        checker.note("/identity/sampling/" + pointer_token(name), "must be a text");
    }
  }
}

void check_budget(Checker& checker, const Json& card) {
  const Json* budget =
      checker.object(card, "", "budget", "say under which error budget the log was made");
  if (budget == nullptr) return;
  const std::string path = "/budget";
  checker.boolean(*budget, path, "enforced", "say whether the budget really stopped episodes");
  checker.one_of(*budget, path, "counts", {"both", "agent"});
  checker.one_of(*budget, path, "how", {"cumulative", "consecutive"});
  checker.one_of(*budget, path, "tested", {"turn", "call"});
  checker.one_of(*budget, path, "ends", {"reach", "exceed"});
  const Json* k =
      checker.member(*budget, path, "k_obs", "give the enforced budget, or null if there was none");
  if (k == nullptr) return;
  const bool whole = k->is_number_integer() && k->get<std::int64_t>() >= 1 &&
                     k->get<std::int64_t>() <= kMostBudget;
  if (!k->is_null() && !whole) {
    checker.note(path + "/k_obs", "must be a whole number of at least 1, or null");
    return;
  }
  const auto enforced = budget->find("enforced");
  if (enforced != budget->end() && enforced->is_boolean() && enforced->get<bool>() == k->is_null())
    checker.note(path + "/k_obs", "must be null exactly if the budget was not enforced");
}

// What rates are made of. Zero: not given.
struct Denominators {
  std::int64_t episodes = 0;
  std::int64_t agent_calls = 0;
};

Denominators check_coverage(Checker& checker, const Json& card) {
  Denominators given;
  const Json* coverage =
      checker.object(card, "", "coverage", "say which episodes the figures rest on");
  if (coverage == nullptr) return given;
  const std::string path = "/coverage";
  const auto tasks = checker.count(*coverage, path, "tasks", 1, "count the tasks");
  const auto episodes =
      checker.count(*coverage, path, "episodes", 1, "count the episodes with a reward");
  given.episodes = episodes.value_or(0);
  if (coverage->contains("agent_calls")) {
    given.agent_calls =
        checker.count(*coverage, path, "agent_calls", 0, "count the agent's calls").value_or(0);
  }
  if (tasks && episodes && *tasks > *episodes)
    checker.note(path + "/tasks", "must not be more than the episodes: a task without one is none");
  const auto vanished =
      checker.count(*coverage, path, "vanished", 0,
                    "count trials without an observation: excluded and never recorded ones");
  const auto missing = checker.count(*coverage, path, "missing_trials", 0,
                                     "count trials that were promised and never recorded");
  const Json* excluded =
      checker.object(*coverage, path, "excluded", "count episodes left out, by why");
  if (excluded == nullptr) return given;
  const auto infrastructure = checker.count(*excluded, path + "/excluded", "infrastructure", 0,
                                            "count episodes that infrastructure ended");
  const auto no_reward = checker.count(*excluded, path + "/excluded", "no_reward", 0,
                                       "count episodes without a reward");
  if (vanished && missing && infrastructure && no_reward &&
      *vanished != *missing + *infrastructure + *no_reward)
    checker.note(path + "/vanished",
                 "must be the sum of missing_trials and both counts of excluded");
  return given;
}

// A rate that is not its count divided by what it counts on belongs to another log, or a slip.
void check_rate(Checker& checker, const std::string& path, std::optional<std::int64_t> errors,
                std::optional<double> rate, std::int64_t of, const char* what) {
  if (!errors || !rate || of <= 0) return;
  const double expected = static_cast<double>(*errors) / static_cast<double>(of);
  if (std::abs(expected - *rate) <= kRounding) return;
  checker.note(path + "/value",
               "must be errors / " + std::string(what) + ", " + text::fixed(expected, 3) + " here");
}

// S(K) by K, the score itself among them.
void check_scores(Checker& checker, const Json& card) {
  const Json* score = checker.object(card, "", "score", "give the benchmark's score");
  std::optional<std::int64_t> k_obs;
  std::optional<double> value;
  if (score != nullptr) {
    k_obs = checker.count(*score, "/score", "k", 1, "give the budget that the score belongs to");
    value = checker.figure(*score, "/score", 1.0);
    const auto budget = card.find("budget");
    if (k_obs && budget != card.end() && budget->is_object()) {
      const auto enforced = budget->find("k_obs");
      if (enforced != budget->end() && enforced->is_number_integer() &&
          enforced->get<std::int64_t>() != *k_obs)
        checker.note("/score/k", "must be the budget that was enforced, budget/k_obs");
    }
    if (!value && score->contains("value") && score->at("value").is_null())
      checker.note("/score/value", "must be a number: a card without a score says nothing");
  }
  const Json* by_budget = checker.object(card, "", "score_by_budget",
                                         "give S(K) at K = 1, 2, 5 and the observed budget");
  if (by_budget == nullptr) return;
  const std::string path = "/score_by_budget";
  std::map<std::int64_t, double> curve;
  for (const auto& [key, point] : by_budget->items()) {
    const std::string place = path + "/" + pointer_token(key);
    const bool digits = !key.empty() && key.size() < 10 && key.front() != '0' &&
                        key.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) {
      checker.note(place, "is no budget; keys are whole numbers such as \"2\"");
      continue;
    }
    if (!point.is_object()) {
      checker.note(place, "must be an object with value, low and high");
      continue;
    }
    const std::int64_t k = std::stoll(key);
    const std::optional<double> here = checker.figure(point, place, 1.0);
    if (here) {
      curve[k] = *here;
    } else if (k_obs && k <= *k_obs && point.contains("value") && point.at("value").is_null()) {
      checker.note(place + "/value", "must be a number: the budget is within the observed one");
    }
  }
  for (const int k : kCardBudgets) {
    if (!by_budget->contains(std::to_string(k)))
      checker.note(path + "/" + std::to_string(k),
                   "is missing; count an episode as failed from its " + text::ordinal(k) +
                       " failed call on, or give null with a reason beyond the observed budget");
  }
  if (k_obs && !by_budget->contains(std::to_string(*k_obs)))
    checker.note(path + "/" + std::to_string(*k_obs), "is missing; repeat the score there");
  const std::pair<const std::int64_t, double>* before = nullptr;
  for (const auto& point : curve) {
    if (before != nullptr && point.second < before->second - kRounding)
      checker.note(path + "/" + std::to_string(point.first) + "/value",
                   "is smaller than at K=" + std::to_string(before->first) +
                       "; a larger budget can't lose episodes, so one of them is wrong");
    before = &point;
  }
  if (value && k_obs && curve.contains(*k_obs) && std::abs(curve[*k_obs] - *value) > kRounding)
    checker.note("/score/value",
                 "must equal S(K) at its own budget, score_by_budget/" + std::to_string(*k_obs));
}

void check_channels(Checker& checker, const Json& card, const Denominators& given) {
  const Json* channels = checker.object(card, "", "channels", "give failed calls by channel");
  if (channels == nullptr) return;
  for (const Channel channel : kModelChannels) {
    if (!channels->contains(std::string(name_of(channel))))
      checker.note("/channels/" + std::string(name_of(channel)),
                   "is missing; a channel without an error has a rate of 0");
  }
  for (const auto& [name, channel] : channels->items()) {
    const std::string path = "/channels/" + pointer_token(name);
    if (!channel.is_object()) {
      checker.note(path, "must be an object with errors, per_episode and per_call");
      continue;
    }
    const auto errors = checker.count(channel, path, "errors", 0, "count the failed calls");
    if (const Json* rate = checker.object(channel, path, "per_episode",
                                          "give errors an episode, what the budget feels"))
      check_rate(checker, path + "/per_episode", errors,
                 checker.figure(*rate, path + "/per_episode", std::nullopt), given.episodes,
                 "coverage/episodes");
    if (const Json* rate =
            checker.object(channel, path, "per_call", "give errors a call of the agent"))
      check_rate(checker, path + "/per_call", errors,
                 checker.figure(*rate, path + "/per_call", 1.0), given.agent_calls,
                 "coverage/agent_calls");
  }
}

}  // namespace

std::vector<CardViolation> check_card(std::string_view json) {
  Checker checker;
  const Json card = Json::parse(json, nullptr, false);
  if (card.is_discarded()) {
    checker.note("", "is not JSON; a card is one JSON object");
    return checker.violations;
  }
  if (!card.is_object()) {
    checker.note("", "must be a JSON object");
    return checker.violations;
  }
  if (!card.contains("schema") && (card.contains("simulations") || card.contains("messages"))) {
    checker.note("", "is a log, not a card; unmask card write makes the card of a log");
    return checker.violations;
  }
  checker.one_of(card, "", "schema", {"unmask.card/1"});
  checker.text(card, "", "cell", false, "name model and domain");
  checker.text(card, "", "arm", false, "name the arm: bf16, int4 ...");
  check_identity(checker, card);
  if (const Json* harness =
          checker.object(card, "", "harness", "name the benchmark and its version"))
    for (const char* key : {"name", "version"})
      checker.text(*harness, "/harness", key, true, "name the benchmark and its version");
  check_budget(checker, card);
  const Denominators given = check_coverage(checker, card);
  check_scores(checker, card);
  check_channels(checker, card, given);
  if (card.contains("risk"))
    checker.one_of(card, "", "risk", {"low", "guarded", "high", "unknown"});
  return checker.violations;
}

}  // namespace unmask
