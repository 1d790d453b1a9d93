#include "unmask/net/url.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"

namespace unmask::net {
namespace {

TEST(Url, Parts) {
  struct Row {
    std::string text;
    Url url;
    std::string shown;
  };
  const std::vector<Row> rows = {
      {"http://a", {false, "a", 80, "/", ""}, "http://a/"},
      {"https://a.example/v1", {true, "a.example", 443, "/v1", ""}, "https://a.example/v1"},
      {"http://a:8000/v1/x?key=s#f", {false, "a", 8000, "/v1/x", "?key=s"}, "http://a:8000/v1/x"},
      {"https://a:80?q", {true, "a", 80, "/", "?q"}, "https://a:80/"},
      {"http://[::1]:65535/", {false, "::1", 65535, "/", ""}, "http://[::1]:65535/"},
      {"http://[::1]", {false, "::1", 80, "/", ""}, "http://[::1]/"},
      {"https://a:443/", {true, "a", 443, "/", ""}, "https://a/"},
  };
  for (const Row& row : rows) {
    const Result<Url> url = parse_url(row.text);
    ASSERT_TRUE(url) << row.text << ": " << url.error().message;
    EXPECT_EQ(*url, row.url) << row.text;
    EXPECT_EQ(shown(*url), row.shown);
  }
}

TEST(Url, RefusedWithoutRepeatingIt) {
  for (const std::string text :
       {"", "a", "ftp://a", "http://", "http:///x", "http://a:0", "http://a:65536",
        "http://a:", "http://a:8x", "http://me:hidden@a/", "http://[::1", "http://[::1]x",
        "http://[]:8", "http://a b/", "http://a/\r\nX: hidden", "HTTP://a"}) {
    const Result<Url> url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(url.error().message.find("hidden"), std::string::npos);
  }
}

}  // namespace
}  // namespace unmask::net
