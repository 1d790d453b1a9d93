#pragma once

#include <vector>

#include "unmask/synthetic/process.h"

namespace unmask::power {

/// What the generating process (synthetic/process.h) gives on average: the truth that estimates
/// from a simulated log scatter around. Fractions and counts an episode, over tasks and episodes of
/// the whole population, not of the tasks that a study happened to draw.
struct ProcessMoments {
  double solvable = 0.0;            ///< P(z = 1): the score without a budget
  double errors_per_episode = 0.0;  ///< the agent's failed calls
  double calls_per_episode = 0.0;   ///< the agent's calls, failed ones too
  double stopped = 0.0;             ///< share of episodes that the budget stops
  double errors_solved = 0.0;       ///< both parties' errors in an episode that succeeds
  std::vector<double> score;        ///< [K-1] = S(K), K = 1 .. max_errors

  [[nodiscard]] double errors_per_call() const { return errors_per_episode / calls_per_episode; }
  [[nodiscard]] double errors_per_successful_call() const {
    return errors_per_episode / (calls_per_episode - errors_per_episode);
  }
};

/// The moments by numerical integration over the two Gamma factors and an exact recursion over an
/// episode's errors; no random numbers. Relative error below 1e-6 (the unit test holds it against
/// simulated episodes). Of a channel, the errors are its share of the mix, since a run of failed
/// calls draws its channel independently of everything else. Ranges as in process.h.
[[nodiscard]] ProcessMoments process_moments(const synthetic::CellProcess& process,
                                             const synthetic::ArmProcess& arm);

}  // namespace unmask::power
