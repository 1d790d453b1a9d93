#include "unmask/power/simulated_study.h"

#include "unmask/base/check.h"
#include "unmask/base/rng.h"
#include "unmask/synthetic/process.h"

namespace unmask::power {

CellInput simulate_cell(const synthetic::StudyCell& cell, std::uint64_t seed,
                        std::uint64_t replicate) {
  UNMASK_CHECK(!cell.arms.empty());
  CellInput input{.info = {.cell = cell.process.cell,
                           .family = cell.family,
                           .architecture = cell.architecture,
                           .size = cell.size,
                           .domain = cell.process.domain},
                  .reference = cell.arms.front().name};
  input.arms.reserve(cell.arms.size());
  for (const synthetic::ArmProcess& arm : cell.arms) {
    input.arms.push_back({.facts = simulate_arm(cell.process, arm, seed, replicate)});
  }
  return input;
}

AuditSettings simulation_settings(std::uint32_t sign_flips, std::uint64_t seed,
                                  std::uint64_t replicate) {
  AuditSettings settings;
  settings.details = false;
  settings.sensitivity = false;
  settings.sign_flips = sign_flips;
  settings.seed = Rng(seed, "audit of a simulated study", replicate).next_u64();
  return settings;
}

}  // namespace unmask::power
