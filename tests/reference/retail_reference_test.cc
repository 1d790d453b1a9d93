#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "reference/reference_data.h"
#include "reference/world_vectors.h"
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

/// The official world, loaded once; null if the data are missing, which skips the test.
const World* retail_world() {
  if (!reference::Vectors("tau2/data/retail/db.json", 0).available()) return nullptr;
  static const std::shared_ptr<const World> loaded = []() -> std::shared_ptr<const World> {
    const std::filesystem::path folder = reference::shared_folder() / "tau2/data/retail";
    const Result<std::shared_ptr<const World>> world = find_known_world("retail")->load(folder, {});
    if (world) return *world;
    ADD_FAILURE() << world.error().message;
    return nullptr;
  }();
  return loaded.get();
}

void check_vectors(const std::string& file, std::size_t expected) {
  if (const World* world = retail_world()) reference::check_vectors(*world, file, expected);
}

TEST(RetailReference, PristineHash) {
  reference::Vectors vectors("tau2/data/retail/db.json", 1);
  if (!vectors.available() || retail_world() == nullptr) return;
  EXPECT_EQ(retail_world()->make_environment().value()->agent_hash(),
            "b25c9cb211f5efcaee5dd646054a73c4a9f43f4f5acc32c10713cd9f9ac20e9c");
  vectors.count();
  vectors.finish();
}

TEST(RetailReference, CallVectors) { check_vectors("tau2/retail/vectors.jsonl.gz", 1646); }

TEST(RetailReference, EdgeCallVectors) { check_vectors("tau2/retail/vectors_edge.jsonl.gz", 273); }

TEST(RetailReference, Episodes) { check_vectors("tau2/retail/episodes.jsonl.gz", 340); }

TEST(RetailReference, EdgeEpisodes) { check_vectors("tau2/retail/episodes_edge.jsonl.gz", 43); }

}  // namespace
}  // namespace unmask::world
