#include "unmask/play/run_vector.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/clock.h"
#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/episode/episode.h"
#include "unmask/play/judge.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/play/scripted.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/fields.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using world::Fields;
using world::List;
using world::Object;
using world::Outcome;
using world::Raised;
using world::Value;

std::vector<SentMessage> read_script(Fields& fields, std::string_view key, Party party) {
  std::vector<SentMessage> script;
  const List& entries = fields.list(key);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Fields entry(entries[i], fields.place_of(key, i));
    SentMessage sent;
    sent.message.role = party == Party::agent ? world::Role::assistant : world::Role::user;
    sent.message.content = entry.optional_text("content");
    if (entry.find("cost") != nullptr) sent.cost = entry.number("cost");
    if (const List* calls = entry.optional_list("tool_calls")) {
      sent.message.tool_calls.emplace();
      for (std::size_t k = 0; k < calls->size(); ++k) {
        const Result<world::ToolCall> call =
            read_tool_call((*calls)[k], entry.place_of("tool_calls", k));
        if (!call) {
          entry.adopt(call.error());
          break;
        }
        sent.message.tool_calls->push_back(*call);
        if ((*calls)[k].find("requestor") == nullptr) {
          sent.message.tool_calls->back().requestor = party;
        }
      }
    }
    fields.adopt(entry.error());
    script.push_back(std::move(sent));
  }
  return script;
}

int read_count(Fields& fields, std::string_view key) {
  const double number = fields.number(key);
  if (number < 0 || number > 1e9 || number != std::floor(number)) {
    fields.fault(key, "a count is due here");
    return 0;
  }
  return static_cast<int>(number);
}

/// A script that notes how much of it was taken.
class CountedScript final : public Scripted {
 public:
  using Scripted::Scripted;

  [[nodiscard]] Outcome<Turn> take_turn(const View& view) const override {
    taken_ = view.own_turns() + 1;
    return Scripted::take_turn(view);
  }
  [[nodiscard]] std::size_t taken() const { return taken_; }

 private:
  mutable std::size_t taken_ = 0;
};

Value raised_value(const std::optional<Raised>& raised) {
  if (!raised) return {};
  return Object{{"type", raised->type}, {"message", raised->text}};
}

Value count_value(std::size_t count) { return static_cast<std::int64_t>(count); }

Value or_null(const std::optional<double>& number) { return number ? Value(*number) : Value(); }

template <typename Checks, typename Show>
Value shown(const Checks& checks, bool keeps_empty, Show show) {
  if (!checks || (checks->empty() && !keeps_empty)) return {};
  List list;
  for (const auto& check : *checks) list.push_back(show(check));
  return list;
}

void add_reward(Object& found, const world::RewardInfo& info) {
  found.set("reward", or_null(info.reward));
  if (info.breakdown) {
    Object parts;
    for (const world::PartReward& part : *info.breakdown) {
      parts.set(std::string(name_of(part.part)), part.reward);
    }
    found.set("reward_breakdown", parts);
  }
  found.set("reward_basis", shown(info.reward_basis, true,
                                  [](world::RewardPart part) { return Value(name_of(part)); }));
  found.set("db_match", info.db_match ? Value(*info.db_match) : Value());
  found.set("env_assertions_met",
            shown(info.env_assertions, true,
                  [](const world::AssertionCheck& check) { return Value(check.met); }));
  found.set("action_matches",
            shown(info.action_checks, false, [](const world::ActionCheck& check) -> Value {
              return List{check.action.id, check.match,
                          check.kind ? Value(name_of(*check.kind)) : Value()};
            }));
  found.set("communicate_met",
            shown(info.communicate_checks, false,
                  [](const world::CommunicateCheck& check) { return Value(check.met); }));
  found.set("nl_met", shown(info.nl_assertions, true,
                            [](const world::NlCheck& check) { return Value(check.met); }));
  const Value* note = info.info.find("note");
  found.set("reward_note", note == nullptr ? Value() : *note);
}

/// The termination reason, or `raises:Type`.
std::string ending_of(const Orchestrator& orchestrator) {
  if (const std::optional<Raised>& raised = orchestrator.raised())
    return "raises:" + std::string(raised->type);
  return std::string(name_of(orchestrator.termination().value_or(Termination::unknown)));
}

/// Judges a finished run as the vector says.
void evaluate_run(const world::World& world, const RunVector& vector,
                  const Orchestrator& orchestrator, PlayedRun& run) {
  world::EvaluationOptions options;
  options.type = vector.evaluation_type;
  options.judge = [&](std::span<const std::string>,
                      std::span<const world::Message>) -> Outcome<std::vector<world::NlCheck>> {
    if (!vector.judge_answer) return world::raise("RuntimeError", "no LLM");
    return read_judgement(*vector.judge_answer);
  };
  const Outcome<world::RewardInfo> info = evaluate(
      world, vector.task, {orchestrator.trajectory(), run.ending, vector.settings.solo}, options);
  if (info) {
    run.success = std::abs(info->reward.value_or(0.0) - 1.0) <= 1e-6;
    run.found.set("evaluation_raises", Value());
    add_reward(run.found, *info);
  } else {
    run.evaluation_raises = info.error().type;
    run.found.set("evaluation_raises", raised_value(info.error()));
  }
}

PlayedRun not_built(const Raised& raised) {
  PlayedRun run;
  run.ending = "raises:" + std::string(raised.type);
  run.found = Object{{"raises", raised_value(raised)}};
  return run;
}

}  // namespace

Result<RunVector> read_run_vector(const world::World& world, const Value& line,
                                  std::string_view place) {
  Fields fields(line, std::string(place));
  RunVector vector;
  vector.id = fields.text("id");
  if (const Value* own = fields.find("task")) {
    Result<world::Task> task = read_task(*own, fields.place_of("task"));
    if (task)
      vector.task = std::move(*task);
    else
      fields.adopt(task.error());
  } else {
    const world::Task* task = world.find_task(fields.text("task_id"));
    if (task == nullptr) {
      fields.fault("task_id", "the world " + world.name() + " has no task of this id");
    } else {
      vector.task = *task;
    }
  }
  EpisodeSettings& settings = vector.settings;
  settings.max_steps = read_count(fields, "max_steps");
  settings.max_errors = read_count(fields, "max_errors");
  settings.validate_communication = fields.boolean("validate_communication");
  settings.solo = fields.boolean("solo_mode");
  if (fields.find("timeout") != nullptr) settings.timeout_seconds = fields.number("timeout");
  vector.agent_script = read_script(fields, "agent_script", Party::agent);
  vector.user_script = read_script(fields, "user_script", Party::user);
  vector.agent_stops_at_word = fields.boolean_or("agent_is_stop", false);
  if (const std::optional<std::string> name = fields.optional_text("evaluation_type")) {
    const std::optional<world::EvaluationType> type = world::evaluation_type_of(*name);
    if (!type) fields.fault("evaluation_type", "no evaluation type of tau2-bench");
    vector.evaluation_type = type.value_or(world::EvaluationType::all);
  }
  vector.judge_answer = fields.optional_text("nl_judge_response");
  vector.expected = fields.find("expected");
  if (vector.expected == nullptr) fields.fault("expected", "the run's record is due here");
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  return vector;
}

PlayedRun play_run(const world::World& world, const RunVector& vector, int max_errors) {
  const bool solo = vector.settings.solo;
  Outcome<std::unique_ptr<world::Environment>> environment = world.make_environment(solo);
  if (!environment) return not_built(environment.error());
  if (solo) {
    const Outcome<void> valid = check_solo_task(vector.task);
    if (!valid) return not_built(valid.error());
  }
  const CountedScript agent(vector.agent_script,
                            {.solo = solo, .stops_at_word = vector.agent_stops_at_word});
  const CountedScript user(vector.user_script);
  const ManualClock clock;
  EpisodeSettings settings = vector.settings;
  settings.max_errors = max_errors;
  Orchestrator orchestrator(**environment, vector.task, settings, agent, user, clock);
  orchestrator.start();
  (void)orchestrator.advance();  // scripts ask no model

  PlayedRun run;
  run.num_errors = orchestrator.num_errors();
  run.num_messages = orchestrator.trajectory().size();
  run.ending = ending_of(orchestrator);
  List messages;
  for (const world::Message& message : orchestrator.trajectory()) {
    messages.push_back(to_value(message));
  }
  for (std::size_t i = orchestrator.history_size(); i < run.num_messages; ++i) {
    if (orchestrator.trajectory()[i].role == world::Role::tool) ++run.calls;
  }
  run.found.set("raises", raised_value(orchestrator.raised()));
  run.found.set("termination_reason", orchestrator.raised() ? Value() : Value(run.ending));
  run.found.set("num_errors", run.num_errors);
  run.found.set("step_count", orchestrator.step_count());
  run.found.set("messages", std::move(messages));
  run.found.set("agent_consumed", count_value(agent.taken()));
  run.found.set("user_consumed", count_value(user.taken()));
  if (!orchestrator.raised()) {
    run.found.set("agent_cost", or_null(orchestrator.cost(Party::agent)));
    run.found.set("user_cost", or_null(orchestrator.cost(Party::user)));
    evaluate_run(world, vector, orchestrator, run);
  }
  return run;
}

}  // namespace unmask::play
