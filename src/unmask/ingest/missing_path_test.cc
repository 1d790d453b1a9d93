#include "unmask/ingest/missing_path.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace unmask {
namespace {

namespace fs = std::filesystem;

class MissingPath : public testing::Test {
 protected:
  MissingPath() {
    fs::create_directories(folder_ / "runs");
    fs::create_directories(folder_ / "empty");
    for (const char* name : {"bf16.json", "int4.json", "w.txt", "x.txt"}) {
      std::ofstream(folder_ / "runs" / name) << "{}";
    }
  }
  ~MissingPath() override { fs::remove_all(folder_); }
  MissingPath(const MissingPath&) = delete;
  MissingPath& operator=(const MissingPath&) = delete;

  [[nodiscard]] std::string hint(const std::string& path) const {
    return missing_path_hint((folder_ / path).string());
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("missing_path_" +
                      std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(MissingPath, NearNamesAreOffered) {
  EXPECT_EQ(hint("runs/bf61.json"),
            "; did you mean " + (folder_ / "runs/bf16.json").string() + "?");
  EXPECT_EQ(hint("rums/bf16.json"),
            "; did you mean " + (folder_ / "runs/bf16.json").string() + "?");
  EXPECT_EQ(hint("./rums/./bf16.json"),
            "; did you mean " + (folder_ / "runs/bf16.json").string() + "?");
  EXPECT_EQ(hint("rums/else.json"), "; did you mean " + (folder_ / "runs").string() + "?");
}

TEST_F(MissingPath, TheFolderTellsWhatItHolds) {
  EXPECT_EQ(hint("runs/zebra-telecom-results"), "; the folder " + (folder_ / "runs").string() +
                                                    " holds bf16.json, int4.json, w.txt ...");
  EXPECT_EQ(hint("empty/a.json"), "; the folder " + (folder_ / "empty").string() + " is empty");
}

TEST_F(MissingPath, TheFirstMissingFolderIsNamed) {
  EXPECT_EQ(hint("somewhere/else/a.json"),
            "; " + (folder_ / "somewhere").string() + ": there is no such folder");
  EXPECT_EQ(hint("runs/w.txt/a.json"),
            "; " + (folder_ / "runs/w.txt").string() + " is a file, not a folder");
}

TEST(MissingPathHint, OddPaths) {
  EXPECT_NE(missing_path_hint("~/a.json").find("$HOME"), std::string::npos);
  for (const char* path : {"", "/", "//", ".", "..", "/nowhere/a.json", "no-such-file-at-all"}) {
    EXPECT_TRUE(missing_path_hint(path).starts_with("; ")) << path;
  }
}

}  // namespace
}  // namespace unmask
