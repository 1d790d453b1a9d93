#pragma once

#include <span>
#include <string>
#include <vector>

#include "unmask/audit/findings.h"
#include "unmask/audit/settings.h"
#include "unmask/base/error.h"
#include "unmask/report/text_style.h"
#include "unmask/study/reexecution.h"
#include "unmask/study/study_reader.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// What the commands that read logs share: which logs, what is known of their worlds, how figures
/// are made.
struct StudyOptions {
  std::vector<std::string> arms;  ///< `name=path` or `path`
  std::string study_file;
  std::string cell, domain, reference;
  std::vector<std::string> null_arms;
  std::string tools_file;
  std::vector<std::string> rules_files;
  bool append_trials = false;
  bool lone_arms = false;  ///< cells of one arm each are no mistake: there is nothing to compare
  bool strict = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";
  unsigned threads = 0;  ///< 0: one per core
  AuditSettings settings;
  std::string correction = "holm";
  ReexecutionSource reexecution;  ///< set by a command that has `--replay`; empty: not asked for

  void add_inputs(CLI::App& app);
  void add_knowledge(CLI::App& app);
  void add_settings(CLI::App& app);
  /// Threads, strictness and verbosity.
  void add_general(CLI::App& app);
  /// Of commands that write a text for the terminal.
  void add_color(CLI::App& app);

  /// -j, or as many as the machine has cores; at least 1.
  [[nodiscard]] unsigned thread_count() const;
  /// The settings with the correction chosen by name.
  [[nodiscard]] AuditSettings audit_settings() const;
};

/// A study with the findings of its audit, which hold its inputs and diagnostics too.
struct AuditedStudy {
  StudyRead study;
  AuditFindings findings;
};

/// What is to be read: cells and arms from the command line or the study file.
[[nodiscard]] Result<std::vector<CellSource>> study_sources(const StudyOptions& options);
/// The files that a command with these options reads: `logs` or, if there are none, those of
/// study_sources, and what was given of study, rules and tools. What can't be found is left out.
[[nodiscard]] std::vector<std::string> input_files(const StudyOptions& options,
                                                   std::span<const std::string> logs = {});
/// Arms and cells from the command line or the study file, read with a progress bar, and the
/// findings of their audit. Errors carry the exit code's meaning.
[[nodiscard]] Result<StudyRead> read_inputs(const StudyOptions& options);
[[nodiscard]] Result<AuditedStudy> audited_study(const StudyOptions& options);

[[nodiscard]] Result<UserKnowledge> read_knowledge(const StudyOptions& options);

/// Columns, colour and character set of standard output; with `to_file` colour only if asked for.
[[nodiscard]] TextStyle text_style(const StudyOptions& options, bool to_file);

/// Prints the error and returns the exit code that it stands for.
int report_failure(const Error& error);

}  // namespace unmask::cli
