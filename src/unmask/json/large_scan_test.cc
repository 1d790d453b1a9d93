#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "unmask/json/scanner.h"

namespace unmask::json {
namespace {

constexpr std::uint64_t kFourGigabytes = std::uint64_t{1} << 32U;

/// Checks every piece's place against the one that the stream's maker gave it.
class Checker final : public PieceSink {
 public:
  explicit Checker(std::size_t element_bytes) : element_bytes_(element_bytes) {}

  Take begin(const Place& place, char /*first*/, std::uint64_t offset) override {
    if (place.depth() == 0) return Take::inside;
    if (place.path[0].key == "skipped") {
      skipped_at = offset;
      return Take::skip;
    }
    return place.depth() == 1 && place.path[0].key == "list" ? Take::inside : Take::whole;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    if (place.path[0].key == "tail") {
      tail_at = offset;
      tail = text;
      return true;
    }
    ++pieces;
    right += text.size() == element_bytes_ && offset == next_ && place.path[1].index + 1 == pieces
                 ? 1U
                 : 0U;
    next_ = offset + element_bytes_ + 1;
    return true;
  }
  void expect_next(std::uint64_t offset) { next_ = offset; }

  std::uint64_t pieces = 0;
  std::uint64_t right = 0;
  std::uint64_t skipped_at = 0;
  std::uint64_t tail_at = 0;
  std::string tail;

 private:
  std::size_t element_bytes_;
  std::uint64_t next_ = 0;
};

/// A stream of more than 4 GiB that is never in memory nor on disk: half of it one skipped value,
/// half of it elements of a list. Offsets must count on beyond 32 bits.
TEST(LargeScan, OffsetsBeyondFourGigabytes) {
  const std::string element = R"({"text": ")" + std::string(500'000, 'a') + R"(\"}]{"})";
  Checker sink(element.size());
  Scanner scanner(sink);
  std::uint64_t fed = 0;
  const auto feed = [&](std::string_view bytes) {
    ASSERT_TRUE(scanner.feed(bytes));
    fed += bytes.size();
  };
  feed(R"({"skipped": [)");
  while (fed < kFourGigabytes / 2) {
    feed(element);
    feed(",");
  }
  feed(R"(0], "list": [)");
  sink.expect_next(fed);
  std::uint64_t elements = 0;
  while (fed <= kFourGigabytes + 10 * element.size()) {
    if (elements++ > 0) feed(",");
    feed(element);
  }
  feed(R"(], "tail": )");
  const std::uint64_t tail_at = fed;
  feed("[7]}");
  const ScanReport report = scanner.finish();
  EXPECT_EQ(report.end, ScanEnd::complete) << report.message;
  EXPECT_EQ(report.offset, fed);
  EXPECT_GT(fed, kFourGigabytes);
  EXPECT_EQ(sink.skipped_at, 12U);
  EXPECT_EQ(sink.pieces, elements);
  EXPECT_EQ(sink.right, elements);
  EXPECT_EQ(sink.tail_at, tail_at);
  EXPECT_EQ(sink.tail, "[7]");
}

}  // namespace
}  // namespace unmask::json
