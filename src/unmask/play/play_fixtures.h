#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/clock.h"
#include "unmask/episode/channel.h"
#include "unmask/play/orchestrator.h"
#include "unmask/play/participant.h"
#include "unmask/play/scripted.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

// An invented to-do list, and episodes on it, for the tests of this module.

namespace unmask::play::fixtures {

/// One user, `ada`, without tasks, and one notification, `n1`.
inline std::shared_ptr<const world::World> todo_world() {
  const auto loaded = world::find_known_world("mock")->load(
      world::DataFiles(
          "a test's world",
          {{"db.json",
            R"({"tasks": {}, "users": {"ada": {"user_id": "ada", "name": "Ada", "tasks": []}}})"},
           {"user_db.json",
            R"({"notifications": {"n1": {"notification_id": "n1", "message": "Water the plants"}}})"},
           {"policy.md", "Be kind."},
           {"policy_solo.md", "Be quick."},
           {"tasks.json", "[]"}}),
      {});
  EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().message);
  return *loaded;
}

inline world::Task task_of(const std::string& json) {
  const auto parsed = world::parse_json(json);
  EXPECT_TRUE(parsed.has_value()) << json;
  const auto task = world::read_task(*parsed, "a test's task");
  EXPECT_TRUE(task.has_value()) << (task ? "" : task.error().message);
  return *task;
}

inline world::Task plain_task() {
  return task_of(R"({"id": "t", "user_scenario": {"instructions": "Ask for a task."}})");
}

inline SentMessage said(Party party, std::string text) {
  SentMessage sent;
  sent.message.role = party == Party::agent ? world::Role::assistant : world::Role::user;
  sent.message.content = std::move(text);
  return sent;
}

inline world::ToolCall call_of(Party party, std::string name, world::Object arguments = {}) {
  world::ToolCall call;
  call.id = "c";
  call.name = std::move(name);
  call.arguments = std::move(arguments);
  call.requestor = party;
  return call;
}

inline SentMessage called(Party party, std::vector<world::ToolCall> calls) {
  SentMessage sent = said(party, "");
  sent.message.content.reset();
  sent.message.tool_calls = std::move(calls);
  return sent;
}

/// How an episode ended, in tau2-bench's words: a termination, or the type of what was raised.
inline std::string ending(const Orchestrator& played) {
  if (played.raised()) return std::string(played.raised()->type);
  return played.termination() ? std::string(name_of(*played.termination())) : "none";
}

/// A call that works, and one that fails.
inline world::ToolCall good(Party party) {
  return call_of(party, party == Party::agent ? "get_users" : "check_notifications");
}
inline world::ToolCall bad(Party party) { return call_of(party, "no_such_tool"); }

/// A scripted episode with everything that it needs.
class Episode {
 public:
  Episode(std::vector<SentMessage> agent, std::vector<SentMessage> user,
          EpisodeSettings settings = {}, ScriptRules rules = {}, world::Task task = plain_task())
      : world_(todo_world()),
        environment_(*world_->make_environment(settings.solo)),
        task_(std::move(task)),
        agent_(std::move(agent), rules),
        user_(std::move(user)),
        orchestrator_(*environment_, task_, settings, agent_, user_, clock_) {}

  /// Starts and plays to the end.
  Orchestrator& play() {
    orchestrator_.start();
    EXPECT_FALSE(orchestrator_.advance().has_value());
    EXPECT_TRUE(orchestrator_.is_over());
    return orchestrator_;
  }
  Orchestrator& orchestrator() { return orchestrator_; }
  ManualClock& clock() { return clock_; }

 private:
  std::shared_ptr<const world::World> world_;
  std::unique_ptr<world::Environment> environment_;
  world::Task task_;
  Scripted agent_;
  Scripted user_;
  ManualClock clock_{1'000'000'000};
  Orchestrator orchestrator_;
};

}  // namespace unmask::play::fixtures
