#include "unmask/synthetic/study_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "support/test_files.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "unmask/base/error.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/process.h"

namespace unmask::synthetic {
namespace {

using fixtures::bytes_of;
using fixtures::TemporaryFolder;
using fixtures::unzipped;

constexpr std::uint64_t kSeed = 5;

StudyProcess small_study() {
  StudyProcess study = example_study();
  study.cells.resize(2);
  for (StudyCell& cell : study.cells) {
    cell.process.tasks = 3;
    cell.process.trials = 2;
  }
  return study;
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(WriteStudy, WritesALogPerArmAndWhatItIs) {
  const TemporaryFolder folder;
  const std::filesystem::path into = folder.path() / "new" / "study";
  const StudyProcess study = small_study();
  const Result<void> written = write_study(study, kSeed, into);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(names_in(into),
            (std::set<std::string>{
                "README.md", "study.toml", "gemma-like-dense_telecom_bf16.json.gz",
                "gemma-like-dense_telecom_fp8.json.gz", "gemma-like-dense_telecom_int4.json.gz",
                "gemma-like-dense_retail_bf16.json.gz", "gemma-like-dense_retail_fp8.json.gz",
                "gemma-like-dense_retail_int4.json.gz"}));
  for (const StudyCell& cell : study.cells) {
    for (const ArmProcess& arm : cell.arms) {
      const auto log = nlohmann::json::parse(unzipped(into / log_file_name(cell, arm)));
      EXPECT_EQ(log.at("info").at("agent_info").at("llm"), model_name(cell.process, arm));
      EXPECT_EQ(log.at("simulations").size(), 6U);
    }
  }
  const std::string readme = bytes_of(into / "README.md");
  EXPECT_NE(readme.find("Everything in this folder is simulated"), std::string::npos);
  EXPECT_NE(readme.find("| gemma-like-dense/telecom | 3 x 2 | masked damage in int4 |"),
            std::string::npos);
}

TEST(WriteStudy, SameSeedGivesTheSameBytes) {
  const TemporaryFolder folder;
  const StudyProcess study = small_study();
  ASSERT_TRUE(write_study(study, kSeed, folder.path() / "a"));
  ASSERT_TRUE(write_study(study, kSeed, folder.path() / "b"));
  ASSERT_TRUE(write_study(study, kSeed, folder.path() / "b"));  // over what is there
  ASSERT_TRUE(write_study(study, kSeed + 1, folder.path() / "c"));
  for (const std::string& name : names_in(folder.path() / "a")) {
    EXPECT_EQ(bytes_of(folder.path() / "a" / name), bytes_of(folder.path() / "b" / name)) << name;
    EXPECT_NE(bytes_of(folder.path() / "a" / name), bytes_of(folder.path() / "c" / name)) << name;
  }
  EXPECT_EQ(names_in(folder.path() / "a"), names_in(folder.path() / "b"));
}

TEST(WriteStudy, StopsWhenToldToAndLeavesWholeFiles) {
  const TemporaryFolder folder;
  std::vector<std::size_t> seen;
  const Result<void> written =
      write_study(small_study(), kSeed, folder.path(), [&](std::size_t done, std::size_t total) {
        seen.push_back(done);
        EXPECT_EQ(total, 6U);
        return done < 2;
      });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::interrupted);
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(names_in(folder.path()),
            (std::set<std::string>{"gemma-like-dense_telecom_bf16.json.gz",
                                   "gemma-like-dense_telecom_fp8.json.gz"}));
}

TEST(WriteStudy, AFileInPlaceOfTheFolderIsAnOutsideError) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "taken") << "a file";
  const Result<void> written = write_study(small_study(), kSeed, folder.path() / "taken");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::outside);
  EXPECT_NE(written.error().message.find("taken"), std::string::npos);
}

TEST(StudyToml, NamesCellsArmsAndReference) {
  StudyProcess study = small_study();
  study.cells.resize(1);
  study.cells[0].arms.resize(2);
  study.name = "a \"quoted\" name";
  EXPECT_EQ(study_toml(study, 3), R"(# Simulated: see README.md. Seed 3.
[study]
name = "a \"quoted\" name"

[[cell]]
id = "gemma-like-dense/telecom"
family = "gemma-like"
architecture = "dense"
size = "27B"
domain = "telecom"
  [[cell.arm]]
  name = "bf16"
  precision = "bf16"
  reference = true
  files = ["gemma-like-dense_telecom_bf16.json.gz"]
  [[cell.arm]]
  name = "fp8"
  precision = "fp8"
  files = ["gemma-like-dense_telecom_fp8.json.gz"]
)");
}

TEST(LogFileName, IsUniqueInTheExample) {
  std::set<std::string> names;
  const StudyProcess study = example_study();
  for (const StudyCell& cell : study.cells) {
    for (const ArmProcess& arm : cell.arms) names.insert(log_file_name(cell, arm));
  }
  EXPECT_EQ(names.size(), 30U);
}

}  // namespace
}  // namespace unmask::synthetic
