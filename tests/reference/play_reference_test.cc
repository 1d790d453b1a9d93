#include <cstddef>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/play/vector_check.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using Worlds = std::map<std::string, std::shared_ptr<const world::World>, std::less<>>;

Worlds load_worlds() {
  Worlds worlds;
  for (const char* name : {"mock", "retail", "telecom"}) {
    const auto loaded = world::find_known_world(name)->load(
        reference::shared_folder() / "tau2/data" / name, {.counted_ids = true});
    if (loaded) {
      worlds.emplace(name, *loaded);
    } else {
      ADD_FAILURE() << loaded.error().message;
    }
  }
  return worlds;
}

/// Each vector of a file must be equal in everything that it records.
void expect_equal(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available()) return;
  const Worlds worlds = load_worlds();
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const Result<world::Value> vector = world::parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    const auto world = worlds.find(domain_of_vector(*vector).value_or(""));
    ASSERT_NE(world, worlds.end());
    const Result<world::VectorCheck> check = check_any_vector(*world->second, *vector, file);
    ASSERT_TRUE(check.has_value()) << check.error().message;
    EXPECT_GT(check->compared, 3U) << check->id;
    for (const world::VectorDifference& difference : check->differences) {
      ADD_FAILURE() << check->id << ", " << difference.place << "\n  expected "
                    << difference.expected << "\n  found    " << difference.found;
    }
    if (check->differences.empty()) vectors.count();
  }
  vectors.finish();
}

TEST(PlayReference, Simulations) { expect_equal("tau2/orchestrator/sim_vectors.jsonl.gz", 344); }

TEST(PlayReference, RunsAtEveryBudget) {
  expect_equal("tau2/orchestrator/counterfactual.jsonl.gz", 100);
}

}  // namespace
}  // namespace unmask::play
