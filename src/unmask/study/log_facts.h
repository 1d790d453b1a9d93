#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/diagnose/diagnose.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/facts.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_input.h"
#include "unmask/study/reexecution.h"

namespace unmask {

/// What a user adds to what the project knows of worlds.
struct UserKnowledge {
  std::optional<ToolInventory> tools;  ///< `--tools`: stands above the log's and the known domain's
  std::vector<RuleSet> rules;          ///< `--rules`, in order of precedence

  bool operator==(const UserKnowledge&) const = default;
};

/// One log as rows.
struct LogFacts {
  LogHeader header;  ///< its tools as offered or, if the log does not say, as known of its domain
  ArmFacts facts;    ///< without a name
  std::uint64_t superseded = 0;  ///< episodes whose task and trial came again
};

/// Sees each episode with its diagnoses before its texts are dropped.
using EpisodeVisitor = std::function<void(const Episode&, std::span<const CallDiagnosis>)>;
/// Bytes on disk read so far, of all; false stops reading.
using ReadProgress = std::function<bool(std::uint64_t done, std::uint64_t total)>;

/// How one log is read.
struct FactsReading {
  std::string domain;     ///< `--domain`: of a log that names none
  ReadProgress progress;  ///< called with what was read so far
  /// Executes the calls again, as evidence; the log is then read twice. Null: not asked for.
  const ReexecutionSource* reexecution = nullptr;
  EpisodeVisitor visitor;
  const LogFile* first = nullptr;  ///< the log's first file, where it is open already
  /// With two or more, large files are read and cut on a thread of their own; the result is the
  /// same.
  unsigned threads = 1;
};

/// Reads, diagnoses and infers the budget regime of one log, one episode at a time.
/// Errors: as read_log, and those of the source of re-executions.
[[nodiscard]] Result<LogFacts> read_log_facts(const LogInput& input, const UserKnowledge& knowledge,
                                              Diagnostics& diagnostics,
                                              const FactsReading& how = {});

/// Reads a tool inventory: a JSON list of tools in OpenAI's shape or of {name, parameters}, or an
/// object with lists `agent` and `user`. `source` names the text in errors.
[[nodiscard]] Result<ToolInventory> parse_tools(std::string_view json, std::string_view source);

}  // namespace unmask
