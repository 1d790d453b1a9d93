#include "unmask/llm/request_json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/llm/chat.h"
#include "unmask/llm/endpoint.h"

namespace unmask::llm {
namespace {

ChatRequest request_of(std::vector<ChatMessage> messages) {
  ChatRequest request;
  request.messages = std::move(messages);
  return request;
}

TEST(RequestJson, Messages) {
  struct Row {
    ChatMessage message;
    std::string json;
  };
  const std::vector<Row> rows = {
      {{ChatRole::system, "be \"kind\"\n", {}, ""},
       R"({"role":"system","content":"be \"kind\"\n"})"},
      {{ChatRole::user, "\xC3\xA9", {}, ""}, "{\"role\":\"user\",\"content\":\"\xC3\xA9\"}"},
      {{ChatRole::assistant, "hello", {}, ""}, R"({"role":"assistant","content":"hello"})"},
      {{ChatRole::assistant, "", std::vector<ChatCall>{}, ""},
       R"({"role":"assistant","content":""})"},
      {{ChatRole::assistant, std::nullopt,
        std::vector<ChatCall>{{"c1", "get", R"({"a": 1})"}, {"", "x", "not json"}}, ""},
       R"({"role":"assistant","content":null,"tool_calls":[)"
       R"({"id":"c1","type":"function","function":{"name":"get","arguments":"{\"a\": 1}"}},)"
       R"({"id":"","type":"function","function":{"name":"x","arguments":"not json"}}]})"},
      {{ChatRole::tool, "done", {}, "c1"},
       R"({"role":"tool","content":"done","tool_call_id":"c1"})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(encode_request(request_of({row.message}), {}), "{\"messages\":[" + row.json + "]}");
  }
  EXPECT_EQ(encode_request({}, {}), R"({"messages":[]})");
}

TEST(RequestJson, EverySetting) {
  ChatRequest request = request_of({{ChatRole::user, "hi", {}, ""}});
  request.tools = {{"get", "Gets.", R"({"type":"object"})"}, {"stop", "", ""}};
  request.tool_choice = ToolChoice::automatic;
  request.seed = 18446744073709551615U;
  request.log_probabilities = true;
  Endpoint endpoint;
  endpoint.model = "m/1";
  endpoint.temperature = 0.0;
  endpoint.max_tokens = 64;
  endpoint.top_logprobs = 5;
  endpoint.streaming = true;
  EXPECT_EQ(
      encode_request(request, endpoint),
      R"({"model":"m/1","messages":[{"role":"user","content":"hi"}],"tools":[)"
      R"({"type":"function","function":{"name":"get","description":"Gets.","parameters":{"type":"object"}}},)"
      R"({"type":"function","function":{"name":"stop","description":"","parameters":{"type":"object","properties":{}}}}],)"
      R"("tool_choice":"auto","temperature":0.0,"max_tokens":64,"seed":18446744073709551615,)"
      R"("logprobs":true,"top_logprobs":5,"stream":true,"stream_options":{"include_usage":true}})");
}

TEST(RequestJson, ToolChoice) {
  ChatRequest request;
  request.tool_choice = ToolChoice::required;
  EXPECT_EQ(encode_request(request, {}), R"({"messages":[]})");
  request.tools = {{"a", "", "{}"}};
  EXPECT_NE(encode_request(request, {}).find(R"("tool_choice":"required")"), std::string::npos);
  request.tool_choice = ToolChoice::none;
  EXPECT_NE(encode_request(request, {}).find(R"("tool_choice":"none")"), std::string::npos);
  request.tool_choice = ToolChoice::unset;
  EXPECT_EQ(encode_request(request, {}).find("tool_choice"), std::string::npos);
}

TEST(RequestJson, ExtraBodyHasTheLastWord) {
  Endpoint endpoint;
  endpoint.model = "m";
  endpoint.temperature = 0.7;
  endpoint.extra_body =
      R"({"temperature": 1, "top_p": 0.9, "chat_template_kwargs": {"enable_thinking": false}, "stop": null})";
  EXPECT_EQ(encode_request({}, endpoint),
            R"({"model":"m","messages":[],"temperature":1,"top_p":0.9,)"
            R"("chat_template_kwargs":{"enable_thinking":false},"stop":null})");
}

}  // namespace
}  // namespace unmask::llm
