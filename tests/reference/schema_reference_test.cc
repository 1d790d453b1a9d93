#include <filesystem>
#include <sstream>
#include <string>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/schema/argument_schema.h"

namespace unmask {
namespace {

/// The schemas of MoonshotAI's validator: all are valid, so each must be read.
TEST(SchemaReference, ValidatorCasesAreRead) {
  const std::string folder =
      "logs/MoonshotAI__Kimi-Vendor-Verifier/testdata/walle_validator_cases/validator_cases";
  reference::Vectors vectors(folder, 212);
  if (!vectors.available()) return;
  for (const auto& entry : std::filesystem::directory_iterator(vectors.path())) {
    std::istringstream lines(reference::read_bytes(entry.path() / "valid.jsonl").value());
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const auto schema = ArgumentSchema::parse(line);
      ASSERT_TRUE(schema.has_value()) << line << "\n" << schema.error().message;
      // No value may make the check fail or hang, whatever the schema's references.
      (void)schema->check(R"({"a":{"b":[1,"x",null]}})");
      vectors.count();
    }
  }
  vectors.finish();
}

}  // namespace
}  // namespace unmask
