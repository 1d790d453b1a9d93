#include "unmask/ingest/log_file.h"

#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "unmask/ingest/log_fixtures.h"

namespace unmask {
namespace {

using testing::HasSubstr;

struct ReadAll {
  std::string bytes;
  std::string error;
  std::string sha256;
};

ReadAll read_all(const LogFile& file, std::size_t chunk) {
  ReadAll result;
  LogFile::Pass pass = file.start();
  std::vector<char> buffer(chunk);
  for (;;) {
    const auto got = pass.read(buffer);
    if (!got) {
      result.error = got.error().message;
      return result;
    }
    if (*got == 0) break;
    result.bytes.append(buffer.data(), *got);
  }
  result.sha256 = pass.sha256().value();
  return result;
}

std::string long_text() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += std::to_string(i * 7919) + ' ';
  return text;
}

TEST(LogFile, UnpacksByContentNotByName) {
  const fixtures::TemporaryFolder folder;
  const std::string text = long_text();
  struct Case {
    std::string name;
    std::string bytes;
    Compression compression;
  };
  const std::string half = text.substr(0, text.size() / 2);
  const std::string other_half = text.substr(text.size() / 2);
  for (const Case& example : {
           Case{"plain.gz", text, Compression::none},
           Case{"one.json", fixtures::gzipped(text), Compression::gzip},
           Case{"members", fixtures::gzipped(half) + fixtures::gzipped(other_half),
                Compression::gzip},
           Case{"empty-member", fixtures::gzipped("") + fixtures::gzipped(text), Compression::gzip},
           Case{"padded", fixtures::gzipped(text) + std::string(512, '\0'), Compression::gzip},
           Case{"one.txt", fixtures::zstd_packed(text), Compression::zstd},
           Case{"frames", fixtures::zstd_packed(half) + fixtures::zstd_packed(other_half),
                Compression::zstd},
       }) {
    const auto file = LogFile::open(folder.write(example.name, example.bytes));
    ASSERT_TRUE(file.has_value()) << example.name;
    EXPECT_EQ(file->compression(), example.compression) << example.name;
    EXPECT_EQ(file->bytes_on_disk(), example.bytes.size());
    for (const std::size_t chunk : {std::size_t{1000}, std::size_t{1} << 20U}) {
      const ReadAll read = read_all(*file, chunk);
      EXPECT_EQ(read.error, "") << example.name;
      EXPECT_EQ(read.bytes, text) << example.name;
      EXPECT_EQ(read.sha256, sha256_hex(example.bytes)) << example.name;
    }
  }
}

TEST(LogFile, GivesWhatStandsBeforeDamage) {
  const fixtures::TemporaryFolder folder;
  const std::string text = long_text();
  for (const std::string& packed : {fixtures::gzipped(text), fixtures::zstd_packed(text)}) {
    const auto cut = LogFile::open(folder.write("cut", packed.substr(0, packed.size() / 2)));
    ASSERT_TRUE(cut.has_value());
    const ReadAll read = read_all(*cut, 4096);
    EXPECT_THAT(read.error, HasSubstr("too early"));
    EXPECT_GT(read.bytes.size(), 100U);
    EXPECT_EQ(read.bytes, text.substr(0, read.bytes.size()));
    const auto beginning = cut->first_bytes(std::size_t{1} << 20U);
    ASSERT_TRUE(beginning.has_value());
    EXPECT_EQ(*beginning, read.bytes);
  }
  std::string flipped = fixtures::gzipped(text);
  for (std::size_t i = flipped.size() / 2; i < flipped.size() / 2 + 64; ++i) flipped[i] = '\x55';
  const auto damaged = LogFile::open(folder.write("flipped", flipped));
  ASSERT_TRUE(damaged.has_value());
  EXPECT_THAT(read_all(*damaged, 4096).error, HasSubstr("damaged"));
}

TEST(LogFile, EmptyFileHasNoBytes) {
  const fixtures::TemporaryFolder folder;
  const auto file = LogFile::open(folder.write("empty", ""));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->first_bytes(100).value(), "");
  EXPECT_EQ(read_all(*file, 10).sha256, sha256_hex(""));
}

TEST(LogFile, NamesReasonAndRemedy) {
  const fixtures::TemporaryFolder folder;
  const auto missing = LogFile::open(folder.path().string() + "/nothing.json");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::bad_input);
  EXPECT_THAT(missing.error().message, HasSubstr("nothing.json: no such file; "));

  const auto is_folder = LogFile::open(folder.path().string());
  ASSERT_FALSE(is_folder.has_value());
  EXPECT_THAT(is_folder.error().message, HasSubstr("is a folder"));

  const std::string secret = folder.write("secret.json", "{}");
  const fixtures::Forbidden nobody_reads(secret);
  const auto forbidden = LogFile::open(secret);
  ASSERT_FALSE(forbidden.has_value());
  EXPECT_EQ(forbidden.error().code, ErrorCode::outside);
  EXPECT_THAT(forbidden.error().message, HasSubstr("ask for read permission"));
}

TEST(LogFile, APipeCanBeReadTwice) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const std::string text = "[1, 2, 3]";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  const auto file = LogFile::open("/dev/fd/" + std::to_string(ends[0]));
  ::close(ends[0]);
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->bytes_on_disk(), text.size());
  EXPECT_EQ(read_all(*file, 4).bytes, text);
  EXPECT_EQ(read_all(*file, 4).bytes, text);
}

TEST(LogFile, StandardInputIsAName) {
  const fixtures::TemporaryFolder folder;
  const int input = ::open(folder.write("input", "{\"a\": 1}").c_str(), O_RDONLY);
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_GE(::dup2(input, STDIN_FILENO), 0);
  const auto file = LogFile::open("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(input);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->name(), "standard input");
  EXPECT_EQ(read_all(*file, 100).bytes, "{\"a\": 1}");
}

}  // namespace
}  // namespace unmask
