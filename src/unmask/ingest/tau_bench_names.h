#pragma once

#include <string>
#include <string_view>

namespace unmask {

/// What the name of a tau-bench results file, and of the folder it is in, tell of the run: the file
/// itself holds none of it. Parts that the name does not tell are empty.
struct TauBenchRun {
  std::string model;
  std::string agent;  ///< strategy: `tool-calling`, `act`, `react` ...
  std::string temperature;
  std::string user_model;
  std::string user;  ///< strategy of the simulated user: `llm`, `react` ...

  bool operator==(const TauBenchRun&) const = default;
};

/// Reads `tool-calling-MODEL-0.0_range_0--1_user-MODEL-llm_0717023520.json`, tau-bench's own form,
/// and what people make of it: `MODEL-airline.json`, `MODEL/airline-temperature-0.0.json`.
[[nodiscard]] TauBenchRun tau_bench_run_of(std::string_view path);

}  // namespace unmask
