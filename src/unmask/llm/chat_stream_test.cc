#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/llm/chat.h"
#include "unmask/llm/response_json.h"

namespace unmask::llm {
namespace {

std::string event(const std::string& json) { return "data: " + json + "\n\n"; }

std::string delta(const std::string& json, const std::string& more = "") {
  return event(R"({"object":"chat.completion.chunk","choices":[{"index":0,"delta":)" + json + more +
               "}]}");
}

std::string call_delta(const std::string& members) {
  return delta("{\"tool_calls\":[{" + members + "}]}");
}

std::string end_with(const std::string& reason) {
  return delta("{}", R"(,"finish_reason":")" + reason + '"') + event("[DONE]");
}

TEST(ChatStream, Text) {
  const ChatResult reply = decode_response(
      ": ping\n\n" + delta(R"({"role":"assistant","content":""})") + delta(R"({"content":"he"})") +
      delta(R"({"content":"llo"})", R"(,"logprobs":{"content":[{"token":"he"},{"token":"llo"}]})") +
      delta(R"({"content":"!"})", R"(,"logprobs":{"content":[{"token":"!"}]})") +
      delta("{}", R"(,"finish_reason":"stop")") +
      event(R"({"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3}})") +
      event("[DONE]"));
  ASSERT_TRUE(reply) << reply.error().message;
  ChatReply expected;
  expected.content = "hello!";
  expected.finish_reason = "stop";
  expected.usage = {5, 3};
  expected.log_probabilities = R"({"content":[{"token":"he"},{"token":"llo"},{"token":"!"}]})";
  EXPECT_EQ(*reply, expected);
}

TEST(ChatStream, Calls) {
  struct Row {
    std::string name;
    std::string events;
    std::vector<ChatCall> calls;
  };
  const std::vector<Row> rows = {
      {"fragments by index",
       call_delta(R"("index":0,"id":"a","function":{"name":"get","arguments":""})") +
           call_delta(R"("index":0,"function":{"arguments":"{\"x\":"})") +
           call_delta(R"("index":1,"id":"b","function":{"name":"put","arguments":"{"})") +
           call_delta(R"("index":0,"function":{"arguments":"1}"})") +
           call_delta(R"("index":1,"function":{"arguments":"}"})"),
       {{"a", "get", R"({"x":1})"}, {"b", "put", "{}"}}},
      {"one chunk, two calls",
       delta(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"get","arguments":"{}"}},)"
             R"({"index":1,"id":"b","function":{"name":"get","arguments":"[1"}}]})"),
       {{"a", "get", "{}"}, {"b", "get", "[1"}}},
      {"all numbered 0",
       call_delta(R"("index":0,"id":"a","function":{"name":"get","arguments":"{}"})") +
           call_delta(R"("index":0,"id":"b","function":{"name":"put","arguments":"{"})") +
           call_delta(R"("index":0,"function":{"arguments":"}"})"),
       {{"a", "get", "{}"}, {"b", "put", "{}"}}},
      {"not numbered",
       call_delta(R"("id":"a","function":{"name":"get","arguments":"{"})") +
           call_delta(R"("function":{"arguments":"}"})") +
           call_delta(R"("id":"b","function":{"name":"put","arguments":"{}"})"),
       {{"a", "get", "{}"}, {"b", "put", "{}"}}},
      {"id and name repeated",
       call_delta(R"("index":0,"id":"a","function":{"name":"get","arguments":"{"})") +
           call_delta(R"("index":0,"id":"a","function":{"name":"get","arguments":"}"})"),
       {{"a", "get", "{}"}}},
      {"name in fragments, no id",
       call_delta(R"("index":0,"function":{"name":"ge"})") +
           call_delta(R"("index":0,"function":{"name":"t_x","arguments":"{}"})"),
       {{"", "get_x", "{}"}}},
  };
  for (const Row& row : rows) {
    const ChatResult reply =
        decode_response(delta(R"({"content":""})") + row.events + end_with("tool_calls"));
    ASSERT_TRUE(reply) << row.name;
    EXPECT_EQ(reply->tool_calls, row.calls) << row.name;
    EXPECT_EQ(reply->content, std::nullopt) << row.name;
    EXPECT_EQ(reply->finish_reason, "tool_calls");
  }
}

TEST(ChatStream, Ends) {
  const std::string text = delta(R"({"content":"a"})");
  EXPECT_TRUE(decode_response(text + end_with("odd")));
  EXPECT_TRUE(decode_response(text + delta("{}", R"(,"finish_reason":"stop")")));
  EXPECT_TRUE(decode_response(text + event("[DONE]") + event("noise behind the end")));
  EXPECT_TRUE(decode_response(text + "data: [DONE]"));  // its line breaks are missing
  for (const std::string& events :
       {text, text + event("{\"choices\":[{"), std::string("data: \n\n"), event("[DONE]"),
        std::string(": ping\n\n"), text + event("7"), event(R"({"error":"died"})")}) {
    const ChatResult reply = decode_response(events);
    ASSERT_FALSE(reply) << events;
    EXPECT_EQ(reply.error().fault, ChatFault::undecodable) << events;
  }
}

TEST(ChatStream, OnlyTheFirstChoice) {
  const ChatResult reply = decode_response(
      event(
          R"({"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]})") +
      end_with("stop"));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->content, "a");
}

}  // namespace
}  // namespace unmask::llm
