#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/play/settings.h"
#include "unmask/run/cast.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/run_study.h"
#include "unmask/store/run.h"

namespace unmask::run {

/// One episode to be played: indices into the study's cells, their arms and tasks.
struct PlannedUnit {
  std::uint32_t cell = 0;
  std::uint32_t arm = 0;
  std::uint32_t task = 0;
  int trial = 0;

  bool operator==(const PlannedUnit&) const = default;
};

/// A study with all that its episodes are made from. Does not move once units are played: they
/// point into it.
struct RunPlan {
  RunStudy study;
  std::vector<CellWorld> worlds;             ///< of the study's cells
  std::vector<std::vector<Script>> scripts;  ///< by cell and arm; empty where no agent is scripted

  [[nodiscard]] const CellPlan& cell(const PlannedUnit& unit) const {
    return study.cells[unit.cell];
  }
  [[nodiscard]] const ArmPlan& arm(const PlannedUnit& unit) const {
    return study.cells[unit.cell].arms[unit.arm];
  }
  [[nodiscard]] const CellTask& task(const PlannedUnit& unit) const {
    return worlds[unit.cell].tasks[unit.task];
  }
  [[nodiscard]] Casting casting(std::size_t cell, std::size_t arm) const;
  [[nodiscard]] store::UnitKey key(const PlannedUnit& unit) const;
  [[nodiscard]] std::uint64_t seed(const PlannedUnit& unit) const;
  [[nodiscard]] play::EpisodeSettings settings(const PlannedUnit& unit) const;
  /// Whether a model behind an endpoint takes part, as agent, user or judge.
  [[nodiscard]] bool is_remote(const PlannedUnit& unit) const;
};

/// Loads worlds and scripts and checks that all arms can be cast. `tau2_data`: folder of the
/// official data, or empty. Errors: those of load_worlds, read_script and check_casting.
[[nodiscard]] Result<RunPlan> plan_run(RunStudy study, const std::string& tau2_data);

/// All episodes, trial by trial, in each the tasks, in each the cells' arms beside each other: so
/// that what is done so far compares.
[[nodiscard]] std::vector<PlannedUnit> planned_units(const RunPlan& plan);

/// What the store is told of an arm.
[[nodiscard]] store::ArmInfo arm_info(const RunPlan& plan, std::size_t cell, std::size_t arm);

/// A cell's tasks as the store keeps them.
[[nodiscard]] std::vector<store::TaskText> task_texts(const RunPlan& plan, std::size_t cell);

}  // namespace unmask::run
