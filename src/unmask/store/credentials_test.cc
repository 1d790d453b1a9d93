#include "unmask/store/credentials.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/base/error.h"

namespace unmask::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(RefuseCredentials, PassesSettingsAndPlaceholders) {
  for (const std::string_view json :
       {"{}", R"({"max_tokens":4096,"tokenizer":"some/model","task_keys":["a"]})",
        R"({"api_key":""})", R"({"api_key":"EMPTY"})", R"({"api_key":"dummy"})",
        R"({"api_key":null,"key":7})", R"({"api_key":"[removed]"})",
        R"({"api_key_env":"OPENAI_API_KEY"})", R"({"token_file":"/run/secrets/llm"})",
        R"({"base_url":"http://localhost:8000/v1"})", R"({"note":"no api key is needed"})"}) {
    const auto checked = refuse_credentials(json, "settings");
    EXPECT_TRUE(checked) << json << ": " << checked.error().message;
  }
}

TEST(RefuseCredentials, NamesThePlaceAndNeverTheText) {
  struct Case {
    std::string_view json;
    std::string_view place;
  };
  for (const Case& sample : {
           Case{R"({"api_key":"abcdef"})", "settings: api_key"},
           Case{R"({"arms":{"int4":{"OPENAI_API_KEY":"abcdef"}}})", "arms.int4.OPENAI_API_KEY"},
           Case{R"({"headers":[{"Authorization":"Bearer abcdef"}]})", "headers[0].Authorization"},
           Case{R"({"api-key":["","abcdef"]})", "api-key[1]"},
           Case{R"({"Password":"abcdef"})", "Password"},
           Case{R"({"note":"sk-abcdef123456"})", "note"},
           Case{R"({"base_url":"https://me:abcdef@example.org"})", "base_url"},
           Case{R"({"command":"--api-key=abcdef1"})", "command"},
       }) {
    const auto checked = refuse_credentials(sample.json, "settings");
    ASSERT_FALSE(checked) << sample.json;
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(checked.error().message, HasSubstr(std::string(sample.place)));
    EXPECT_THAT(checked.error().message, Not(HasSubstr("abcdef")));
  }
}

TEST(RefuseCredentials, WantsAnObject) {
  for (const std::string_view json : {"", "[]", "1", "{", "null"}) {
    EXPECT_FALSE(refuse_credentials(json, "settings")) << json;
  }
}

}  // namespace
}  // namespace unmask::store
