#pragma once

#include <string>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/facts.h"
#include "unmask/synthetic/process.h"

namespace unmask::power {

/// A generating process that resembles a reference arm's log.
struct ReferenceProcess {
  synthetic::CellProcess process;  ///< with the log's numbers of tasks and trials
  synthetic::ArmProcess arm;
  std::vector<std::string> notes;  ///< what the log could not tell and was assumed, sentences

  bool operator==(const ReferenceProcess&) const = default;
};

/// Fits the process of synthetic/process.h by moments of the observed episodes. Solve rate and its
/// correlation within tasks: from the score and from products of two trials' successes. Slip rate
/// and both Gamma shapes: from the mean errors of solved episodes, the share of them without an
/// error, and products of two trials' runs of failed calls; so S(1), S(K_obs) and what lies between
/// them are met. Lengths, recovery, mix of channels and user calls: from their means. The slips of
/// unsolved episodes: so that errors an episode are met.
/// `malformed` calls count as `arguments`, `other` ones as `precondition`. A domain without
/// simulated tools gets those of telecom if its users call tools, else those of retail.
/// Errors: bad_input if no episode is observed, none or all are solved at the budget, or no call of
/// the agent failed.
[[nodiscard]] Result<ReferenceProcess> estimate_process(const ArmFacts& reference);

}  // namespace unmask::power
