#include "unmask/replay/task_book.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/replay/known_versions.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/world.h"

namespace unmask::replay {
namespace {

std::shared_ptr<const world::World> some_world() {
  world::generated::WorldSettings settings;
  settings.domain = world::generated::GeneratedDomain::retail;
  settings.tasks = 5;
  auto world = world::generated::own_world("retail", settings);
  return world ? *world : nullptr;
}

std::string task_text(const std::string& id, std::string_view action, std::string_view info) {
  return R"({"id": ")" + id +
         R"(", "evaluation_criteria": {"actions": [{"action_id": "a", "name": ")" +
         std::string(action) + R"(", "arguments": {"x": 1}}], "communicate_info": [)" +
         std::string(info) + R"(], "reward_basis": ["DB"]}})";
}

std::string record_text(std::string_view action, std::string_view info) {
  return R"({"reward": 1.0, "db_check": {"db_match": true}, "action_checks": [{"action": {"name": ")" +
         std::string(action) +
         R"(", "arguments": {"x": 1.0}}, "action_match": true}], "communicate_checks": )" +
         std::string(info) + "}";
}

/// A book of three tasks, two of which differ only in what is to be said.
class Book : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(world_, nullptr);
    for (const auto& [id, action, info] : {std::array{"a", "look", ""}, std::array{"b", "take", ""},
                                           std::array{"c", "take", R"("yes")"}}) {
      TaskDefinition task;
      task.id = id;
      task.text = task_text(id, action, info);
      header_.tasks.push_back(std::move(task));
    }
  }
  /// The id of the task found, with `!` if by its record; empty: none.
  [[nodiscard]] std::string found(const std::string& id, const std::string& record) {
    Episode episode;
    episode.task_id = id;
    episode.reward_record = record;
    const TaskBook book(header_, *world_, diagnostics_);
    const TaskBook::Found found = book.find(episode);
    if (found.task == nullptr) return "";
    return found.task->id + (found.by_record ? "!" : "");
  }

  std::shared_ptr<const world::World> world_ = some_world();
  LogHeader header_;
  Diagnostics diagnostics_;
};

TEST_F(Book, ATaskIsFoundByIdUnlessTheRecordIsAnothers) {
  EXPECT_EQ(found("a", ""), "a");
  EXPECT_EQ(found("a", "no JSON"), "a");
  EXPECT_EQ(found("a", R"({"reward": 0, "db_check": null, "action_checks": null})"), "a");
  EXPECT_EQ(found("a", record_text("look", "null")), "a");
  EXPECT_EQ(found("a", record_text("take", "null")), "b!");
  EXPECT_EQ(found("a", record_text("take", R"([{"info": "yes", "met": true}])")), "c!");
  EXPECT_EQ(found("b", record_text("take", "[]")), "b");
  EXPECT_EQ(found("a", record_text("burn", "null")), "a");  // nobody's: the id stands
  EXPECT_EQ(found("", record_text("look", "null")), "a!");
  EXPECT_EQ(found("", ""), "");
  EXPECT_EQ(found("nobody's", ""), "");
}

TEST_F(Book, ARecordWithoutActionsIsOfATaskThatWantsNone) {
  const std::string record = R"({"db_check": {"db_match": true}, "action_checks": null})";
  EXPECT_EQ(found("a", R"({"db_check": {"db_match": true}})"), "a");  // says nothing of actions
  EXPECT_EQ(found("a", record), "a");
  TaskDefinition idle;
  idle.id = "idle";
  idle.text = R"({"id": "idle", "initial_state": {"initialization_actions": []},
                  "evaluation_criteria": {"actions": [], "reward_basis": ["DB"]}})";
  header_.tasks.push_back(idle);
  EXPECT_EQ(found("a", record), "a");  // it may begin otherwise
  header_.tasks.back().text =
      R"({"id": "idle", "evaluation_criteria": {"actions": [], "reward_basis": ["DB"]}})";
  EXPECT_EQ(found("a", record), "idle!");
  header_.tasks.clear();
  EXPECT_EQ(found("a", record), "");  // so little finds no task in the data
}

TEST_F(Book, TheWorldsTasksStandInForThoseThatTheLogLacks) {
  const std::string id = world_->tasks()[0].id;
  EXPECT_EQ(found(id, ""), id);
  header_.tasks.push_back({});
  header_.tasks.back().id = id;
  header_.tasks.back().text = R"({"id": ")" + id + R"(", "evaluation_criteria": 5})";
  EXPECT_EQ(found(id, ""), id);
  EXPECT_EQ(diagnostics_.count("task_unreadable"), 1U);
}

TEST(KnownVersions, VariantsOfItemsAlone) {
  const std::string theirs = R"({"items": [{"id": "a", "price": 1, "options": {}}], "n": 2})";
  const std::string ours = R"({"items": [{"id": "a", "price": 3, "options": {"b": 1}}], "n": 2})";
  const auto known = [&](std::string_view tool, std::string_view recorded) {
    return known_version_of({"retail", tool, recorded, ours});
  };
  ASSERT_NE(known("modify_pending_order_items", theirs), nullptr);
  EXPECT_EQ(known("modify_pending_order_items", theirs)->id, "variant_of_each_item");
  EXPECT_EQ(known("exchange_delivered_order_items", theirs), nullptr);
  EXPECT_EQ(known("modify_pending_order_items", R"({"items": [{"id": "b"}], "n": 2})"), nullptr);
  EXPECT_EQ(known("modify_pending_order_items", R"({"items": 5, "n": 2})"), nullptr);
  EXPECT_EQ(known("modify_pending_order_items", "Error: x"), nullptr);
  for (const KnownVersion& version : known_versions()) {
    EXPECT_FALSE(version.id.empty());
    EXPECT_FALSE(version.meaning.empty());
  }
}

}  // namespace
}  // namespace unmask::replay
