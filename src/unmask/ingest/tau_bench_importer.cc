#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/diagnostics.h"
#include "unmask/base/sha256.h"
#include "unmask/ingest/chat_importers.h"
#include "unmask/ingest/chat_log.h"
#include "unmask/ingest/episode_values.h"
#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/tau_bench_names.h"
#include "unmask/ingest/tool_list.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;
using json::Value;

/// Python's words for text that is no JSON.
constexpr std::array<std::string_view, 9> kDecodeErrors = {
    "Expecting value",         "Expecting property name",
    "Expecting ',' delimiter", "Expecting ':' delimiter",
    "Unterminated string",     "Invalid control character",
    "Invalid \\escape",        "Extra data",
    "Illegal trailing comma"};

/// Whether a crash came of arguments that the model wrote and tau-bench could not decode. A decode
/// error that a provider's library reports is the provider's.
bool crashed_on_arguments(std::string_view error, std::string_view traceback) {
  for (const std::string_view prefix : {"JSONDecodeError: ", "json.decoder.JSONDecodeError: "}) {
    if (error.starts_with(prefix)) error.remove_prefix(prefix.size());
  }
  bool decoding = false;
  for (const std::string_view words : kDecodeErrors) decoding |= error.starts_with(words);
  return decoding &&
         (traceback.empty() || traceback.find("message_to_action") != std::string_view::npos ||
          traceback.find("arguments)") != std::string_view::npos ||
          traceback.find("\"arguments\"") != std::string_view::npos);
}

/// SHA-256 of what defines a task; empty if nothing is stored of it.
std::string task_hash(const Value& task) {
  if (task["instruction"].is_null() && task["actions"].is_null()) return {};
  std::string text;
  for (const std::string_view part : {"user_id", "instruction", "actions", "outputs"}) {
    text += part;
    text += task[part].is_null() ? "null" : json::to_canonical_json(task[part]);
    text += '\n';
  }
  return sha256_hex(text);
}

class TauBenchLog {
 public:
  TauBenchLog(ImportJob job, std::string_view format) : log_(job, format) {
    LogHeader& header = log_.header();
    header.harness.name = "tau-bench";
    header.harness.evidence = "episodes have tau-bench's members (traj, info, reward)";
    const TauBenchRun run = tau_bench_run_of(header.file);
    if (!run.model.empty()) set_model(run.model, true);
    header.identity.agent_implementation = run.agent;
    if (!run.temperature.empty()) header.identity.sampling["temperature"] = run.temperature;
    header.identity.user_model = run.user_model;
    header.identity.user_implementation = run.user;
  }

  /// For reading episodes again.
  TauBenchLog(ImportJob job, const LogHeader& known) : log_(job, known) {}

  [[nodiscard]] ChatLog& log() { return log_; }

  /// Empty if nothing of the element can be used.
  std::optional<Episode> read(std::string_view text, const std::string& place,
                              std::uint64_t offset) {
    const auto element = log_.parse(text, offset, place);
    if (!element) return std::nullopt;
    Episode episode;
    episode.ref = {0, offset, text.size()};
    episode.task_id = text_or_number((*element)["task_id"]);
    episode.id = text_or_number((*element)["example_number"]);
    if (episode.task_id.empty()) ++log_.missing()["task_id"];
    const Value trial = (*element)["trial"];
    if (const auto number = integer_or_text(trial);
        number && *number >= 0 && *number < 1'000'000'000) {
      episode.trial = static_cast<int>(*number);
    } else {
      ++log_.missing()["trial"];
    }
    const Remarks remarks = log_.remarks().about(place + ", " + episode_label(episode), offset);
    if (!episode.trial && !trial.is_null()) {
      remarks.loss("wrong_type",
                   "the trial is " + json::to_json(trial) + " instead of a whole number from 0");
    }
    take_model((*element)["model"].text());
    const Value info = (*element)["info"];
    episode.cost.user_usd = amount(info["user_cost"]);
    take_task(info["task"], episode.task_id);
    Value reward = (*element)["reward"];
    if (reward.is_null()) reward = info["reward_info"]["reward"];
    const bool crashed = !info["error"].is_null();
    if (!messages(*element, crashed, episode, remarks)) return std::nullopt;
    if (crashed) crash(info, episode);
    if (!reward.is_null()) {
      take_reward(reward, episode, remarks);
    } else {
      ++log_.missing()["reward"];
      remarks.loss("missing_reward", "no reward is stored; the episode is left out of scores");
    }
    log_.report_duplicate_keys(remarks);
    return episode;
  }

 private:
  void set_model(std::string_view model, bool guess) {
    set_agent_model(model, log_.header().identity);
    log_.header().identity.model_is_guess = guess;
  }

  /// A model that the element names stands above what the file's name suggests.
  void take_model(std::string_view model) {
    if (model.empty()) return;
    if (named_model_.empty()) {
      named_model_ = model;
      set_model(model, false);
    } else if (model != named_model_ && !told_of_models_) {
      told_of_models_ = true;
      log_.remarks().add(kSeveralModels, Severity::error,
                         "the file holds episodes of several models (" + named_model_ + ", " +
                             std::string(model) +
                             " ...), which count as one arm; split the file "
                             "by model");
    }
  }

  void take_task(const Value& task, const std::string& id) {
    if (!task.is_object()) return;
    TaskDefinition definition;
    definition.content_hash = task_hash(task);
    if (definition.content_hash.empty()) return;
    const auto [known, added] = tasks_.try_emplace(id, definition.content_hash);
    if (!added) {
      if (known->second != definition.content_hash) {
        log_.remarks().loss("task_changed", "the task " + id +
                                                " is not the same in all its trials; trials of "
                                                "both count as one task");
      }
      return;
    }
    definition.id = id;
    for (const Value action : task["actions"].elements()) {
      if (const auto name = action["name"].text(); !name.empty()) {
        definition.golden_agent_actions.emplace_back(name);
      }
    }
    log_.header().tasks.push_back(std::move(definition));
  }

  /// A run that broke off.
  void crash(const Value& info, Episode& episode) const {
    const std::string error =
        info["error"].string() ? std::string(info["error"].text()) : json::to_json(info["error"]);
    if (!crashed_on_arguments(error, info["traceback"].text())) {
      episode.termination = Termination::infrastructure_error;
      episode.termination_text = "crash";
      episode.infrastructure_note = crash_note(error);
      if (episode.infrastructure_note.empty()) episode.infrastructure_note = "no text";
      return;
    }
    // The message whose call could not be decoded was not saved; here it has a place of its own.
    episode.termination = Termination::agent_error;
    episode.termination_text = "crash";
    ToolCall call;
    call.arguments_are_object = false;
    call.answered = true;
    call.failed = true;
    call.result = crash_note(error);
    call.message = episode.messages;
    if (log_.transcripts()) {
      Message& message = episode.transcript.emplace_back();
      message.first_call = static_cast<std::uint32_t>(episode.calls.size());
      message.call_count = 1;
    }
    episode.calls.push_back(std::move(call));
    ++episode.messages;
    ++episode.agent_messages;
  }

  /// False if nothing can be told of what was called; that is reported.
  bool messages(const Value& element, bool crashed, Episode& episode, const Remarks& remarks) {
    Value list = element["traj"];
    if (list.is_null()) list = element["trajectory"];
    if (!list.is_array()) {
      if (crashed) return true;
      ++log_.missing()["traj"];
      remarks.loss("missing_messages",
                   "the trajectory is " + std::string(name_of(list.kind())) +
                       " instead of a list, so nobody can tell what was called; the episode is "
                       "left out");
      return false;
    }
    Value first;
    Value last;
    for (const Value message : list.elements()) {
      if (!first.exists()) first = message;
      last = message;
    }
    if (first["role"].text() == "system") take_prompt(content_text(first["content"]), episode);
    log_.read_messages(list, {.dialect = ChatDialect::tau_bench}, episode, remarks);
    // The only two ways in which tau-bench ends an episode that it did not cut.
    if (last["role"].text() == "user" &&
        content_text(last["content"]).find("###STOP###") != std::string::npos) {
      episode.termination = Termination::user_stop;
    } else if (!episode.calls.empty() && episode.calls.back().answered &&
               episode.calls.back().name == "transfer_to_human_agents" &&
               episode.calls.back().message + 2 == episode.messages) {
      episode.termination = Termination::agent_stop;
    }
    return true;
  }

  void take_prompt(const std::string& prompt, Episode& episode) {
    if (log_.header().policy.empty()) set_policy(prompt, log_.header());
    const std::string_view list = tools_in_prompt(prompt);
    if (list.empty()) return;
    const auto parsed = prompt_parser_.parse(list);
    if (!parsed) return;
    ToolInventory tools;
    tools.agent = read_tool_list(parsed->root);
    if (tools.agent.empty()) return;
    tools.complete = true;
    tools.source = "log";
    log_.offer(std::move(tools), episode);
  }

  ChatLog log_;
  std::string named_model_;
  bool told_of_models_ = false;
  std::map<std::string, std::string> tasks_;  ///< content hashes by id
  json::Parser prompt_parser_;
};

/// Takes the elements of the list, or of `results` within an object, or whole lines.
class TauBenchPieces final : public json::PieceSink {
 public:
  TauBenchPieces(TauBenchLog& log, bool by_line) : log_(log), by_line_(by_line) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (by_line_) return Take::rest;
    if (place.depth() == 0) return first == '[' || first == '{' ? Take::inside : Take::skip;
    if (place.path[0].is_element) return Take::rest;
    if (place.path[0].key != "results") return Take::skip;
    return place.depth() == 1 ? (first == '[' ? Take::inside : Take::skip) : Take::rest;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    const std::string what =
        by_line_ ? "line " + std::to_string(place.document + 1) : "episode " + to_string(place);
    return log_.log().take(log_.read(text, what, offset));
  }

 private:
  TauBenchLog& log_;
  bool by_line_;
};

class TauBenchImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "tau-bench"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    if (is_folder) return false;
    if (print.shape == Shape::array) return is_episode(print, "[].");
    return by_line(print) || (print.shape == Shape::object && print.has("results[].traj"));
  }

  Result<LogHeader> read(ImportJob job) const override {
    TauBenchLog log(job, format());
    TauBenchPieces pieces(log, job.fingerprint != nullptr && by_line(*job.fingerprint));
    if (const auto done = log.log().scan(pieces); !done) return tl::unexpected(done.error());
    return log.log().finish();
  }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_chat_episode<TauBenchLog>(text, header);
  }

 private:
  /// The members at `at` are an episode's.
  static bool is_episode(const Fingerprint& print, std::string_view at) {
    const auto path = [&](std::string_view member) {
      return std::string(at) + std::string(member);
    };
    return (print.has(path("traj")) && (print.has(path("task_id")) || print.has(path("reward")))) ||
           (print.has(path("trajectory"), '[') &&
            (print.has(path("error_reason")) || print.has(path("example_number"))));
  }
  /// JSON lines, also a single one.
  static bool by_line(const Fingerprint& print) {
    return (print.shape == Shape::lines || print.shape == Shape::object) && is_episode(print, "");
  }
};

}  // namespace

const Importer& tau_bench_importer() {
  static const TauBenchImporter importer;
  return importer;
}

}  // namespace unmask
