#include "unmask/run/run_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/sha256.h"
#include "unmask/output/output_file.h"
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
#include "unmask/store/export_tau2.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"

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
  const std::filesystem::path file = store_file(folder);
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

Result<void> put_study(const RunPlan& plan, store::RunStore& store) {
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
  std::size_t history = task.initial_state ? task.initial_state->message_history.size() : 0;
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

/// A name as part of a path.
std::string file_name(std::string_view name) {
  std::string safe;
  for (const char byte : name) {
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || byte == '-' || byte == '_' || byte == '.';
    safe += plain ? byte : '-';
  }
  if (safe.empty() || safe.front() == '.') safe.insert(0, 1, '-');
  return safe;
}

std::string toml_string(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += byte;
    } else if (code < 0x20 || code == 0x7F) {
      out += "\\u00";
      out += kDigits[code >> 4U];
      out += kDigits[code & 0xFU];
    } else {
      out += byte;
    }
  }
  return out + '"';
}

void add_line(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out += key;
  out += " = ";
  out += toml_string(value);
  out += '\n';
}

std::string_view log_ending(Packing packing) {
  switch (packing) {
    case Packing::none:
      return ".json";
    case Packing::gzip:
      return ".json.gz";
    case Packing::zstd:
      return ".json.zst";
  }
  return {};
}

Result<void> export_arm(const store::RunReader& reader, const std::string& cell,
                        const std::string& arm, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    return fail(ErrorCode::outside, file.parent_path().string() + ": the folder can't be made (" +
                                        error.message() + ")");
  }
  Result<OutputFile> output = OutputFile::create(file, packing_of(file));
  if (!output) return tl::unexpected(output.error());
  const Result<store::Exported> exported =
      store::export_tau2(reader, cell, arm, [&](std::string_view piece) { output->write(piece); });
  if (!exported) return tl::unexpected(exported.error());
  return output->commit();
}

/// The run writes a study.toml of its logs; it must not take the place of somebody else's.
Result<void> check_folder(const RunPlan& plan, const std::filesystem::path& folder) {
  const std::filesystem::path written = folder / "study.toml";
  std::error_code none;
  if (!std::filesystem::exists(written, none)) return {};
  const bool is_input = std::filesystem::equivalent(written, plan.study.path, none);
  if (!is_input && std::filesystem::exists(store_file(folder), none)) return {};
  return fail(ErrorCode::invalid_argument,
              folder.string() + ": holds " +
                  (is_input ? "the study itself" : "a study.toml that no run wrote") +
                  ", which the run would replace by that of its logs; give another folder with -o");
}

}  // namespace

std::filesystem::path store_file(const std::filesystem::path& folder) {
  return folder / "run.sqlite";
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
  Result<RunEnd> end =
      play_remote(plan, remote, *store, models->models, settings, hooks, result.progress);
  if (!end) return tl::unexpected(end.error());
  result.end = std::move(*end);
  if (const Result<void> closed = store->close(); !closed) return tl::unexpected(closed.error());
  return result;
}

std::string logs_study(const RunStudy& study,
                       const std::function<std::string(std::size_t, std::size_t)>& file_of) {
  std::string out = "# Written by unmask run: its logs, for unmask audit --study.\n[study]\n";
  add_line(out, "name", study.name);
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    const CellSource& cell = study.cells[c].source;
    std::string arms;
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const ArmSource& arm = cell.arms[a];
      const std::string file = file_of(c, a);
      if (file.empty()) continue;
      arms += "\n[[cell.arm]]\n";
      add_line(arms, "name", arm.name);
      add_line(arms, "files", file);
      add_line(arms, "precision", arm.precision);
      if (cell.reference == arm.name) arms += "reference = true\n";
      if (arm.role == ArmRole::null) arms += "null = true\n";
      const bool has_unrepaired = std::ranges::any_of(cell.arms, [&](const ArmSource& other) {
        return other.name == arm.unrepaired &&
               !file_of(c, static_cast<std::size_t>(&other - cell.arms.data())).empty();
      });
      if (has_unrepaired) {
        add_line(arms, "repairs", arm.unrepaired);
        add_line(arms, "mode", arm.mode);
      }
    }
    if (arms.empty()) continue;
    out += "\n[[cell]]\n";
    add_line(out, "id", cell.info.cell);
    add_line(out, "family", cell.info.family);
    add_line(out, "architecture", cell.info.architecture);
    add_line(out, "size", cell.info.size);
    add_line(out, "domain", cell.info.domain);
    out += arms;
  }
  return out;
}

namespace {

Result<std::size_t> export_from(const store::RunReader& reader, const RunStudy& study,
                                const std::filesystem::path& folder, Packing packing) {
  const Result<std::vector<store::Unit>> units = reader.units();
  if (!units) return tl::unexpected(units.error());
  std::set<std::pair<std::string_view, std::string_view>> with_episodes;
  for (const store::Unit& unit : *units) {
    if (unit.state == store::UnitState::done) with_episodes.emplace(unit.key.cell, unit.key.arm);
  }
  std::vector<std::vector<std::string>> files(study.cells.size());
  std::set<std::string> taken;
  std::size_t arms = 0;
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    const CellSource& cell = study.cells[c].source;
    for (const ArmSource& arm : cell.arms) {
      std::string& file = files[c].emplace_back();
      if (!with_episodes.contains({cell.info.cell, arm.name})) continue;
      const std::string base = "logs/" + file_name(cell.info.cell) + '/' + file_name(arm.name);
      std::string name = base;
      for (int again = 2; !taken.insert(name).second; ++again) {
        name = base + '-' + std::to_string(again);
      }
      for (const Packing other : {Packing::none, Packing::gzip, Packing::zstd}) {
        std::error_code ignored;
        const std::string ending(log_ending(other));
        if (other != packing) std::filesystem::remove(folder / (name + ending), ignored);
      }
      file = name + std::string(log_ending(packing));
      if (const Result<void> done = export_arm(reader, cell.info.cell, arm.name, folder / file);
          !done) {
        return tl::unexpected(done.error());
      }
      ++arms;
    }
  }
  Result<OutputFile> output = OutputFile::create(folder / "study.toml", Packing::none);
  if (!output) return tl::unexpected(output.error());
  output->write(
      logs_study(study, [&](std::size_t cell, std::size_t arm) { return files[cell][arm]; }));
  if (const Result<void> written = output->commit(); !written) {
    return tl::unexpected(written.error());
  }
  return arms;
}

}  // namespace

Result<std::size_t> export_logs(const RunStudy& study, const std::filesystem::path& folder,
                                Packing packing) {
  const Result<store::RunReader> reader = store::RunReader::open(store_file(folder));
  if (!reader) return tl::unexpected(reader.error());
  return export_from(*reader, study, folder, packing);
}

Result<std::size_t> export_store(const std::filesystem::path& store,
                                 const std::filesystem::path& folder, Packing packing) {
  const Result<store::RunReader> reader = store::RunReader::open(store);
  if (!reader) return tl::unexpected(reader.error());
  const Result<store::RunInfo> info = reader->info();
  if (!info) return tl::unexpected(info.error());
  const Result<RunStudy> study = parse_run_study(info->study, store.string());
  if (!study) return tl::unexpected(study.error());
  return export_from(*reader, *study, folder, packing);
}

Result<std::string> ended_episodes(const std::filesystem::path& store) {
  const Result<store::RunReader> reader = store::RunReader::open(store);
  if (!reader) return tl::unexpected(reader.error());
  const Result<std::vector<store::Unit>> units = reader->units();
  if (!units) return tl::unexpected(units.error());
  std::string ended;
  for (const store::Unit& unit : *units) {
    if (unit.state == store::UnitState::open) continue;
    ended.append(std::to_string(static_cast<std::int64_t>(unit.id)))
        .append(unit.state == store::UnitState::done ? "+" : "-");
    ended.append(std::to_string(unit.attempts)).append(" ");
  }
  return ended;
}

}  // namespace unmask::run
