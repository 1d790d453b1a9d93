#include "unmask/ingest/read_ahead.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/sha256.h"
#include "unmask/ingest/log_file.h"
#include "unmask/ingest/log_fixtures.h"
#include "unmask/json/scanner.h"

namespace unmask {
namespace {

using fixtures::TemporaryFolder;
using json::Place;
using json::Take;

/// Writes down every call, and from which thread it came.
class Recorder final : public json::PieceSink {
 public:
  Take begin(const Place& place, char first, std::uint64_t offset) override {
    note("begin " + to_string(place) + first + std::to_string(offset));
    // An answer that depends on what was seen before.
    if (place.depth() < 2) return Take::inside;
    return pieces_ % 5 == 3 ? Take::skip : Take::whole;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    note("piece " + to_string(place) + sha256_hex(text) + std::to_string(offset));
    return ++pieces_ != stop_at;
  }
  void end(const Place& place) override { note("end " + to_string(place)); }

  std::size_t stop_at = 0;
  std::vector<std::string> calls;

 private:
  void note(std::string call) {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    calls.push_back(std::move(call));
  }

  std::size_t pieces_ = 0;
  std::thread::id thread_ = std::this_thread::get_id();
};

/// A text of several chunks: a few large pieces, many small ones.
std::string large_text() {
  std::string text = R"({"head": {"a": 1}, "list": [)";
  for (int i = 0; i < 3000; ++i) {
    if (i > 0) text += ", ";
    text += R"({"number": )" + std::to_string(i) + R"(, "fill": ")" +
            std::string(i % 500 == 0 ? 700'000 : 100, 'x') + "\"}";
  }
  return text + R"(], "tail": "end"})";
}

struct Case {
  const char* name;
  std::string bytes;
};

std::vector<Case> cases() {
  const std::string text = large_text();
  std::string damaged = fixtures::gzipped(text);
  damaged.resize(damaged.size() / 2);
  return {{"plain", text},
          {"gzip", fixtures::gzipped(text)},
          {"zstd", fixtures::zstd_packed(text)},
          {"damaged", damaged},
          {"truncated", text.substr(0, text.size() / 2)},
          {"malformed", text.substr(0, 900'000) + "\"]]]}" + text},
          {"empty", ""}};
}

TEST(ScanFile, AheadGivesTheSameCallsAndReport) {
  const TemporaryFolder folder;
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const auto file = LogFile::open(folder.write(each.name, each.bytes));
    ASSERT_TRUE(file.has_value());
    for (const std::size_t stop_at : {std::size_t{0}, std::size_t{7}}) {
      Recorder here;
      Recorder ahead;
      here.stop_at = ahead.stop_at = stop_at;
      std::vector<std::uint64_t> done_here;
      std::vector<std::uint64_t> done_ahead;
      const FileScan expected = scan_here(*file, here, [&](std::uint64_t done) {
        done_here.push_back(done);
        return true;
      });
      const FileScan found = scan_ahead(*file, ahead, [&](std::uint64_t done) {
        done_ahead.push_back(done);
        return true;
      });
      EXPECT_EQ(ahead.calls, here.calls);
      EXPECT_EQ(done_ahead, done_here);
      EXPECT_EQ(found.report.end, expected.report.end);
      EXPECT_EQ(found.error.has_value(), expected.error.has_value());
      if (found.report.end == json::ScanEnd::stopped) continue;
      EXPECT_EQ(found.report, expected.report);
      EXPECT_EQ(found.unpacked, expected.unpacked);
      EXPECT_EQ(found.sha256.value_or(""), sha256_hex(each.bytes));
      EXPECT_EQ(expected.sha256.value_or(""), sha256_hex(each.bytes));
    }
  }
}

/// As an importer takes its episodes: without a question for each.
TEST(ScanFile, PiecesOfAnySizeComeUnasked) {
  class Sizes final : public json::PieceSink {
   public:
    Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
      return place.depth() == 0 ? Take::inside : Take::rest;
    }
    bool piece(const Place& place, std::string_view text, std::uint64_t /*at*/) override {
      EXPECT_EQ(place.path[0].index, sizes.size());
      sizes.push_back(text.size());
      return true;
    }
    std::vector<std::size_t> sizes;
  };
  std::vector<std::size_t> expected;
  std::string text = "[";
  for (const std::size_t size : {10UL, 9'000'000UL, 300'000UL, 20UL, 8'400'000UL, 8'300'000UL}) {
    for (int i = 0; i < 30 && (i == 0 || size < 1000); ++i) {
      if (text.size() > 1) text += ',';
      text += '"' + std::string(size - 2, 'x') + '"';
      expected.push_back(size);
    }
  }
  const TemporaryFolder folder;
  const auto file = LogFile::open(folder.write("a", text + "]"));
  ASSERT_TRUE(file.has_value());
  Sizes sink;
  const FileScan scan = scan_ahead(*file, sink, [](std::uint64_t /*done*/) { return true; });
  EXPECT_EQ(scan.report.end, json::ScanEnd::complete);
  EXPECT_EQ(sink.sizes, expected);
}

TEST(ScanFile, ProgressStopsBoth) {
  const TemporaryFolder folder;
  const auto file = LogFile::open(folder.write("a", large_text()));
  ASSERT_TRUE(file.has_value());
  for (const auto scan : {&scan_here, &scan_ahead}) {
    Recorder sink;
    int calls = 0;
    const FileScan found = scan(*file, sink, [&](std::uint64_t /*done*/) { return ++calls < 2; });
    EXPECT_EQ(found.report.end, json::ScanEnd::stopped);
    EXPECT_EQ(calls, 2);
  }
}

TEST(ScanFile, AThrowingSinkEndsTheThread) {
  class Thrower final : public json::PieceSink {
   public:
    Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
      return place.depth() < 2 ? Take::inside : Take::whole;
    }
    bool piece(const Place& /*place*/, std::string_view /*text*/, std::uint64_t /*at*/) override {
      throw std::runtime_error("sink");
    }
  };
  const TemporaryFolder folder;
  const auto file = LogFile::open(folder.write("a", large_text()));
  ASSERT_TRUE(file.has_value());
  Thrower sink;
  EXPECT_THROW(
      { const auto scan = scan_ahead(*file, sink, [](std::uint64_t /*done*/) { return true; }); },
      std::runtime_error);
}

}  // namespace
}  // namespace unmask
