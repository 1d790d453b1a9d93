#include "unmask/local/local_chat.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unmask/llm/chat.h"
#include "unmask/local/fake_fixtures.h"
#include "unmask/local/plain_prompt.h"

namespace unmask::local {
namespace {

using ::testing::HasSubstr;

llm::ChatMessage message(llm::ChatRole role, std::string text) {
  llm::ChatMessage made;
  made.role = role;
  made.content = std::move(text);
  return made;
}

llm::ChatRequest question() {
  llm::ChatRequest request;
  request.messages = {message(llm::ChatRole::system, "You help."),
                      message(llm::ChatRole::user, "Hi")};
  request.seed = 5;
  return request;
}

TEST(LocalChatTest, AnswersAsAnEndpointDoes) {
  fixtures::FakeModel model("Good day");
  llm::ChatRequest request = question();
  request.log_probabilities = true;
  const llm::ChatResult reply =
      answer_chat(model, request, {.name = "tiny", .top_logprobs = 1}, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->content, "Good day");
  EXPECT_EQ(reply->finish_reason, "stop");
  EXPECT_EQ(reply->usage.prompt_tokens, plain_prompt(request.messages).size());
  EXPECT_EQ(reply->usage.completion_tokens, 8U);
  EXPECT_THAT(reply->log_probabilities, HasSubstr(R"({"content":[{"token":"G","logprob":-1.00)"));
  EXPECT_THAT(reply->log_probabilities, HasSubstr(R"("bytes":[71],"top_logprobs":[{"token":"G")"));
}

TEST(LocalChatTest, KeepsTokensThatAreNoCharacters) {
  fixtures::FakeModel model("\xC3\xA9\xFF");
  llm::ChatRequest request = question();
  request.log_probabilities = true;
  const llm::ChatResult reply =
      answer_chat(model, request, {.name = "tiny", .top_logprobs = 0}, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->content, "\xC3\xA9\xEF\xBF\xBD");
  EXPECT_THAT(reply->log_probabilities, HasSubstr(R"("bytes":[195])"));
}

TEST(LocalChatTest, NamesEachFault) {
  fixtures::FakeModel model("Good day");
  const LocalChatSettings settings{.name = "tiny"};
  llm::ChatRequest with_tools = question();
  with_tools.tools.emplace_back();
  llm::ChatResult reply = answer_chat(model, with_tools, settings, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().fault, llm::ChatFault::refused);
  EXPECT_THAT(reply.error().message, HasSubstr("tiny: tools can't be offered"));

  model.context = 10;
  reply = answer_chat(model, question(), settings, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().fault, llm::ChatFault::context_overflow);

  model.context = 1000;
  reply = answer_chat(model, question(), settings, [] { return false; });
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().fault, llm::ChatFault::cancelled);

  reply = answer_chat(model, question(), {.name = "tiny", .timeout = std::chrono::milliseconds(-1)},
                      {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().fault, llm::ChatFault::timed_out);

  model.nan_at = 2;
  reply = answer_chat(model, question(), settings, {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().fault, llm::ChatFault::undecodable);
}

TEST(LocalChatTest, GoesOnFromAForcedBeginning) {
  fixtures::FakeModel model(R"(get_user", "arguments": {"id": "a}\"}"}} and then more)");
  const llm::ChatResult reply =
      answer_chat(model, question(), {.name = "tiny", .begins = R"({"tool": ")"}, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->content, R"({"tool": "get_user", "arguments": {"id": "a}\"}"}})");
  EXPECT_EQ(reply->finish_reason, "stop");
  fixtures::FakeModel words("es, of course");
  EXPECT_EQ(answer_chat(words, question(), {.name = "tiny", .begins = "Y"}, {})->content,
            "Yes, of course");
}

TEST(LocalChatTest, KnowsWhereAnObjectEnds) {
  EXPECT_TRUE(object_is_closed("{}"));
  EXPECT_TRUE(object_is_closed(R"({"a": {"b": "}"}})"));
  EXPECT_FALSE(object_is_closed(""));
  EXPECT_FALSE(object_is_closed("{"));
  EXPECT_FALSE(object_is_closed(R"({"a": {"b": 1})"));
  EXPECT_FALSE(object_is_closed(R"({"a": "}\"})"));
  EXPECT_FALSE(object_is_closed(R"({"a": "\)"));
}

TEST(LocalChatTest, AnswersOneAfterAnother) {
  LocalChat chat(std::make_unique<fixtures::FakeModel>("Good day"), {.name = "tiny"});
  std::vector<std::future<llm::ChatResult>> answers;
  for (int i = 0; i < 20; ++i) {
    auto promise = std::make_shared<std::promise<llm::ChatResult>>();
    answers.push_back(promise->get_future());
    chat.submit(question(),
                [promise](llm::ChatResult result) { promise->set_value(std::move(result)); });
  }
  for (std::future<llm::ChatResult>& answer : answers) {
    const llm::ChatResult reply = answer.get();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->content, "Good day");
  }
}

TEST(LocalChatTest, CancelsWhatIsLeftWhenItEnds) {
  std::vector<std::future<llm::ChatResult>> answers;
  {
    // Each of its answers is as long as the context: it is still busy with the first ones.
    auto model = std::make_unique<fixtures::FakeModel>(std::string(1'000'000, 'a'));
    model->context = 1'000'000;
    LocalChat chat(std::move(model), {.name = "tiny", .most_tokens = 1'000'000});
    for (int i = 0; i < 5; ++i) {
      auto promise = std::make_shared<std::promise<llm::ChatResult>>();
      answers.push_back(promise->get_future());
      chat.submit(question(),
                  [promise](llm::ChatResult result) { promise->set_value(std::move(result)); });
    }
  }
  for (std::future<llm::ChatResult>& answer : answers) {
    const llm::ChatResult reply = answer.get();
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, llm::ChatFault::cancelled);
  }
}

TEST(PlainPromptTest, SpellsOutTheChat) {
  const std::vector<llm::ChatMessage> messages = {
      message(llm::ChatRole::system, "You help."), message(llm::ChatRole::user, "Hi"),
      message(llm::ChatRole::assistant, "Good day"), message(llm::ChatRole::user, "Bye")};
  EXPECT_EQ(plain_prompt(messages),
            "You help.\n\nUser: Hi\n\nAssistant: Good day\n\nUser: Bye\n\nAssistant:");
  EXPECT_EQ(plain_prompt({}), "Assistant:");
}

}  // namespace
}  // namespace unmask::local
