#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "reference/reference_data.h"
#include "reference/world_vectors.h"
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/telecom/bill_ids.h"
#include "unmask/world/telecom/telecom_world.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

constexpr std::string_view kPristineAgent =
    "304cf5ef059852e117ea801ab9a5efc24c9713ec887679dc2e30acceb4b6742d";
constexpr std::string_view kPristineUser =
    "e1f3a8637388808221228ff3f87294444e6b64caf721f5eb243a85d0a9380b28";

std::shared_ptr<const World> load(telecom::PolicyType policy = telecom::PolicyType::manual) {
  auto world = telecom::load_telecom(reference::shared_folder() / "tau2/data/telecom", policy,
                                     telecom::BillIds(telecom::BillIdStyle::counted));
  if (!world) {
    ADD_FAILURE() << world.error().message;
    return nullptr;
  }
  return *world;
}

std::unique_ptr<Environment> environment_of(const World& world, bool solo) {
  auto environment = world.make_environment(solo);
  EXPECT_TRUE(environment.has_value());
  return *std::move(environment);
}

const List& list(const Value& object, std::string_view key) {
  static const List kNone;
  const Value* value = object.find(key);
  return value == nullptr || value->list() == nullptr ? kNone : *value->list();
}

void expect_vectors(const std::string& file, std::size_t expected) {
  if (!reference::Vectors(file, expected).available()) return;
  const auto world = load();
  if (world != nullptr) reference::check_vectors(*world, file, expected);
}

TEST(TelecomReference, Vectors) { expect_vectors("tau2/telecom/vectors.jsonl.gz", 1510); }

TEST(TelecomReference, EdgeVectors) { expect_vectors("tau2/telecom/vectors_edge.jsonl.gz", 159); }

TEST(TelecomReference, Episodes) { expect_vectors("tau2/telecom/episodes.jsonl.gz", 300); }

TEST(TelecomReference, EdgeEpisodes) { expect_vectors("tau2/telecom/episodes_edge.jsonl.gz", 20); }

TEST(TelecomReference, PoliciesAndPristineHashes) {
  const reference::Vectors data("tau2/data/telecom", 0);
  if (!data.available()) return;
  struct Case {
    telecom::PolicyType type;
    std::string_view domain;
    std::string_view sha256;
    std::string_view solo_sha256;
  };
  for (const Case& expected :
       {Case{telecom::PolicyType::manual, "telecom",
             "065b48503bf780153fc671455cdfddb85b4c6ffb11e2ea93bd940233d804c3e9",
             "71b10d43f320b7929746bd867281322bb0b692086f155c2105191d64a04d0fd5"},
        Case{telecom::PolicyType::workflow, "telecom-workflow",
             "4713ad7b8c70d1767f29352410dc0a1eeec46b62ef218987e06afec276b75fdb",
             "9425f99b3392be03808fe9a8f45edd4885103ab90efc384e68f94695cfb74589"}}) {
    const auto world = load(expected.type);
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(world->name(), expected.domain);
    const auto environment = environment_of(*world, false);
    EXPECT_EQ(sha256_hex(environment->policy()), expected.sha256);
    EXPECT_EQ(sha256_hex(environment_of(*world, true)->policy()), expected.solo_sha256);
    EXPECT_EQ(environment->agent_hash(), kPristineAgent);
    EXPECT_EQ(environment->user_hash(), kPristineUser);
  }
}

TEST(TelecomReference, TasksAndSplits) {
  const reference::Vectors data("tau2/data/telecom/tasks.json.gz", 0);
  if (!data.available()) return;
  const auto world = load();
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(world->tasks().size(), 2285U);
  struct Case {
    std::string_view split;
    std::size_t tasks;
  };
  for (const Case& expected : {Case{"full", 2285}, Case{"base", 114}, Case{"small", 20},
                               Case{"train", 74}, Case{"test", 40}}) {
    const auto tasks = world->split(expected.split);
    ASSERT_TRUE(tasks.has_value()) << tasks.error().message;
    EXPECT_EQ(tasks->size(), expected.tasks) << expected.split;
  }
}

TEST(TelecomReference, ToolSchemas) {
  reference::Vectors vectors("tau2/telecom/tool_schemas.json", 43);
  if (!vectors.available()) return;
  const auto schemas = parse_json(reference::read_bytes(vectors.path()).value());
  ASSERT_TRUE(schemas.has_value());
  const EnvironmentSetup setup = telecom::telecom_setup("telecom");
  struct Case {
    std::string_view key;
    const Toolkit& toolkit;
  };
  for (const Case& side : {Case{"agent", setup.agent}, Case{"user", *setup.user}}) {
    const List& expected = list(*schemas, side.key);
    ASSERT_EQ(side.toolkit.tools.size(), expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ(dump_json(reference::without_descriptions(openai_tool(side.toolkit.tools[at]))),
                dump_json(reference::without_descriptions(expected[at])));
      vectors.count();
    }
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask::world
