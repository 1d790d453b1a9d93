#include "unmask/run/run_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/sha256.h"
#include "unmask/play/participant.h"
#include "unmask/run/episode_counts.h"
#include "unmask/run/local_runner.h"
#include "unmask/run/model.h"
#include "unmask/run/remote_runner.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_progress.h"
#include "unmask/run/run_study.h"
#include "unmask/run/runner.h"
#include "unmask/run/study_changes.h"
#include "unmask/run/turn_text.h"
#include "unmask/store/run.h"
#include "unmask/store/run_store.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::run {
namespace {

Result<store::RunStore> open_store(const RunPlan& plan, const std::filesystem::path& folder,
                                   const RunOrigin& origin, store::Durability durability) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return fail(ErrorCode::outside,
                folder.string() + ": the folder can't be made (" + error.message() + ")");
  }
  const std::filesystem::path file = store_file(folder, plan.kind);
  store::StoreOptions options;
  options.durability = durability;
  if (!std::filesystem::exists(file, error)) {
    store::RunInfo info;
    info.study = plan.study.text;
    info.settings = origin.settings;
    info.version = origin.version;
    info.created = origin.created;
    return store::RunStore::create(file, info, options);
  }
  Result<store::RunStore> store = store::RunStore::open(file, options);
  if (!store || store->info().study_hash == sha256_hex(plan.study.text)) return store;
  const Result<RunStudy> before = parse_run_study(store->info().study, plan.study.path);
  std::vector<std::string> changes;
  if (before) {
    changes = forbidden_changes(*before, plan.study);
  } else {
    changes.push_back("the earlier study can't be read by this version of unmask: " +
                      before.error().message);
  }
  if (changes.empty()) return store;
  return fail(ErrorCode::bad_input,
              plan.study.path + ": is not the study that " + folder.string() +
                  " was begun with, and not that study with more trials, tasks or arms: " +
                  joined(changes, "; ") + ". Give it a folder of its own with -o");
}

/// In what the worlds of two arms of a cell differ; empty if they are one. Their tasks are not
/// compared.
std::string world_difference(const store::ArmInfo& left, const store::ArmInfo& right) {
  if (left.domain != right.domain) return "domain";
  if (left.policy != right.policy) return "policy";
  if (left.tools != right.tools) return "tools";
  const auto hash = [](const store::ArmInfo& arm) {
    const Result<world::Value> identity = world::parse_json(arm.identity);
    const world::Value* found = identity ? identity->find("initial_state_hash") : nullptr;
    return found == nullptr || !found->is_string() ? std::string() : *found->string();
  };
  return hash(left) == hash(right) ? "" : "initial state of its databases";
}

/// Before anything is added: whether the cells' worlds are those that the store's arms played in.
Result<void> check_worlds(const RunPlan& plan, const store::RunStore& store) {
  for (std::size_t c = 0; c < plan.study.cells.size(); ++c) {
    if (plan.study.cells[c].arms.empty()) continue;
    const store::ArmInfo now = arm_info(plan, c, 0);
    for (const store::ArmInfo& before : store.arms()) {
      if (before.cell != now.cell) continue;
      const std::string differs = world_difference(before, now);
      if (differs.empty()) continue;
      return fail(ErrorCode::bad_input,
                  plan.study.path + ": cell " + now.cell + ": its world is not the one in which " +
                      store.path().string() + " was begun: another " + differs +
                      ". Give --tau2-data the folder of then, or the run another one with -o");
    }
  }
  return {};
}

Result<void> put_study(const RunPlan& plan, store::RunStore& store) {
  if (Result<void> same = check_worlds(plan, store); !same) return same;
  for (std::size_t c = 0; c < plan.study.cells.size(); ++c) {
    const CellPlan& cell = plan.study.cells[c];
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      if (Result<void> put = store.put_arm(arm_info(plan, c, a)); !put) return put;
    }
    if (Result<void> put = store.put_tasks(cell.source.info.cell, task_texts(plan, c)); !put) {
      return put;
    }
  }
  return {};
}

/// Counts of a unit that an earlier process played.
Result<EpisodeCounts> earlier_counts(const RunPlan& plan, const PlannedUnit& unit, store::UnitId id,
                                     store::RunStore& store) {
  const Result<std::vector<store::Turn>> turns = store.read_turns(id);
  if (!turns) return tl::unexpected(turns.error());
  const world::Task& task = *plan.task(unit).task;
  std::size_t history =
      task.initial_state && !unit.state ? task.initial_state->message_history.size() : 0;
  std::vector<world::Message> messages;
  EpisodeCounts tokens;
  for (const store::Turn& turn : *turns) {
    if (turn.response) {
      tokens.add({turn.response->prompt_tokens, turn.response->completion_tokens});
    }
    if (turn.kind == store::TurnKind::aside) continue;
    if (history > 0) {
      --history;
      continue;
    }
    Result<play::SentMessage> message = message_of(turn);
    if (!message) return tl::unexpected(message.error());
    messages.push_back(std::move(message->message));
  }
  EpisodeCounts counts = count_calls(messages, plan.worlds[unit.cell].world->setup(),
                                     plan.cell(unit).user == UserKind::none);
  counts.prompt_tokens = tokens.prompt_tokens;
  counts.completion_tokens = tokens.completion_tokens;
  return counts;
}

/// What is left to be played.
struct Remaining {
  std::vector<PlannedUnit> local;
  std::vector<PlannedUnit> remote;
};

Result<Remaining> remaining_units(const RunPlan& plan, store::RunStore& store,
                                  RunProgress& progress) {
  std::vector<std::size_t> first_arm;
  for (const CellPlan& cell : plan.study.cells) {
    first_arm.push_back(progress.arms.size());
    for (const ArmSource& arm : cell.source.arms) {
      ArmProgress so_far;
      so_far.cell = cell.source.info.cell;
      so_far.arm = arm.name;
      progress.arms.push_back(std::move(so_far));
    }
  }
  Remaining remaining;
  std::vector<PlannedUnit> begun;  // by a process that ended before them: they come first
  for (const PlannedUnit& unit : planned_units(plan)) {
    ++progress.planned;
    ArmProgress& arm = progress.arms[first_arm[unit.cell] + unit.arm];
    ++arm.planned;
    const std::optional<store::Unit> known = store.find(plan.key(unit));
    if (known && known->seed != static_cast<std::int64_t>(plan.seed(unit))) {
      const store::UnitKey key = plan.key(unit);
      return fail(ErrorCode::bad_input,
                  store.path().string() + ": task " + key.task_id + ", trial " +
                      std::to_string(key.trial) + " of " + key.cell + " " + key.arm +
                      " was played with another seed than the study now gives it, as after a "
                      "change of the arm's role; give another folder with -o");
    }
    if (known && known->state == store::UnitState::done) {
      const Result<EpisodeCounts> counts = earlier_counts(plan, unit, known->id, store);
      if (!counts) return tl::unexpected(counts.error());
      store::Outcome outcome;
      outcome.reward = known->reward;
      arm.add(outcome, *counts);
      ++progress.earlier;
      ++progress.done;
    } else if (!plan.is_remote(unit)) {
      remaining.local.push_back(unit);
    } else {
      (known ? begun : remaining.remote).push_back(unit);
    }
  }
  remaining.remote.insert(remaining.remote.begin(), begun.begin(), begun.end());
  return remaining;
}

/// The run writes a study.toml of its logs; it must not take the place of somebody else's.
Result<void> check_folder(const RunPlan& plan, const std::filesystem::path& folder) {
  const std::filesystem::path written = folder / "study.toml";
  std::error_code none;
  if (!std::filesystem::exists(written, none)) return {};
  const bool is_input = std::filesystem::equivalent(written, plan.study.path, none);
  const bool has_store = std::filesystem::exists(store_file(folder), none) ||
                         std::filesystem::exists(store_file(folder, RunKind::single_turn), none);
  if (!is_input && has_store) return {};
  return fail(ErrorCode::invalid_argument,
              folder.string() + ": holds " +
                  (is_input ? "the study itself" : "a study.toml that no run wrote") +
                  ", which the run would replace by that of its logs; give another folder with -o");
}

}  // namespace

std::filesystem::path store_file(const std::filesystem::path& folder, RunKind kind) {
  return folder / (kind == RunKind::single_turn ? "single-turn.sqlite" : "run.sqlite");
}

Result<RunResult> run_study(const RunPlan& plan, const std::filesystem::path& folder,
                            const RunOrigin& origin, const OpenModels& open_models,
                            const RunnerSettings& settings, const RunnerHooks& hooks) {
  if (Result<void> usable = check_folder(plan, folder); !usable) {
    return tl::unexpected(usable.error());
  }
  RunResult result;
  std::vector<PlannedUnit> remote;
  {
    Result<store::RunStore> store = open_store(plan, folder, origin, store::Durability::batched);
    if (!store) return tl::unexpected(store.error());
    if (const Result<void> put = put_study(plan, *store); !put) return tl::unexpected(put.error());
    Result<Remaining> remaining = remaining_units(plan, *store, result.progress);
    if (!remaining) return tl::unexpected(remaining.error());
    remote = std::move(remaining->remote);
    result.progress.remote_planned = remote.size();
    if (!remaining->local.empty()) {
      Result<RunEnd> end =
          play_local(plan, remaining->local, *store, settings, hooks, result.progress);
      if (!end) return tl::unexpected(end.error());
      result.end = std::move(*end);
    }
    if (const Result<void> closed = store->close(); !closed) return tl::unexpected(closed.error());
  }
  if (remote.empty() || result.end.interrupted) return result;

  Result<Models> models = open_models();
  if (!models) return tl::unexpected(models.error());
  Result<store::RunStore> store = open_store(plan, folder, origin, store::Durability::each_call);
  if (!store) return tl::unexpected(store.error());
  result.progress.playing_remote = true;
  Result<RunEnd> end =
      play_remote(plan, remote, *store, models->models, settings, hooks, result.progress);
  if (!end) return tl::unexpected(end.error());
  result.end = std::move(*end);
  if (const Result<void> closed = store->close(); !closed) return tl::unexpected(closed.error());
  return result;
}

}  // namespace unmask::run
