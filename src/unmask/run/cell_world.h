#pragma once

#include <memory>
#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/prompt_texts.h"
#include "unmask/run/run_study.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::run {

/// A task that a cell plays.
struct CellTask {
  const world::Task* task = nullptr;           ///< of the cell's world
  std::string json;                            ///< as its file has it
  std::shared_ptr<const simulate::Plan> plan;  ///< of simulated agents; null where there are none
};

/// A cell's world and its tasks, in the order of the world's file.
struct CellWorld {
  std::shared_ptr<const world::World> world;
  std::string state_hash;                          ///< of its databases before any task
  std::shared_ptr<const play::PromptTexts> texts;  ///< what models are told
  std::shared_ptr<const play::StepFinder> steps;   ///< of scripted users; null: users have no tools
  std::vector<CellTask> tasks;
};

/// The worlds of a study's cells, in their order; cells of equal worlds share one. `tau2_data` is
/// the folder of the official data, or empty. Errors: invalid_argument for official tasks without
/// data; bad_input, naming study and cell, for a split or task that isn't there; those of loading.
[[nodiscard]] Result<std::vector<CellWorld>> load_worlds(const RunStudy& study,
                                                         const std::string& tau2_data);

}  // namespace unmask::run
