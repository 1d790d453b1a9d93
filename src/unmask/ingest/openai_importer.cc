#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/diagnostics.h"
#include "unmask/ingest/chat_importers.h"
#include "unmask/ingest/chat_log.h"
#include "unmask/ingest/episode_values.h"
#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/message_choices.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/secrets.h"
#include "unmask/ingest/tau2_importers.h"
#include "unmask/ingest/token_choices.h"
#include "unmask/ingest/tool_list.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Place;
using json::Take;
using json::Value;

using Names = std::span<const std::string_view>;

// What people call a member; the first that is there counts.
constexpr std::array<std::string_view, 1> kArm = {"arm"};
constexpr std::array<std::string_view, 3> kModel = {"model", "model_name", "llm"};
constexpr std::array<std::string_view, 5> kTask = {"task_id", "task", "scenario", "instance_id",
                                                   "id"};
constexpr std::array<std::string_view, 4> kEpisode = {"episode_id", "simulation_id", "run_id",
                                                      "id"};
constexpr std::array<std::string_view, 3> kTrial = {"trial", "attempt", "epoch"};
/// A reward, a word for one, or a word for how the episode ended.
constexpr std::string_view kOutcome = "outcome";
constexpr std::array<std::string_view, 6> kReward = {"reward", "success", "passed",
                                                     "pass",   "correct", kOutcome};
constexpr std::array<std::string_view, 3> kTermination = {"termination_reason", "termination",
                                                          "stop_reason"};
constexpr std::array<std::string_view, 2> kDomain = {"domain", "environment"};
constexpr std::array<std::string_view, 3> kPrecision = {"precision", "quantization", "quant"};
constexpr std::array<std::string_view, 2> kTime = {"timestamp", "created_at"};
constexpr std::array<std::string_view, 3> kSeconds = {"duration", "seconds", "duration_sec"};

/// The members of an episode; what is not beside the messages may stand in `metadata`.
class EpisodeMembers {
 public:
  explicit EpisodeMembers(const Value& object) : object_(object), metadata_(object["metadata"]) {}

  [[nodiscard]] Value get(std::string_view name) const {
    const Value value = object_[name];
    return value.is_null() ? metadata_[name] : value;
  }
  [[nodiscard]] Value get(Names names) const {
    for (const std::string_view name : names) {
      if (const Value value = get(name); !value.is_null()) return value;
    }
    return {};
  }
  [[nodiscard]] std::string text(Names names) const { return std::string(get(names).text()); }

 private:
  Value object_;
  Value metadata_;
};

/// Words for an outcome; nullopt for any other, which says how the episode ended.
std::optional<double> reward_of_word(std::string_view word) {
  for (const std::string_view good : {"success", "pass", "passed", "correct", "solved"}) {
    if (word == good) return 1.0;
  }
  for (const std::string_view bad : {"failure", "fail", "failed", "incorrect", "unsolved"}) {
    if (word == bad) return 0.0;
  }
  return std::nullopt;
}

Termination termination_of(std::string_view word) {
  if (word == "max_rounds" || word == "max_turns") return Termination::max_steps;
  return termination_from_name(word);
}

/// Settings that hold for the whole log, from its first episode.
void read_settings(const EpisodeMembers& episode, LogHeader& header) {
  header.arm = episode.text(kArm);
  header.domain = episode.text(kDomain);
  set_agent_model(episode.text(kModel), header.identity);
  set_precision(episode.text(kPrecision), header);
  for (const std::string_view setting : {"temperature", "top_p"}) {
    if (const Value value = episode.get(setting); value.number()) {
      header.identity.sampling[std::string(setting)] = json::to_canonical_json(value);
    }
  }
  read_identity([&episode](std::string_view name) { return episode.get(name); }, header);
  read_harness(episode.get("harness"), header.harness);
  header.max_errors = whole_number(episode.get("max_errors"));
  header.max_steps = whole_number(episode.get("max_steps"));
  header.num_trials = whole_number(episode.get("num_trials"));
  header.timestamp = episode.text(kTime);
}

/// One decision of unmask-log-0.
struct Decision {
  Value value;
  std::uint32_t message = 0;
};

class OpenaiLog {
 public:
  OpenaiLog(ImportJob job, std::string_view format) : log_(job, format) {}

  /// For reading episodes again.
  OpenaiLog(ImportJob job, const LogHeader& known) : log_(job, known) {}

  [[nodiscard]] ChatLog& log() { return log_; }

  /// An object with messages, or bare messages. Empty if nothing of it can be used.
  std::optional<Episode> read(std::string_view text, const std::string& place,
                              std::uint64_t offset) {
    const auto document = log_.parse(text, offset, place);
    if (!document) return std::nullopt;
    Episode episode;
    episode.ref = {0, offset, text.size()};
    const EpisodeMembers members(*document);
    if (!log_.header_sent()) {
      read_settings(members, log_.header());
    } else {
      compare_settings(members);
    }
    read_identity(members, episode);
    const Remarks remarks = log_.remarks().about(place + ", " + episode_label(episode), offset);
    const Value messages = document->is_array() ? *document : (*document)["messages"];
    if (!messages.is_array()) {
      remarks.loss("missing_messages",
                   "messages is " + std::string(name_of(messages.kind())) +
                       " instead of a list, so nobody can tell what was called; the episode is "
                       "left out");
      return std::nullopt;
    }
    read_outcome(members, episode, remarks);
    read_cost(members, episode);
    const std::vector<Decision> decisions = decisions_of(*document);
    const auto history =
        static_cast<std::uint32_t>(whole_number(members.get("history_messages")).value_or(0));
    log_.read_messages(messages, {.history = history, .notes = notes_of(decisions)}, episode,
                       remarks);
    read_tools(members, episode);
    read_choices(messages, decisions, episode);
    log_.report_duplicate_keys(remarks);
    return episode;
  }

 private:
  void read_identity(const EpisodeMembers& members, Episode& episode) {
    for (const std::string_view name : kTask) {
      const Value value = members.get(name);
      episode.task_id = text_or_number(value.is_object() ? value["id"] : value);
      if (!episode.task_id.empty()) break;
    }
    if (episode.task_id.empty()) ++log_.missing()["task_id"];
    episode.id = text_or_number(members.get(kEpisode));
    episode.trial = whole_number(members.get(kTrial));
    if (!episode.trial) ++log_.missing()["trial"];
    episode.seed = integer_or_text(members.get("seed"));
    if (!episode.seed) ++log_.missing()["seed"];
  }

  void read_outcome(const EpisodeMembers& members, Episode& episode, const Remarks& remarks) {
    for (const std::string_view name : kReward) {
      const Value value = members.get(name);
      if (value.is_null() || value.is_object() || value.is_array()) continue;
      if (const auto word = value.string()) {
        if (const auto reward = reward_of_word(*word)) {
          episode.reward = reward;
          break;
        }
        if (name == kOutcome) continue;
      }
      take_reward(value, episode, remarks);
      break;
    }
    if (!episode.reward && !episode.reward_was_nan) ++log_.missing()["reward"];
    const std::string_view outcome = members.get(kOutcome).text();
    if (!reward_of_word(outcome)) episode.termination_text = without_secrets(outcome);
    if (const std::string reason = members.text(kTermination); !reason.empty()) {
      episode.termination_text = without_secrets(reason);
    }
    episode.termination = termination_of(episode.termination_text);
    if (episode.termination_text.empty()) {
      ++log_.missing()["termination_reason"];
    } else if (episode.termination == Termination::unknown) {
      remarks.info("unknown_termination", "the termination reason '" + episode.termination_text +
                                              "' is not known; it is kept as it is");
    }
    episode.reward_basis = texts(members.get("reward_basis"));
    const Value error = members.get("infrastructure_error");
    if (!error.text().empty()) episode.infrastructure_note = crash_note(error.text());
  }

  static void read_cost(const EpisodeMembers& members, Episode& episode) {
    episode.cost.seconds = amount(members.get(kSeconds));
    episode.cost.agent_usd = amount(members.get("agent_cost"));
    episode.cost.user_usd = amount(members.get("user_cost"));
    const auto count = [](const Value& value) -> std::optional<std::int64_t> {
      const auto number = value.integer();
      return number && *number >= 0 && *number < (std::int64_t{1} << 50U) ? number : std::nullopt;
    };
    const Value usage = members.get("usage");
    episode.cost.prompt_tokens = count(usage["prompt_tokens"]);
    episode.cost.completion_tokens = count(usage["completion_tokens"]);
    if (!episode.cost.prompt_tokens) {
      episode.cost.prompt_tokens = count(members.get("prompt_tokens_sum"));
    }
    if (!episode.cost.completion_tokens) {
      episode.cost.completion_tokens = count(members.get("completion_tokens"));
    }
  }

  void read_tools(const EpisodeMembers& members, Episode& episode) {
    ToolInventory tools;
    tools.agent = read_tool_list(members.get("tools"));
    tools.user = read_tool_list(members.get("user_tools"));
    if (tools.agent.empty() && tools.user.empty()) {
      ++log_.missing()["tools"];
      return;
    }
    tools.source = "log";
    bool user_calls = false;
    for (const ToolCall& call : episode.calls) user_calls |= call.party == Party::user;
    tools.complete = members.get("tools_complete")
                         .boolean()
                         .value_or(!tools.agent.empty() && (!user_calls || !tools.user.empty()));
    log_.offer(std::move(tools), episode);
  }

  static std::vector<Decision> decisions_of(const Value& document) {
    std::vector<Decision> decisions;
    for (const Value value : document["decisions"].elements()) {
      const auto message = value["msg_index"].integer();
      if (!message || *message < 0 || *message > std::numeric_limits<int>::max()) continue;
      decisions.push_back({value, static_cast<std::uint32_t>(*message)});
    }
    return decisions;
  }

  static std::vector<MessageNote> notes_of(const std::vector<Decision>& decisions) {
    // An index beyond every message is not looked up.
    constexpr std::size_t kMost = std::size_t{1} << 20U;
    std::vector<MessageNote> notes;
    for (const Decision& decision : decisions) {
      if (decision.message >= kMost) continue;
      const std::string_view kind = decision.value["kind"].text();
      if (kind != "call" && kind != "bad_json" && kind != "bad_shape") continue;
      if (decision.message >= notes.size()) notes.resize(decision.message + std::size_t{1});
      MessageNote& note = notes[decision.message];
      const Value error = decision.value["error"];
      if (error.exists()) note.failed = !error.is_null();
      note.broken_call = kind != "call";
      note.name = decision.value["name"].text();
    }
    return notes;
  }

  void read_choices(const Value& messages, const std::vector<Decision>& decisions,
                    Episode& episode) {
    const std::vector<std::string> offered =
        offered_names(episode.tools ? *episode.tools : log_.tools());
    for (const Decision& decision : decisions) {
      if (decision.message >= episode.messages) continue;
      const auto tokens = read_token_positions(decision.value["tokens"]);
      const auto span = span_of(decision.value, tokens);
      if (span) add_decision(decision.message, tokens, *span, offered, episode);
    }
    add_message_choices(messages, offered, episode);
  }

  /// The name's place as recorded (`name_span`), or found.
  static std::optional<NameSpan> span_of(const Value& decision,
                                         std::span<const TokenPosition> tokens) {
    std::optional<std::size_t> first;
    std::size_t next = 0;
    for (const Value index : decision["name_span"].elements()) {
      const auto at = index.integer();
      if (!at || *at < 0 || std::cmp_greater_equal(*at, tokens.size())) return std::nullopt;
      if (!first) first = static_cast<std::size_t>(*at);
      next = static_cast<std::size_t>(*at) + 1;
    }
    if (!first || next <= *first) return std::nullopt;
    // The span's first token may hold what stands in front of the name too.
    const std::string_view name = decision["name"].text();
    const auto found = name.empty() ? std::nullopt : find_name(tokens, name, 0);
    const std::size_t skip = found && found->first == *first ? found->skip : 0;
    return NameSpan{*first, skip, next};
  }

  /// Episodes of one file are one arm; what shows that they are not is reported once.
  void compare_settings(const EpisodeMembers& members) {
    const auto differs = [&](const std::string& first, Names names, std::string_view what,
                             const char* code) {
      const std::string here = members.text(names);
      if (here.empty() || here == first || first.empty()) return;
      if (!told_.emplace(what).second) return;
      log_.remarks().add(code, Severity::error,
                         "the file holds episodes of several " + std::string(what) + " (" + first +
                             ", " + here + " ...), which count as one arm; split the file by them");
    };
    differs(log_.header().arm, kArm, "arms", kSeveralArms);
    differs(log_.header().identity.model, kModel, "models", kSeveralModels);
    differs(log_.header().domain, kDomain, "domains", kSeveralDomains);
  }

  ChatLog log_;
  std::set<std::string, std::less<>> told_;
};

/// Takes episodes: whole documents, the elements of a list of them, or those of `splits`.
class OpenaiPieces final : public json::PieceSink {
 public:
  OpenaiPieces(OpenaiLog& log, bool list, bool splits) : log_(log), list_(list), splits_(splits) {}

  Take begin(const Place& place, char first, std::uint64_t /*offset*/) override {
    if (place.depth() == 0) {
      if ((list_ && first == '[') || (splits_ && first == '{')) return Take::inside;
      return list_ || splits_ ? Take::whole : Take::rest;
    }
    if (!splits_) return Take::rest;
    switch (place.depth()) {
      case 1:
        return place.path[0].key == "splits" && first == '{' ? Take::inside : Take::skip;
      case 2:
        return first == '[' ? Take::inside : Take::skip;
      default:
        return Take::rest;
    }
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    return log_.log().take(log_.read(text,
                                     place.path.empty()
                                         ? "episode " + std::to_string(place.document + 1)
                                         : "episode " + to_string(place),
                                     offset));
  }

 private:
  OpenaiLog& log_;
  bool list_;
  bool splits_;
};

/// Whether the values at the prefix `at` of `print` (`[].`, or empty for the document itself) are
/// episodes of chat messages, and of no format that has messages too.
bool has_chat_episode(const Fingerprint& print, const std::string& at) {
  if (!print.has(at + "messages", '[') || has_tau2_simulation(print, at)) return false;
  if (at.empty() && print.schema.starts_with("unmask.table/")) return false;
  constexpr std::array<std::string_view, 7> kOthers = {
      "run_info",    "traj",         "trajectory",      "results",
      "simulations", "task_results", "execution_events"};
  return std::ranges::none_of(
      kOthers, [&](std::string_view member) { return print.has(at + std::string(member)); });
}

bool is_message(const Fingerprint& print, const std::string& at) {
  return print.has(at + "role", '"') && (print.has(at + "content") || print.has(at + "tool_calls"));
}

bool is_episode_list(const Fingerprint& print) {
  return has_chat_episode(print, "[].") || is_message(print, "[][].");
}

bool is_split_export(const Fingerprint& print) {
  return print.has("splits", '{') &&
         (print.has("splits.train[].messages") || print.has("splits.test[].messages") ||
          print.has("splits.validation[].messages"));
}

class OpenaiImporter final : public Importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "openai chat"; }
  [[nodiscard]] bool recognises(const Fingerprint& print, bool is_folder) const override {
    if (is_folder) return false;
    switch (print.shape) {
      case Shape::array:
        return is_episode_list(print) || is_message(print, "[].");
      case Shape::object:
        return has_chat_episode(print, "") || is_split_export(print);
      case Shape::lines:
        return has_chat_episode(print, "") || is_message(print, "[].");
      default:
        return false;
    }
  }

  Result<LogHeader> read(ImportJob job) const override {
    UNMASK_CHECK(job.fingerprint != nullptr);
    const Fingerprint& print = *job.fingerprint;
    OpenaiLog log(job, format());
    OpenaiPieces pieces(log, print.shape == Shape::array && is_episode_list(print),
                        is_split_export(print));
    if (const auto done = log.log().scan(pieces); !done) return tl::unexpected(done.error());
    return log.log().finish();
  }
  [[nodiscard]] Result<Episode> episode(std::string_view text,
                                        const LogHeader& header) const override {
    return reread_chat_episode<OpenaiLog>(text, header);
  }
};

}  // namespace

const Importer& openai_importer() {
  static const OpenaiImporter importer;
  return importer;
}

}  // namespace unmask
