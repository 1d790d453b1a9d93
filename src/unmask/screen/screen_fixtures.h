#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask::screen::fixtures {

/// An episode: its outcome and its agent's calls, `.` one that succeeds, a letter one that fails:
/// n tool_name, a arguments, e entity; capitals are the user's.
struct Row {
  int task = 0;
  bool success = true;
  std::string calls;
};

inline CallFacts call_of(char sign) {
  CallFacts call;
  call.party = sign >= 'A' && sign <= 'Z' ? Party::user : Party::agent;
  const char small = call.party == Party::user ? static_cast<char>(sign - 'A' + 'a') : sign;
  call.failed = sign != '.';
  if (small == 'a') call.channel = Channel::arguments;
  if (small == 'e') call.channel = Channel::entity;
  if (small == 'n') call.channel = Channel::tool_name;
  return call;
}

/// `k_obs` 0: not censored.
inline ArmFacts arm_of(const std::vector<Row>& rows, int k_obs = 10) {
  ArmFacts arm;
  arm.name = "bf16";
  arm.cell = "cell";
  arm.kinds.intern("");
  arm.names.intern("look_up");
  if (k_obs > 0) arm.budget = {.nominal = k_obs, .enforced = k_obs, .known = true};
  for (const Row& row : rows) {
    while (static_cast<int>(arm.tasks.size()) <= row.task) {
      const std::string id = std::to_string(arm.tasks.size());
      arm.tasks.push_back({.id = id, .key = id});
    }
    EpisodeFacts episode;
    episode.task = static_cast<std::uint32_t>(row.task);
    episode.success = row.success;
    episode.reward = row.success ? 1.0 : 0.0;
    episode.termination = Termination::user_stop;
    std::uint32_t message = 0;
    for (const char sign : row.calls) {
      episode.calls.push_back(call_of(sign));
      episode.calls.back().message = message++;
    }
    arm.episodes.push_back(std::move(episode));
  }
  return arm;
}

/// `tasks` tasks of two trials: a solved one with `solved`, and one with `other`, solved too where
/// the task's number is even.
inline ArmFacts repeated(int tasks, const std::string& solved, const std::string& other,
                         int k_obs = 10) {
  std::vector<Row> rows;
  for (int i = 0; i < tasks; ++i) {
    rows.push_back({.task = i, .success = true, .calls = solved});
    rows.push_back({.task = i, .success = i % 2 == 0, .calls = other});
  }
  return arm_of(rows, k_obs);
}

}  // namespace unmask::screen::fixtures
