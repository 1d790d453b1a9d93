#include "unmask/llm/endpoint.h"

#include <chrono>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/base/error.h"
#include "unmask/llm/secret.h"

namespace unmask::llm {
namespace {

template <typename T>
concept Printable = requires(std::ostringstream& stream, const T& value) { stream << value; };

static_assert(!Printable<Secret>);
static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!std::is_convertible_v<std::string, Secret>);

TEST(Secret, Redact) {
  struct Row {
    std::string key;
    std::string text;
    std::string redacted;
  };
  const std::vector<Row> rows = {
      {"", "text", "text"},
      {"EMPTY", "EMPTY is a placeholder", "EMPTY is a placeholder"},
      {"sk-12345678", "", ""},
      {"sk-12345678", "sk-12345678", "[redacted]"},
      {"sk-12345678", "a sk-12345678sk-12345678 b", "a [redacted][redacted] b"},
      {"sk-1234567", "Bearer sk-12345678", "Bearer [redacted]8"},
      {"sk/12/345678", R"(a sk\/12\/345678, sk/12/345678)", "a [redacted], [redacted]"},
  };
  for (const Row& row : rows) EXPECT_EQ(Secret(row.key).redact(row.text), row.redacted);
}

TEST(Endpoint, Urls) {
  struct Row {
    std::string base;
    std::string url;
    std::string shown;
  };
  const std::vector<Row> rows = {
      {"http://h:1/v1", "http://h:1/v1/chat/completions", "http://h:1/v1"},
      {"http://h:1/v1/", "http://h:1/v1/chat/completions", "http://h:1/v1/"},
      {"https://h", "https://h/chat/completions", "https://h/"},
      {"https://h/x/chat/completions", "https://h/x/chat/completions",
       "https://h/x/chat/completions"},
      {"https://h/d?api-version=1&sig=hidden",
       "https://h/d/chat/completions?api-version=1&sig=hidden", "https://h/d"},
  };
  for (const Row& row : rows) {
    Endpoint endpoint;
    endpoint.base_url = row.base;
    EXPECT_TRUE(check(endpoint));
    EXPECT_EQ(completions_url(endpoint), row.url);
    std::string models = row.url;
    models.replace(models.find("/chat/completions"), 17, "/models");
    EXPECT_EQ(models_url(endpoint), models);
    EXPECT_EQ(shown(endpoint), row.shown);
  }
}

TEST(Endpoint, Refused) {
  struct Row {
    std::string setting;
    std::function<void(Endpoint&)> spoil;
  };
  const std::vector<Row> rows = {
      {"base_url", [](Endpoint& e) { e.base_url = "localhost:8000"; }},
      {"base_url", [](Endpoint& e) { e.base_url = "http://me:hidden-key@h"; }},
      {"api_key", [](Endpoint& e) { e.api_key = Secret("hidden-key\n"); }},
      {"api_key", [](Endpoint& e) { e.api_key = Secret("hidden-\xC3\xA9key"); }},
      {"extra_body", [](Endpoint& e) { e.extra_body = "{"; }},
      {"extra_body", [](Endpoint& e) { e.extra_body = "[1]"; }},
      {"temperature", [](Endpoint& e) { e.temperature = -1.0; }},
      {"temperature", [](Endpoint& e) { e.temperature = std::nan(""); }},
      {"max_concurrency", [](Endpoint& e) { e.max_concurrency = 0; }},
      {"timeout", [](Endpoint& e) { e.timeout = std::chrono::milliseconds(0); }},
      {"deadline", [](Endpoint& e) { e.deadline = std::chrono::milliseconds(-1); }},
  };
  for (const Row& row : rows) {
    Endpoint endpoint;
    endpoint.base_url = "http://h/v1";
    row.spoil(endpoint);
    const Result<void> checked = check(endpoint);
    ASSERT_FALSE(checked) << row.setting;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(checked.error().message.starts_with(row.setting)) << checked.error().message;
    EXPECT_EQ(checked.error().message.find("hidden"), std::string::npos);
  }
}

}  // namespace
}  // namespace unmask::llm
