#include "unmask/store/export_tau2.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/json/parser.h"
#include "unmask/json/repair.h"
#include "unmask/json/split.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"
#include "unmask/store/json_members.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/tau2_messages.h"

namespace unmask::store {

namespace {

/// What a reader is told that the log was converted from.
constexpr std::string_view kOrigin = "unmask.run/1";

std::string policy_of(const ArmInfo& arm) {
  return string_or_null(arm.played_policy.empty() ? arm.policy : arm.played_policy);
}

std::string json_or_null(const std::string& json) { return json.empty() ? "null" : json; }

/// The same for the same unit of a study, whichever run played it; in the form of the original's.
std::string simulation_id(const Unit& unit) {
  std::string name;
  for (const std::string* part : {&unit.key.cell, &unit.key.arm, &unit.key.task_id}) {
    name += *part;
    name += '\0';
  }
  std::string id =
      sha256_hex(name + std::to_string(unit.key.trial) + ' ' + std::to_string(unit.seed))
          .substr(0, 32);
  for (const std::size_t dash : {20U, 16U, 12U, 8U}) id.insert(dash, 1, '-');
  return id;
}

class Exporter {
 public:
  explicit Exporter(const RunReader& run) : run_(run) {}

  [[nodiscard]] const Exported& exported() const { return exported_; }

  /// One simulation; nothing if the unit has not ended. `policy` is JSON; `first` begins the
  /// object.
  [[nodiscard]] Result<std::optional<std::string>> simulation(const Unit& unit,
                                                              std::string_view policy,
                                                              std::string first) {
    if (unit.state == UnitState::open) return left_open();
    auto outcome = run_.outcome(unit.id);
    if (!outcome) return tl::unexpected<Error>(outcome.error());
    if (!*outcome) return left_open();  // while it was read, the unit has been opened again
    const bool crashed = (*outcome)->state == UnitState::infrastructure;
    std::string out = std::move(first);
    append_outcome(out, unit, **outcome);
    append_member(out, "messages", "");
    if (crashed) {
      out += "[]";  // as the original: nothing of a partial run counts
    } else {
      const auto turns = run_.turns(unit.id);
      if (!turns) return tl::unexpected<Error>(turns.error());
      if (const auto bad = append_messages(out, *turns, parser_, exported_.malformed_calls)) {
        return unusable(unit, "turn " + std::to_string(*bad) + " is no message");
      }
    }
    append_nulls(out, {"ticks"});
    append_member(out, "trial", std::to_string(unit.key.trial));
    append_member(out, "seed", std::to_string(unit.seed));
    append_member(out, "mode", "\"half_duplex\"");
    append_nulls(out, {"speech_environment", "review", "user_only_review"});
    append_member(out, "info", json_or_null((*outcome)->info));
    append_nulls(out, {"auth_classification"});
    append_member(out, "hallucination_retries_used", "0");
    append_nulls(out, {"hallucination_check", "provider_session_id"});
    append_member(out, "policy", crashed ? "null" : policy);
    append_nulls(out, {"effect_timeline"});
    out += '}';
    return checked(unit, std::move(out));
  }

 private:
  Result<std::optional<std::string>> left_open() {
    ++exported_.left_open;
    return std::optional<std::string>();
  }

  [[nodiscard]] tl::unexpected<Error> unusable(const Unit& unit, const std::string& why) const {
    return fail(ErrorCode::bad_input, run_.path().string() + ": " + unit.key.cell + '/' +
                                          unit.key.arm + ", task " + unit.key.task_id + ", trial " +
                                          std::to_string(unit.key.trial) +
                                          " can't be exported: " + why + '.');
  }

  void append_outcome(std::string& out, const Unit& unit, const Outcome& outcome) {
    // The original demands times; a run that has none began at some time.
    const auto time = [this](const std::string& text) {
      return json_string(text.empty() ? created() : text);
    };
    append_member(out, "id", json_string(simulation_id(unit)));
    append_member(out, "task_id", json_string(unit.key.task_id));
    append_member(out, "timestamp", time(outcome.end_time));
    append_member(out, "start_time", time(outcome.start_time));
    append_member(out, "end_time", time(outcome.end_time));
    append_member(out, "duration", real_or_null(outcome.seconds));
    append_member(out, "termination_reason", json_string(outcome.termination));
    append_member(out, "agent_cost", real_or_null(outcome.agent_cost));
    append_member(out, "user_cost", real_or_null(outcome.user_cost));
    append_nulls(out, {"agent_usage"});
    append_member(out, "reward_info", reward_info_of(outcome));
  }

  [[nodiscard]] static std::string reward_info_of(const Outcome& outcome) {
    if (!outcome.reward_info.empty()) return outcome.reward_info;
    if (!outcome.reward) return "null";
    std::string out = "{";
    append_member(out, "reward", real_or_null(outcome.reward));
    append_nulls(out, {"db_check", "env_assertions", "action_checks", "nl_assertions",
                       "communicate_checks", "reward_basis", "reward_breakdown", "info"});
    return out + '}';
  }

  const std::string& created() {
    if (!created_) {
      const auto info = run_.info();
      created_ = info ? info->created : std::string();
    }
    return *created_;
  }

  /// Sound JSON on one line, with what other readers refuse in texts (halves of characters, raw
  /// control characters) replaced.
  [[nodiscard]] Result<std::optional<std::string>> checked(const Unit& unit, std::string text) {
    const auto parsed = parser_.parse(text);
    if (!parsed) return unusable(unit, parsed.error().message);
    ++exported_.units;
    const json::Repairs& repairs = parsed->repairs;
    if (repairs.lone_surrogates + repairs.invalid_utf8 + repairs.control_characters +
                repairs.invalid_escapes >
            0 ||
        text.find('\n') != std::string::npos) {
      text = json::to_json(parsed->root);
    }
    return std::optional<std::string>(std::move(text));
  }

  const RunReader& run_;
  json::Parser parser_;
  Exported exported_;
  std::optional<std::string> created_;
};

std::string player(const PlayerInfo& info, std::initializer_list<std::string_view> nulls,
                   const std::optional<std::string>& guidelines) {
  std::string out = "{";
  append_member(out, "implementation", json_string(info.implementation));
  append_member(out, "llm", string_or_null(info.llm));
  append_member(out, "llm_args", json_or_null(info.llm_args));
  if (guidelines) append_member(out, "global_simulation_guidelines", string_or_null(*guidelines));
  append_nulls(out, nulls);
  return out + '}';
}

std::string info_of(const ArmInfo& arm) {
  std::string out = "{";
  append_member(out, "git_commit", json_string(arm.git_commit));
  append_member(out, "num_trials", std::to_string(arm.num_trials));
  append_member(out, "max_steps", std::to_string(arm.max_steps));
  append_member(out, "max_errors", std::to_string(arm.max_errors));
  append_member(out, "user_info",
                player(arm.user, {"voice_settings", "persona_config"}, arm.user_guidelines));
  append_member(out, "agent_info", player(arm.agent, {"voice_settings"}, std::nullopt));
  std::string environment = "{";
  append_member(environment, "domain_name", json_string(arm.domain));
  append_member(environment, "policy", json_string(arm.policy));
  append_nulls(environment, {"tool_defs"});
  append_member(out, "environment_info", environment + '}');
  append_member(out, "seed", arm.seed ? std::to_string(*arm.seed) : "null");
  append_member(out, "text_streaming_config", R"({"chunk_by":"words","chunk_size":1})");
  append_nulls(out, {"speech_complexity", "audio_native_config", "retrieval_config",
                     "retrieval_config_kwargs"});
  return out + '}';
}

/// What tau2-bench has no member for; unmask reads it.
std::string own_members(const ArmInfo& arm, const RunInfo& run) {
  std::string out = "{";
  append_member(out, "converted_from", json_string(kOrigin));
  append_member(out, "arm", json_string(arm.arm));
  if (!arm.tools.empty()) append_member(out, "tools", arm.tools);
  bool has_harness = false;
  for (const json::RawMember& member :
       json::split_object(arm.identity).value_or(std::vector<json::RawMember>())) {
    if (member.key == "converted_from" || member.key == "arm" || member.key == "tools") continue;
    has_harness = has_harness || member.key == "harness";
    append_member(out, member.key, member.value);
  }
  if (!has_harness) {
    append_member(out, "harness",
                  R"({"name":"unmask","version":)" + json_string(run.version) + '}');
  }
  return out + '}';
}

/// Units by task in the cell's order, tasks that the cell doesn't list behind; then by trial.
void sort_units(std::vector<Unit>& units, const std::vector<TaskText>& tasks) {
  std::map<std::string_view, std::size_t> places;
  for (const TaskText& task : tasks) places.emplace(task.id, places.size());
  const auto place = [&](const Unit& unit) {
    const auto found = places.find(unit.key.task_id);
    return std::pair(found == places.end() ? places.size() : found->second, unit.key.trial);
  };
  std::ranges::stable_sort(units, {}, place);
}

}  // namespace

Result<Exported> export_tau2(const RunReader& run, std::string_view cell, std::string_view arm,
                             const TextSink& sink) {
  const auto info = run.info();
  if (!info) return tl::unexpected<Error>(info.error());
  const auto arms = run.arms();
  if (!arms) return tl::unexpected<Error>(arms.error());
  const auto found = std::ranges::find_if(
      *arms, [&](const ArmInfo& entry) { return entry.cell == cell && entry.arm == arm; });
  if (found == arms->end()) {
    return fail(ErrorCode::invalid_argument, run.path().string() + ": has no arm " +
                                                 std::string(cell) + '/' + std::string(arm) + '.');
  }
  const auto tasks = run.tasks(cell);
  if (!tasks) return tl::unexpected<Error>(tasks.error());
  auto units = run.units(cell, arm);
  if (!units) return tl::unexpected<Error>(units.error());
  sort_units(*units, *tasks);

  std::string text = "{";
  append_member(text, "timestamp", string_or_null(info->created));
  append_member(text, "unmask", own_members(*found, *info));
  append_member(text, "info", info_of(*found));
  append_member(text, "tasks", "[");
  for (std::size_t i = 0; i < tasks->size(); ++i) {
    if (i > 0) text += ",\n";
    text += (*tasks)[i].json;
  }
  text += "]";
  append_member(text, "simulations", "[\n");
  sink(text);
  Exporter exporter(run);
  const std::string policy = policy_of(*found);
  for (const Unit& unit : *units) {
    const bool first = exporter.exported().units == 0;
    const auto simulation = exporter.simulation(unit, policy, "{");
    if (!simulation) return tl::unexpected<Error>(simulation.error());
    const std::optional<std::string>& text_of_unit = *simulation;
    if (!text_of_unit) continue;
    if (!first) sink(",\n");
    sink(*text_of_unit);
  }
  sink("],\"simulation_index\":null}\n");
  return exporter.exported();
}

Result<Exported> export_jsonl(const RunReader& run, const TextSink& sink) {
  const auto arms = run.arms();
  if (!arms) return tl::unexpected<Error>(arms.error());
  std::map<std::pair<std::string, std::string>, std::string> policies;  // by cell and arm
  for (const ArmInfo& arm : *arms) {
    policies.emplace(std::pair(arm.cell, arm.arm), policy_of(arm));
  }
  const auto units = run.units();
  if (!units) return tl::unexpected<Error>(units.error());
  Exporter exporter(run);
  for (const Unit& unit : *units) {
    const auto policy = policies.find(std::pair(unit.key.cell, unit.key.arm));
    if (policy == policies.end()) continue;  // its arm was added while this was read
    std::string begin = "{";
    append_member(begin, "cell", json_string(unit.key.cell));
    append_member(begin, "arm", json_string(unit.key.arm));
    const auto simulation = exporter.simulation(unit, policy->second, std::move(begin));
    if (!simulation) return tl::unexpected<Error>(simulation.error());
    const std::optional<std::string>& line = *simulation;
    if (!line) continue;
    sink(*line);
    sink("\n");
  }
  return exporter.exported();
}

}  // namespace unmask::store
