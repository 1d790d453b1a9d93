#include <string>
#include <string_view>

#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/scan_file.h"
#include "unmask/ingest/secrets.h"
#include "unmask/ingest/tau2_header.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/tau2_log.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;
using json::Value;

std::optional<int> small(const Value& value) {
  const auto number = integer_or_text(value);
  if (!number || *number < 0 || *number > 1'000'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

/// `retail` of `data/tau2/domains/retail/tasks.json`; empty for a path of another form.
std::string_view domain_of_tasks_path(std::string_view path) {
  constexpr std::string_view kFolder = "domains/";
  const std::size_t folder = path.find(kFolder);
  if (folder == std::string_view::npos) return {};
  path.remove_prefix(folder + kFolder.size());
  const std::size_t slash = path.find('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

void read_config(const Value& config, LogHeader& header) {
  header.domain = config["domain"].text();
  if (header.domain.empty()) header.domain = domain_of_tasks_path(config["tasks_path"].text());
  set_agent_model(config["agent_llm"].text(), header.identity);
  header.identity.user_model = config["user_llm"].text();
  header.max_steps = small(config["max_steps"]);
  header.max_errors = small(config["max_errors"]);
  header.num_trials = small(config["num_trials"]);
  header.seed = integer_or_text(config["seed"]);
  if (const Value temperature = config["agent_temperature"]; temperature.number()) {
    header.identity.sampling["temperature"] = json::to_canonical_json(temperature);
  }
  if (const Value temperature = config["user_temperature"]; temperature.number()) {
    header.identity.user_sampling["temperature"] = json::to_canonical_json(temperature);
  }
  for (const std::string_view field : {"domain", "max_steps", "max_errors", "num_trials"}) {
    if (config[field].is_null()) ++header.missing_fields["config." + std::string(field)];
  }
}

Tau2Simulation row_members(const Value& row) {
  const Value trajectory = row["trajectory"];
  Tau2Simulation simulation = simulation_members(trajectory);
  // The row knows better: trajectories here have no trial of their own.
  for (const auto& [member, key] :
       {std::pair{&Tau2Simulation::task_id, "task_id"}, std::pair{&Tau2Simulation::trial, "trial"},
        std::pair{&Tau2Simulation::termination_reason, "termination_reason"}}) {
    if ((simulation.*member).is_null()) simulation.*member = row[key];
  }
  simulation.reward = row["reward"];
  if (simulation.error.is_null()) simulation.error = row["error"];
  // A row with an error and nothing else: the harness failed, not the model.
  simulation.crashed = trajectory.is_null() && !simulation.error.is_null();
  return simulation;
}

/// Takes everything but the rows: config, policy and time stand in front of and behind them.
class HeaderPieces final : public json::PieceSink {
 public:
  HeaderPieces(Tau2Log& log, const Remarks& remarks) : log_(log), remarks_(remarks) {}

  Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
    if (place.document > 0) return Take::skip;
    if (place.depth() == 0) return Take::inside;
    const std::string& key = place.path[0].key;
    return key == "config" || key == "policy" || key == "timestamp" ? Take::whole : Take::skip;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string& key = place.path[0].key;
    const auto value = log_.parse(text, offset, key, remarks_);
    if (!value) return true;
    if (key == "config") {
      read_config(*value, log_.header());
      check_max_errors((*value)["max_errors"], "config.max_errors", log_.header(), remarks_);
    }
    if (key == "policy") set_policy(value->text(), log_.header());
    if (key == "timestamp") log_.header().timestamp = value->text();
    return true;
  }

 private:
  Tau2Log& log_;
  const Remarks& remarks_;
};

/// Takes the rows of `task_results`.
class RowPieces final : public json::PieceSink {
 public:
  RowPieces(Tau2Log& log, const std::string& name) : log_(log), name_(name) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (place.document > 0) return Take::skip;
    if (place.depth() == 0) return Take::inside;
    if (place.depth() == 1) {
      return place.path[0].key == "task_results" && first == '[' ? Take::inside : Take::skip;
    }
    return Take::rest;
  }

  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string what = to_string(place);
    const Remarks remarks = log_.remarks(name_);
    const auto row = log_.parse(text, offset, what, remarks);
    if (!row) return true;
    if (!row->is_object()) {
      remarks.about(what, offset)
          .loss("wrong_type", what + " is " + std::string(name_of(row->kind())) +
                                  " instead of an object; it is left out");
      return true;
    }
    ++rows_;
    if ((*row)["trajectory"].is_null()) ++without_trajectory_;
    return log_.add_simulation(row_members(*row), {0, offset, text.size()}, what, name_);
  }

  [[nodiscard]] bool outcomes_only() const { return rows_ > 0 && rows_ == without_trajectory_; }

 private:
  Tau2Log& log_;
  const std::string& name_;
  std::size_t rows_ = 0;
  std::size_t without_trajectory_ = 0;
};

class Tau2WrappedImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau2 wrapped"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    return !is_folder && print.shape == Shape::object && print.has("task_results", '[') &&
           print.has("config");
  }

  Result<LogHeader> read(ImportJob job) const override {
    Tau2Log log(job, format());
    const auto file = first_file(job);
    if (!file) return tl::unexpected(file.error());
    const JobProgress progress{0, file->bytes_on_disk()};
    const Remarks remarks = log.remarks(file->name());
    HeaderPieces head(log, remarks);
    const auto first = scan_file(*file, head, job.sink, remarks, progress);
    if (!first) return tl::unexpected(first.error());
    log.header().sha256 = first->sha256;
    log.header().bytes = first->bytes;
    ++log.header().missing_fields["tasks"];
    log.send_header();

    RowPieces rows(log, file->name());
    // What is wrong with the file was said by the first scan.
    Diagnostics said_before;
    const auto second =
        scan_file(*file, rows, job.sink, Remarks(said_before, file->name()), progress);
    if (!second) return tl::unexpected(second.error());
    if (second->report.end == json::ScanEnd::stopped) {
      return fail(ErrorCode::interrupted, file->name() + ": reading was interrupted");
    }
    LogHeader header = log.finish();
    if (rows.outcomes_only()) {
      header.inspect_only = "outcomes without trajectories: nobody can tell what was called";
    }
    return header;
  }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_tau2_episode(text, header, row_members);
  }
};

}  // namespace

const Importer& tau2_wrapped_importer() {
  static const Tau2WrappedImporter importer;
  return importer;
}

}  // namespace unmask
