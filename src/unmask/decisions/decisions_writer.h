#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/decisions/decisions_file.h"
#include "unmask/episode/scored_decision.h"

namespace unmask::decisions {

/// Writes a file of scores, or goes on with one. Each line is one write: a process that is killed
/// leaves at most an incomplete last line, which the next writer cuts off. One writer a file at a
/// time.
class DecisionsWriter {
 public:
  /// Opens `path`. A file that is there must hold the same decisions, with the same options and
  /// temperatures; those that it lacks are added. Errors: invalid_argument, with the remedy, for a
  /// file that is of something else, or that another process writes; bad_input for a damaged one;
  /// outside (disk, permission).
  [[nodiscard]] static Result<DecisionsWriter> open(const std::string& path,
                                                    const DecisionsHeader& header,
                                                    std::span<const ScoredDecision> decisions,
                                                    Diagnostics& diagnostics);
  ~DecisionsWriter();
  DecisionsWriter(DecisionsWriter&&) noexcept;
  DecisionsWriter& operator=(DecisionsWriter&&) noexcept;
  DecisionsWriter(const DecisionsWriter&) = delete;
  DecisionsWriter& operator=(const DecisionsWriter&) = delete;

  /// The number of an arm, which is added if the file has none of its name. The first is the
  /// reference. Errors: invalid_argument where the file's arm of that name, or its reference, is
  /// another one; outside.
  [[nodiscard]] Result<std::size_t> add_arm(const ScoredArm& arm);

  [[nodiscard]] bool is_scored(std::size_t decision, std::size_t arm) const;
  /// Adds a score. Preconditions: decision and arm are there, and it is not scored yet. Errors:
  /// outside.
  [[nodiscard]] Result<void> add(ScoreLine score);
  /// Waits until all that was written is on the disk. Errors: outside.
  [[nodiscard]] Result<void> flush();

  /// All that the file holds.
  [[nodiscard]] const ScoredDecisions& scored() const;

 private:
  struct State;
  explicit DecisionsWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace unmask::decisions
