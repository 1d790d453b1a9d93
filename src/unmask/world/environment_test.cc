#include "unmask/world/environment.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "unmask/episode/channel.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

enum Method : int { add, peek, break_it, press, set_to, is_at, tell_name };

/// A counter that the agent raises and a lamp that the user switches; sync fails once it is broken.
class CounterEnvironment final : public Environment {
 public:
  CounterEnvironment(std::shared_ptr<const EnvironmentSetup> setup, bool solo)
      : Environment(std::move(setup), solo) {}

  [[nodiscard]] std::unique_ptr<Environment> clone() const override {
    return std::make_unique<CounterEnvironment>(*this);
  }
  [[nodiscard]] std::string agent_hash() const override { return std::to_string(count_); }
  [[nodiscard]] std::optional<std::string> user_hash() const override {
    return lamp_ ? "on" : "off";
  }
  Outcome<void> sync() override {
    ++syncs_;
    if (broken_) return raise("ValueError", "sync is broken");
    return {};
  }
  [[nodiscard]] int syncs() const { return syncs_; }

 private:
  Outcome<std::string> run_tool(Party, const Tool& tool, const Arguments& arguments) override {
    switch (tool.id) {
      case add:
        if (arguments[0].integer() == nullptr) return raise("TypeError", "no integer");
        count_ += static_cast<int>(*arguments[0].integer());
        return dump_json(Object{{"count", count_}});
      case peek:
        return std::to_string(count_);
      case break_it:
        broken_ = true;
        return "broken";
      default:
        lamp_ = !lamp_;
        return lamp_ ? "on" : "off";
    }
  }
  Outcome<Value> run_method(Party owner, const Tool& method, const Arguments& arguments) override {
    switch (method.id) {
      case set_to:
        count_ = static_cast<int>(*arguments[0].integer());
        return Value();
      case is_at:
        return Value(*arguments[0].integer() == count_);
      case tell_name:
        return Value("counter");
      default:
        return Environment::run_method(owner, method, arguments);
    }
  }

  int count_ = 0;
  int syncs_ = 0;
  bool lamp_ = false;
  bool broken_ = false;
};

std::shared_ptr<const EnvironmentSetup> counter_setup(bool with_user = true) {
  auto setup = std::make_shared<EnvironmentSetup>();
  setup->domain = "counter";
  setup->policy = "Count.";
  setup->policy_solo = "Count alone.";
  setup->agent.class_name = "CounterTools";
  setup->agent.tools = {
      {add, "add", ToolKind::write, {{"amount"}, {"note", false}}, "", {}},
      {peek, "peek", ToolKind::read, {}, "", {}},
      {break_it, "break_it", ToolKind::write, {{"a"}, {"b"}, {"c"}}, "", {}},
  };
  setup->agent.functions = {
      {set_to, "set_to", ToolKind::function, {{"count"}}, "", {}},
      {is_at, "is_at", ToolKind::function, {{"count"}}, "", {}},
      {tell_name, "name", ToolKind::function, {}, "", {}},
  };
  if (with_user) {
    setup->user.emplace();
    setup->user->class_name = "LampTools";
    setup->user->tools = {{press, "press", ToolKind::write, {}, "", {}}};
  }
  return setup;
}

CounterEnvironment counter(bool solo = false, bool with_user = true) {
  return {counter_setup(with_user), solo};
}

ToolCall agent_call(std::string name, Object arguments = {}) {
  return {"c", std::move(name), std::move(arguments), Party::agent};
}

ToolCall user_call(std::string name) { return {"c", std::move(name), {}, Party::user}; }

CallResult error_of(std::string text, std::optional<Cause> cause = {}) {
  return {"Error: " + std::move(text), true, cause};
}

constexpr Cause kNotOffered{Channel::tool_name, {}};

TEST(Environment, ReservedArgumentsWinOverAllElse) {
  CounterEnvironment environment = counter();
  const std::string keyword =
      "tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword "
      "argument 'requestor'";
  EXPECT_EQ(environment.call(agent_call("?", {{"self", 1}, {"requestor", 1}})),
            error_of(keyword, bad_argument("unexpected")));
  EXPECT_EQ(environment.call(agent_call("?", {{"tool_name", 1}, {"self", 1}})),
            error_of("Environment.make_tool_call() got multiple values for argument 'tool_name'",
                     bad_argument("unexpected")));
}

TEST(Environment, RoutesByRequestorAndSoloMode) {
  CounterEnvironment both = counter();
  EXPECT_EQ(both.call(agent_call("press")), error_of("Tool 'press' not found.", kNotOffered));
  EXPECT_EQ(both.call(user_call("peek")), error_of("Tool 'peek' not found.", kNotOffered));
  EXPECT_EQ(both.call(user_call("press")), (CallResult{"on", false}));
  EXPECT_EQ(both.call(agent_call("set_to")), error_of("Tool 'set_to' not found.", kNotOffered));
  CounterEnvironment solo = counter(true);
  EXPECT_EQ(solo.call(agent_call("press")), (CallResult{"on", false}));
  EXPECT_EQ(solo.call(user_call("press")),
            error_of("User tool calls are not allowed in solo mode", kNotOffered));
  EXPECT_EQ(solo.policy(), "Count alone.");
  CounterEnvironment alone = counter(false, false);
  EXPECT_EQ(alone.call(user_call("press")), error_of("User tools not available", kNotOffered));
}

TEST(Environment, BindsArgumentsWithPythonsTexts) {
  CounterEnvironment environment = counter();
  const struct {
    ToolCall call;
    std::string text;
    std::string_view kind = "missing";
  } cases[] = {
      {agent_call("add", {{"x'y", 1}, {"z", 1}}),
       "CounterTools.add() got an unexpected keyword argument 'x'y'", "unexpected"},
      {agent_call("add"), "CounterTools.add() missing 1 required positional argument: 'amount'"},
      {agent_call("break_it", {{"b", 1}}),
       "CounterTools.break_it() missing 2 required positional arguments: 'a' and 'c'"},
      {agent_call("break_it"),
       "CounterTools.break_it() missing 3 required positional arguments: 'a', 'b', and 'c'"},
  };
  for (const auto& example : cases)
    EXPECT_EQ(environment.call(example.call), error_of(example.text, bad_argument(example.kind)));
  EXPECT_EQ(environment.call(agent_call("add", {{"note", "n"}, {"amount", 2}})),
            (CallResult{R"({"count": 2})", false}));
}

TEST(Environment, SyncsAfterSuccessOnlyAndItsErrorReplacesTheResult) {
  CounterEnvironment environment = counter();
  (void)environment.call(agent_call("peek", {{"x", 1}}));
  EXPECT_EQ(environment.syncs(), 0);
  (void)environment.call(agent_call("peek"));
  EXPECT_EQ(environment.syncs(), 1);
  (void)environment.call_without_sync(agent_call("peek"));
  EXPECT_EQ(environment.syncs(), 1);
  const Object all{{"a", 1}, {"b", 1}, {"c", 1}};
  EXPECT_EQ(environment.call(agent_call("break_it", all)), error_of("sync is broken"));
}

TEST(Environment, ClonesChangeOnTheirOwn) {
  CounterEnvironment environment = counter();
  (void)environment.call(agent_call("add", {{"amount", 1}}));
  const std::unique_ptr<Environment> copy = environment.clone();
  EXPECT_TRUE(copy->has_same_state(environment));
  (void)copy->call(agent_call("add", {{"amount", 1}}));
  EXPECT_EQ(environment.agent_hash(), "1");
  EXPECT_FALSE(copy->has_same_state(environment));
}

TEST(Environment, RunsFunctionsAndAssertions) {
  CounterEnvironment environment = counter();
  EXPECT_TRUE(environment.run({Party::agent, "set_to", {{"count", 3}}})->is_null());
  EXPECT_EQ(*environment.run({Party::agent, "peek", {}})->string(), "3");
  EXPECT_TRUE(environment.check({{Party::agent, "is_at", {{"count", 3}}}, true, {}}).value());
  EXPECT_FALSE(environment.check({{Party::agent, "is_at", {{"count", 3}}}, false, {}}).value());
  EXPECT_EQ(environment.run({Party::user, "set_to", {}}).error(),
            (Raised{"AttributeError", "'LampTools' object has no attribute 'set_to'"}));
  EXPECT_EQ(environment.run({Party::agent, "set_to", {}}).error().text,
            "CounterTools.set_to() missing 1 required positional argument: 'count'");
  EXPECT_EQ(environment.check({{Party::agent, "name", {}}, true, {}}).error().type, "ValueError");
  EXPECT_EQ(environment.merge({}).error().type, "NotImplementedError");
}

Message call_message(std::vector<ToolCall> calls) {
  Message message;
  message.role = Role::assistant;
  message.tool_calls = std::move(calls);
  return message;
}

Message tool_message(std::optional<std::string> content, std::string id = "c") {
  Message message;
  message.role = Role::tool;
  message.id = std::move(id);
  message.content = std::move(content);
  return message;
}

Message text_message(Role role) {
  Message message;
  message.role = role;
  message.content = "Hello.";
  return message;
}

TEST(SetState, ReplaysWritesAndComparesTheirContents) {
  CounterEnvironment environment = counter();
  const std::vector<Message> messages = {
      text_message(Role::user),
      call_message({agent_call("peek"), agent_call("nothing"), agent_call("add", {{"amount", 2}})}),
      tool_message("recorded contents of reads are not looked at"),
      tool_message("Error: Tool 'nothing' not found."),
      tool_message("{\"count\":2.0}"),
      call_message({user_call("press")}),
      tool_message("on"),
      call_message({}),
      text_message(Role::assistant),
  };
  InitialState initial;
  initial.actions = {{{Party::agent, "set_to", {{"count", 0}}}, false, true, {}},
                     {{Party::agent, "is_at", {{"count", 0}}}, true, true, {}}};
  ASSERT_TRUE(set_state(environment, &initial, messages).has_value());
  EXPECT_EQ(environment.agent_hash(), "2");
  EXPECT_EQ(environment.user_hash(), "on");
}

TEST(SetState, RaisesWhatTheOriginalRaises) {
  const Object one{{"amount", 1}};
  const struct {
    std::vector<Message> messages;
    std::string type;
    std::string text;
  } cases[] = {
      {{tool_message("x")},
       "ValueError",
       "Tool message not expected. Tool messages should always follow a tool call."},
      {{call_message({agent_call("peek")})}, "ValueError", "Tool message expected. Got None."},
      {{call_message({agent_call("peek")}), text_message(Role::user)},
       "ValueError",
       "Tool message expected. Got <class 'tau2.data_model.message.UserMessage'>"},
      {{call_message({agent_call("peek")}), tool_message("0", "d")},
       "ValueError",
       "Tool call id mismatch. Got c and d"},
      {{call_message({agent_call("add", one)}), tool_message(std::nullopt)},
       "TypeError",
       "the JSON object must be str, bytes or bytearray, not NoneType"},
  };
  for (const auto& example : cases) {
    CounterEnvironment environment = counter();
    const Outcome<void> outcome = set_state(environment, nullptr, example.messages);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error(), (Raised{example.type, example.text}));
  }
}

TEST(SetState, DifferencesRaiseUnlessLenient) {
  const std::vector<Message> messages = {call_message({agent_call("add", {{"amount", 2}})}),
                                         tool_message(R"({"count": 3})")};
  CounterEnvironment strict = counter();
  const Outcome<void> outcome = set_state(strict, nullptr, messages);
  ASSERT_FALSE(outcome.has_value());
  EXPECT_EQ(
      outcome.error().text,
      "Tool call:\nadd {\"amount\": 2}\n\nReturned:\n{\"count\": 2}\n\nExpected:\n{\"count\": "
      "3}");
  CounterEnvironment lenient = counter();
  EXPECT_TRUE(set_state(lenient, nullptr, messages, false).has_value());
}

TEST(SetState, SoloModeTakesNoUserMessage) {
  CounterEnvironment environment = counter(true);
  EXPECT_EQ(set_state(environment, nullptr, std::vector{text_message(Role::user)}).error().type,
            "AssertionError");
}

TEST(SetState, InitialAssertionsMustHold) {
  CounterEnvironment environment = counter();
  InitialState initial;
  initial.actions = {{{Party::agent, "is_at", {{"count", 9}}}, true, true, "not nine"}};
  EXPECT_EQ(set_state(environment, &initial, {}).error(), (Raised{"AssertionError", "not nine"}));
}

TEST(SameContent, ParsesBothSidesWhereTheyParse) {
  EXPECT_TRUE(same_content("{\"a\": 1, \"b\": 2}", "{\"b\":2.0,\"a\":true}"));
  EXPECT_TRUE(same_content("\"on\"", "on"));
  EXPECT_FALSE(same_content("NaN", "NaN"));
  EXPECT_FALSE(same_content("1", "one"));
  EXPECT_FALSE(same_content("on ", "on"));
}

TEST(Tool, SchemaAndDescriptions) {
  std::vector<Tool> tools = counter_setup()->agent.tools;
  const std::vector<Parameter> parameters = {
      {"order_id"}, {"item_ids", true, ParameterType::text_list}, {"note", false}};
  EXPECT_EQ(dump_json(schema_of(parameters)),
            R"({"properties": {"order_id": {"title": "Order Id", "type": "string"}, )"
            R"("item_ids": {"items": {"type": "string"}, "title": "Item Ids", "type": "array"}, )"
            R"("note": {"title": "Note", "type": "string"}}, )"
            R"("required": ["order_id", "item_ids"], "title": "parameters", "type": "object"})");
  EXPECT_EQ(dump_json(schema_of({})),
            R"({"properties": {}, "title": "parameters", "type": "object"})");
  tools[0].schema = schema_of({{"amount"}});
  const Value texts =
      Object{{tools[0].name,
              Object{{"description", "Adds."}, {"parameters", Object{{"amount", "How much."}}}}},
             {"no_tool", Object{}}};
  ASSERT_TRUE(describe_tools(tools, texts, "texts.json").has_value());
  EXPECT_EQ(tools[0].description, "Adds.");
  EXPECT_EQ(
      dump_json(tools[0].schema),
      R"({"properties": {"amount": {"description": "How much.", "title": "Amount", )"
      R"("type": "string"}}, "required": ["amount"], "title": "parameters", "type": "object"})");
  EXPECT_EQ(describe_tools(tools, Object{{tools[0].name, Object{}}}, "texts.json").error().message,
            "texts.json: " + tools[0].name + ".description: a text is due here");
}

}  // namespace
}  // namespace unmask::world
