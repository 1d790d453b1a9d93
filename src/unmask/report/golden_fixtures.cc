#include "unmask/report/golden_fixtures.h"

#include <cstdlib>
#include <fstream>
#include <ios>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace unmask::golden {

void expect_golden(std::string_view name, const std::string& actual) {
  const std::string path = std::string(UNMASK_GOLDEN_DIR) + "/" + std::string(name);
  if (std::getenv("UNMASK_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  const std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; write it with UNMASK_UPDATE_GOLDEN=1";
  std::stringstream expected;
  expected << file.rdbuf();
  if (actual == expected.str()) return;
  std::istringstream left(expected.str());
  std::istringstream right(actual);
  std::string expected_line, actual_line;
  int number = 0;
  bool more_expected = true, more_actual = true;
  do {
    ++number;
    more_expected = static_cast<bool>(std::getline(left, expected_line));
    more_actual = static_cast<bool>(std::getline(right, actual_line));
  } while (more_expected && more_actual && expected_line == actual_line);
  ADD_FAILURE() << name << ":" << number << " differs (UNMASK_UPDATE_GOLDEN=1 rewrites)\nexpected: "
                << (more_expected ? expected_line : "end")
                << "\nactual:   " << (more_actual ? actual_line : "end");
}

}  // namespace unmask::golden
