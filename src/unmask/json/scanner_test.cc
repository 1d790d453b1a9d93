#include "unmask/json/scanner.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace unmask::json {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Cut {
  std::string place;
  std::string text;
  std::uint64_t offset = 0;

  bool operator==(const Cut&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Cut& cut) {
  return out << cut.place << " @" << cut.offset << ": " << cut.text;
}

/// Takes the top object or array apart, and the elements of the member `episodes`.
class Recorder : public PieceSink {
 public:
  Take begin(const Place& place, char first, std::uint64_t offset) override {
    begun.emplace_back(to_string(place), offset);
    if (custom) return custom(place, first);
    if (place.depth() == 0) return Take::inside;
    if (place.depth() == 1 && place.path[0].key == "episodes") return Take::inside;
    if (place.depth() == 1 && place.path[0].key == "skip") return Take::skip;
    return Take::whole;
  }
  bool piece(const Place& place, std::string_view text, std::uint64_t offset) override {
    cuts.push_back({to_string(place), std::string(text), offset});
    return cuts.size() != stop_after;
  }
  void end(const Place& place) override { ended.push_back(to_string(place)); }

  std::vector<Cut> cuts;
  std::vector<std::pair<std::string, std::uint64_t>> begun;
  std::vector<std::string> ended;
  std::size_t stop_after = 0;
  std::function<Take(const Place&, char)> custom;
};

struct Scan {
  Recorder recorder;
  ScanReport report;
};

Scan scan(std::string_view text, std::size_t chunk_size = 0, std::size_t stop_after = 0) {
  Scan result;
  result.recorder.stop_after = stop_after;
  Scanner scanner(result.recorder);
  if (chunk_size == 0) chunk_size = text.size() + 1;
  for (std::size_t at = 0; at < text.size(); at += chunk_size) {
    // A copy of its own, so that a sanitizer sees any look beyond the chunk.
    const std::string chunk(text.substr(at, chunk_size));
    if (!scanner.feed(chunk)) break;
  }
  result.report = scanner.finish();
  return result;
}

TEST(Scanner, CutsMembersAndElementsWithTheirPlaces) {
  const Scan result = scan(R"({"info": {"a": [1, "}"]}, "n": 12,"episodes": [{"x":1}, {"y":"\"]"}],
    "skip": [[[]]], "last": "z"})");
  EXPECT_EQ(result.report.end, ScanEnd::complete);
  EXPECT_THAT(result.recorder.cuts,
              ElementsAre(Cut{"info", R"({"a": [1, "}"]})", 9}, Cut{"n", "12", 31},
                          Cut{"episodes[0]", R"({"x":1})", 47},
                          Cut{"episodes[1]", R"({"y":"\"]"})", 56}, Cut{"last", R"("z")", 98}));
  EXPECT_THAT(result.recorder.ended, ElementsAre("episodes", "the top"));
}

TEST(Scanner, CutsATopLevelArrayAndSeveralDocuments) {
  EXPECT_THAT(scan("[1, [2], {}]").recorder.cuts,
              ElementsAre(Cut{"[0]", "1", 1}, Cut{"[1]", "[2]", 4}, Cut{"[2]", "{}", 9}));
  const Scan lines = scan("{\"a\":1}\n{\"a\":2}\n3");
  EXPECT_EQ(lines.report.end, ScanEnd::complete);
  EXPECT_THAT(lines.recorder.cuts, ElementsAre(Cut{"a", "1", 5}, Cut{"document 2, a", "2", 13},
                                               Cut{"document 3", "3", 16}));
}

TEST(Scanner, PassesOverAByteOrderMarkOnlyAtTheStart) {
  EXPECT_THAT(scan("\xEF\xBB\xBF[7]").recorder.cuts, ElementsAre(Cut{"[0]", "7", 4}));
  EXPECT_EQ(scan("[\xEF\xBB\xBF"
                 "7]")
                .report.end,
            ScanEnd::malformed);
}

TEST(Scanner, DecodesKeys) {
  EXPECT_THAT(scan(R"({"\u0065pisodes": [1], "a\"b": 2})").recorder.cuts,
              ElementsAre(Cut{"episodes[0]", "1", 19}, Cut{"a\"b", "2", 31}));
}

TEST(Scanner, ReportsAnEmptyText) {
  for (const std::string_view text : {"", "  \n\t"}) {
    const Scan result = scan(text);
    EXPECT_EQ(result.report.end, ScanEnd::empty);
    EXPECT_THAT(result.recorder.cuts, IsEmpty());
  }
}

TEST(Scanner, DeliversWhatStandsBeforeATruncation) {
  const Scan result = scan(R"({"info": 1, "episodes": [{"x":1}, {"x":2}, {"x": "abc)");
  EXPECT_EQ(result.report.end, ScanEnd::truncated);
  EXPECT_EQ(result.report.began, 43U);
  EXPECT_EQ(result.report.offset, 53U);
  EXPECT_EQ(result.report.place, "episodes[2]");
  EXPECT_EQ(result.recorder.cuts.size(), 3U);
}

TEST(Scanner, ReportsTruncationBetweenValues) {
  for (const std::string_view text :
       {"{", "[", "{\"a\"", "{\"a\":", "{\"a\":1 ", "{\"a\":1,", "[1,"}) {
    const Scan result = scan(text);
    EXPECT_EQ(result.report.end, ScanEnd::truncated) << text;
    EXPECT_EQ(result.report.began, 0U) << text;
  }
}

struct MalformedCase {
  std::string_view text;
  std::uint64_t offset;
  std::string_view expected;
};

TEST(Scanner, NamesTheByteThatCanNotStand) {
  for (const MalformedCase& example : {
           MalformedCase{"<html>", 0, "expected a value, found '<'"},
           MalformedCase{"{'a':1}", 1, "a key in double quotes"},
           MalformedCase{"{\"a\" 1}", 5, "':'"},
           MalformedCase{"{\"a\":1 \"b\":2}", 7, "',' or '}'"},
           MalformedCase{"[1 2]", 3, "',' or ']'"},
           MalformedCase{"[1,]", 3, "a value"},
           MalformedCase{"{\"a\":1,}", 7, "a key"},
           MalformedCase{"{\"a\":}", 5, "a value"},
           MalformedCase{"[1}", 2, "',' or ']'"},
           MalformedCase{"[1]]", 3, "a value"},
       }) {
    const Scan result = scan(example.text);
    EXPECT_EQ(result.report.end, ScanEnd::malformed) << example.text;
    EXPECT_EQ(result.report.offset, example.offset) << example.text;
    EXPECT_THAT(result.report.message, HasSubstr(example.expected)) << example.text;
  }
}

TEST(Scanner, StopsWhenAsked) {
  const Scan result = scan("[1, 2, 3]", 0, 2);
  EXPECT_EQ(result.report.end, ScanEnd::stopped);
  EXPECT_EQ(result.recorder.cuts.size(), 2U);
}

TEST(Scanner, PassesOverAPieceBeyondTheLimit) {
  const std::string text = R"(["123", "123456789", [1, 2, 3, 4, "a"], 12345678901, {"k": 1}])";
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, text.size()}) {
    Recorder recorder;
    Scanner scanner(recorder, 10);
    for (std::size_t at = 0; at < text.size(); at += chunk) {
      EXPECT_TRUE(scanner.feed(std::string_view(text).substr(at, chunk)));
    }
    const ScanReport report = scanner.finish();
    EXPECT_EQ(report.end, ScanEnd::complete) << report.message;
    EXPECT_EQ(report.large_pieces, 3U);
    EXPECT_EQ(report.first_large, 8U);
    EXPECT_EQ(report.first_large_place, "[1]");
    ASSERT_EQ(recorder.cuts.size(), 2U);
    EXPECT_EQ(recorder.cuts[0].text, "\"123\"");
    EXPECT_EQ(recorder.cuts[1].text, "{\"k\": 1}");
  }
}

TEST(Scanner, PassesOverALineBeyondTheLimit) {
  Recorder recorder;
  recorder.custom = [](const Place& /*place*/, char /*first*/) { return Take::whole; };
  Scanner scanner(recorder, 10);
  EXPECT_TRUE(scanner.feed("{\"a\": 1}\n{\"a\": 1234567890}\n{\"a\": 2}\n"));
  const ScanReport report = scanner.finish();
  EXPECT_EQ(report.end, ScanEnd::complete) << report.message;
  EXPECT_EQ(report.broken_lines, 0U);
  EXPECT_EQ(report.large_pieces, 1U);
  EXPECT_EQ(recorder.cuts.size(), 2U);
}

TEST(Scanner, RefusesAKeyBeyondTheLimit) {
  Recorder recorder;
  Scanner scanner(recorder, 10);
  EXPECT_FALSE(scanner.feed("{\"12345678901\": 1}"));
  const ScanReport report = scanner.finish();
  EXPECT_EQ(report.end, ScanEnd::too_large);
  EXPECT_EQ(report.began, 1U);
}

TEST(Scanner, SkipsDeepNestingWithoutRecursion) {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const Scan result = scan("[" + deep + ",1]", 4096);
  EXPECT_EQ(result.report.end, ScanEnd::complete);
  ASSERT_EQ(result.recorder.cuts.size(), 2U);
  EXPECT_EQ(result.recorder.cuts[0].text, deep);
}

/// Texts with strings, escapes and brackets at every alignment to the 64-byte blocks.
std::vector<std::string> tricky_texts() {
  std::vector<std::string> texts;
  for (const std::size_t pad : {0U, 1U, 30U, 61U, 62U, 63U, 64U, 65U, 127U, 200U}) {
    const std::string filler(pad, 'x');
    texts.push_back(
        R"({"a": {"s": ")" + filler + R"(\\\"}{][", "t": [[{"u": "\\"}]]}, "episodes": [)" +
        R"({"m": [{"c": "}"}, {"c": ")" + filler + R"(\\"}]}, "\"]", -1.5e3, [)" +
        std::string(pad, ' ') + R"(], {"deep": [[[[[{"x": "{\"y\": \"[\"}"}]]]]]}], "z": null})");
    texts.push_back("[\"" + std::string(pad, '\\') + (pad % 2 == 1 ? "\\" : "") + "\", 1]");
    texts.push_back("[{\"k\": \"" + std::string(2 * (pad / 2), '\\') + "\"}, {\"k\": [\"" + filler +
                    "\\u2028\"]}]");
    texts.push_back("{\"broken\": [" + filler + "\\{ \\[ \" ] } \" ]}, {");
  }
  return texts;
}

TEST(Scanner, EveryChunkSizeGivesWhatOneShotGives) {
  for (const std::string& text : tricky_texts()) {
    const Scan whole = scan(text);
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const Scan chunked = scan(text, size);
      ASSERT_EQ(chunked.recorder.cuts, whole.recorder.cuts) << text << " in chunks of " << size;
      ASSERT_EQ(chunked.recorder.begun, whole.recorder.begun) << text << " in chunks of " << size;
      ASSERT_EQ(chunked.recorder.ended, whole.recorder.ended) << text << " in chunks of " << size;
      ASSERT_EQ(chunked.report, whole.report) << text << " in chunks of " << size;
    }
  }
}

TEST(Scanner, EveryTruncationKeepsTheCompletePieces) {
  for (const std::string& text : tricky_texts()) {
    const Scan whole = scan(text);
    if (whole.report.end != ScanEnd::complete) continue;
    for (std::size_t length = 0; length < text.size(); ++length) {
      const Scan part = scan(std::string_view(text).substr(0, length), 7);
      EXPECT_EQ(part.report.end, part.recorder.begun.empty() ? ScanEnd::empty : ScanEnd::truncated);
      for (std::size_t i = 0; i < part.recorder.cuts.size(); ++i) {
        ASSERT_EQ(part.recorder.cuts[i], whole.recorder.cuts[i]);
      }
    }
  }
}

TEST(Scanner, RestIsAskedForOnce) {
  class Rest final : public PieceSink {
   public:
    Take begin(const Place& place, char /*first*/, std::uint64_t /*offset*/) override {
      asked += to_string(place) + ' ';
      return place.depth() < 2 && place.document == 0 ? Take::inside : Take::rest;
    }
    bool piece(const Place& place, std::string_view text, std::uint64_t /*offset*/) override {
      pieces += to_string(place) + '=' + std::string(text) + ' ';
      return true;
    }
    std::string asked;
    std::string pieces;
  };
  Rest sink;
  Scanner scanner(sink);
  scanner.feed(R"({"a": [1, {"x": []}, "t"], "b": [[2], 3]} {"c": 4} [5])");
  EXPECT_EQ(scanner.finish().end, ScanEnd::complete);
  EXPECT_EQ(sink.asked, "the top a a[0] b b[0] document 2 ");
  EXPECT_EQ(
      sink.pieces,
      "a[0]=1 a[1]={\"x\": []} a[2]=\"t\" b[0]=[2] b[1]=3 document 2={\"c\": 4} document 3=[5] ");
}

/// Takes every top-level value whole, in chunks of `size` bytes.
Scan scan_lines(std::string_view text, std::size_t size) {
  Scan result;
  result.recorder.custom = [](const Place&, char) { return Take::whole; };
  Scanner scanner(result.recorder);
  for (std::size_t at = 0; at < text.size(); at += size) {
    if (!scanner.feed(text.substr(at, size))) break;
  }
  result.report = scanner.finish();
  return result;
}

TEST(Scanner, ABrokenLineOfJsonLinesHarmsNoOther) {
  struct Row {
    std::string text;
    std::vector<std::string> pieces;
    std::uint64_t broken = 0;
    std::uint64_t first = 0;
  };
  const std::vector<Row> rows = {
      {"{\"a\":1}\n{\"b\":[1\n{\"c\":2}\n", {"{\"a\":1}", "{\"c\":2}"}, 1, 8},
      {"{\"a\":1}\r\n{\"b\":\"x\r\n{\"c\":2}\r\n", {"{\"a\":1}", "{\"c\":2}"}, 1, 9},
      // The program's last words, and the tail of a line.
      {"{}\nTraceback: {no}\n]}\n{}\n", {"{}", "{}"}, 2, 3},
      {"{} \n{\n{\n{}\nx", {"{}", "{}"}, 3, 4},
      // A number is a value, if not the one that was meant.
      {"{}\n7\n{}", {"{}", "7", "{}"}, 0, 0},
      // A line may hold several values, and values may be spread over lines behind the first.
      {"{}\n{} {}\n{\n \"a\": [\n  {}\n ]\n}\n{}",
       {"{}", "{}", "{}", "{\n \"a\": [\n  {}\n ]\n}", "{}"},
       0,
       0},
      {"[1]\n[2\n[3]\n{\"a\":0}", {"[1]", "[3]", "{\"a\":0}"}, 1, 4},
      // Not JSON lines: the first value is spread over lines, or does not end its line.
      {"{\n}\n{\"b\":[\n{}]}", {"{\n}", "{\"b\":[\n{}]}"}, 0, 0},
      {"{} {}\n{\"b\":[\n{}]}", {"{}", "{}", "{\"b\":[\n{}]}"}, 0, 0},
  };
  for (const Row& row : rows) {
    for (std::size_t size = 1; size <= row.text.size(); ++size) {
      SCOPED_TRACE(row.text + " in chunks of " + std::to_string(size));
      const Scan lines = scan_lines(row.text, size);
      std::vector<std::string> pieces;
      for (const Cut& cut : lines.recorder.cuts) {
        pieces.push_back(cut.text);
        EXPECT_EQ(row.text.substr(cut.offset, cut.text.size()), cut.text);
      }
      EXPECT_EQ(pieces, row.pieces);
      EXPECT_EQ(lines.report.broken_lines, row.broken);
      EXPECT_EQ(lines.report.first_broken_line, row.first);
      EXPECT_EQ(lines.report.end, ScanEnd::complete);
    }
  }
}

TEST(Scanner, LinesAreNumberedWithTheBrokenOnes) {
  const Scan lines = scan_lines("{}\noops\n{\n{}\n", 1000);
  ASSERT_EQ(lines.recorder.cuts.size(), 2U);
  EXPECT_EQ(lines.recorder.cuts[1].place, "document 4");
}

TEST(Scanner, TheLastLineMayBreakOff) {
  const Scan lines = scan_lines("{}\n{}\n{\"a\": [1", 3);
  EXPECT_EQ(lines.recorder.cuts.size(), 2U);
  EXPECT_EQ(lines.report.end, ScanEnd::truncated);
  EXPECT_EQ(lines.report.began, 6U);
  EXPECT_EQ(lines.report.broken_lines, 0U);
}

TEST(ContainerEnd, AgreesWithAByteAtATime) {
  for (const std::string& text : tricky_texts()) {
    for (const char first : {'{', '['}) {
      const std::size_t from = text.find(first);
      if (from == std::string::npos) continue;
      const std::string_view rest = std::string_view(text).substr(from);
      ContainerEnd fast;
      const std::size_t fast_end = fast.consume(rest);
      ContainerEnd slow;
      std::size_t slow_end = 0;
      while (slow_end < rest.size() && !slow.done())
        slow_end += slow.consume(rest.substr(slow_end, 1));
      EXPECT_EQ(fast_end, slow_end) << rest;
      EXPECT_EQ(fast.done(), slow.done());
      EXPECT_EQ(fast.in_string(), slow.in_string());
      EXPECT_EQ(fast.depth(), slow.depth());
    }
  }
}

}  // namespace
}  // namespace unmask::json
