#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

Outcome<void> run_initial_action(Environment& environment, const InitialAction& action) {
  if (!action.is_assertion) {
    const Outcome<Value> value = environment.run(action.function);
    if (!value) return raised_by(value);
    return {};
  }
  const Outcome<bool> met =
      environment.check(Assertion{action.function, action.expected, action.message});
  if (!met) return raised_by(met);
  if (*met) return {};
  return raise("AssertionError",
               action.message.value_or("Assertion failed: " + action.function.name));
}

std::string mismatch_text(const ToolCall& call, const std::string& live,
                          const std::string& recorded) {
  return "Tool call:\n" + call.name + " " + dump_json(call.arguments) + "\n\nReturned:\n" + live +
         "\n\nExpected:\n" + recorded;
}

Value content_value(std::string_view text) {
  if (Result<Value> parsed = parse_json(text)) return std::move(*parsed);
  return text;
}

}  // namespace

bool same_content(std::string_view left, std::string_view right) {
  // Equal texts parse alike; only a bare NaN differs from itself.
  if (left == right) return left != "NaN";
  return python_equal(content_value(left), content_value(right));
}

Outcome<std::vector<RecordedCall>> recorded_calls(std::span<const Message> messages) {
  std::vector<RecordedCall> pairs;
  std::size_t at = 0;
  while (at < messages.size()) {
    const Message& message = messages[at++];
    if (message.role == Role::tool) {
      return raise("ValueError",
                   "Tool message not expected. Tool messages should always follow a tool call.");
    }
    if (message.role == Role::system || !message.tool_calls) continue;
    for (const ToolCall& call : *message.tool_calls) {
      if (at == messages.size()) return raise("ValueError", "Tool message expected. Got None.");
      const Message& result = messages[at++];
      if (result.role != Role::tool) {
        const std::string_view kind = result.role == Role::assistant ? "AssistantMessage"
                                      : result.role == Role::user    ? "UserMessage"
                                                                     : "SystemMessage";
        return raise("ValueError", "Tool message expected. Got <class 'tau2.data_model.message." +
                                       std::string(kind) + "'>");
      }
      if (result.id != call.id) {
        return raise("ValueError", "Tool call id mismatch. Got " + call.id + " and " + result.id);
      }
      pairs.push_back({&call, &result});
    }
  }
  return pairs;
}

Outcome<void> set_state(Environment& environment, const InitialState* initial,
                        std::span<const Message> messages, bool strict) {
  if (environment.is_solo()) {
    for (const Message& message : messages) {
      if (message.role == Role::user) {
        return raise("AssertionError", "User messages are not allowed in solo mode");
      }
    }
  }
  if (initial != nullptr) {
    if (initial->data) {
      if (Outcome<void> merged = environment.merge(*initial->data); !merged) return merged;
    }
    for (const InitialAction& action : initial->actions) {
      if (Outcome<void> done = run_initial_action(environment, action); !done) return done;
    }
  }
  const Outcome<std::vector<RecordedCall>> pairs = recorded_calls(messages);
  if (!pairs) return raised_by(pairs);
  for (const RecordedCall& pair : *pairs) {
    if (!environment.mutates(pair.call->name).value_or(false)) continue;
    const CallResult live = environment.call(*pair.call);
    if (!pair.result->content) {
      return raise("TypeError", "the JSON object must be str, bytes or bytearray, not NoneType");
    }
    if (strict && !same_content(live.content, *pair.result->content)) {
      return raise("ValueError", mismatch_text(*pair.call, live.content, *pair.result->content));
    }
  }
  return environment.sync();
}

}  // namespace unmask::world
