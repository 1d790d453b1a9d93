#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/play/settings.h"
#include "unmask/run/cast.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/run_study.h"
#include "unmask/store/run.h"

namespace unmask::run {

/// What a run makes of a study.
enum class RunKind : std::uint8_t {
  episodes,
  single_turn,  ///< first calls at the states of perfect runs
};

/// One episode, or one first call, to be played: indices into the study's cells, their arms and
/// tasks.
struct PlannedUnit {
  std::uint32_t cell = 0;
  std::uint32_t arm = 0;
  std::uint32_t task = 0;
  int trial = 0;
  /// Of a first call: golden actions that are done; nullopt: an episode.
  std::optional<std::uint32_t> state;

  bool operator==(const PlannedUnit&) const = default;
};

/// A study with all that its episodes are made from. Does not move once units are played: they
/// point into it.
struct RunPlan {
  RunStudy study;
  std::vector<CellWorld> worlds;             ///< of the study's cells
  std::vector<std::vector<Script>> scripts;  ///< by cell and arm; empty where no agent is scripted
  RunKind kind = RunKind::episodes;
  /// Of a single-turn run, by cell and task: how many states there are (play::count_golden_states).
  std::vector<std::vector<std::uint32_t>> states;

  [[nodiscard]] const CellPlan& cell(const PlannedUnit& unit) const {
    return study.cells[unit.cell];
  }
  [[nodiscard]] const ArmPlan& arm(const PlannedUnit& unit) const {
    return study.cells[unit.cell].arms[unit.arm];
  }
  [[nodiscard]] const CellTask& task(const PlannedUnit& unit) const {
    return worlds[unit.cell].tasks[unit.task];
  }
  [[nodiscard]] bool is_single_turn() const { return kind == RunKind::single_turn; }
  [[nodiscard]] Casting casting(std::size_t cell, std::size_t arm) const;
  [[nodiscard]] store::UnitKey key(const PlannedUnit& unit) const;
  /// By which the store tells units of a task apart: the trial; of first calls trial and state.
  [[nodiscard]] int number_of(const PlannedUnit& unit) const;
  [[nodiscard]] std::uint64_t seed(const PlannedUnit& unit) const;
  [[nodiscard]] play::EpisodeSettings settings(const PlannedUnit& unit) const;
  /// Whether a model behind an endpoint takes part, as agent, user or judge.
  [[nodiscard]] bool is_remote(const PlannedUnit& unit) const;
};

/// Loads worlds and scripts and checks that all arms can be cast. `tau2_data`: folder of the
/// official data, or empty. Errors: those of load_worlds, read_script and check_casting.
[[nodiscard]] Result<RunPlan> plan_run(RunStudy study, const std::string& tau2_data);

/// Makes `plan` one of first calls: finds the states of its tasks. Errors: bad_input where no task
/// of the study has one.
[[nodiscard]] Result<void> plan_single_turn(RunPlan& plan);

/// Whether a single-turn run asks an arm: not one that is a null arm, or that repairs another,
/// whose help comes after a call that fails.
[[nodiscard]] bool has_single_turn(const ArmSource& arm);

/// All episodes, trial by trial, in each the tasks, in each the cells' arms beside each other: so
/// that what is done so far compares.
[[nodiscard]] std::vector<PlannedUnit> planned_units(const RunPlan& plan);

/// Whether a unit ended only because its agent's script is not one for the whole task; `problem` is
/// why it ended. Errors: bad_input, naming script and task; to play it again would change nothing.
[[nodiscard]] Result<void> check_script_end(const RunPlan& plan, const PlannedUnit& unit,
                                            std::string_view problem);

/// What the store is told of an arm.
[[nodiscard]] store::ArmInfo arm_info(const RunPlan& plan, std::size_t cell, std::size_t arm);

/// A cell's tasks as the store keeps them.
[[nodiscard]] std::vector<store::TaskText> task_texts(const RunPlan& plan, std::size_t cell);

}  // namespace unmask::run
