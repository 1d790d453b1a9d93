#include "unmask/report/schema_fixtures.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::golden {

std::vector<std::size_t> refused_by_schema(std::string_view schema,
                                           const std::vector<std::string>& documents) {
  namespace fs = std::filesystem;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder =
      fs::path(testing::TempDir()) /
      (std::string("unmask_schema_") + test->test_suite_name() + "_" + test->name());
  fs::create_directories(folder);
  const std::string source = UNMASK_SOURCE_DIR;
  std::string command = "python3 '" + source + "/scripts/check_schema.py' '" + source +
                        "/docs/schemas/" + std::string(schema) + "'";
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const fs::path path = folder / ("document_" + std::to_string(i) + ".json");
    std::ofstream(path, std::ios::binary) << documents[i];
    command += " '" + path.string() + "'";
  }
  const fs::path said = folder / "said.txt";
  command += " > '" + said.string() + "' 2>&1";
  const int status = std::system(command.c_str());
  const std::ifstream file(said);
  std::stringstream output;
  output << file.rdbuf();
  const std::string text = output.str();
  std::vector<std::size_t> refused;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (text.find("document_" + std::to_string(i) + ".json:") != std::string::npos)
      refused.push_back(i);
  }
  // 0 = all fit, 1 = some do not; anything else means that nothing was checked.
  const bool checked = text.find(" files fit ") != std::string::npos;
  EXPECT_TRUE(checked) << text;
  EXPECT_EQ(status == 0, refused.empty()) << text;
  if (!refused.empty()) testing::Test::RecordProperty("refused", text);
  fs::remove_all(folder);
  return refused;
}

}  // namespace unmask::golden
