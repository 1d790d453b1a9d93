#include "unmask/study/study_file.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask {
namespace {

constexpr const char* kGood = R"([study]
name = "two cells"
[[cell]]
id = "a/telecom"
family = "a"
architecture = "dense"
size = "27B"
domain = "telecom"
[[cell.arm]]
name = "bf16"
files = ["bf16.json", "/elsewhere/more.json"]
reference = true
[[cell.arm]]
name = "int4"
files = "int4.json"
precision = "int4"
[[cell.arm]]
name = "int4-reflex"
files = "repaired.json"
repairs = "int4"
mode = "reflex"
[[cell.arm]]
name = "again"
files = "again.json"
null = true
[[cell]]
id = "b/retail"
[[cell.arm]]
name = "bf16"
files = "b.json"
)";

TEST(StudyFile, TellsAStudyToBeRunFromOneOfLogs) {
  const std::string text =
      "[study]\ntrials = 2\n[[cell]]\nid = \"a\"\n[[cell.arm]]\nname = \"x\"\nagent = "
      "\"oracle\"\nrepairs = \"y\"\n[[cell.arm]]\nname = \"y\"\nagent = \"oracle\"\n";
  const Result<std::vector<CellSource>> audited = parse_study_file(text, "study.toml");
  ASSERT_FALSE(audited.has_value());
  EXPECT_THAT(audited.error().message,
              testing::AllOf(testing::HasSubstr("study.toml:7"), testing::HasSubstr("unmask run")));
  const Result<std::vector<CellSource>> run = parse_study_file(text, "study.toml", StudyUse::run);
  ASSERT_TRUE(run.has_value()) << run.error().message;
  ASSERT_EQ(run->front().arms.size(), 2U);
  EXPECT_EQ(run->front().arms[0].unrepaired, "y");
  EXPECT_TRUE(run->front().arms[0].paths.empty());
}

TEST(StudyFile, ReadsCellsAndArms) {
  const Result<std::vector<CellSource>> cells = parse_study_file(kGood, "runs/study.toml");
  ASSERT_TRUE(cells.has_value()) << cells.error().message;
  ASSERT_EQ(cells->size(), 2U);
  const CellSource& first = cells->front();
  EXPECT_EQ(first.info.cell, "a/telecom");
  EXPECT_EQ(first.info.size, "27B");
  EXPECT_EQ(first.reference, "bf16");
  ASSERT_EQ(first.arms.size(), 4U);
  EXPECT_THAT(first.arms[0].paths, testing::ElementsAre("runs/bf16.json", "/elsewhere/more.json"));
  EXPECT_EQ(first.arms[1].precision, "int4");
  EXPECT_EQ(first.arms[2].role, ArmRole::repaired);
  EXPECT_EQ(first.arms[2].unrepaired, "int4");
  EXPECT_EQ(first.arms[3].role, ArmRole::null);
  EXPECT_TRUE(cells->back().reference.empty());
}

TEST(StudyFile, EveryProblemNamesTheLineAndTheRemedy) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "study.toml:1: no [[cell]]"},
      {"[study\n", "study.toml:1: not TOML"},
      {"\n\n[[cell]]\nfamily = 'x'\n", "study.toml:3: the cell has no id"},
      {"[[cell]]\nid = 'a'\n", "the cell has no arms"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\n", "study.toml:3: the arm has no files"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nfiles = 'x'\n", "the arm has no name"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\nfiles = [1]\n",
       "study.toml:5: files must be a path"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\nweights = 'q4'\n",
       "study.toml:6: unknown key 'weights' in an arm; known are: name"},
      {"[[cell]]\nid = 'a'\narchitecture = 'sparse'\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\n",
       "\"dense\" or \"moe\""},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\n[[cell.arm]]\nname = 'x'\nfiles "
       "= 'f'\n",
       "study.toml:6: the arm 'x' is there twice"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\nrepairs = 'y'\n",
       "which the cell does not have"},
      {"[[cell]]\nid = 7\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\n",
       "study.toml:2: id must be a string"},
      {"[[cell]]\nid = 'a'\n[[cell.arm]]\nname = 'x'\nfiles = 'f'\nreference = true\nnull = true\n",
       "not two of these"},
  };
  for (const Case& each : cases) {
    const Result<std::vector<CellSource>> cells = parse_study_file(each.text, "study.toml");
    ASSERT_FALSE(cells.has_value()) << each.text;
    EXPECT_THAT(cells.error().message, testing::HasSubstr(each.message));
    EXPECT_EQ(cells.error().code, ErrorCode::bad_input);
  }
}

TEST(StudyFile, AMissingFileSaysSo) {
  const Result<std::vector<CellSource>> cells = read_study_file("/nowhere/study.toml");
  ASSERT_FALSE(cells.has_value());
  EXPECT_THAT(cells.error().message, testing::HasSubstr("/nowhere/study.toml"));
}

}  // namespace
}  // namespace unmask
