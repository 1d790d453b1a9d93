// Times the statistics of the paper's grid, 10 cells x 3 arms x 456 episodes, on one core: every
// figure of an audit from rows in memory. bench/run holds the time against its bound.
//
//   statistics_speed [N]   best and median of N audits (default 3), as JSON

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"

namespace {

std::vector<unmask::CellInput> paper_grid() {
  std::vector<unmask::CellInput> cells;
  for (const unmask::synthetic::StudyCell& cell : unmask::synthetic::example_study().cells) {
    unmask::CellInput input;
    input.info.cell = cell.process.cell;
    input.info.domain = cell.process.domain;
    input.info.family = cell.family;
    input.info.architecture = cell.architecture;
    input.info.size = cell.size;
    input.reference = cell.arms.front().name;
    for (const unmask::synthetic::ArmProcess& arm : cell.arms) {
      input.arms.push_back({.facts = unmask::synthetic::simulate_arm(
                                cell.process, arm, unmask::synthetic::kExampleSeed)});
    }
    cells.push_back(std::move(input));
  }
  return cells;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  std::size_t rounds = 3;
  if (words.size() > 1) {
    const std::string_view text = words[1];
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, rounds);
    if (words.size() > 2 || result.ec != std::errc{} || result.ptr != end || rounds == 0) {
      std::cerr << "usage: statistics_speed [N]\n";
      return 2;
    }
  }
  const std::vector<unmask::CellInput> cells = paper_grid();
  std::size_t episodes = 0;
  for (const unmask::CellInput& cell : cells) {
    for (const unmask::ArmInput& arm : cell.arms) episodes += arm.facts.episodes.size();
  }
  std::vector<double> seconds;
  std::size_t comparisons = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    const auto findings = unmask::audit_study(cells, unmask::AuditSettings{});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    seconds.push_back(took.count());
    comparisons = 0;
    for (const unmask::CellFindings& cell : findings->cells) comparisons += cell.comparisons.size();
  }
  std::ranges::sort(seconds);
  std::cout << R"({"best": )" << seconds.front() << R"(, "median": )" << seconds[seconds.size() / 2]
            << R"(, "cells": )" << cells.size() << R"(, "episodes": )" << episodes
            << R"(, "comparisons": )" << comparisons << "}\n";
  return 0;
}
