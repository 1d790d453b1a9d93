#include "unmask/synthetic/output_file.h"

#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/synthetic/test_files.h"

namespace unmask::synthetic {
namespace {

void write_whole(const std::filesystem::path& path, Compression compression,
                 const std::string& text) {
  Result<OutputFile> file = OutputFile::create(path, compression);
  ASSERT_TRUE(file) << file.error().message;
  file->write(text.substr(0, text.size() / 2));
  file->write(text.substr(text.size() / 2));
  const Result<void> committed = file->commit();
  ASSERT_TRUE(committed) << committed.error().message;
}

TEST(OutputFile, HoldsWhatWasWritten) {
  const TemporaryFolder folder;
  std::string large;
  for (int i = 0; i < 50'000; ++i) large += std::to_string(i * 7919) + "\n";
  for (const std::string& text : {std::string(), std::string("short"), large}) {
    write_whole(folder.path() / "plain", Compression::none, text);
    EXPECT_EQ(bytes_of(folder.path() / "plain"), text);
    write_whole(folder.path() / "zipped.gz", Compression::gzip, text);
    EXPECT_EQ(unzipped(folder.path() / "zipped.gz"), text);
  }
  EXPECT_LT(std::filesystem::file_size(folder.path() / "zipped.gz"), large.size() / 2);
}

TEST(OutputFile, SameTextGivesTheSameBytes) {
  const TemporaryFolder folder;
  write_whole(folder.path() / "a.gz", Compression::gzip, "one text");
  write_whole(folder.path() / "b.gz", Compression::gzip, "one text");
  EXPECT_EQ(bytes_of(folder.path() / "a.gz"), bytes_of(folder.path() / "b.gz"));
}

TEST(OutputFile, WithoutACommitNothingChanges) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "file";
  write_whole(path, Compression::none, "before");
  {
    Result<OutputFile> file = OutputFile::create(path, Compression::none);
    ASSERT_TRUE(file);
    file->write("after");
    const OutputFile moved = std::move(*file);
    EXPECT_EQ(bytes_of(path), "before");
  }
  EXPECT_EQ(bytes_of(path), "before");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "file.partial"));
}

TEST(OutputFile, AMissingFolderIsAnOutsideError) {
  const TemporaryFolder folder;
  const Result<OutputFile> file =
      OutputFile::create(folder.path() / "missing" / "file", Compression::gzip);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::outside);
  EXPECT_NE(file.error().message.find("missing/file"), std::string::npos);
}

TEST(OutputFile, AFullDiskIsReportedByCommit) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "file.partial");
  Result<OutputFile> file = OutputFile::create(folder.path() / "file", Compression::gzip);
  ASSERT_TRUE(file);
  file->write("text");
  const Result<void> committed = file->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::outside);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "file"));
}

}  // namespace
}  // namespace unmask::synthetic
