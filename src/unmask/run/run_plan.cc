#include "unmask/run/run_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/local/gguf_file.h"
#include "unmask/play/golden_state.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/scripted.h"
#include "unmask/play/settings.h"
#include "unmask/run/cast.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/judge_request.h"
#include "unmask/run/run_study.h"
#include "unmask/run/unit_seed.h"
#include "unmask/store/run.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/outcome.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

world::List tool_list(const world::Toolkit& tools) {
  world::List list;
  for (const world::Tool& tool : tools.tools) list.push_back(world::openai_tool(tool));
  return list;
}

/// The arguments by which a model is asked, as tau2-bench's `llm_args`.
std::string llm_args(const EndpointPlan& endpoint) {
  world::Object args;
  if (endpoint.temperature) args.set("temperature", *endpoint.temperature);
  if (endpoint.max_tokens) args.set("max_tokens", std::int64_t{*endpoint.max_tokens});
  if (!endpoint.extra_body.empty()) {
    const Result<world::Value> body = world::parse_json(endpoint.extra_body);
    if (body) args.set("extra_body", *body);
  }
  if (endpoint.text_protocol) args.set("text_protocol", true);
  if (!endpoint.begins.empty()) args.set("begins", endpoint.begins);
  return world::dump_json(args);
}

store::PlayerInfo agent_player(const RunPlan& plan, std::size_t cell, std::size_t arm) {
  const CellPlan& of_cell = plan.study.cells[cell];
  const ArmPlan& of_arm = of_cell.arms[arm];
  const bool solo = of_cell.user == UserKind::none;
  switch (of_arm.agent) {
    case AgentKind::llm: {
      const EndpointPlan& endpoint = *plan.study.find_endpoint(of_arm.endpoint);
      const play::AgentKind kind = solo ? play::AgentKind::solo : play::AgentKind::plain;
      return {std::string(play::name_of(kind)), endpoint.model, llm_args(endpoint)};
    }
    case AgentKind::oracle:
      return {"unmask_oracle", "", ""};
    case AgentKind::scripted:
      return {"unmask_script", "", ""};
    case AgentKind::simulated: {
      world::Object args;
      if (of_arm.margin_sd) args.set("margin_sd", *of_arm.margin_sd);
      return {"unmask_simulated", of_arm.model, world::dump_json(args)};
    }
  }
  return {};
}

store::PlayerInfo user_player(const RunPlan& plan, std::size_t cell) {
  const CellPlan& of_cell = plan.study.cells[cell];
  switch (of_cell.user) {
    case UserKind::llm: {
      const EndpointPlan& endpoint = *plan.study.find_endpoint(of_cell.user_endpoint);
      return {"user_simulator", endpoint.model, llm_args(endpoint)};
    }
    case UserKind::scripted:
      return {"unmask_scripted_user", "", ""};
    case UserKind::none:
      return {"dummy_user", "", ""};
  }
  return {};
}

/// The units of all arms at the cell, task and trial of `unit`.
void add_units(const RunPlan& plan, PlannedUnit unit, std::vector<PlannedUnit>& units) {
  const std::vector<ArmSource>& arms = plan.cell(unit).source.arms;
  const std::uint32_t states = plan.is_single_turn() ? plan.states[unit.cell][unit.task] : 1;
  for (std::uint32_t state = 0; state < states; ++state) {
    for (std::uint32_t arm = 0; arm < arms.size(); ++arm) {
      if (plan.is_single_turn() && !has_single_turn(arms[arm])) continue;
      unit.arm = arm;
      if (plan.is_single_turn()) unit.state = state;
      units.push_back(unit);
    }
  }
}

/// What a model in the process is, by its file.
void add_gguf(const local::GgufFile& file, bool with_precision, world::Object& identity) {
  if (with_precision) identity.set("precision", local::main_type(file));
  identity.set("quantization_method", "gguf " + local::precision_text(file));
  identity.set("engine", "llama.cpp in the process");
  identity.set("grammar_constrained", "no");
  if (!file.chat_template.empty()) {
    identity.set("chat_template_hash", sha256_hex(file.chat_template));
  }
}

}  // namespace

Casting RunPlan::casting(std::size_t cell, std::size_t arm) const {
  const CellPlan& of_cell = study.cells[cell];
  const ArmSource& source = of_cell.source.arms[arm];
  const auto writes_text = [this](const std::string& endpoint) {
    const EndpointPlan* found = study.find_endpoint(endpoint);
    return found != nullptr && found->text_protocol;
  };
  return {.cell = &of_cell,
          .world = &worlds[cell],
          .arm = &of_cell.arms[arm],
          .precision = source.precision.empty() ? std::string_view(source.name)
                                                : std::string_view(source.precision),
          .script = scripts.empty() ? nullptr : &scripts[cell][arm],
          .agent_writes_text = writes_text(of_cell.arms[arm].endpoint),
          .user_writes_text = writes_text(of_cell.user_endpoint),
          .study_seed = study.seed};
}

store::UnitKey RunPlan::key(const PlannedUnit& unit) const {
  const CellSource& source = cell(unit).source;
  return {.cell = source.info.cell,
          .arm = source.arms[unit.arm].name,
          .task_id = task(unit).task->id,
          .trial = number_of(unit)};
}

int RunPlan::number_of(const PlannedUnit& unit) const {
  if (!unit.state) return unit.trial;
  // Dense, and the same whatever the number of trials is.
  return unit.trial * static_cast<int>(states[unit.cell][unit.task]) +
         static_cast<int>(*unit.state);
}

std::uint64_t RunPlan::seed(const PlannedUnit& unit) const {
  const CellSource& source = cell(unit).source;
  return unit_seed({.study_seed = study.seed,
                    .cell = source.info.cell,
                    .task = task(unit).task->id,
                    .trial = unit.trial,
                    .null_arm = source.arms[unit.arm].role == ArmRole::null});
}

play::EpisodeSettings RunPlan::settings(const PlannedUnit& unit) const {
  play::EpisodeSettings settings = study.episode;
  settings.solo = cell(unit).user == UserKind::none;
  settings.seed = seed(unit);
  return settings;
}

bool RunPlan::is_remote(const PlannedUnit& unit) const {
  if (arm(unit).agent == AgentKind::llm) return true;
  if (unit.state) return false;  // its user is a script, and nobody judges words
  if (cell(unit).user == UserKind::llm) return true;
  return !study.judge.empty() && judged_assertions(*task(unit).task) != nullptr;
}

Result<RunPlan> plan_run(RunStudy study, const std::string& tau2_data) {
  RunPlan plan;
  Result<std::vector<CellWorld>> worlds = load_worlds(study, tau2_data);
  if (!worlds) return tl::unexpected(worlds.error());
  plan.worlds = std::move(*worlds);
  plan.study = std::move(study);
  for (std::size_t c = 0; c < plan.study.cells.size(); ++c) {
    const CellPlan& cell = plan.study.cells[c];
    std::vector<Script>& scripts = plan.scripts.emplace_back(cell.arms.size());
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      if (cell.arms[a].agent == AgentKind::scripted) {
        Result<Script> script = read_script(cell.arms[a].script);
        if (!script) return tl::unexpected(script.error());
        scripts[a] = std::move(*script);
      }
      if (const Result<void> checked = check_casting(plan.casting(c, a)); !checked) {
        return tl::unexpected(
            Error{checked.error().code, plan.study.path + ": " + checked.error().message});
      }
    }
  }
  return plan;
}

Result<void> plan_single_turn(RunPlan& plan) {
  plan.kind = RunKind::single_turn;
  plan.states.clear();
  bool any = false;
  for (std::size_t c = 0; c < plan.worlds.size(); ++c) {
    const CellWorld& world = plan.worlds[c];
    const bool solo = plan.study.cells[c].user == UserKind::none;
    std::vector<std::uint32_t>& states = plan.states.emplace_back();
    for (const CellTask& task : world.tasks) {
      const world::Outcome<std::size_t> count =
          play::count_golden_states(*world.world, *task.task, solo, world.steps.get());
      states.push_back(static_cast<std::uint32_t>(count.value_or(0)));
      any = any || states.back() > 0;
    }
  }
  if (any) return {};
  return fail(ErrorCode::bad_input,
              plan.study.path +
                  ": no task has golden actions at whose states a first call could be asked for; "
                  "leave --single-turn out, or choose other tasks");
}

bool has_single_turn(const ArmSource& arm) { return arm.role == ArmRole::compared; }

std::vector<PlannedUnit> planned_units(const RunPlan& plan) {
  std::size_t most_tasks = 0;
  for (const CellWorld& world : plan.worlds) most_tasks = std::max(most_tasks, world.tasks.size());
  std::vector<PlannedUnit> units;
  for (int trial = 0; trial < plan.study.trials; ++trial) {
    for (std::size_t task = 0; task < most_tasks; ++task) {
      for (std::size_t cell = 0; cell < plan.study.cells.size(); ++cell) {
        if (task >= plan.worlds[cell].tasks.size()) continue;
        add_units(plan,
                  {.cell = static_cast<std::uint32_t>(cell),
                   .arm = 0,
                   .task = static_cast<std::uint32_t>(task),
                   .trial = trial,
                   .state = {}},
                  units);
      }
    }
  }
  return units;
}

Result<void> check_script_end(const RunPlan& plan, const PlannedUnit& unit,
                              std::string_view problem) {
  const ArmPlan& arm = plan.arm(unit);
  if (arm.agent != AgentKind::scripted) return {};
  const bool ran_out = problem == play::kNoMoreMessages;
  if (!ran_out && problem != play::kSoloNeedsCalls) return {};
  const store::UnitKey key = plan.key(unit);
  return fail(
      ErrorCode::bad_input,
      arm.script + ": [" + key.task_id + "]: " +
          (ran_out ? "the script ends before the episode does; add messages"
                   : "in solo mode each message needs tool calls; add them (done ends it)") +
          " (cell " + key.cell + ", arm " + key.arm + ", trial " + std::to_string(unit.trial) +
          ")");
}

store::ArmInfo arm_info(const RunPlan& plan, std::size_t cell, std::size_t arm) {
  const CellPlan& of_cell = plan.study.cells[cell];
  const ArmSource& source = of_cell.source.arms[arm];
  const world::EnvironmentSetup& setup = plan.worlds[cell].world->setup();
  const bool solo = of_cell.user == UserKind::none;
  store::ArmInfo info;
  info.cell = of_cell.source.info.cell;
  info.arm = source.name;
  info.domain = setup.domain;
  info.agent = agent_player(plan, cell, arm);
  info.user = user_player(plan, cell);
  info.policy = solo ? setup.policy_solo : setup.policy;
  world::List tools = tool_list(setup.agent);
  world::Object identity;
  if (!source.precision.empty()) identity.set("precision", source.precision);
  const EndpointPlan* const endpoint = plan.study.find_endpoint(of_cell.arms[arm].endpoint);
  if (endpoint != nullptr && endpoint->gguf_file) {
    add_gguf(*endpoint->gguf_file, source.precision.empty(), identity);
  }
  if (setup.user) {
    world::List user_tools = tool_list(*setup.user);
    if (solo) {
      tools.insert(tools.end(), user_tools.begin(), user_tools.end());
    } else {
      identity.set("user_tools", std::move(user_tools));
    }
  }
  identity.set("tools_complete", true);
  identity.set("initial_state_hash", plan.worlds[cell].state_hash);
  info.tools = world::dump_json(tools);
  if (of_cell.user == UserKind::llm) info.user_guidelines = plan.worlds[cell].texts->user;
  info.num_trials = plan.study.trials;
  info.max_steps = plan.study.episode.max_steps;
  info.max_errors = plan.study.episode.max_errors;
  info.seed = static_cast<std::int64_t>(plan.study.seed);
  info.identity = world::dump_json(identity);
  return info;
}

std::vector<store::TaskText> task_texts(const RunPlan& plan, std::size_t cell) {
  std::vector<store::TaskText> texts;
  const std::vector<CellTask>& tasks = plan.worlds[cell].tasks;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    // A task without a state has no first call, and nothing is missing of it.
    if (plan.is_single_turn() && plan.states[cell][i] == 0) continue;
    texts.push_back({tasks[i].task->id, tasks[i].json});
  }
  return texts;
}

}  // namespace unmask::run
