#include "unmask/llm/response_json.h"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/llm/chat.h"

namespace unmask::llm {
namespace {

std::string completion(const std::string& message, const std::string& more_of_choice = "",
                       const std::string& more = "") {
  return R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":)" + message +
         R"(,"finish_reason":"stop")" + more_of_choice + "}]" + more + "}";
}

std::string call_json(const std::string& id, const std::string& function) {
  return "{" + (id.empty() ? "" : "\"id\":" + id + ",") + R"("type":"function","function":)" +
         function + "}";
}

TEST(ResponseJson, Text) {
  const ChatResult reply = decode_response(
      completion(R"({"role":"assistant","content":"h\u00e9 \ud83d\ude00"})", "",
                 R"(,"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15})"));
  ASSERT_TRUE(reply);
  ChatReply expected;
  expected.content = "h\xC3\xA9 \xF0\x9F\x98\x80";
  expected.finish_reason = "stop";
  expected.usage = {12, 3};
  EXPECT_EQ(*reply, expected);
}

TEST(ResponseJson, Contents) {
  struct Row {
    std::string message;
    std::optional<std::string> content;
  };
  const std::vector<Row> rows = {
      {R"({"content":null})", std::nullopt},
      {R"({})", std::nullopt},
      {R"({"content":""})", ""},
      {R"({"content":7})", std::nullopt},
      {R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})", "ab"},
      {R"({"content":"a","reasoning_content":"why"})", "a"},
      {R"({"content":"lone \ud83d half"})", "lone \xEF\xBF\xBD half"},
  };
  for (const Row& row : rows) {
    const ChatResult reply = decode_response(completion(row.message));
    ASSERT_TRUE(reply) << row.message;
    EXPECT_EQ(reply->content, row.content) << row.message;
  }
}

TEST(ResponseJson, CallsAreKeptAsTheyCame) {
  struct Row {
    std::string call;
    ChatCall kept;
  };
  const std::vector<Row> rows = {
      {call_json("\"c1\"", R"({"name":"get","arguments":"{\"a\": 1}"})"),
       {"c1", "get", R"({"a": 1})"}},
      {call_json("\"c1\"", R"({"name":"get","arguments":"{\"a\": "})"), {"c1", "get", R"({"a": )"}},
      {call_json("\"c1\"", R"({"name":"get","arguments":"[1]"})"), {"c1", "get", "[1]"}},
      {call_json("\"c1\"", R"({"name":"get","arguments":""})"), {"c1", "get", ""}},
      {call_json("\"c1\"", R"({"name":"get"})"), {"c1", "get", ""}},
      {call_json("\"c1\"", R"({"name":"get","arguments":{"a":1.50}})"),
       {"c1", "get", R"({"a":1.5})"}},
      {call_json("", R"({"name":"get","arguments":"{}"})"), {"", "get", "{}"}},
      {call_json("null", R"({"name":"get","arguments":"{}"})"), {"", "get", "{}"}},
      {call_json("\"c1\"", R"({"arguments":"{}"})"), {"c1", "", "{}"}},
      {R"({"id":"c1"})", {"c1", "", ""}},
  };
  for (const Row& row : rows) {
    const ChatResult reply =
        decode_response(completion(R"({"content":null,"tool_calls":[)" + row.call + "]}"));
    ASSERT_TRUE(reply) << row.call;
    ASSERT_EQ(reply->tool_calls.size(), 1U);
    EXPECT_EQ(reply->tool_calls[0], row.kept) << row.call;
  }
  const std::string call = call_json("\"same\"", R"({"name":"get","arguments":"{}"})");
  const ChatResult doubled =
      decode_response(completion(R"({"tool_calls":[)" + call + "," + call + "]}"));
  ASSERT_TRUE(doubled);
  ASSERT_EQ(doubled->tool_calls.size(), 2U);
  EXPECT_EQ(doubled->tool_calls[0], doubled->tool_calls[1]);
}

TEST(ResponseJson, FinishReasonsAndLogprobs) {
  for (const std::string reason : {"stop", "tool_calls", "length", "content_filter", "tired"}) {
    const ChatResult reply = decode_response(
        R"({"choices":[{"message":{"content":""},"finish_reason":")" + reason + R"("}]})");
    ASSERT_TRUE(reply);  // an empty answer cut at its length is an answer, not an overflow
    EXPECT_EQ(reply->finish_reason, reason);
  }
  EXPECT_EQ(decode_response(R"({"choices":[{"message":{},"finish_reason":null}]})")->finish_reason,
            "");
  EXPECT_EQ(
      decode_response(completion("{}", R"(,"logprobs":{"content":[{"token":"a","logprob":-0.5}]})"))
          ->log_probabilities,
      R"({"content":[{"token":"a","logprob":-0.5}]})");
  EXPECT_EQ(decode_response(completion("{}", R"(,"logprobs":null)"))->log_probabilities, "");
  EXPECT_EQ(decode_response(completion("{}", "", R"(,"usage":{"prompt_tokens":-1})"))->usage,
            Usage{});
}

TEST(ResponseJson, Undecodable) {
  for (const std::string body : {"",
                                 "  \n",
                                 "{",
                                 "null",
                                 "[]",
                                 "7",
                                 "\"text\"",
                                 "{}",
                                 R"({"choices":null})",
                                 R"({"choices":{}})",
                                 R"({"choices":[]})",
                                 R"({"choices":[{}]})",
                                 R"({"choices":[7]})",
                                 R"({"choices":[{"message":null}]})",
                                 R"({"choices":[{"message":"text"}]})",
                                 R"({"choices":[{"text":"a completion, no chat"}]})",
                                 R"({"choices":[{"message":{"tool_calls":{}}}]})",
                                 R"({"choices":[{"message":{"tool_calls":[7]}}]})",
                                 "<html><body>hi</body></html>",
                                 "gateway warming up",
                                 R"({"error":"something"})",
                                 R"({"choices":[{"message":{"content":"cut o)",
                                 "{\"choices\":[{\"message\":{}}]} trailing"}) {
    const ChatResult reply = decode_response(body);
    ASSERT_FALSE(reply) << body;
    EXPECT_EQ(reply.error().fault, ChatFault::undecodable) << body;
    EXPECT_FALSE(reply.error().message.empty());
  }
}

TEST(ResponseJson, ErrorsInsideASuccess) {
  struct Row {
    std::string body;
    ChatFault fault;
  };
  const std::vector<Row> rows = {
      {R"({"error":{"message":"overloaded","code":503}})", ChatFault::server},
      {R"({"error":{"message":"slow down","code":"429"}})", ChatFault::server},
      {R"({"error":{"message":"no such model","code":404}})", ChatFault::refused},
      {R"({"error":{"message":"prompt is too long"}})", ChatFault::context_overflow},
      {R"({"object":"error","message":"odd","code":40001})", ChatFault::undecodable},
      {"data: {\"error\":{\"message\":\"died\",\"code\":500}}\n\ndata: [DONE]\n\n",
       ChatFault::server},
  };
  for (const Row& row : rows) {
    const ChatResult reply = decode_response(row.body);
    ASSERT_FALSE(reply) << row.body;
    EXPECT_EQ(name_of(reply.error().fault), name_of(row.fault)) << row.body;
  }
}

}  // namespace
}  // namespace unmask::llm
