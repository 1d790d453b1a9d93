#include "unmask/synthetic/example_study.h"

#include <string>
#include <string_view>
#include <utility>

#include "unmask/synthetic/process.h"

namespace unmask::synthetic {
namespace {

// Slip rates of the telecom cells. At the first an agent makes up a name in every fifth call or so.
constexpr double kHighSlip = 0.0648;
constexpr double kHeadlineSlip = 0.279;  // 2.5 times the errors
constexpr double kLouderSlip = 0.1;      // 1.4 times the errors
constexpr double kRareSlip = 0.001;      // in every 250th call

struct Model {
  std::string_view family;
  std::string_view architecture;
  std::string_view size;
  std::string_view name;
};
constexpr Model kGemmaDense = {"gemma-like", "dense", "27B", "gemma-like-dense"};
constexpr Model kGemmaMoe = {"gemma-like", "moe", "26B-A4B", "gemma-like-moe"};
constexpr Model kQwenDense = {"qwen-like", "dense", "32B", "qwen-like-dense"};
constexpr Model kQwenMoe = {"qwen-like", "moe", "30B-A3B", "qwen-like-moe"};
constexpr Model kSmallDense = {"small-like", "dense", "4B", "small-like-dense"};
constexpr Model kLlamaDense = {"llama-like", "dense", "8B", "llama-like-dense"};

using MakeProcess = CellProcess (*)(std::string);

StudyCell cell_of(const Model& model, MakeProcess make, double solve_mean, double reference_slip,
                  ArmProcess int4, std::string truth) {
  StudyCell cell;
  cell.process = make("");
  cell.process.model = model.name;
  cell.process.cell = std::string(model.name).append("/").append(cell.process.domain);
  cell.process.solve_mean = solve_mean;
  cell.family = model.family;
  cell.architecture = model.architecture;
  cell.size = model.size;
  cell.truth = std::move(truth);
  int4.name = "int4";
  int4.precision = "int4";
  cell.arms = {{.name = "bf16", .precision = "bf16", .slip_rate = reference_slip},
               {.name = "fp8", .precision = "fp8", .slip_rate = reference_slip},
               std::move(int4)};
  return cell;
}

StudyCell unharmed_cell(const Model& model, MakeProcess make, double solve_mean, double slip,
                        std::string truth) {
  return cell_of(model, make, solve_mean, slip, {.slip_rate = slip}, std::move(truth));
}

}  // namespace

StudyCell headline_cell() {
  return cell_of(kGemmaDense, telecom_process, 0.671, kHighSlip,
                 {.slip_rate = kHeadlineSlip, .novel_share = 0.0018}, "masked damage in int4");
}

StudyProcess example_study() {
  StudyProcess study;
  study.name = "simulated example study";
  study.cells = {
      headline_cell(),
      unharmed_cell(kGemmaDense, retail_process, 0.70, 0.004, "no effect, base rate near zero"),
      cell_of(kGemmaMoe, telecom_process, 0.63, kHighSlip, {.slip_rate = kLouderSlip},
              "slightly amplified in int4"),
      unharmed_cell(kGemmaMoe, retail_process, 0.66, 0.012, "no effect, low base rate"),
      unharmed_cell(kQwenDense, telecom_process, 0.73, kRareSlip, "no effect, base rate near zero"),
      unharmed_cell(kQwenDense, retail_process, 0.76, 0.006, "no effect, base rate near zero"),
      unharmed_cell(kQwenMoe, telecom_process, 0.68, kRareSlip, "no effect, base rate near zero"),
      unharmed_cell(kQwenMoe, retail_process, 0.72, 0.008, "no effect, base rate near zero"),
      cell_of(kSmallDense, telecom_process, 0.55, kHighSlip,
              {.slip_rate = 0.0972, .solve_shift = -0.14}, "visible damage in int4"),
      unharmed_cell(kLlamaDense, telecom_process, 0.60, kHighSlip, "no effect at a high base rate"),
  };
  return study;
}

}  // namespace unmask::synthetic
