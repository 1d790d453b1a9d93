#include "unmask/ingest/log_input.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/ingest/folder_log.h"
#include "unmask/ingest/log_fixtures.h"

namespace unmask {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const fixtures::TemporaryFolder& folder,
                               const std::string& pattern) {
  const auto logs = find_logs(folder.path().string() + pattern);
  std::vector<std::string> result;
  if (!logs) return {logs.error().message};
  for (const LogInput& log : *logs) {
    result.push_back(log.name.substr(folder.path().string().size()) + (log.is_folder ? "/" : "") +
                     (log.found ? " found" : ""));
  }
  return result;
}

TEST(FindLogs, SearchesFoldersInNameOrder) {
  const fixtures::TemporaryFolder folder;
  for (const char* name :
       {"b/run10.json", "b/run2.json.gz", "b/notes.md", "b/.hidden.json", "a.jsonl",
        "c/results.json", "c/simulations/x.json", "d/deep/er/log.json.zst", "e/index.json",
        "e/task_10.json", "e/task_2.json.gz"}) {
    folder.write(name, "{}");
  }
  EXPECT_THAT(names(folder, ""),
              ElementsAre("/a.jsonl found", "/b/run2.json.gz found", "/b/run10.json found",
                          "/c/ found", "/d/deep/er/log.json.zst found", "/e/ found"));
  EXPECT_THAT(names(folder, "/c"), ElementsAre("/c/"));
  EXPECT_THAT(names(folder, "/b/run*"), ElementsAre("/b/run2.json.gz", "/b/run10.json"));
  EXPECT_THAT(names(folder, "/a.jsonl"), ElementsAre("/a.jsonl"));
}

TEST(FindLogs, FolderLogsListTheirFilesInOrder) {
  const fixtures::TemporaryFolder folder;
  for (const char* name : {"c/results.json.gz", "c/simulations/b.json", "c/simulations/a.json.gz",
                           "c/simulations/readme.txt", "e/index.json", "e/task_10.json",
                           "e/task_2.json.gz", "e/other.json"}) {
    folder.write(name, "{}");
  }
  const auto results = folder_log(folder.path().string() + "/c");
  ASSERT_TRUE(results.has_value());
  EXPECT_THAT(results->files,
              ElementsAre(HasSubstr("c/results.json.gz"), HasSubstr("simulations/a.json.gz"),
                          HasSubstr("simulations/b.json")));
  const auto tasks = folder_log(folder.path().string() + "/e");
  ASSERT_TRUE(tasks.has_value());
  EXPECT_THAT(tasks->files, ElementsAre(HasSubstr("task_2.json.gz"), HasSubstr("task_10.json")));
  EXPECT_FALSE(folder_log(folder.path().string()).has_value());
}

TEST(FindLogs, APathThatExistsIsNoPattern) {
  const fixtures::TemporaryFolder folder;
  folder.write("[int4] run/log[1].json", "{}");
  EXPECT_THAT(names(folder, "/[int4] run/log[1].json"), ElementsAre("/[int4] run/log[1].json"));
}

TEST(FindLogs, SaysWhatIsMissing) {
  const fixtures::TemporaryFolder folder;
  folder.write("docs/readme.txt", "");
  EXPECT_THAT(names(folder, "/*.json"), ElementsAre(HasSubstr("no file matches")));
  EXPECT_THAT(names(folder, "/docs"), ElementsAre(HasSubstr("the folder holds no log")));
  // A file that is missing is reported when it is opened.
  EXPECT_THAT(names(folder, "/nothing.json"), ElementsAre("/nothing.json"));
}

TEST(NameOrder, ComparesNumbersAsNumbers) {
  EXPECT_TRUE(in_name_order("task_2", "task_10"));
  EXPECT_FALSE(in_name_order("task_10", "task_2"));
  EXPECT_TRUE(in_name_order("a2b3", "a2b10"));
  EXPECT_TRUE(in_name_order("a", "a1"));
  EXPECT_TRUE(in_name_order("a99", "b1"));
  EXPECT_FALSE(in_name_order("a1", "a1"));
  EXPECT_NE(in_name_order("a01", "a1"), in_name_order("a1", "a01"));
  EXPECT_TRUE(in_name_order("x99999999999999999999998", "x99999999999999999999999"));
}

TEST(StemOfLog, Table) {
  EXPECT_EQ(stem_of_log("runs/int4.json.gz"), "int4");
  EXPECT_EQ(stem_of_log("int4.table.jsonl.zst"), "int4.table");
  EXPECT_EQ(stem_of_log("a.ndjson"), "a");
  EXPECT_EQ(stem_of_log("a.eval"), "a");
  EXPECT_EQ(stem_of_log("a.traj"), "a");
  EXPECT_EQ(stem_of_log("a.json.json"), "a.json");
  EXPECT_EQ(stem_of_log("runs/int4/"), "int4");
  EXPECT_EQ(stem_of_log("./runs/x/../int4"), "int4");
  EXPECT_EQ(stem_of_log(".json"), ".json");
  EXPECT_EQ(stem_of_log("-"), "standard-input");
  EXPECT_EQ(stem_of_log("/"), "log");
  EXPECT_EQ(stem_of_log(".."), "log");
  EXPECT_EQ(stem_of_log(""), "log");
}

TEST(NamedLikeALog, Table) {
  for (const char* name : {"a.json", "b/a.jsonl.gz", "a.ndjson.zst", "a.eval", "a.traj"}) {
    EXPECT_TRUE(named_like_a_log(name)) << name;
  }
  for (const char* name : {"", "a", ".a.json", "a.gz", "json", "a.json.txt", "b.json/a"}) {
    EXPECT_FALSE(named_like_a_log(name)) << name;
  }
}

TEST(PassOver, OnlyWhatWasFoundAndIsNoLog) {
  LogInput input{"a.json", {"a.json"}, false, true};
  Diagnostics diagnostics;
  EXPECT_FALSE(pass_over(input, {ErrorCode::outside, "a.json: no permission"}, diagnostics));
  EXPECT_TRUE(pass_over(input, {ErrorCode::bad_input, "a.json: is empty"}, diagnostics));
  input.found = false;
  EXPECT_FALSE(pass_over(input, {ErrorCode::bad_input, "a.json: is empty"}, diagnostics));
  ASSERT_EQ(diagnostics.kept().size(), 1U);
  EXPECT_EQ(diagnostics.kept()[0].severity, Severity::info);
  EXPECT_EQ(diagnostics.kept()[0].file, "a.json");
  EXPECT_EQ(diagnostics.kept()[0].sentence, "is empty");
}

}  // namespace
}  // namespace unmask
