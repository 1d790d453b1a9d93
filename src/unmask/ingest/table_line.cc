#include "unmask/ingest/table_line.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/ingest/chat_messages.h"
#include "unmask/ingest/episode_values.h"
#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/secrets.h"
#include "unmask/ingest/tool_list.h"
#include "unmask/json/parser.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Kind;
using json::Value;

/// Messages beyond this are no real count, and sums of them would overflow.
constexpr std::int64_t kMostMessages = std::int64_t{1} << 30U;

/// Rewards this near to 1 are a success.
constexpr double kSuccessTolerance = 1e-6;

/// The first of two spellings that is there.
Value either(const Value& line, std::string_view name, std::string_view other) {
  const Value value = line[name];
  return value.is_null() ? line[other] : value;
}

void read_tools(const Value& tools, LogHeader& header) {
  header.tools.agent = read_tool_list(tools.is_array() ? tools : tools["agent"]);
  header.tools.user = read_tool_list(tools["user"]);
  header.tools.complete = tools["complete"].boolean().value_or(false);
  if (!header.tools.agent.empty() || !header.tools.user.empty()) header.tools.source = "log";
}

void read_tasks(const Value& tasks, LogHeader& header) {
  for (const Value element : tasks.elements()) {
    TaskDefinition task;
    task.id = text_or_number(element.is_object() ? element["id"] : element);
    if (task.id.empty()) continue;
    task.content_hash = element["key"].text();
    header.tasks.push_back(std::move(task));
  }
}

/// Reads the calls of one episode.
class CallReader {
 public:
  CallReader(Episode& episode, json::Parser& parser, MissingFields& missing, const Remarks& remarks)
      : episode_(episode), parser_(parser), missing_(missing), remarks_(remarks) {}

  void read(const Value& call) {
    ++number_;
    if (call.is_array()) {
      read_row(call);
    } else if (call.is_object()) {
      read_object(call);
    } else {
      remarks_.loss("wrong_type", name() + " is " + std::string(name_of(call.kind())) +
                                      " instead of a list or an object; it is left out");
    }
  }

 private:
  [[nodiscard]] std::string name() const { return "call " + std::to_string(number_); }

  /// [party, name, ok, channel, kind, message]
  void read_row(const Value& row) {
    std::array<Value, 6> members;
    std::size_t count = 0;
    for (const Value element : row.elements()) {
      if (count < members.size()) members[count++] = element;
    }
    const auto& [party, called, ok, channel, kind, message] = members;
    ToolCall call;
    if (!read_party(party, call)) return;
    call.name = called.text();
    if (ok.exists()) {
      read_ok(ok, call);
    } else {
      report_no_outcome();
    }
    add(std::move(call), channel, kind, message);
  }

  void read_object(const Value& object) {
    ToolCall call;
    if (!read_party(object["party"], call)) return;
    call.name = object["name"].text();
    call.id = text_or_number(object["id"]);
    const Value error = object["error"];
    const bool has_error = !error.is_null() && error.boolean() != false && !is_empty_text(error);
    if (const Value ok = object["ok"]; ok.exists()) {
      read_ok(ok, call);
    } else if (error.exists()) {
      call.answered = true;
      call.failed = has_error;
    } else {
      report_no_outcome();
    }
    call.result = text_of(object["result"]);
    if (has_error && call.result.empty() && !error.boolean()) call.result = text_of(error);
    if (!call.answered) call.result.clear();
    read_arguments(object["arguments"], call);
    add(std::move(call), object["channel"], object["kind"], object["message"]);
  }

  static bool is_empty_text(const Value& value) {
    const auto text = value.string();
    return text && text->empty();
  }

  static std::string text_of(const Value& value) {
    if (value.is_null()) return {};
    if (const auto text = value.string()) return std::string(*text);
    return json::to_json(value);
  }

  void report_no_outcome() {
    remarks_.loss("missing_ok", name() +
                                    " says neither ok nor error, so nobody can tell whether it "
                                    "failed; it counts as a call without a result");
  }

  bool read_party(const Value& value, ToolCall& call) {
    const std::string_view party = value.text();
    if (party == "user") {
      call.party = Party::user;
    } else if (!value.is_null() && party != "agent" && party != "assistant") {
      remarks_.loss("unknown_party", name() + " is of the party " + json::to_json(value) +
                                         ", which is neither agent nor user; it is left out");
      return false;
    }
    return true;
  }

  void read_ok(const Value& ok, ToolCall& call) {
    if (ok.is_null()) return;
    std::optional<bool> succeeded = ok.boolean();
    if (const auto number = ok.integer(); number && (*number == 0 || *number == 1)) {
      succeeded = *number == 1;
    }
    if (!succeeded) {
      remarks_.loss("wrong_type", "ok of " + name() + " is " + json::to_json(ok) +
                                      " instead of true or false; it counts as a call without a "
                                      "result");
      return;
    }
    call.answered = true;
    call.failed = !*succeeded;
  }

  void read_arguments(const Value& arguments, ToolCall& call) {
    if (arguments.is_null()) return;
    const auto text = arguments.string();
    if (!text) {
      call.arguments = json::to_json(arguments);
      call.arguments_are_object = arguments.is_object();
      return;
    }
    call.arguments = text->find_first_not_of(" \t\r\n") == std::string_view::npos
                         ? std::string("{}")
                         : std::string(*text);
    const auto parsed = parser_.parse(call.arguments);
    call.arguments_are_object = parsed && parsed->root.is_object();
  }

  void read_channel(const Value& channel, const Value& kind, ToolCall& call) {
    if (channel.is_null() || !call.failed) return;
    call.stated_channel = channel_from_name(channel.text());
    if (call.stated_channel) {
      call.stated_kind = kind.text();
      return;
    }
    std::string known;
    for (std::size_t i = 0; i < kChannelCount; ++i) {
      if (!known.empty()) known += ", ";
      known += name_of(static_cast<Channel>(i));
    }
    remarks_.loss("unknown_channel", "the channel of " + name() + " is " + json::to_json(channel) +
                                         ", which is none of " + known +
                                         "; the call is diagnosed as if none were stated");
  }

  void add(ToolCall call, const Value& channel, const Value& kind, const Value& message) {
    read_channel(channel, kind, call);
    if (call.name.empty() && call.stated_channel != Channel::malformed &&
        call.arguments_are_object) {
      remarks_.loss("missing_name", name() + " has no name");
    }
    // A call and its result are two messages, where the table does not number them.
    const auto at = count_or_text(message, kMostMessages);
    call.message = at ? static_cast<std::uint32_t>(*at) : next_message_;
    next_message_ = call.message + 2;
    if (!call.answered) ++missing_["results"];
    episode_.calls.push_back(std::move(call));
  }

  Episode& episode_;
  json::Parser& parser_;
  MissingFields& missing_;
  const Remarks& remarks_;
  std::size_t number_ = 0;
  std::uint32_t next_message_ = 0;
};

void read_lengths(const Value& line, Episode& episode) {
  std::uint32_t needed = 0;
  std::set<std::uint32_t> agent_messages;
  for (const ToolCall& call : episode.calls) {
    needed = std::max(needed, call.message + (call.answered ? 2 : 1));
    if (call.party == Party::agent) agent_messages.insert(call.message);
  }
  const auto messages = count_or_text(line["messages"], kMostMessages);
  // Parallel calls have their results behind them; a stated count knows better.
  std::uint32_t last = 0;
  for (const ToolCall& call : episode.calls) last = std::max(last, call.message + 1);
  episode.messages = messages ? std::max(static_cast<std::uint32_t>(*messages), last) : needed;
  const auto own = count_or_text(line["agent_messages"], kMostMessages);
  episode.agent_messages =
      own ? static_cast<std::uint32_t>(*own) : static_cast<std::uint32_t>(agent_messages.size());
  if (const auto errors = count_or_text(line["communication_errors"], kMostMessages)) {
    episode.communication_errors = static_cast<std::uint32_t>(*errors);
  }
}

void read_cost(const Value& line, EpisodeCost& cost) {
  constexpr std::int64_t kMostTokens = std::int64_t{1} << 50U;
  cost.prompt_tokens = count_or_text(line["prompt_tokens"], kMostTokens);
  cost.completion_tokens = count_or_text(line["completion_tokens"], kMostTokens);
  cost.seconds = amount(line["seconds"]);
  cost.agent_usd = amount(line["agent_usd"]);
  cost.user_usd = amount(line["user_usd"]);
}

/// Takes `reward` or `success`. A number or truth value that stands in quotes is read as meant.
void read_reward(const Value& line, std::string_view name, Episode& episode,
                 const Remarks& remarks) {
  const Value value = line[name];
  const auto text = value.string();
  if (text == "true" || text == "false") {
    episode.reward = text == "true" ? 1.0 : 0.0;
  } else {
    take_reward(value, episode, remarks);
  }
  if (text && episode.reward) {
    remarks.info("quoted_reward", std::string(name) + " is the text " + json::to_json(value) +
                                      "; it is read as what stands in the quotes");
  }
}

void read_outcome(const Value& line, Episode& episode, MissingFields& missing,
                  const Remarks& remarks) {
  const Value reward = line["reward"];
  const Value success = line["success"];
  if (!reward.is_null()) {
    read_reward(line, "reward", episode, remarks);
  } else if (!success.is_null()) {
    read_reward(line, "success", episode, remarks);
  } else {
    ++missing["reward"];
    // A null says that nobody scored the episode; a member that is not there may be forgotten.
    if (!reward.exists() && !success.exists() && !line["infrastructure_error"].exists()) {
      remarks.loss("missing_reward",
                   "neither reward nor success is stored; the episode is left out of scores (write "
                   "null where nobody scored it)");
    }
  }
  const auto solved = success.boolean();
  if (!reward.is_null() && solved && episode.reward &&
      *solved != (std::abs(*episode.reward - 1.0) <= kSuccessTolerance)) {
    remarks.loss("reward_contradicts_success", "the reward is " + json::to_json(reward) +
                                                   " and success is " + json::to_json(success) +
                                                   "; the reward counts");
  }
  const std::string_view ended = either(line, "termination", "termination_reason").text();
  if (ended.empty()) {
    ++missing["termination"];
  } else {
    episode.termination_text = without_secrets(ended);
    episode.termination = termination_from_name(ended);
    if (episode.termination == Termination::unknown) {
      remarks.info("unknown_termination", "the termination '" + episode.termination_text +
                                              "' is not known; it is kept as it is");
    }
  }
  episode.reward_basis = texts(line["reward_basis"]);
  const Value crash = line["infrastructure_error"];
  if (const std::string_view text = crash.text(); !text.empty()) {
    episode.infrastructure_note = crash_note(text);
  } else if (crash.boolean() == true) {
    episode.infrastructure_note = "the log says that the episode crashed";
  }
}

}  // namespace

void read_table_settings(const Value& line, LogHeader& header, const Remarks& remarks) {
  header.arm = line["arm"].text();
  header.domain = line["domain"].text();
  header.timestamp = line["timestamp"].text();
  read_harness(line["harness"], header.harness);
  header.max_errors = whole_number(line["max_errors"]);
  header.max_steps = whole_number(line["max_steps"]);
  header.num_trials = whole_number(line["num_trials"]);
  set_agent_model(line["model"].text(), header.identity);
  set_precision(line["precision"].text(), header);
  read_identity([&line](std::string_view name) { return line[name]; }, header);
  read_tools(line["tools"], header);
  read_tasks(line["tasks"], header);
  for (const std::string_view name : {"max_errors", "max_steps", "num_trials"}) {
    const Value value = line[name];
    if (value.is_null() || whole_number(value)) continue;
    remarks.loss("wrong_type", std::string(name) + " is " + json::to_json(value) +
                                   " instead of a whole number from 0; it is left out");
  }
}

Episode read_table_episode(const Value& line, json::Parser& arguments_parser,
                           MissingFields& missing, const Remarks& remarks) {
  Episode episode;
  episode.id = text_or_number(line["id"]);
  episode.task_id = text_or_number(either(line, "task", "task_id"));
  if (episode.task_id.empty()) ++missing["task"];
  const Value trial = line["trial"];
  episode.trial = whole_number(trial);
  if (!episode.trial) {
    ++missing["trial"];
    if (!trial.is_null()) {
      remarks.loss("wrong_type",
                   "the trial is " + json::to_json(trial) + " instead of a whole number from 0");
    }
  }
  episode.seed = integer_or_text(line["seed"]);
  read_outcome(line, episode, missing, remarks);
  CallReader calls(episode, arguments_parser, missing, remarks);
  for (const Value call : line["calls"].elements()) calls.read(call);
  read_lengths(line, episode);
  read_cost(line, episode.cost);
  return episode;
}

}  // namespace unmask
