#include "unmask/run/run_export.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/base/error.h"
#include "unmask/base/toml_text.h"
#include "unmask/output/output_file.h"
#include "unmask/run/run_folder.h"
#include "unmask/run/run_plan.h"
#include "unmask/run/run_study.h"
#include "unmask/store/export_tau2.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/study/study_reader.h"

namespace unmask::run {
namespace {

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

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  return text;
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

/// Of a cell and an arm by position.
using StudyLogs = std::vector<std::vector<ArmLogs>>;

StudyLogs no_logs(const RunStudy& study) {
  StudyLogs logs;
  logs.reserve(study.cells.size());
  for (const CellPlan& cell : study.cells) logs.emplace_back(cell.source.arms.size());
  return logs;
}

/// Writes the logs of a store into `folder`, and their names into `logs`.
Result<void> export_kind(const store::RunReader& reader, const RunStudy& study,
                         const std::filesystem::path& folder, RunKind kind, Packing packing,
                         StudyLogs& logs) {
  const Result<std::vector<store::Unit>> units = reader.units();
  if (!units) return tl::unexpected(units.error());
  std::set<std::pair<std::string_view, std::string_view>> with_units;
  for (const store::Unit& unit : *units) {
    if (unit.state == store::UnitState::done) with_units.emplace(unit.key.cell, unit.key.arm);
  }
  std::set<std::string> taken;
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    const CellSource& cell = study.cells[c].source;
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const std::string& arm = cell.arms[a].name;
      if (!with_units.contains({cell.info.cell, arm})) continue;
      const std::string base = (kind == RunKind::single_turn ? "single-turn/" : "logs/") +
                               file_name(cell.info.cell) + '/' + file_name(arm);
      std::string name = base;
      // Some file systems don't tell capital letters from small ones.
      for (int again = 2; !taken.insert(lower(name)).second; ++again) {
        name = base + '-' + std::to_string(again);
      }
      for (const Packing other : {Packing::none, Packing::gzip, Packing::zstd}) {
        std::error_code ignored;
        const std::string ending(log_ending(other));
        if (other != packing) std::filesystem::remove(folder / (name + ending), ignored);
      }
      name += log_ending(packing);
      const Result<void> done = export_arm(reader, cell.info.cell, arm, folder / name);
      if (!done) return done;
      (kind == RunKind::single_turn ? logs[c][a].single_turn : logs[c][a].episodes) = name;
    }
  }
  return {};
}

/// The study file of `logs`; the number of arms in it.
Result<std::size_t> write_study(const RunStudy& study, const std::filesystem::path& folder,
                                const StudyLogs& logs) {
  Result<OutputFile> output = OutputFile::create(folder / "study.toml", Packing::none);
  if (!output) return tl::unexpected(output.error());
  output->write(
      logs_study(study, [&](std::size_t cell, std::size_t arm) { return logs[cell][arm]; }));
  if (const Result<void> written = output->commit(); !written) {
    return tl::unexpected(written.error());
  }
  std::size_t arms = 0;
  for (const std::vector<ArmLogs>& of_cell : logs) {
    arms += static_cast<std::size_t>(
        std::ranges::count_if(of_cell, [](const ArmLogs& arm) { return !arm.empty(); }));
  }
  return arms;
}

}  // namespace

std::string logs_study(const RunStudy& study,
                       const std::function<ArmLogs(std::size_t, std::size_t)>& logs_of) {
  std::string out = "# Written by unmask run: its logs, for unmask audit --study.\n[study]\n";
  add_line(out, "name", study.name);
  for (std::size_t c = 0; c < study.cells.size(); ++c) {
    const CellSource& cell = study.cells[c].source;
    std::string arms;
    for (std::size_t a = 0; a < cell.arms.size(); ++a) {
      const ArmSource& arm = cell.arms[a];
      const ArmLogs logs = logs_of(c, a);
      if (logs.empty()) continue;
      arms += "\n[[cell.arm]]\n";
      add_line(arms, "name", arm.name);
      add_line(arms, "files", logs.episodes);
      add_line(arms, "single_turn", logs.single_turn);
      add_line(arms, "precision", arm.precision);
      if (cell.reference == arm.name) arms += "reference = true\n";
      if (arm.role == ArmRole::null) arms += "null = true\n";
      const bool has_unrepaired = std::ranges::any_of(cell.arms, [&](const ArmSource& other) {
        return other.name == arm.unrepaired &&
               !logs_of(c, static_cast<std::size_t>(&other - cell.arms.data())).empty();
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

Result<std::size_t> export_logs(const RunStudy& study, const std::filesystem::path& folder,
                                Packing packing) {
  StudyLogs logs = no_logs(study);
  for (const RunKind kind : {RunKind::episodes, RunKind::single_turn}) {
    std::error_code none;
    if (!std::filesystem::exists(store_file(folder, kind), none)) continue;
    const Result<store::RunReader> reader = store::RunReader::open(store_file(folder, kind));
    if (!reader) return tl::unexpected(reader.error());
    const Result<void> exported = export_kind(*reader, study, folder, kind, packing, logs);
    if (!exported) return tl::unexpected(exported.error());
  }
  return write_study(study, folder, logs);
}

Result<std::size_t> export_store(const std::filesystem::path& store,
                                 const std::filesystem::path& folder, Packing packing) {
  const Result<store::RunReader> reader = store::RunReader::open(store);
  if (!reader) return tl::unexpected(reader.error());
  const Result<store::RunInfo> info = reader->info();
  if (!info) return tl::unexpected(info.error());
  const Result<RunStudy> study = parse_run_study(info->study, store.string());
  if (!study) return tl::unexpected(study.error());
  StudyLogs logs = no_logs(*study);
  const Result<void> exported =
      export_kind(*reader, *study, folder, RunKind::episodes, packing, logs);
  if (!exported) return tl::unexpected(exported.error());
  return write_study(*study, folder, logs);
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
