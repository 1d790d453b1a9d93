#include "unmask/ingest/table_importer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/diagnostics.h"
#include "unmask/base/error.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/chat_log.h"
#include "unmask/ingest/chat_messages.h"
#include "unmask/ingest/episode_intake.h"
#include "unmask/ingest/fingerprint.h"
#include "unmask/ingest/importer.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/table_line.h"
#include "unmask/json/parser.h"
#include "unmask/json/scanner.h"
#include "unmask/json/value.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;
using json::Value;

constexpr std::string_view kAnyVersion = "unmask.table/";

/// Reads line by line: the first may be a header, which has no calls.
class TablePieces final : public json::PieceSink {
 public:
  explicit TablePieces(ChatLog& log) : log_(log) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    // A list of episodes is read as if each stood on a line.
    return place.path.empty() && first == '[' ? Take::inside : Take::rest;
  }

  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string what =
        "line " + std::to_string((place.path.empty() ? place.document : place.path[0].index) + 1);
    const auto line = log_.parse(text, offset, what);
    if (!line) return true;
    const Remarks remarks = log_.remarks().about(what, offset);
    if (!belongs(*line, what)) return false;
    if (!std::exchange(settings_read_, true)) {
      read_table_settings(*line, log_.header(), remarks);
      if (is_header(*line)) {
        header_line_ = what;
        // On an episode's line the seed is the trial's.
        log_.header().seed = integer_or_text((*line)["seed"]);
        log_.report_duplicate_keys(remarks);
        return true;
      }
    }
    if (is_header(*line) || holds_settings_alone(*line)) {
      if (header_line_.empty()) {
        remarks.loss("late_header",
                     what +
                         " holds settings and no episode, and stands behind the first episode, "
                         "where it is too late: it is left out, and the first line's own settings "
                         "hold; make it the first line, with \"schema\": \"" +
                         std::string(kTableSchema) + "\"");
      } else {
        remarks.info("second_header", what + " is a header, as " + header_line_ +
                                          " was (joined files?); the first one holds");
      }
      return true;
    }
    return add(*line, what, text, offset);
  }

  /// Why reading had to stop; empty if it had not.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  static bool is_header(const Value& line) {
    return line["schema"].exists() && !line["calls"].exists();
  }

  /// A header whose schema was forgotten: nothing of an episode, and something of a header.
  static bool holds_settings_alone(const Value& line) {
    for (const std::string_view name : {"calls", "task", "task_id", "trial", "reward", "success"}) {
      if (line[name].exists()) return false;
    }
    for (const std::string_view name :
         {"arm", "model", "harness", "max_errors", "tools", "tasks"}) {
      if (line[name].exists()) return true;
    }
    return false;
  }

  bool add(const Value& line, const std::string& what, std::string_view text,
           std::uint64_t offset) {
    if (!line["calls"].is_array()) {
      log_.remarks()
          .about(what, offset)
          .loss("missing_calls", "calls is " + std::string(name_of(line["calls"].kind())) +
                                     " instead of a list, so nobody can tell what was called; the "
                                     "episode is left out");
      return true;
    }
    Episode probe;
    probe.task_id = text_or_number(line["task"].is_null() ? line["task_id"] : line["task"]);
    const Remarks remarks = log_.remarks().about(what + ", " + episode_label(probe), offset);
    Episode episode = read_table_episode(line, arguments_parser_, log_.missing(), remarks);
    episode.ref = {0, offset, text.size()};
    log_.report_duplicate_keys(remarks);
    return log_.take(std::move(episode));
  }

  /// Whether the line is of this version and of the same arm as the ones before.
  bool belongs(const Value& line, const std::string& what) {
    const std::string_view schema = line["schema"].text();
    if (!schema.empty() && schema != kTableSchema) {
      problem_ = what + " is of the schema '" + std::string(schema) + "', where " +
                 std::string(kTableSchema) + " is read; convert the file, or get a later release";
      return false;
    }
    const std::string_view arm = line["arm"].text();
    if (arm.empty()) return true;
    if (arm_.empty()) arm_ = arm;
    if (arm == arm_) return true;
    problem_ = what + " is of the arm '" + std::string(arm) + "', where '" + arm_ +
               "' stands before; a table holds one arm, so write a file for each (with jq: jq -c "
               "'select(.arm == \"" +
               std::string(arm) + "\")' FILE)";
    return false;
  }

  ChatLog& log_;
  json::Parser arguments_parser_;
  bool settings_read_ = false;
  std::string header_line_;  ///< empty: the log has none
  std::string arm_;
  std::string problem_;
};

class TableImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "unmask table"; }

  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    if (is_folder) return false;
    if (print.schema.starts_with(kAnyVersion)) return true;
    if (!print.schema.empty()) return false;
    switch (print.shape) {
      case Shape::object:
      case Shape::lines:
        return has_episode(print, "");
      case Shape::array:
        return has_episode(print, "[].");
      default:
        return false;
    }
  }

  Result<LogHeader> read(ImportJob job) const override {
    ChatLog log(job, format());
    TablePieces pieces(log);
    const auto done = log.scan(pieces);
    if (!pieces.problem().empty()) {
      return fail(ErrorCode::bad_input, job.input.name + ": " + pieces.problem());
    }
    if (!done) return tl::unexpected(done.error());
    return log.finish();
  }

  /// A table has no messages, so there is no transcript.
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    json::Parser parser;
    const auto line = parser.parse(text);
    if (!line || !line->root["calls"].is_array()) {
      return fail(ErrorCode::bad_input, line ? "no line with calls" : line.error().message);
    }
    Diagnostics said_before;
    MissingFields counted_before;
    json::Parser arguments_parser;
    return read_table_episode(line->root, arguments_parser, counted_before,
                              Remarks(said_before, header.file));
  }

 private:
  static bool has_episode(const Fingerprint& print, std::string_view at) {
    const auto has = [&](std::string_view member) {
      return print.has(std::string(at) + std::string(member));
    };
    return print.has(std::string(at) + "calls", '[') && (has("task") || has("task_id")) &&
           (has("reward") || has("success")) && !print.has(std::string(at) + "messages", '[');
  }
};

}  // namespace

const Importer& table_importer() {
  static const TableImporter importer;
  return importer;
}

}  // namespace unmask
