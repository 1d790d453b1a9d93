#include "unmask/world/environment.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/check.h"
#include "unmask/episode/channel.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

CallResult result_of(Outcome<std::string> outcome) {
  if (outcome) return {std::move(*outcome), false};
  return {"Error: " + outcome.error().text, true};
}

/// Names that the original's call function itself takes as parameters collide with arguments.
std::optional<Raised> reserved_argument(const Object& arguments) {
  const Member* colliding = nullptr;
  for (const Member& member : arguments) {
    if (member.key == "requestor") {
      return Raised{"TypeError",
                    "tau2.environment.environment.Environment.make_tool_call() got multiple values "
                    "for keyword argument 'requestor'"};
    }
    if (colliding == nullptr && (member.key == "self" || member.key == "tool_name")) {
      colliding = &member;
    }
  }
  if (colliding == nullptr) return std::nullopt;
  return Raised{"TypeError", "Environment.make_tool_call() got multiple values for argument '" +
                                 colliding->key + "'"};
}

}  // namespace

Outcome<Arguments> bind_arguments(std::string_view class_name, const Tool& tool,
                                  const Object& arguments) {
  const std::vector<Parameter>& parameters = tool.parameters;
  UNMASK_CHECK(parameters.size() <= kMaxParameters);
  const auto signature = [&] { return std::string(class_name) + "." + tool.name + "()"; };
  Arguments bound;
  for (const Member& member : arguments) {
    std::size_t place = 0;
    while (place < parameters.size() && parameters[place].name != member.key) ++place;
    if (place == parameters.size()) {
      return raise("TypeError",
                   signature() + " got an unexpected keyword argument '" + member.key + "'");
    }
    bound.bind(place, member.value);
  }
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].required && bound.find(i) == nullptr) missing.push_back(parameters[i].name);
  }
  if (missing.empty()) return bound;
  std::string text = signature() + " missing " + std::to_string(missing.size()) +
                     " required positional argument" + (missing.size() > 1 ? "s" : "") + ": ";
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i > 0) text += missing.size() > 2 ? ", " : " ";
    if (i > 0 && i + 1 == missing.size()) text += "and ";
    text += "'" + std::string(missing[i]) + "'";
  }
  return raise("TypeError", std::move(text));
}

const Toolkit* Environment::toolkit(Party party) const {
  if (party == Party::agent) return &setup_->agent;
  const std::optional<Toolkit>& user = setup_->user;
  return user ? &*user : nullptr;
}

std::optional<bool> Environment::mutates(std::string_view tool) const {
  for (const Party party : {Party::agent, Party::user}) {
    const Toolkit* tools = toolkit(party);
    if (tools == nullptr) continue;
    if (const Tool* found = tools->find_tool(tool)) return found->mutates();
  }
  return std::nullopt;
}

Outcome<std::string> Environment::dispatch(const ToolCall& call) {
  // The original can't get here: there such a call ends the whole run.
  if (call.unreadable_arguments) return raise("ValueError", std::string(kUnreadableArguments));
  if (std::optional<Raised> reserved = reserved_argument(call.arguments)) {
    return tl::unexpected<Raised>(std::move(*reserved));
  }
  const Toolkit* tools = &setup_->agent;
  Party owner = Party::agent;
  const Toolkit* user_tools = toolkit(Party::user);
  if (call.requestor == Party::user) {
    if (solo_) return raise("ValueError", "User tool calls are not allowed in solo mode");
    if (user_tools == nullptr) return raise("ValueError", "User tools not available");
    owner = Party::user;
  } else if (solo_ && user_tools != nullptr && user_tools->find_tool(call.name) != nullptr) {
    owner = Party::user;
  }
  if (owner == Party::user) tools = user_tools;
  const Tool* tool = tools->find_tool(call.name);
  if (tool == nullptr) return raise("ValueError", "Tool '" + call.name + "' not found.");
  const Outcome<Arguments> arguments = bind_arguments(tools->class_name, *tool, call.arguments);
  if (!arguments) return raised_by(arguments);
  return run_tool(owner, *tool, *arguments);
}

CallResult Environment::call_without_sync(const ToolCall& call) {
  return result_of(dispatch(call));
}

CallResult Environment::call(const ToolCall& call) {
  Outcome<std::string> outcome = dispatch(call);
  if (outcome) {
    if (const Outcome<void> synced = sync(); !synced) {
      return result_of(raised_by(synced));
    }
  }
  return result_of(std::move(outcome));
}

Outcome<Value> Environment::run_method(Party owner, const Tool& method,
                                       const Arguments& arguments) {
  UNMASK_CHECK(method.kind != ToolKind::function);
  Outcome<std::string> content = run_tool(owner, method, arguments);
  if (!content) return raised_by(content);
  return Value(std::move(*content));
}

Outcome<Value> Environment::run(const FunctionCall& call) {
  const Toolkit* tools = toolkit(call.party);
  if (tools == nullptr) return raise("ValueError", "User tools not available");
  const Tool* method = tools->find_method(call.name);
  if (method == nullptr) {
    return raise("AttributeError",
                 "'" + tools->class_name + "' object has no attribute '" + call.name + "'");
  }
  const Outcome<Arguments> arguments = bind_arguments(tools->class_name, *method, call.arguments);
  if (!arguments) return raised_by(arguments);
  Outcome<Value> value = run_method(call.party, *method, *arguments);
  if (!value) return value;
  if (const Outcome<void> synced = sync(); !synced) {
    return raised_by(synced);
  }
  return value;
}

Outcome<bool> Environment::check(const Assertion& assertion) {
  const Outcome<Value> value = run(assertion.function);
  if (!value) return raised_by(value);
  const bool* truth = value->boolean();
  if (truth == nullptr) {
    return raise("ValueError", "Function " + assertion.function.name + " returned " + "<class '" +
                                   std::string(type_name(*value)) + "'> instead of bool");
  }
  return *truth == assertion.expected;
}

Outcome<void> Environment::merge(const InitializationData&) {
  return raise("NotImplementedError",
               "Initial data of a task are not supported in the domain " + domain());
}

void Environment::set_id_stream(std::uint64_t /*stream*/) {}

Outcome<void> Environment::sync() { return {}; }

bool Environment::has_same_state(const Environment& other) const {
  return agent_hash() == other.agent_hash() && user_hash() == other.user_hash();
}

}  // namespace unmask::world
