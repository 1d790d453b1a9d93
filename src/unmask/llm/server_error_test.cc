#include "unmask/llm/server_error.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/llm/chat.h"

namespace unmask::llm {
namespace {

TEST(ServerError, Shapes) {
  struct Row {
    std::string body;
    std::string message;
    std::string type;
    std::string code;
  };
  const std::vector<Row> rows = {
      {"", "", "", ""},
      {"upstream gone\nmore", "upstream gone", "", ""},
      {"  <html><h1>502</h1></html>", "", "", ""},
      {R"({"error":{"message":"m","type":"t","code":"c"}})", "m", "t", "c"},
      {R"({"error":{"message":"m","type":null,"code":404}})", "m", "", "404"},
      {R"({"error":"m"})", "m", "", ""},
      {R"({"object":"error","message":"m","type":"BadRequestError","param":null,"code":400})", "m",
       "BadRequestError", "400"},
      {R"({"detail":"Not Found"})", "Not Found", "", ""},
      {R"({"detail":[{"loc":["body"],"msg":"field required"}]})",
       R"([{"loc":["body"],"msg":"field required"}])", "", ""},
      {R"({"message":"m","code":7})", "m", "", "7"},
      {R"({"error":{"message":"half)", R"({"error":{"message":"half)", "", ""},
      {R"({})", "", "", ""},
      {R"([])", "[]", "", ""},
  };
  for (const Row& row : rows) {
    const ServerError error = decode_error(row.body);
    EXPECT_EQ(error.message, row.message) << row.body;
    EXPECT_EQ(error.type, row.type) << row.body;
    EXPECT_EQ(error.code, row.code) << row.body;
  }
}

TEST(ServerError, ContextOverflow) {
  const std::vector<std::string> overflows = {
      R"({"error":{"message":"too long","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}})",
      R"({"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","type":"BadRequestError","param":null,"code":400})",
      R"({"error":{"message":"You passed 5000 input tokens and requested 0 output tokens. However, the model's context length is only 4096 tokens.","type":"BadRequestError","code":400}})",
      R"({"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","code":400}})",
      R"({"object":"error","message":"max_tokens must be at least 1, got -186.","code":400})",
      R"({"error":{"code":400,"message":"request (4476 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":4476,"n_ctx":4096}})",
      R"({"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}})",
      R"({"error":{"message":"The input (5000 tokens) is longer than the model's context length (4096 tokens)."}})",
      R"({"error":"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"})",
      R"({"detail":"prompt is too long: 5000 tokens > 4096 maximum"})",
  };
  for (const std::string& body : overflows) {
    const ServerError error = decode_error(body);
    EXPECT_TRUE(error.context_overflow) << body;
    for (const int status : {400, 413, 422, 500}) {
      EXPECT_EQ(fault_of(status, error), ChatFault::context_overflow) << body;
    }
  }
  const std::vector<std::string> others = {
      "",
      R"({"error":{"message":"max_tokens must be at least 1, got 0."}})",
      R"({"error":{"message":"Request too large for m on tokens (TPM) per minute",
    "code" : "rate_limit_exceeded"
  }
})",
      "<html><h1>413 Request Entity Too Large</h1></html>",
      R"({"error":{"message":"tools[3].function.description is too long"}})",
  };
  for (const std::string& body : others) {
    EXPECT_EQ(fault_of(413, decode_error(body)), ChatFault::refused) << body;
  }
}

TEST(ServerError, Faults) {
  struct Row {
    int status;
    std::string body;
    ChatFault fault;
  };
  const std::vector<Row> rows = {
      {400, "", ChatFault::refused},
      {401, R"({"error":{"message":"Incorrect API key"}})", ChatFault::refused},
      {404, R"({"detail":"Not Found"})", ChatFault::refused},
      {301, "", ChatFault::refused},
      {408, "", ChatFault::server},
      {409, "", ChatFault::server},
      {425, "", ChatFault::server},
      {429, "", ChatFault::server},
      {429, R"({"error":{"message":"beyond this model's maximum context length a minute"}})",
       ChatFault::server},
      {429, R"({"error":{"message":"You exceeded your quota","code":"insufficient_quota"}})",
       ChatFault::refused},
      {500, "", ChatFault::server},
      {503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
       ChatFault::server},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(fault_of(row.status, decode_error(row.body)), row.fault) << row.status << row.body;
  }
}

TEST(ServerError, LongTexts) {
  EXPECT_EQ(shortened(""), "");
  EXPECT_EQ(shortened(std::string(2000, 'a')), std::string(2000, 'a'));
  EXPECT_EQ(shortened(std::string(2001, 'a')), std::string(2000, 'a') + "... (1 bytes more)");
  // Not in the middle of a character.
  const std::string cut = shortened(std::string(1999, 'a') + "\xC3\xA9" + "b");
  EXPECT_EQ(cut, std::string(1999, 'a') + "... (3 bytes more)");
  EXPECT_EQ(decode_error(std::string(9000, 'a')).message.size(),
            500U + std::string_view("... (8500 bytes more)").size());
  // What makes it an overflow may stand behind what is shown.
  EXPECT_TRUE(decode_error(R"({"error":")" + std::string(9000, 'a') + R"( prompt is too long"})")
                  .context_overflow);
}

}  // namespace
}  // namespace unmask::llm
