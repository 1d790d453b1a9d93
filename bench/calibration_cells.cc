#include "calibration_cells.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "unmask/base/check.h"
#include "unmask/power/slip_rate.h"

namespace unmask::calibration {
namespace {

using power::slip_rate_for_amplification;
using power::slip_rate_for_call_rate;
using synthetic::ArmProcess;
using synthetic::CellProcess;
using synthetic::StudyCell;

constexpr double kHeadlineRate = 0.20;
constexpr double kHeadlineArmRate = 0.38;

double found(std::optional<double> slip) {
  UNMASK_CHECK(slip.has_value());
  return *slip;
}

StudyCell null_cell(CellProcess process, double call_rate) {
  StudyCell cell{.process = std::move(process)};
  const ArmProcess reference{.slip_rate =
                                 found(slip_rate_for_call_rate(cell.process, {}, call_rate))};
  for (const char* name : {"bf16", "fp8", "int4"}) {
    cell.arms.push_back(reference);
    cell.arms.back().name = name;
    cell.arms.back().precision = name;
  }
  return cell;
}

}  // namespace

StudyCell coverage_cell(double call_rate) {
  StudyCell cell{.process = synthetic::telecom_process("coverage")};
  const CellProcess& process = cell.process;
  ArmProcess reference{.name = "reference",
                       .slip_rate = found(slip_rate_for_call_rate(process, {}, call_rate))};
  ArmProcess same = reference;
  same.name = kSame;
  ArmProcess amplified = reference;
  amplified.name = kAmplified;
  if (call_rate == kHeadlineRate) {
    amplified.slip_rate = found(slip_rate_for_call_rate(process, {}, kHeadlineArmRate));
  } else {
    const double ratio = call_rate < kHeadlineRate ? 2.5 : 1.5;
    amplified.slip_rate = found(slip_rate_for_amplification(process, reference, ratio));
  }
  cell.arms = {reference, same, amplified};
  return cell;
}

std::vector<StudyCell> null_cells() {
  using synthetic::retail_process;
  using synthetic::telecom_process;
  CellProcess few_trapped = telecom_process("telecom 20 %, slips in few tasks");
  few_trapped.trap_shape = 0.3;
  CellProcess few_solved = retail_process("retail 20 %, tasks solved or not");
  few_solved.solve_mean = 0.5;
  few_solved.solve_icc = 0.7;
  return {
      null_cell(telecom_process("telecom 20 %"), kHeadlineRate),
      null_cell(telecom_process("telecom 38 %"), kHeadlineArmRate),
      null_cell(telecom_process("telecom 2 %"), 0.02),
      null_cell(std::move(few_trapped), kHeadlineRate),
      null_cell(telecom_process("telecom 0.3 %"), 0.003),
      null_cell(retail_process("retail 2 %"), 0.02),
      null_cell(retail_process("retail 20 %"), 0.20),
      null_cell(retail_process("retail 38 %"), 0.38),
      null_cell(std::move(few_solved), 0.20),
      null_cell(retail_process("retail 0.3 %"), 0.003),
  };
}

std::vector<StudyCell> headline_cells() {
  std::vector<StudyCell> cells = null_cells();
  StudyCell& headline = cells.front();
  headline.arms.back().slip_rate =
      found(slip_rate_for_call_rate(headline.process, {}, kHeadlineArmRate));
  return cells;
}

std::vector<StudyCell> sized(std::vector<StudyCell> cells, const Design& design) {
  for (StudyCell& cell : cells) {
    cell.process.tasks = design.tasks;
    cell.process.trials = design.trials;
  }
  return cells;
}

}  // namespace unmask::calibration
