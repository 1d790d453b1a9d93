#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask::synthetic {

/// A tool name that a simulated agent makes up, and how likely it is among such names.
struct HallucinatedName {
  std::string name;
  double weight = 1.0;  ///< > 0; relative to the other names of the list
  std::string kind =
      "invented";  ///< provenance, as diagnose words it: `wrong_owner`, `near_miss` ...

  bool operator==(const HallucinatedName&) const = default;
};

/// How the failed calls of a cell divide among the channels. Shares, summing to 1.
struct ChannelMix {
  double tool_name = 0.98;
  double arguments = 0.007;
  double entity = 0.013;
  double precondition = 0.0;

  bool operator==(const ChannelMix&) const = default;
};

/// How episodes of one cell (a model in a domain) come about, whatever the precision. The defaults
/// describe a dual-control domain with a high rate of hallucinated tool names.
///
/// 1. Task i has a solve probability p_i ~ Beta(solve_mean, solve_icc) and a trap level
///    g_i ~ Gamma(trap_shape, mean 1). Every arm meets the same ones: arms pair by task.
/// 2. An episode would be solved, z = 1, with probability p_i + solve_shift of the arm. It takes
///    1 + Poisson(extra calls) productive calls, more when it is not solved: failing episodes
///    wander. Its factor e ~ Gamma(episode_shape, mean 1) makes errors cluster within episodes.
/// 3. Before a productive call a run of failed calls starts with probability
///    1 - exp(-slip_rate * e * (g_i if z = 1, unsolved_trap if z = 0)). After each failed call the
///    next one succeeds with probability `recovery`, in every arm; that success is the productive
///    call. A run keeps its channel; names are drawn call by call.
/// 4. After a productive call the user makes Poisson(user_calls) calls of their own.
/// 5. The episode stops as failed when its `max_errors`-th failed call happens, either party's.
///    Otherwise it succeeds if z = 1.
///
/// So a larger slip rate uses up the budget and leaves z alone: a score at a large budget hides it.
struct CellProcess {
  std::string cell = "cell";       ///< part of every random stream's name
  std::string model = "model";     ///< family and size as the log's model name has it
  std::string domain = "telecom";  ///< `telecom` or `retail`: decides the tools (world_texts.h)
  int tasks = 114;                 ///< >= 1
  int trials = 4;                  ///< per task, >= 1
  int max_errors = 10;             ///< the budget K, >= 1
  double solve_mean = 0.671;       ///< in (0, 1)
  double solve_icc = 0.4;          ///< intra-task correlation of z, in [0, 1); 0 = all tasks alike
  double trap_shape = 0.969;       ///< > 0; small = few tasks hold most of the slips
  double episode_shape = 2.832;    ///< > 0
  double solved_extra_calls = 3.93;     ///< mean, >= 0
  double unsolved_extra_calls = 8.404;  ///< mean, >= 0
  double unsolved_trap = 3.726;         ///< >= 0
  double recovery = 0.55;               ///< in (0, 1]
  double user_calls = 3.0 / 4.93;  ///< mean after a productive call, >= 0; 0 = users have no tools
  double user_failure = 0.005;     ///< probability that a user's call fails, in [0, 1]
  ChannelMix mix;
  std::vector<HallucinatedName> names;        ///< of every arm; not empty unless mix.tool_name is 0
  std::vector<HallucinatedName> novel_names;  ///< drawn only by arms with a novel_share

  bool operator==(const CellProcess&) const = default;
};

/// What sets one precision apart from the others of its cell.
struct ArmProcess {
  std::string name = "bf16";  ///< part of every random stream's name
  std::string precision = "bf16";
  double slip_rate = 0.0648;  ///< >= 0
  double solve_shift = 0.0;   ///< added to each task's p_i, then cut to [0, 1]
  double novel_share = 0.0;   ///< of hallucinated names, in [0, 1]

  bool operator==(const ArmProcess&) const = default;
};

/// A telecom cell: both parties have tools, and the agent calls the user's (most of its
/// hallucinated names belong to the user).
[[nodiscard]] CellProcess telecom_process(std::string cell);
/// A retail cell: users have no tools, failures are mostly wrong arguments and unknown entities.
[[nodiscard]] CellProcess retail_process(std::string cell);

/// The arm's model as its log names it: `simulated/<model>-<arm>`.
[[nodiscard]] std::string model_name(const CellProcess& process, const ArmProcess& arm);

/// All episodes of one arm, as an import of its log would give them (tau2_log.h writes that log).
/// A pure function of its arguments: each task and each episode has a random stream of its own,
/// named by (seed, cell, arm, replicate), so neither order nor the number of trials matters, and
/// arms of a cell share their tasks. `replicate` redraws the whole study, tasks included.
/// Parameters outside the ranges above are a bug of the caller (BugError).
[[nodiscard]] ArmFacts simulate_arm(const CellProcess& process, const ArmProcess& arm,
                                    std::uint64_t seed, std::uint64_t replicate = 0);

}  // namespace unmask::synthetic
