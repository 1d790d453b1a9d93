#include "unmask/run/cast.h"

#include <cstdint>
#include <fstream>
#include <ios>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/episode/channel.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/model_participant.h"
#include "unmask/play/model_prompt.h"
#include "unmask/play/oracle.h"
#include "unmask/play/participant.h"
#include "unmask/play/repaired_agent.h"
#include "unmask/play/scripted.h"
#include "unmask/play/text_protocol.h"
#include "unmask/repair/call_repair.h"
#include "unmask/repair/repair_mode.h"
#include "unmask/repair/repair_texts.h"
#include "unmask/run/cell_world.h"
#include "unmask/run/run_study.h"
#include "unmask/simulate/course.h"
#include "unmask/simulate/decision.h"
#include "unmask/simulate/models.h"
#include "unmask/simulate/simulated_agent.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::run {
namespace {

using world::Outcome;

/// Costs nothing, which is not the same as costs unknown.
constexpr double kFree = 0.0;

simulate::LogitNoise noise_of(const Casting& casting) {
  // Two arms of one precision have the same noise; a stated deviation has its own.
  if (casting.arm->margin_sd) {
    return {.name = "precision " + std::string(casting.precision),
            .margin_sd = *casting.arm->margin_sd};
  }
  const simulate::LogitNoise* noise = simulate::own_models().find_precision(casting.precision);
  UNMASK_CHECK(noise != nullptr);
  return *noise;
}

std::unique_ptr<play::Participant> scripted_agent(const Casting& casting, const world::Task& task,
                                                  bool solo) {
  const Script& script = *casting.script;
  auto found = script.find(task.id);
  if (found == script.end()) found = script.find("*");
  std::vector<play::SentMessage> said;
  if (found != script.end()) {
    for (const world::Message& message : found->second) {
      play::SentMessage sent;
      sent.message = message;
      sent.cost = kFree;
      said.push_back(std::move(sent));
    }
  }
  return std::make_unique<play::Scripted>(std::move(said),
                                          play::ScriptRules{.solo = solo, .stops_at_word = solo});
}

/// A model's agent, helped as its arm says; `within` keeps the one that is helped.
std::unique_ptr<play::Participant> model_agent(
    const Casting& casting, play::ModelPrompt prompt, bool solo,
    std::vector<std::unique_ptr<play::Participant>>& within) {
  if (casting.arm->repair == repair::Mode::off) {
    return std::make_unique<play::ModelParticipant>(Party::agent, std::move(prompt), solo);
  }
  auto repair = std::make_shared<repair::CallRepair>(prompt.tools, repair::own_repair_texts());
  within.push_back(std::make_unique<play::ModelParticipant>(Party::agent, std::move(prompt), solo));
  return std::make_unique<play::RepairedAgent>(*within.back(), casting.arm->repair,
                                               std::move(repair));
}

Outcome<std::unique_ptr<play::Participant>> agent_of(
    const Casting& casting, const CellTask& played, std::uint64_t seed,
    std::vector<std::unique_ptr<play::Participant>>& within) {
  const world::World& world = *casting.world->world;
  const world::Task& task = *played.task;
  const bool solo = casting.cell->user == UserKind::none;
  switch (casting.arm->agent) {
    case AgentKind::llm: {
      Outcome<play::ModelPrompt> prompt =
          play::agent_prompt(solo ? play::AgentKind::solo : play::AgentKind::plain, world.setup(),
                             task, *casting.world->texts);
      if (!prompt) return world::raised_by(prompt);
      return model_agent(casting, std::move(*prompt), solo, within);
    }
    case AgentKind::oracle:
      return std::make_unique<play::Oracle>(task, solo);
    case AgentKind::scripted:
      return scripted_agent(casting, task, solo);
    case AgentKind::simulated: {
      simulate::AgentSettings settings;
      settings.policy = world.setup().policy;
      settings.traits = simulate::own_models().find_model(casting.arm->model)->traits;
      settings.noise = noise_of(casting);
      settings.seed = casting.study_seed;
      settings.trial_seed = seed;
      settings.golden_action = casting.golden_action;
      settings.repair.rule = casting.arm->repair == repair::Mode::rule;
      settings.repair.diagnosed = casting.arm->repair == repair::Mode::reflex;
      return std::make_unique<simulate::SimulatedAgent>(world, task, played.plan,
                                                        std::move(settings));
    }
  }
  UNMASK_CHECK(false);
}

std::unique_ptr<play::Participant> user_of(const Casting& casting, const world::Task& task) {
  const world::EnvironmentSetup& setup = casting.world->world->setup();
  switch (casting.cell->user) {
    case UserKind::llm:
      return std::make_unique<play::ModelParticipant>(
          Party::user, play::user_prompt(setup, task, *casting.world->texts));
    case UserKind::none:
      return std::make_unique<play::NoUser>();
    case UserKind::scripted:
      return std::make_unique<play::FactsUser>(casting.world->steps.get(), task);
  }
  UNMASK_CHECK(false);
}

template <typename Items, typename Name>
std::string names_of(const Items& items, Name name) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(name(item));
  return joined(names, ", ");
}

}  // namespace

Result<Script> read_script(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::bad_input, path +
                                          ": the script of an agent can't be opened; check the "
                                          "path, which is relative to the study's file");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const Result<world::Value> value = world::parse_json(text);
  if (!value) return fail(ErrorCode::bad_input, path + ": " + value.error().message);
  if (value->object() == nullptr) {
    return fail(ErrorCode::bad_input,
                path + ": must be a JSON object of lists of messages by task id (\"*\": any task)");
  }
  Script script;
  for (const world::Member& member : *value->object()) {
    Result<std::vector<world::Message>> messages = world::read_messages(
        member.value, path + ": [" + member.key + "]", world::MalformedCalls::kept);
    if (!messages) return tl::unexpected(messages.error());
    for (const world::Message& message : *messages) {
      if (message.role == world::Role::assistant) continue;
      return fail(ErrorCode::bad_input,
                  path + ": [" + member.key + "]: all messages must have the role assistant");
    }
    script.emplace(member.key, std::move(*messages));
  }
  return script;
}

Result<void> check_casting(const Casting& casting) {
  if (casting.arm->agent != AgentKind::simulated) return {};
  const simulate::Models& models = simulate::own_models();
  const std::string arm = "cell " + casting.cell->source.info.cell + ": ";
  if (casting.cell->user == UserKind::none) {
    return fail(ErrorCode::bad_input, arm + "a simulated agent needs a user: user = \"scripted\"");
  }
  if (models.find_model(casting.arm->model) == nullptr) {
    return fail(ErrorCode::bad_input,
                arm + "there is no simulated model '" + casting.arm->model +
                    "'; there are: " + names_of(models.models, [](const simulate::Model& model) {
                      return model.traits.name;
                    }));
  }
  if (!casting.arm->margin_sd && models.find_precision(casting.precision) == nullptr) {
    return fail(ErrorCode::bad_input,
                arm + "the simulation knows no precision '" + std::string(casting.precision) +
                    "'; give margin_sd = ..., or precision as one of: " +
                    names_of(models.precisions,
                             [](const simulate::LogitNoise& noise) { return noise.name; }));
  }
  return {};
}

Outcome<Cast> cast_of(const Casting& casting, const CellTask& task, std::uint64_t seed) {
  Cast cast;
  Outcome<std::unique_ptr<play::Participant>> agent = agent_of(casting, task, seed, cast.within);
  if (!agent) return world::raised_by(agent);
  cast.agent = std::move(*agent);
  cast.user = user_of(casting, *task.task);
  const auto write_text = [&cast](std::unique_ptr<play::Participant>& participant) {
    cast.within.push_back(std::move(participant));
    participant = std::make_unique<play::TextProtocol>(*cast.within.back());
  };
  if (casting.agent_writes_text) write_text(cast.agent);
  if (casting.user_writes_text) write_text(cast.user);
  return cast;
}

}  // namespace unmask::run
