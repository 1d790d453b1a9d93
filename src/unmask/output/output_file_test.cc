#include "unmask/output/output_file.h"

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include "support/test_files.h"
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "unmask/base/error.h"

namespace unmask {
namespace {

using fixtures::bytes_of;
using fixtures::TemporaryFolder;
using fixtures::unzipped;

/// Where a file stands until it is whole.
std::filesystem::path partial_of(const std::filesystem::path& path) {
  return path.string() + ".partial." + std::to_string(::getpid());
}

std::ptrdiff_t entries_of(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

void write_whole(const std::filesystem::path& path, Packing packing, const std::string& text) {
  Result<OutputFile> file = OutputFile::create(path, packing);
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
    write_whole(folder.path() / "plain", Packing::none, text);
    EXPECT_EQ(bytes_of(folder.path() / "plain"), text);
    write_whole(folder.path() / "zipped.gz", Packing::gzip, text);
    EXPECT_EQ(unzipped(folder.path() / "zipped.gz"), text);
    write_whole(folder.path() / "packed.zst", Packing::zstd, text);
    const std::string packed = bytes_of(folder.path() / "packed.zst");
    std::string unpacked(text.size() + 1, 'x');
    const std::size_t size =
        ZSTD_decompress(unpacked.data(), unpacked.size(), packed.data(), packed.size());
    ASSERT_EQ(ZSTD_isError(size), 0U) << ZSTD_getErrorName(size);
    EXPECT_EQ(unpacked.substr(0, size), text);
  }
  EXPECT_LT(std::filesystem::file_size(folder.path() / "zipped.gz"), large.size() / 2);
}

TEST(OutputFile, SameTextGivesTheSameBytes) {
  const TemporaryFolder folder;
  write_whole(folder.path() / "a.gz", Packing::gzip, "one text");
  write_whole(folder.path() / "b.gz", Packing::gzip, "one text");
  EXPECT_EQ(bytes_of(folder.path() / "a.gz"), bytes_of(folder.path() / "b.gz"));
}

TEST(OutputFile, WithoutACommitNothingChanges) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "file";
  write_whole(path, Packing::none, "before");
  {
    Result<OutputFile> file = OutputFile::create(path, Packing::none);
    ASSERT_TRUE(file);
    file->write("after");
    const OutputFile moved = std::move(*file);
    EXPECT_EQ(bytes_of(path), "before");
    EXPECT_TRUE(std::filesystem::exists(partial_of(path)));
  }
  EXPECT_EQ(bytes_of(path), "before");
  EXPECT_EQ(entries_of(folder.path()), 1);
}

TEST(OutputFile, AMissingFolderIsAnOutsideError) {
  const TemporaryFolder folder;
  const Result<OutputFile> file =
      OutputFile::create(folder.path() / "missing" / "file", Packing::gzip);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::outside);
  EXPECT_NE(file.error().message.find("missing/file"), std::string::npos);
}

TEST(OutputFile, AFullDiskIsReportedByCommit) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "needs /dev/full";
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", partial_of(folder.path() / "file"));
  Result<OutputFile> file = OutputFile::create(folder.path() / "file", Packing::gzip);
  ASSERT_TRUE(file);
  file->write("text");
  const Result<void> committed = file->commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, ErrorCode::outside);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "file"));
}

TEST(OutputFile, FollowsALinkAndKeepsIt) {
  const TemporaryFolder folder;
  write_whole(folder.path() / "real", Packing::none, "before");
  std::filesystem::create_symlink("real", folder.path() / "link");
  write_whole(folder.path() / "link", Packing::none, "after");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
  EXPECT_EQ(bytes_of(folder.path() / "real"), "after");
}

TEST(OutputFile, ADeviceIsWrittenToAndStays) {
  write_whole("/dev/null", Packing::none, "text");
  EXPECT_TRUE(std::filesystem::exists("/dev/null"));
  EXPECT_FALSE(std::filesystem::exists(partial_of("/dev/null")));
  Result<OutputFile> full = OutputFile::create("/dev/full", Packing::none);
  ASSERT_TRUE(full);
  full->write("text");
  EXPECT_FALSE(full->commit());
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST(OutputFile, AFolderIsRefused) {
  const TemporaryFolder folder;
  const Result<OutputFile> file = OutputFile::create(folder.path(), Packing::none);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("is a folder"), std::string::npos);
}

TEST(OutputFile, TheNameTellsThePacking) {
  EXPECT_EQ(packing_of("a/log.jsonl.gz"), Packing::gzip);
  EXPECT_EQ(packing_of("a.gz/log.jsonl"), Packing::none);
}

}  // namespace
}  // namespace unmask
