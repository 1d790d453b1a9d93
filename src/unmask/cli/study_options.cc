#include "unmask/cli/study_options.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/arm_argument.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/terminal.h"
#include "unmask/diagnose/rule_set.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/log_input.h"
#include "unmask/power/replicates.h"
#include "unmask/report/text_style.h"
#include "unmask/stats/multiple_comparisons.h"
#include "unmask/study/log_facts.h"
#include "unmask/study/precision_rank.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"

namespace unmask::cli {
namespace {

// CLI11's ranges let NaN through.
const CLI::Validator kFinite(
    [](const std::string& text) {
      double value = 0.0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool number = error == std::errc() && end == text.data() + text.size();
      return number && std::isfinite(value) ? std::string() : text + " is not a finite number";
    },
    "NUMBER");

// A reference is what one would like to keep: with a lower precision all signs turn round.
void hint_at_lower_reference(const StudyRead& study, const StudyOptions& options) {
  if (options.reference.empty()) return;
  for (const CellInput& cell : study.cells) {
    int rank = 0;
    for (const ArmInput& arm : cell.arms) {
      if (arm.facts.name == cell.reference) rank = precision_rank(arm);
    }
    for (const ArmInput& arm : cell.arms) {
      if (rank == 0 || precision_rank(arm) <= rank) continue;
      complain("note: --reference " + cell.reference + " is of a lower precision than '" +
               arm.facts.name + "': the report tells what " + arm.facts.name +
               " does compared with it");
      return;
    }
  }
}

// Arms that are named after their logs are known only now.
Result<void> check_reference(const StudyRead& study, const StudyOptions& options) {
  std::vector<std::string> names;
  for (const CellInput& cell : study.cells) {
    for (const ArmInput& arm : cell.arms) names.push_back(arm.facts.name);
  }
  if (options.reference.empty() || std::ranges::find(names, options.reference) != names.end())
    return {};
  return fail(
      ErrorCode::invalid_argument,
      "--reference " + options.reference + ": no arm has that name; arms: " + joined(names, ", "));
}

// Why no two arms came into one cell.
std::string apart(const StudyRead& study) {
  std::set<std::string> domains;
  std::vector<std::string> arms;
  for (const CellInput& cell : study.cells) {
    domains.insert(cell.info.domain);
    for (const ArmInput& arm : cell.arms) {
      arms.push_back(arm.facts.name + " is in " + cell.info.cell);
    }
  }
  return "no two arms can be compared: " + joined(arms, ", ") +
         (domains.size() > 1 ? "; give logs of one domain"
                             : "; name the arms, as NAME=PATH, if they are of one model") +
         ", or, if they belong together all the same, their cell with --cell NAME";
}

}  // namespace

void StudyOptions::add_inputs(CLI::App& app) {
  app.add_option("logs", arms,
                 "logs: NAME=PATH names the arm (bf16=a.json int4=b.json); a plain PATH lets the "
                 "arm be guessed from the "
                 "log's model name. PATH is a file (.json, .gz, .zst), a folder, a glob, or - for "
                 "standard input")
      ->type_name("[NAME=]PATH");
  app.add_option("--study", study_file, "study.toml: cells, arms and references of a whole grid")
      ->type_name("FILE");
  app.add_option("--cell", cell, "name of the cell that the logs belong to (default: by domain)")
      ->type_name("NAME");
  app.add_option("--domain", domain, "domain of the cell, where the logs do not tell")
      ->type_name("NAME");
  app.add_option("--reference", reference, "arm to compare with (default: the highest precision)")
      ->type_name("ARM");
  app.add_option("--null", null_arms,
                 "the reference once more with other seeds, as NAME=PATH: the noise floor")
      ->type_name("NAME=PATH")
      ->allow_extra_args(false);
  app.add_flag("--append-trials", append_trials,
               "files of one arm hold further trials of the same tasks: number them on");
}

void StudyOptions::add_knowledge(CLI::App& app) {
  app.add_option("--tools", tools_file,
                 "JSON list of the tools that were offered, with their schemas")
      ->type_name("FILE");
  app.add_option("--rules", rules_files,
                 "TOML rules on error texts; they stand above the built-in ones")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void StudyOptions::add_settings(CLI::App& app) {
  app.add_option("--budgets", settings.budgets,
                 "error budgets that get headlines; the first is widening's")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option_function<double>(
         "--margin", [this](double points) { settings.margin = points / 100.0; },
         "equivalence margin of scores, in points [7.5]")
      ->check(kFinite & CLI::Range(0.01, 100.0))
      ->type_name("POINTS");
  app.add_option("--alpha", settings.alpha, "level of significance")
      ->check(kFinite & CLI::Range(0.0001, 0.25))
      ->capture_default_str();
  app.add_option("--correction", correction, "correction within a family of p-values: holm or bh")
      ->check(CLI::IsMember({"holm", "bh"}))
      ->capture_default_str();
  app.add_option("--replicates", settings.bootstrap, "bootstrap replicates of an interval")
      ->check(CLI::Range(100, 1000000))
      ->capture_default_str();
  app.add_option("--seed", settings.seed, "seed of every random number")->capture_default_str();
}

void StudyOptions::add_general(CLI::App& app) {
  app.add_option("-j,--threads", threads,
                 "threads to work with (default: one per core); results are the same")
      ->check(CLI::Range(1, 256));
  app.add_flag("--strict", strict, "treat warnings about the input as errors");
  app.add_flag("-q,--quiet", quiet, "no progress, no warnings");
  app.add_flag("-v,--verbose", verbose, "more detail");
}

void StudyOptions::add_color(CLI::App& app) {
  app.add_option("--color", color, "auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
}

unsigned StudyOptions::thread_count() const {
  return threads > 0 ? threads : power::default_threads();
}

AuditSettings StudyOptions::audit_settings() const {
  AuditSettings chosen = settings;
  chosen.correction =
      correction == "bh" ? stats::Correction::benjamini_hochberg : stats::Correction::holm;
  return chosen;
}

Result<UserKnowledge> read_knowledge(const StudyOptions& options) {
  UserKnowledge knowledge;
  if (!options.tools_file.empty()) {
    Result<std::string> text = read_text_file(options.tools_file);
    if (!text) return tl::unexpected(text.error());
    Result<ToolInventory> tools = parse_tools(*text, options.tools_file);
    if (!tools) return tl::unexpected(tools.error());
    knowledge.tools = std::move(*tools);
  }
  for (const std::string& file : options.rules_files) {
    Result<std::string> text = read_text_file(file);
    if (!text) return tl::unexpected(text.error());
    Result<RuleSet> rules = parse_rules(*text, file);
    if (!rules) return tl::unexpected(rules.error());
    knowledge.rules.push_back(std::move(*rules));
  }
  return knowledge;
}

Result<std::vector<CellSource>> study_sources(const StudyOptions& options) {
  if (!options.study_file.empty()) {
    if (!options.arms.empty()) {
      return fail(ErrorCode::invalid_argument, "give either logs or --study, not both");
    }
    return read_study_file(options.study_file);
  }
  const auto is_study = [](const std::string& path) { return path.ends_with(".toml"); };
  if (options.arms.size() == 1 && is_study(options.arms.front())) {
    return read_study_file(options.arms.front());
  }
  if (options.arms.empty()) {
    return fail(
        ErrorCode::invalid_argument,
        "no logs given; for instance: unmask audit bf16=a.json int4=b.json, or --study study.toml");
  }
  CellSource cell;
  cell.info.cell = options.cell;
  cell.info.domain = options.domain;
  cell.reference = options.reference;
  const Result<std::vector<ArmArgument>> arms = arm_arguments(options.arms);
  if (!arms) return tl::unexpected(arms.error());
  const Result<std::vector<ArmArgument>> null_arms = arm_arguments(options.null_arms);
  if (!null_arms) return tl::unexpected(null_arms.error());
  const auto add = [&](const ArmArgument& argument, ArmRole role) {
    const auto same = std::ranges::find_if(cell.arms, [&](const ArmSource& arm) {
      return !argument.name.empty() && arm.name == argument.name;
    });
    if (same != cell.arms.end()) {
      same->paths.push_back(argument.path);
    } else {
      cell.arms.push_back({.name = argument.name,
                           .paths = {argument.path},
                           .precision = {},
                           .role = role,
                           .unrepaired = {},
                           .mode = {}});
    }
  };
  for (const ArmArgument& argument : *arms) add(argument, ArmRole::compared);
  for (const ArmArgument& argument : *null_arms) {
    const std::string& name = argument.name;
    if (std::ranges::any_of(
            cell.arms, [&](const ArmSource& arm) { return !name.empty() && arm.name == name; })) {
      return fail(ErrorCode::invalid_argument,
                  std::string("--null ")
                      .append(name + "=" + argument.path)
                      .append(": '")
                      .append(name)
                      .append("' is the name of another arm; give the null arm its own"));
    }
    if (name.empty()) {
      return fail(ErrorCode::invalid_argument,
                  std::string("--null ")
                      .append(argument.path)
                      .append(": give the null arm a name, as --null again=")
                      .append(argument.path));
    }
    add(argument, ArmRole::null);
  }
  if (!options.reference.empty() && std::ranges::none_of(cell.arms, [&](const ArmSource& arm) {
        return arm.name.empty() || arm.name == options.reference;
      })) {
    return fail(ErrorCode::invalid_argument,
                "--reference " + options.reference + ": no arm has that name");
  }
  return std::vector<CellSource>{std::move(cell)};
}

std::vector<std::string> input_files(const StudyOptions& options,
                                     std::span<const std::string> logs) {
  std::vector<std::string> files = options.rules_files;
  files.push_back(options.study_file);
  files.push_back(options.tools_file);
  std::vector<std::string> patterns(logs.begin(), logs.end());
  if (logs.empty()) {
    files.insert(files.end(), options.arms.begin(), options.arms.end());  // a study without --study
    const Result<std::vector<CellSource>> cells = study_sources(options);
    for (const CellSource& cell : cells ? *cells : std::vector<CellSource>{}) {
      for (const ArmSource& arm : cell.arms) {
        patterns.insert(patterns.end(), arm.paths.begin(), arm.paths.end());
      }
    }
  }
  for (const std::string& pattern : patterns) {
    if (pattern == "-") continue;
    const Result<std::vector<LogInput>> found = find_logs(pattern);
    for (const LogInput& log : found ? *found : std::vector<LogInput>{}) {
      files.insert(files.end(), log.files.begin(), log.files.end());
    }
  }
  return files;
}

Result<StudyRead> read_inputs(const StudyOptions& options) {
  Result<std::vector<CellSource>> sources = study_sources(options);
  if (!sources) return tl::unexpected(sources.error());
  Result<UserKnowledge> knowledge = read_knowledge(options);
  if (!knowledge) return tl::unexpected(knowledge.error());
  ReadSettings settings{.knowledge = std::move(*knowledge),
                        .threads = options.thread_count(),
                        .append_trials = options.append_trials,
                        .progress = {},
                        .reexecution = options.reexecution};
  ProgressBar bar("reading", options.quiet);
  settings.progress = [&bar](std::uint64_t done, std::uint64_t total) {
    bar.update(done, total, "B");
    return !interrupted();
  };
  Result<StudyRead> study = read_study(*sources, settings);
  if (study && options.strict && study->diagnostics.any_warning()) {
    print_diagnostics(study->diagnostics, options.verbose);
    return fail(ErrorCode::bad_input, "--strict: the warnings above count as errors");
  }
  return study;
}

Result<AuditedStudy> audited_study(const StudyOptions& options) {
  Result<StudyRead> study = read_inputs(options);
  if (!study) return tl::unexpected(study.error());
  if (const Result<void> found = check_reference(*study, options); !found)
    return tl::unexpected(found.error());
  std::size_t arms = 0;
  bool comparable = false;
  for (const CellInput& cell : study->cells) {
    arms += cell.arms.size();
    comparable = comparable || cell.arms.size() > 1;
  }
  if (arms > 1 && !comparable && !options.lone_arms) {
    return fail(ErrorCode::bad_input, apart(*study));
  }
  if (!options.quiet) hint_at_lower_reference(*study, options);
  ProgressBar bar("auditing", options.quiet);
  std::optional<AuditFindings> findings = audit_study(study->cells, options.audit_settings(),
                                                      [&bar](std::size_t done, std::size_t total) {
                                                        bar.update(done, total, "steps");
                                                        return !interrupted();
                                                      });
  if (!findings) return fail(ErrorCode::interrupted, "interrupted");
  findings->inputs = study->inputs;
  findings->diagnostics = study->diagnostics;
  return AuditedStudy{.study = std::move(*study), .findings = std::move(*findings)};
}

TextStyle text_style(const StudyOptions& options, bool to_file) {
  const Terminal terminal = standard_output();
  return {
      .width = terminal.width,
      .color = options.color == "always" || (options.color == "auto" && terminal.color && !to_file),
      .unicode = terminal.unicode,
      .verbose = options.verbose};
}

int report_failure(const Error& error) {
  complain(error.message);
  return exit_code_of(error.code);
}

}  // namespace unmask::cli
