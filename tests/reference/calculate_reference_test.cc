#include <cstddef>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/world/calculate.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

/// Retail's name for its tools, and of them `calculate` alone.
class CalculateEnvironment final : public Environment {
 public:
  explicit CalculateEnvironment(std::shared_ptr<const EnvironmentSetup> setup)
      : Environment(std::move(setup), false) {}

  [[nodiscard]] std::unique_ptr<Environment> clone() const override {
    return std::make_unique<CalculateEnvironment>(*this);
  }
  [[nodiscard]] std::string agent_hash() const override { return {}; }

 private:
  Outcome<std::string> run_tool(Party, const Tool&, const Arguments& arguments) override {
    Calculated result = calculate_argument(arguments[0]);
    if (result.error) return raise("Exception", std::move(result.text));
    return std::move(result.text);
  }
};

CalculateEnvironment calculate_environment() {
  auto setup = std::make_shared<EnvironmentSetup>();
  setup->agent.class_name = "RetailTools";
  setup->agent.tools = {{0, "calculate", ToolKind::generic, {{"expression"}}, "", {}}};
  return CalculateEnvironment(std::move(setup));
}

/// Every call of `calculate` in a file of retail's vectors, bindings that fail included.
void check_vectors(const std::string& file, std::size_t calls) {
  reference::Vectors vectors("tau2/retail/" + file, calls);
  if (!vectors.available()) return;
  CalculateEnvironment environment = calculate_environment();
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const auto vector = parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    const List& results = *vector->find("results")->list();
    std::size_t index = 0;
    for (const Value& call : *vector->find("calls")->list()) {
      const Value& expected = results.at(index++);
      if (*call.find("name")->string() != "calculate") continue;
      const Object& arguments = *call.find("arguments")->object();
      const bool is_user = *call.find("requestor")->string() == "user";
      const CallResult result =
          environment.call({"1", "calculate", arguments, is_user ? Party::user : Party::agent});
      EXPECT_EQ(result.content, *expected.find("content")->string())
          << python_repr(arguments).substr(0, 200);
      EXPECT_EQ(result.error, *expected.find("error")->boolean());
      vectors.count();
    }
  }
  vectors.finish();
}

TEST(CalculateReference, Vectors) { check_vectors("vectors.jsonl.gz", 618); }

TEST(CalculateReference, EdgeVectors) { check_vectors("vectors_edge.jsonl.gz", 190); }

}  // namespace
}  // namespace unmask::world
