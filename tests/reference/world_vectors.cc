#include "reference/world_vectors.h"

#include <cstddef>
#include <sstream>
#include <string>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::reference {

void check_vectors(const world::World& world, const std::string& file, std::size_t expected) {
  Vectors vectors(file, expected);
  if (!vectors.available()) return;
  std::istringstream lines(read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const Result<world::Value> vector = world::parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    const Result<world::VectorCheck> check = world::check_vector(world, *vector, file);
    ASSERT_TRUE(check.has_value()) << check.error().message;
    EXPECT_GT(check->compared, 0U) << check->id;
    for (const world::VectorDifference& difference : check->differences) {
      ADD_FAILURE() << check->id << ", " << difference.place << "\n  expected "
                    << difference.expected << "\n  found    " << difference.found;
    }
    if (check->differences.empty()) vectors.count();
  }
  vectors.finish();
}

world::Value without_descriptions(const world::Value& schema) {
  if (const world::List* elements = schema.list()) {
    world::List kept;
    for (const world::Value& element : *elements) kept.push_back(without_descriptions(element));
    return kept;
  }
  const world::Object* members = schema.object();
  if (members == nullptr) return schema;
  world::Object kept;
  for (const world::Member& member : *members) {
    if (member.key != "description" || !member.value.is_string()) {
      kept.append(member.key, without_descriptions(member.value));
    }
  }
  return kept;
}

}  // namespace unmask::reference
