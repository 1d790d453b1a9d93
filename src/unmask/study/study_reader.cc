#include "unmask/study/study_reader.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unmask/audit/audit.h"
#include "unmask/audit/findings.h"
#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/facts.h"
#include "unmask/ingest/log_input.h"
#include "unmask/ingest/precision.h"
#include "unmask/study/arm_checks.h"
#include "unmask/study/log_facts.h"
#include "unmask/study/merge_facts.h"
#include "unmask/study/precision_rank.h"

namespace unmask {
namespace {

// One log to read and what the user said of it.
struct Job {
  LogInput input;
  std::size_t cell = 0;  // index into sources
  std::size_t arm = 0;   // index into its arms
  std::optional<LogFacts> facts;
  Diagnostics diagnostics;
  std::optional<Error> error;
};

Result<std::vector<Job>> find_jobs(const std::vector<CellSource>& sources) {
  std::vector<std::string> all;
  for (const CellSource& source : sources) {
    for (const ArmSource& arm : source.arms) {
      all.insert(all.end(), arm.paths.begin(), arm.paths.end());
      all.insert(all.end(), arm.single_turn.begin(), arm.single_turn.end());
    }
  }
  if (const Result<void> once = standard_input_once(all); !once) {
    return tl::unexpected(once.error());
  }
  std::vector<Job> jobs;
  for (std::size_t cell = 0; cell < sources.size(); ++cell) {
    for (std::size_t arm = 0; arm < sources[cell].arms.size(); ++arm) {
      const ArmSource& source = sources[cell].arms[arm];
      for (const std::vector<std::string>* paths : {&source.paths, &source.single_turn}) {
        if (paths->empty()) continue;
        Result<std::vector<LogInput>> inputs = find_logs(*paths);
        if (!inputs) return tl::unexpected(std::move(inputs.error()));
        for (LogInput& input : *inputs) {
          jobs.push_back({.input = std::move(input),
                          .cell = cell,
                          .arm = arm,
                          .facts = {},
                          .diagnostics = {},
                          .error = {}});
        }
      }
    }
  }
  return jobs;
}

// Adds up the progress of files that are read side by side.
class SharedProgress {
 public:
  SharedProgress(const ReadProgress& progress, std::size_t jobs)
      : progress_(progress), done_(jobs), total_(jobs) {}

  bool report(std::size_t job, std::uint64_t done, std::uint64_t total) {
    if (!progress_) return true;
    const std::scoped_lock lock(mutex_);
    done_[job] = done;
    total_[job] = total;
    std::uint64_t all_done = 0, all_total = 0;
    for (std::size_t i = 0; i < done_.size(); ++i) {
      all_done += done_[i];
      all_total += total_[i];
    }
    return progress_(all_done, all_total);
  }

 private:
  const ReadProgress& progress_;
  std::mutex mutex_;
  std::vector<std::uint64_t> done_, total_;
};

void run_jobs(std::vector<Job>& jobs, const std::vector<CellSource>& sources,
              const ReadSettings& settings) {
  SharedProgress progress(settings.progress, jobs.size());
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> bugs(jobs.size());
  // Threads that no file of its own would occupy help with one.
  const auto threads_of_file =
      static_cast<unsigned>(settings.threads / std::max<std::size_t>(1, jobs.size()));
  const auto read = [&](std::size_t i) {
    Job& job = jobs[i];
    Result<LogFacts> facts =
        read_log_facts(job.input, settings.knowledge, job.diagnostics,
                       {.domain = sources[job.cell].info.domain,
                        .progress =
                            [&progress, i](std::uint64_t done, std::uint64_t total) {
                              return progress.report(i, done, total);
                            },
                        .reexecution = settings.reexecution ? &settings.reexecution : nullptr,
                        .visitor = {},
                        .first = nullptr,
                        .threads = threads_of_file});
    if (facts) {
      job.facts = std::move(*facts);
    } else {
      job.error = std::move(facts.error());
    }
  };
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      try {
        read(i);
      } catch (...) {  // an exception that left a thread would end the program
        bugs[i] = std::current_exception();
      }
    }
  };
  const std::size_t threads =
      std::clamp<std::size_t>(settings.threads, 1, std::max<std::size_t>(1, jobs.size()));
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();
  for (const std::exception_ptr& bug : bugs) {
    if (bug) std::rethrow_exception(bug);
  }
}

// An arm under construction: what its logs have in common.
struct Arm {
  ArmInput input;
  bool started = false;
};

struct Cell {
  CellInfo info;
  std::string reference;
  std::vector<std::string> order;  // of arms, as given
  std::map<std::string, Arm> arms;
  // Of first calls, likewise.
  std::vector<std::string> single_turn_order;
  std::map<std::string, Arm> single_turn;
};

// A log of first calls has nothing else; what says so is each of its answers.
bool is_single_turn(const ArmFacts& facts) {
  return std::ranges::any_of(
      facts.episodes, [](const EpisodeFacts& episode) { return episode.first_call.has_value(); });
}

class Assembler {
 public:
  Assembler(const std::vector<CellSource>& sources, const ReadSettings& settings)
      : sources_(sources), settings_(settings) {}

  void add(Job& job, LogFacts log) {
    const CellSource& cell_source = sources_[job.cell];
    const ArmSource& source = cell_source.arms[job.arm];
    if (!source.precision.empty()) {
      log.facts.identity.precision = source.precision;
      log.facts.identity.precision_is_guess = false;
    }
    const std::string arm_name =
        !source.name.empty() ? source.name : guessed_arm(log, job.input.name);
    Cell& cell = cell_of(cell_source, source, log);
    const auto input = static_cast<std::uint32_t>(read_.inputs.size());
    read_.inputs.push_back({.path = job.input.name,
                            .cell = cell.info.cell,
                            .arm = arm_name,
                            .header = std::move(log.header),
                            .budget = log.facts.budget,
                            .episodes = log.facts.episodes.size(),
                            .skipped = log.superseded});
    for (EpisodeFacts& episode : log.facts.episodes) episode.ref.file += files_;
    read_.inputs.back().first_file = files_;
    files_ += static_cast<std::uint32_t>(read_.inputs.back().header.files.size());
    log.facts.inputs = {input};
    log.facts.cell = cell.info.cell;
    log.facts.name = arm_name;
    note_same_bytes(cell, arm_name, job.diagnostics);
    const bool single_turn = is_single_turn(log.facts);
    Arm& arm = (single_turn ? cell.single_turn : cell.arms)[arm_name];
    if (!arm.started) {
      (single_turn ? cell.single_turn_order : cell.order).push_back(arm_name);
      arm.started = true;
      arm.input = {.facts = std::move(log.facts),
                   .role = source.role,
                   .unrepaired = source.unrepaired,
                   .mode = source.mode};
      return;
    }
    const std::string& sha = read_.inputs.back().header.sha256;
    for (const std::uint32_t earlier : arm.input.facts.inputs) {
      if (read_.inputs[earlier].header.sha256 != sha || sha.empty()) continue;
      job.diagnostics.add({.code = "same_file_twice",
                           .severity = Severity::data_loss,
                           .file = job.input.name,
                           .sentence = "has the same bytes as " + read_.inputs[earlier].path +
                                       " of the same arm and is left out; give each file once"});
      return;
    }
    const std::string& first = arm.input.facts.identity.model;
    const std::string& model = log.facts.identity.model;
    const bool guessed =
        arm.input.facts.identity.model_is_guess || log.facts.identity.model_is_guess;
    if (!first.empty() && !model.empty() && first != model && !guessed && !error_) {
      error_ = Error{ErrorCode::bad_input,
                     "the files of arm '" + arm_name + "' name different models: " + first +
                         " and " + model + " (" + job.input.name +
                         "); give each model an arm of its own, as NAME=PATH"};
      return;
    }
    merge_facts(arm.input.facts, log.facts, settings_.append_trials, job.input.name,
                job.diagnostics);
  }

  Result<StudyRead> finish() {
    if (error_) return tl::unexpected(std::move(*error_));
    for (auto& [key, cell] : cells_) {
      CellInput input{
          .info = cell.info, .reference = choose_reference(cell), .arms = {}, .single_turn = {}};
      for (const std::string& name : cell.order)
        input.arms.push_back(std::move(cell.arms[name].input));
      for (const std::string& name : cell.single_turn_order)
        input.single_turn.push_back(std::move(cell.single_turn[name].input.facts));
      check_arms(input, read_.diagnostics);
      read_.cells.push_back(std::move(input));
    }
    return std::move(read_);
  }

  Diagnostics& diagnostics() { return read_.diagnostics; }

 private:
  static std::string guessed_arm(const LogFacts& log, const std::string& path) {
    if (!log.header.arm.empty()) return log.header.arm;
    const std::string& precision = log.facts.identity.precision;
    return precision.empty() ? stem_of_log(path) : precision;
  }

  Cell& cell_of(const CellSource& source, const ArmSource& arm, const LogFacts& log) {
    CellInfo info = source.info;
    std::string key = info.cell;
    const std::string family = model_family(log.header.identity.model);
    if (key.empty()) {
      const std::string& domain = log.header.domain;
      // Named arms belong together whatever their models are called; others by model family.
      key = arm.name.empty() ? family + '\n' + domain : '\n' + domain;
      info.cell = (family.empty() ? "model" : family) + " · " +
                  (domain.empty() ? "unknown domain" : domain);
    }
    const auto [found, added] =
        index_.emplace(std::to_string(source_index(source)) + '\n' + key, cells_.size());
    if (added) {
      if (info.domain.empty()) info.domain = log.header.domain;
      if (info.family.empty()) info.family = family;
      if (info.size.empty()) info.size = model_size(log.header.identity.model);
      if (info.architecture.empty() && names_mixture_of_experts(log.header.identity.model))
        info.architecture = "moe";
      cells_.emplace_back(key, Cell{.info = std::move(info),
                                    .reference = source.reference,
                                    .order = {},
                                    .arms = {},
                                    .single_turn_order = {},
                                    .single_turn = {}});
    }
    return cells_[found->second].second;
  }

  [[nodiscard]] std::size_t source_index(const CellSource& source) const {
    return static_cast<std::size_t>(&source - sources_.data());
  }

  static std::string choose_reference(const Cell& cell) {
    if (!cell.reference.empty()) return cell.reference;
    const std::string best = highest_precision(cell.order, cell.arms);
    return best.empty() ? highest_precision(cell.single_turn_order, cell.single_turn) : best;
  }

  static std::string highest_precision(const std::vector<std::string>& order,
                                       const std::map<std::string, Arm>& arms) {
    std::string best;
    int best_rank = 0;
    for (const std::string& name : order) {
      const ArmInput& arm = arms.at(name).input;
      if (arm.role != ArmRole::compared) continue;
      const int rank = precision_rank(arm);
      if (best.empty() || rank > best_rank) {
        best = name;
        best_rank = rank;
      }
    }
    return best;
  }

  // One log under two names can only look equal to itself.
  void note_same_bytes(const Cell& cell, const std::string& arm_name,
                       Diagnostics& diagnostics) const {
    const InputFindings& added = read_.inputs.back();
    for (std::size_t i = 0; i + 1 < read_.inputs.size(); ++i) {
      const InputFindings& other = read_.inputs[i];
      if (other.cell != cell.info.cell || other.arm == arm_name || other.header.sha256.empty() ||
          other.header.sha256 != added.header.sha256) {
        continue;
      }
      diagnostics.add({.code = kSameBytesInTwoArms,
                       .severity = Severity::data_loss,
                       .file = added.path,
                       .sentence = "has the same bytes as " + other.path + " of arm '" + other.arm +
                                   "': the two can't differ; give each arm its own log"});
    }
  }

  const std::vector<CellSource>& sources_;
  const ReadSettings& settings_;
  std::optional<Error> error_;
  std::uint32_t files_ = 0;  // of all inputs so far
  std::map<std::string, std::size_t> index_;
  std::vector<std::pair<std::string, Cell>> cells_;
  StudyRead read_;
};

}  // namespace

Result<StudyRead> read_study(const std::vector<CellSource>& sources, const ReadSettings& settings) {
  Result<std::vector<Job>> jobs = find_jobs(sources);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  run_jobs(*jobs, sources, settings);

  Assembler assembler(sources, settings);
  std::optional<Error> first_error;
  bool any = false;
  for (Job& job : *jobs) {
    if (job.error && job.error->code == ErrorCode::interrupted)
      return tl::unexpected(std::move(*job.error));
    if (job.error && !first_error) first_error = job.error;
    any = any || job.facts.has_value();
  }
  if (!any) {
    if (first_error) return tl::unexpected(std::move(*first_error));
    return fail(ErrorCode::bad_input, "no logs given");
  }
  for (Job& job : *jobs) {
    if (job.facts) {
      assembler.add(job, std::move(*job.facts));
    } else if (job.error && !pass_over(job.input, *job.error, job.diagnostics)) {
      job.diagnostics.add(
          {.code = kLogLeftOut,
           .severity = Severity::data_loss,
           .file = job.input.name,
           .sentence = std::string(without_file_name(job.error->message, job.input.name))});
    }
    assembler.diagnostics().merge(job.diagnostics);
  }
  return assembler.finish();
}

}  // namespace unmask
