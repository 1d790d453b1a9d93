#include "unmask/ingest/tau2_simulation.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/first_call.h"
#include "unmask/ingest/episode_values.h"
#include "unmask/ingest/json_values.h"
#include "unmask/ingest/remarks.h"
#include "unmask/ingest/secrets.h"
#include "unmask/ingest/tau2_messages.h"
#include "unmask/json/value.h"
#include "unmask/json/write.h"

namespace unmask {

namespace {

using json::Kind;
using json::Value;

void read_reward(const Tau2Simulation& simulation, Episode& episode, Tau2Traces& traces,
                 const Remarks& remarks) {
  Value value = simulation.reward_info["reward"];
  if (value.is_null()) value = simulation.reward;
  if (value.is_null()) {
    ++traces.missing_fields["reward"];
    // Crashed episodes have none by design; they are excluded for that reason.
    if (episode.termination != Termination::infrastructure_error) {
      remarks.loss("missing_reward",
                   "no reward is stored; the episode is left out of scores (evaluate the run again "
                   "to get one)");
    }
    return;
  }
  take_reward(value, episode, remarks);
}

void read_termination(const Tau2Simulation& simulation, Episode& episode, Tau2Traces& traces,
                      const Remarks& remarks) {
  if (simulation.crashed) episode.termination = Termination::infrastructure_error;
  episode.termination_text = without_secrets(simulation.termination_reason.text());
  if (episode.termination_text.empty()) {
    if (simulation.crashed) return;
    ++traces.missing_fields["termination_reason"];
    remarks.loss("missing_termination",
                 "no termination_reason is stored; whether the error budget stopped the episode is "
                 "not known");
    return;
  }
  if (!simulation.crashed) episode.termination = termination_from_name(episode.termination_text);
  if (episode.termination == Termination::unknown) {
    remarks.info("unknown_termination", "the termination_reason '" + episode.termination_text +
                                            "' is not known; it is kept as it is");
  }
  if (episode.termination == Termination::too_many_errors) ++traces.stopped_by_errors;
  if (episode.termination == Termination::judge_stop) ++traces.judge_stops;
}

std::optional<double> finite(const Value& value) {
  const auto number = value.number();
  return number && std::isfinite(*number) ? number : std::nullopt;
}

}  // namespace

Tau2Simulation simulation_members(const Value& simulation) {
  Tau2Simulation members;
  members.id = simulation["id"];
  members.task_id = simulation["task_id"];
  members.trial = simulation["trial"];
  members.seed = simulation["seed"];
  members.timestamp = simulation["timestamp"];
  members.termination_reason = simulation["termination_reason"];
  members.reward_info = simulation["reward_info"];
  members.messages = simulation["messages"];
  members.ticks = simulation["ticks"];
  members.duration = simulation["duration"];
  members.agent_cost = simulation["agent_cost"];
  members.user_cost = simulation["user_cost"];
  const Value info = simulation["info"];
  members.error = info["error"];
  members.held_back = info["held_back"];
  members.first_call = info["first_call"];
  return members;
}

void note_simulation_members(const Value& simulation, Tau2Traces& traces) {
  for (const std::string_view member :
       {"mode", "ticks", "hallucination_retries_used", "effect_timeline", "provider_session_id"}) {
    if (!traces.newer_members && simulation[member].exists()) traces.newer_members = true;
  }
  if (simulation["skipped"].exists()) traces.skipped_member = true;
  if (!simulation["task_id"].exists() || !simulation["duration"].exists() ||
      !simulation["start_time"].exists()) {
    traces.bare_simulations = true;
  }
}

std::optional<Episode> read_tau2_simulation(const Tau2Simulation& simulation,
                                            const Tau2Histories& histories, Tau2Traces& traces,
                                            const Remarks& remarks, bool transcript) {
  Episode episode;
  ++traces.simulations;
  episode.id = text_or_number(simulation.id);
  episode.task_id = text_or_number(simulation.task_id);
  if (episode.task_id.empty()) ++traces.missing_fields["task_id"];
  if (const auto trial = integer_or_text(simulation.trial);
      trial && *trial >= 0 && *trial <= std::numeric_limits<int>::max()) {
    episode.trial = static_cast<int>(*trial);
  } else {
    ++traces.missing_fields["trial"];
    if (!simulation.trial.is_null()) {
      remarks.loss("wrong_type", "the trial is " + json::to_json(simulation.trial) +
                                     " instead of a whole number from 0");
    }
  }
  episode.seed = integer_or_text(simulation.seed);
  if (!episode.seed) ++traces.missing_fields["seed"];
  read_termination(simulation, episode, traces, remarks);
  const std::string_view crash = simulation.error.text();
  if (!crash.empty()) episode.infrastructure_note = crash_note(crash);
  read_reward(simulation, episode, traces, remarks);
  episode.reward_basis = texts(simulation.reward_info["reward_basis"]);
  if (transcript && simulation.reward_info.is_object()) {
    episode.reward_record = json::to_json(simulation.reward_info);
  }
  episode.cost.seconds = finite(simulation.duration);
  episode.cost.agent_usd = finite(simulation.agent_cost);
  episode.cost.user_usd = finite(simulation.user_cost);

  episode.first_call = first_call_from_name(simulation.first_call["outcome"].text());
  for (const Party party : {Party::agent, Party::user}) {
    if (episode.first_call && simulation.first_call["by"].text() == name_of(party))
      episode.first_call_due = party;
  }
  if (const auto state = integer_or_text(simulation.first_call["state"]);
      episode.first_call && state && *state >= 0 && *state <= std::numeric_limits<int>::max()) {
    episode.golden_action = static_cast<std::uint32_t>(*state);
  }
  std::uint32_t history = 0;
  // A first call's log has the answer alone.
  if (const auto found = histories.find(episode.task_id);
      found != histories.end() && !episode.first_call) {
    history = found->second;
  }
  const std::string_view timestamp = simulation.timestamp.text();
  if (!timestamp.empty()) {
    if (traces.first_timestamp.empty() || timestamp < traces.first_timestamp) {
      traces.first_timestamp = timestamp;
    }
  }

  Tau2MessageReader reader(episode, history, traces, remarks, transcript);
  // Voice logs may hold both; the messages are chunks of what the ticks have. One of them counts.
  if (simulation.messages.is_array() &&
      (simulation.messages.size() > 0 || simulation.ticks.size() == 0)) {
    for (const Value message : simulation.messages.elements()) reader.message(message);
  } else if (simulation.ticks.is_array()) {
    ++traces.with_ticks_only;
    for (const Value tick : simulation.ticks.elements()) reader.tick(tick);
  } else {
    ++traces.missing_fields["messages"];
    if (episode.termination != Termination::infrastructure_error) {
      remarks.loss("missing_messages",
                   simulation.messages.is_null()
                       ? "no messages are stored, so nobody can tell what was called; the episode "
                         "is left out"
                       : "messages is " + std::string(name_of(simulation.messages.kind())) +
                             " instead of a list; the episode is left out");
      return std::nullopt;
    }
  }
  reader.held_back(simulation.held_back);
  reader.finish();
  return episode;
}

}  // namespace unmask
