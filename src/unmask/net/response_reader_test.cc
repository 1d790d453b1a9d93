#include "unmask/net/response_reader.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/net/http_message.h"

namespace unmask::net {
namespace {

using State = ResponseReader::State;

State feed_by(ResponseReader& reader, const std::string& text, std::size_t piece) {
  State state = State::more;
  for (std::size_t at = 0; at < text.size() && state == State::more; at += piece) {
    state = reader.feed(text.substr(at, piece));
  }
  return state;
}

TEST(ResponseReader, HoweverTheBytesArrive) {
  struct Row {
    std::string text;
    State state;
    State closed;  ///< after the peer closed, where more was wanted
    int status;
    std::string body;
    bool reusable;
  };
  const std::vector<Row> rows = {
      {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", State::done, {}, 200, "abc", true},
      {"HTTP/1.1 204 No\r\n\r\n", State::done, {}, 204, "", true},
      {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
       State::done,
       {},
       200,
       "",
       false},
      {"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", State::done, {}, 200, "a", false},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n",
       State::done,
       {},
       200,
       "abcde",
       true},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
       State::done,
       {},
       200,
       "",
       true},
      {"HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
       State::done,
       {},
       200,
       "a",
       true},
      {"HTTP/1.1 200 OK\r\n\r\nuntil the end", State::more, State::done, 200, "until the end",
       false},
      {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", State::more, State::more, 200, "abc",
       false},
      {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", State::more, State::more,
       200, "abc", false},
      {"HTTP/1.1 200 OK\r\nContent-Le", State::more, State::more, 0, "", false},
  };
  for (const Row& row : rows) {
    for (const std::size_t piece : {1U, 3U, 7U, 10'000U}) {
      ResponseReader reader(1000);
      EXPECT_FALSE(reader.began());
      const State state = feed_by(reader, row.text, piece);
      EXPECT_EQ(state, row.state) << row.text;
      if (state == State::more) {
        EXPECT_EQ(reader.close(), row.closed) << row.text;
      }
      EXPECT_TRUE(reader.began());
      EXPECT_EQ(reader.status(), row.status) << row.text;
      EXPECT_EQ(reader.reusable(), row.reusable) << row.text;
      EXPECT_EQ(reader.take().body, row.body) << row.text;
    }
  }
}

TEST(ResponseReader, Refused) {
  for (const std::string text :
       {"<html></html>\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        "HTTP/1.1 020 OK\r\n\r\nx", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    ResponseReader reader(1000);
    EXPECT_EQ(reader.feed(text), State::malformed) << text;
    EXPECT_FALSE(reader.problem().empty());
  }
  for (const std::string text :
       {"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n",
        "HTTP/1.1 200 OK\r\n\r\nabcd"}) {
    ResponseReader reader(3);
    EXPECT_EQ(reader.feed(text), State::too_large) << text;
  }
}

TEST(ResponseReader, BytesBehindAResponseEndTheConnection) {
  ResponseReader reader(1000);
  EXPECT_EQ(reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200"), State::done);
  EXPECT_FALSE(reader.reusable());
}

TEST(ResponseReader, HeadHasNoBody) {
  ResponseReader reader(1000, true);
  EXPECT_EQ(reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nX: y\r\n\r\n"), State::done);
  const HttpResponse response = reader.take();
  EXPECT_EQ(find_header(response.headers, "x"), "y");
  EXPECT_EQ(find_header(response.headers, "z"), std::nullopt);
}

}  // namespace
}  // namespace unmask::net
