#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/context_settings.h"
#include "unmask/decisions/decision_log.h"
#include "unmask/episode/scored_decision.h"
#include "unmask/run/run_study.h"

namespace unmask::cli {

/// What is to be replayed, where to.
struct MarginJob {
  std::vector<run::EndpointPlan> arms;  ///< the reference first; their names are the arms'
  std::string contexts;                 ///< the log whose decisions are asked again
  std::vector<std::string> names_from;  ///< further logs whose names and values tempt
  std::string tau2_data;                ///< folder of the official instructions; empty: our own
  std::string output;                   ///< the file of scores
  decisions::ContextSettings settings;
  std::size_t most = 0;  ///< decisions; 0: all
  std::vector<double> temperatures;
  std::size_t likeliest = 64;  ///< tokens of the reference that divergence is measured from
  bool quiet = false;
};

/// An arm from `NAME=MODEL`: a .gguf file, the URL of an endpoint (`http://host/v1#model`), or the
/// name of an endpoint of `study`, which may be null. Errors: invalid_argument with the forms.
[[nodiscard]] Result<run::EndpointPlan> arm_plan(const std::string& text,
                                                 const run::RunStudy* study);

/// Reads a log for its decisions, with a progress bar. Errors also: invalid_argument for a path of
/// several logs.
[[nodiscard]] Result<decisions::DecisionLog> decision_log(const std::string& path, bool quiet,
                                                          Diagnostics& diagnostics);

/// What a file of scores holds. Errors: those of decisions::read_decisions.
[[nodiscard]] Result<ScoredDecisions> stored_scores(const std::string& path,
                                                    Diagnostics& diagnostics);

/// Has every arm score the decisions, going on where the file of scores ends, and returns all that
/// it holds. What could not be scored is complained of. Errors: those of reading, opening models
/// and scoring; interrupted, with how to go on.
[[nodiscard]] Result<ScoredDecisions> replay_decisions(const MarginJob& job,
                                                       Diagnostics& diagnostics);

}  // namespace unmask::cli
