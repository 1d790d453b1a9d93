#include "unmask/play/text_protocol.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/llm/chat.h"
#include "unmask/play/model_participant.h"
#include "unmask/play/participant.h"
#include "unmask/world/message.h"

namespace unmask::play {
namespace {

using llm::ChatCall;
using llm::ChatRole;
using testing::ElementsAre;
using testing::HasSubstr;

llm::ChatReply reply_of(std::string text) {
  llm::ChatReply reply;
  reply.content = std::move(text);
  return reply;
}

/// `name arguments` of each call, a line each, malformed ones marked; then the content, if any.
std::string read(std::string text) {
  const llm::ChatReply reply = from_text_reply(reply_of(std::move(text)));
  std::string out;
  for (const ChatCall& call : reply.tool_calls) {
    const bool malformed = tool_call(Party::agent, call).is_malformed();
    out += (malformed ? "! " : "") + call.name + " " + call.arguments + "\n";
  }
  return out + reply.content.value_or("");
}

TEST(TextProtocol, Calls) {
  EXPECT_EQ(read(R"({"tool": "look", "arguments": {"id": "7"}})"), "look {\"id\": \"7\"}\n");
  EXPECT_EQ(read("```json\n{\"tool\": \"look\", \"arguments\": {}}\n```"), "look {}\n");
  EXPECT_EQ(read("<tool_call>{\"name\": \"look\", \"arguments\": {\"a\": \"}\"}}</tool_call>"),
            "look {\"a\": \"}\"}\n");
  EXPECT_EQ(read(R"({"function": "look", "parameters": {}})"), "look {}\n");
  EXPECT_EQ(read(R"({"tool": "look"})"), "look {}\n");
  EXPECT_EQ(read(R"({"tool": "look", "arguments": "{\"a\": 1}"})"), "look {\"a\": 1}\n");
  EXPECT_EQ(read("Let me see. {\"tool\": \"look\", \"arguments\": {}} Wait."),
            "look {}\nLet me see.  Wait.");
  EXPECT_EQ(read(R"({"tool": "a", "arguments": {}} {"tool": "b", "arguments": {}})"),
            "a {}\nb {}\n");
}

TEST(TextProtocol, BrokenCallsAreMalformed) {
  EXPECT_EQ(read(R"({"tool": "look", "arguments": {"id": "7)"), "! look {\"id\": \"7\n");
  EXPECT_EQ(read(R"({"tool": "look", "arguments": {id: 7}})"), "! look {id: 7}}\n");
  EXPECT_EQ(read(R"({"tool": "look", "arguments": [1]})"), "! look [1]\n");
  EXPECT_EQ(read(R"({"tool": "look", "arguments": 7})"), "! look 7\n");
  EXPECT_EQ(read(R"({"tool": "look", "arguments": {"id": "7"})"),
            "! look {\"tool\": \"look\", \"arguments\": {\"id\": \"7\"}\n");
  EXPECT_EQ(read(R"({"tool": "", "arguments": {}})"), "!  {}\n");
  EXPECT_EQ(read(R"({"tool": "lo)"), "! lo {\"tool\": \"lo\n");
}

TEST(TextProtocol, TextsThatAreNoCalls) {
  for (const char* text :
       {"", "Hello.", "{", "{}", "Use {curly} braces.", R"({"price": 7})",
        R"({"name": "Ada", "age": 7})", R"(It is {"status": "open"} now.)", "```\ncode\n```"}) {
    EXPECT_EQ(read(text), text);
  }
  EXPECT_FALSE(from_text_reply({}).content.has_value());
}

TEST(TextProtocol, BracesWithoutEnd) {
  for (const char* part : {"{", "{\"", "{a}", "{\"a\": {"}) {
    std::string text;
    while (text.size() < 1'000'000) text += part;
    EXPECT_EQ(read(text), text);
  }
  EXPECT_EQ(read("{{\"tool\": \"look\", \"arguments\": {}}}"), "look {}\n{}");
}

TEST(TextProtocol, ServersOwnCallsAreKept) {
  llm::ChatReply reply = reply_of(R"({"tool": "look", "arguments": {}})");
  reply.tool_calls = {{"1", "other", "{}"}};
  EXPECT_EQ(from_text_reply(reply), reply);
}

TEST(TextProtocol, Requests) {
  llm::ChatRequest request;
  request.tools = {{"look", "Looks.", R"({"type": "object"})"}};
  request.tool_choice = llm::ToolChoice::automatic;
  request.seed = 5;
  const auto message = [](ChatRole role, std::string text) {
    return llm::ChatMessage{.role = role, .content = std::move(text)};
  };
  llm::ChatMessage call = message(ChatRole::assistant, "");
  call.content.reset();
  call.tool_calls = {{{"1", "look", "{}"}, {"2", "look", "{}"}}};
  llm::ChatMessage first = message(ChatRole::tool, "red");
  first.tool_call_id = "1";
  llm::ChatMessage second = message(ChatRole::tool, "blue");
  second.tool_call_id = "9";
  request.messages = {message(ChatRole::system, "Be kind."),
                      message(ChatRole::assistant, "Hi"),
                      message(ChatRole::user, "look"),
                      call,
                      first,
                      second};
  const llm::ChatRequest text = as_text_request(request);
  EXPECT_TRUE(text.tools.empty());
  EXPECT_EQ(text.tool_choice, llm::ToolChoice::unset);
  EXPECT_EQ(text.seed, 5U);
  ASSERT_EQ(text.messages.size(), 5U);
  EXPECT_THAT(*text.messages[0].content, HasSubstr("Be kind.\n\nYou call a tool by"));
  EXPECT_THAT(*text.messages[0].content, HasSubstr("\n- look: Looks.\n  {\"type\": \"object\"}"));
  EXPECT_EQ(text.messages[3].content,
            "{\"tool\": \"look\", \"arguments\": {}}\n{\"tool\": \"look\", \"arguments\": {}}");
  EXPECT_FALSE(text.messages[3].tool_calls.has_value());
  EXPECT_EQ(text.messages[4].role, ChatRole::user);
  EXPECT_EQ(text.messages[4].content, "Result of look:\nred\n\nResult of a call:\nblue");
  // What the model is shown of its calls is what it may write.
  EXPECT_EQ(read(*text.messages[3].content), "look {}\nlook {}\n");
}

TEST(TextProtocol, WithoutTools) {
  llm::ChatRequest request;
  request.messages = {{.role = ChatRole::system, .content = "Be kind."}};
  EXPECT_EQ(as_text_request(request), request);
}

}  // namespace
}  // namespace unmask::play
