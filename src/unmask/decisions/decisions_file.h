#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/scored_decision.h"

/// The file of a paired replay, `unmask.decisions/1`: lines that are only ever added
/// (docs/formats/decisions.md).
namespace unmask::decisions {

inline constexpr std::string_view kDecisionsSchema = "unmask.decisions/1";

/// A log that decisions were taken from.
struct ContextSource {
  std::string file;    ///< as the user gave it
  std::string sha256;  ///< of its bytes

  bool operator==(const ContextSource&) const = default;
};

/// What a file says of itself, its first line.
struct DecisionsHeader {
  std::string producer;  ///< `unmask 0.1.0`
  std::vector<ContextSource> contexts;
  /// `replay`: every arm was given the contexts; `capture`: what the logs themselves recorded of
  /// the choices. The two are never compared with each other.
  std::string kind = "replay";
  std::string contexts_sha256;  ///< of all contexts with their options
  std::uint64_t decisions = 0;  ///< that the file is to hold
  std::vector<double> temperatures;
  std::map<std::string, std::string> settings;  ///< of what was taken, for people

  bool operator==(const DecisionsHeader&) const = default;
};

/// A score that stands in a file.
struct ScoreLine {
  std::size_t decision = 0;
  std::size_t arm = 0;
  ArmScores scores;
};

// Lines, each with its line end. Log-probabilities are rounded to 1e-6.

[[nodiscard]] std::string header_line(const DecisionsHeader& header);
[[nodiscard]] std::string arm_line(std::size_t index, const ScoredArm& arm);
/// `options_of`: an earlier decision with the same options, which are not written again.
[[nodiscard]] std::string decision_line(std::size_t index, const ScoredDecision& decision,
                                        std::optional<std::size_t> options_of);
/// Scores that are no finite numbers become the fault `not_a_number`.
[[nodiscard]] std::string score_line(const ScoreLine& score);
/// `scores` as they are when read from a file.
[[nodiscard]] ArmScores rounded(ArmScores scores);

/// A file's content.
struct DecisionsFile {
  DecisionsHeader header;
  /// Each decision has as many arms as there are; those that have not scored it have the fault
  /// `not_scored`.
  ScoredDecisions scored;
  std::uint64_t scores = 0;  ///< lines of scores
  /// Bytes up to the end of the last whole line: what follows was being written when the writer
  /// died, and is no part of the file.
  std::uint64_t whole_bytes = 0;
};

/// The fault of a decision that an arm has not scored yet.
inline constexpr std::string_view kNotScored = "not_scored";

/// Whether a file's beginning is that of such a file.
[[nodiscard]] bool is_decisions_file(std::string_view beginning);

/// Reads a file's text. A line that can't be used is left out and reported with `file` and its
/// number. Errors: bad_input for a first line that is no header, or of a later version.
[[nodiscard]] Result<DecisionsFile> decode_decisions(std::string_view text, const std::string& file,
                                                     Diagnostics& diagnostics);

/// The same from a file. Errors also: bad_input for no such file, outside for one that can't be
/// read.
[[nodiscard]] Result<DecisionsFile> read_decisions(const std::string& path,
                                                   Diagnostics& diagnostics);

}  // namespace unmask::decisions
