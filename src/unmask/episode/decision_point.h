#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace unmask {

/// One name that could have been chosen, with the log-probability of its tokens (natural log, from
/// the first token where candidates differ). Of a name whose later tokens were not recorded it is
/// that of the beginning, which is an upper bound of the name's own.
struct Candidate {
  std::string name;  ///< the offered name meant if only one fits; else the text that was recorded
  double log_probability = 0.0;
  bool admissible = false;  ///< offered to that party there

  bool operator==(const Candidate&) const = default;
};

/// A place where a tool name is chosen. Filled only from logs that carry log-probabilities.
struct DecisionPoint {
  std::uint32_t message = 0;  ///< index of the message that makes the decision
  std::vector<Candidate> candidates;
  bool complete = false;  ///< false: names outside the recorded top-k are unknown, not impossible

  bool operator==(const DecisionPoint&) const = default;
};

}  // namespace unmask
