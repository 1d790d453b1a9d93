#include "unmask/simulate/simulated_agent.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/play/facts_user.h"
#include "unmask/play/message_rules.h"
#include "unmask/play/oracle.h"
#include "unmask/play/participant.h"
#include "unmask/simulate/course.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::simulate {
namespace {

/// Whether any of the call's results, which follow message `at` in the view, is an error.
bool failed(const play::View& view, std::size_t at) {
  for (std::size_t i = at + 1; i < view.size() && view[i].role == world::Role::tool; ++i) {
    if (view[i].error) return true;
  }
  return false;
}

world::Message in_words(std::string text) {
  world::Message message;
  message.role = world::Role::assistant;
  message.content = std::move(text);
  return message;
}

world::Message call_of(std::string tool, world::Object arguments, std::size_t number) {
  world::Message message;
  message.role = world::Role::assistant;
  message.tool_calls.emplace();
  message.tool_calls->push_back(
      {"call_" + std::to_string(number), std::move(tool), std::move(arguments), Party::agent});
  return message;
}

}  // namespace

SimulatedAgent::SimulatedAgent(const world::World& world, const world::Task& task,
                               std::shared_ptr<const Plan> plan, AgentSettings settings)
    : world_(world), task_(task), plan_(std::move(plan)), settings_(std::move(settings)) {}

SimulatedAgent::Progress& SimulatedAgent::begin() const {
  return progress_.emplace(Progress{.course = Course(*plan_, task_.id, settings_)});
}

world::Outcome<play::Turn> SimulatedAgent::take_turn(const play::View& view) const {
  return play::SentMessage{.message = next_message(follow(view)), .cost = 0.0};
}

SimulatedAgent::Progress& SimulatedAgent::follow(const play::View& view) const {
  const bool goes_on =
      progress_ && view.own_turns() >= progress_->turns && view.size() >= progress_->seen;
  Progress& progress = goes_on ? *progress_ : begin();
  if (progress.seen == 0 && settings_.golden_action) {
    progress.seen = view.size();
    progress.turns = view.own_turns();
  } else if (progress.seen == 0) {
    // The agent's messages before its own first turn are the greeting and the task's history.
    std::size_t before = 0;
    for (std::size_t i = 0; i < view.size(); ++i) {
      if (view[i].role == world::Role::assistant) ++before;
    }
    for (before -= view.own_turns(); before > 0; ++progress.seen) {
      if (view[progress.seen].role == world::Role::assistant) --before;
    }
  }
  for (; progress.seen < view.size(); ++progress.seen) {
    const world::Message& message = view[progress.seen];
    if (message.role != world::Role::assistant) continue;
    ++progress.turns;
    if (progress.course.action().kind == Action::Kind::hand_over) {
      progress.handed_over = true;
    } else {
      progress.course.advance(play::has_calls(message) && failed(view, progress.seen));
    }
  }
  UNMASK_CHECK(progress.turns == view.own_turns());
  return progress;
}

world::Message SimulatedAgent::next_message(const Progress& progress) const {
  const Action& action = progress.course.action();
  switch (action.kind) {
    case Action::Kind::call:
      return call_of(action.tool, action.arguments, progress.turns);
    case Action::Kind::ask: {
      world::GoldenAction step;
      step.name = action.tool;
      step.arguments = action.arguments;
      return in_words(play::step_request(step));
    }
    case Action::Kind::hand_over:
      // The call comes first, then the words; a world without the tool has words only.
      if (!progress.handed_over && world_.setup().agent.find_tool(action.tool) != nullptr) {
        return call_of(action.tool, {{"summary", "Not solved after all steps."}}, progress.turns);
      }
      return in_words(std::string(play::kHandOverWords));
    case Action::Kind::close:
      break;
  }
  return in_words(play::wanted_words(task_) + std::string(play::kClosingWords));
}

}  // namespace unmask::simulate
