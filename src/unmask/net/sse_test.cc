#include "unmask/net/sse.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace unmask::net {
namespace {

std::vector<std::string> read_all(const std::string& text, std::size_t piece) {
  SseReader reader;
  std::vector<std::string> events;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    for (std::string& event : reader.feed(text.substr(at, piece))) {
      events.push_back(std::move(event));
    }
  }
  if (std::string last = reader.finish(); !last.empty()) events.push_back(std::move(last));
  return events;
}

TEST(Sse, EventsHoweverTheBytesArrive) {
  struct Row {
    std::string text;
    std::vector<std::string> events;
  };
  const std::vector<Row> rows = {
      {"", {}},
      {"\n\n\n", {}},
      {"data: a\n\ndata: b\n\n", {"a", "b"}},
      {"data:a\r\n\r\ndata: b\r\rdata:  c\n\n", {"a", "b", " c"}},
      {"data: one\ndata: two\n\n", {"one\ntwo"}},
      {"data\n\n", {""}},
      {": ping\n\nevent: x\nid: 7\nretry: 5\ndata: a\n\n", {"a"}},
      {"\xEF\xBB\xBF"
       "data: a\n\n",
       {"a"}},
      {"data: a\n\ndata: [DONE]", {"a", "[DONE]"}},
      {"data: a\n\ndata: b\n", {"a", "b"}},
      {"database: a\n\n", {}},
  };
  for (const Row& row : rows) {
    for (const std::size_t piece : {1U, 2U, 3U, 1000U}) {
      EXPECT_EQ(read_all(row.text, piece), row.events) << row.text << " by " << piece;
    }
  }
}

}  // namespace
}  // namespace unmask::net
