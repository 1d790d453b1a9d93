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
#include "unmask/world/same_text.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

/// The caller has no tool of that name.
constexpr Cause kNotOffered{Channel::tool_name, {}};

CallResult result_of(Outcome<std::string>&& outcome) {
  if (outcome) return {std::move(*outcome), false};
  constexpr std::string_view kPrefix = "Error: ";
  CallResult result;
  result.error = true;
  result.cause = outcome.error().cause;
  result.content.reserve(kPrefix.size() + outcome.error().text.size());
  result.content += kPrefix;
  result.content += outcome.error().text;
  return result;
}

/// Whether a key is one of the names that the original's call function itself takes.
bool is_reserved(std::string_view key) {
  switch (key.size()) {
    case 4:
      return key == "self";
    case 9:
      return key == "requestor" || key == "tool_name";
    default:
      return false;
  }
}

/// Names that the original's call function itself takes as parameters collide with arguments.
std::optional<Raised> reserved_argument(const Object& arguments) {
  const Member* colliding = nullptr;
  for (const Member& member : arguments) {
    if (!is_reserved(member.key)) continue;
    if (member.key == "requestor") {
      return Raised{"TypeError",
                    "tau2.environment.environment.Environment.make_tool_call() got multiple values "
                    "for keyword argument 'requestor'",
                    bad_argument("unexpected")};
    }
    if (colliding == nullptr) colliding = &member;
  }
  if (colliding == nullptr) return std::nullopt;
  return Raised{
      "TypeError",
      "Environment.make_tool_call() got multiple values for argument '" + colliding->key + "'",
      bad_argument("unexpected")};
}

/// Binds arguments that are all of the signature's parameters in their order; false: they are not.
bool bind_in_order(const Tool& tool, const Object& arguments, Arguments& bound) {
  if (arguments.size() != tool.parameters.size()) return false;
  std::size_t place = 0;
  for (const Member& member : arguments) {
    if (!same_text(tool.parameters[place].name, member.key)) return false;
    bound.bind(place, member.value);
    ++place;
  }
  return true;
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
    while (place < parameters.size() && !same_text(parameters[place].name, member.key)) ++place;
    if (place == parameters.size()) {
      return raise("TypeError",
                   signature() + " got an unexpected keyword argument '" + member.key + "'",
                   bad_argument("unexpected"));
    }
    bound.bind(place, member.value);
  }
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (bound.find(i) == nullptr && parameters[i].required) missing.push_back(parameters[i].name);
  }
  if (missing.empty()) return bound;
  std::string text = signature() + " missing " + std::to_string(missing.size()) +
                     " required positional argument" + (missing.size() > 1 ? "s" : "") + ": ";
  for (std::size_t i = 0; i < missing.size(); ++i) {
    if (i > 0) text += missing.size() > 2 ? ", " : " ";
    if (i > 0 && i + 1 == missing.size()) text += "and ";
    text += "'" + std::string(missing[i]) + "'";
  }
  return raise("TypeError", std::move(text), bad_argument("missing"));
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
  const Toolkit* own = solo_ ? nullptr : toolkit(call.requestor);
  if (own != nullptr && !call.unreadable_arguments) {
    // What nearly all calls are; no parameter has one of the reserved names.
    const Tool* tool = own->find_tool(call.name);
    Arguments arguments;
    if (tool != nullptr && bind_in_order(*tool, call.arguments, arguments)) {
      return run_tool(call.requestor, *tool, arguments);
    }
  }
  // The original can't get here: there such a call ends the whole run.
  if (call.unreadable_arguments) return raise("ValueError", std::string(kUnreadableArguments));
  if (std::optional<Raised> reserved = reserved_argument(call.arguments)) {
    return tl::unexpected<Raised>(std::move(*reserved));
  }
  const Toolkit* tools = &setup_->agent;
  Party owner = Party::agent;
  const Toolkit* user_tools = toolkit(Party::user);
  if (call.requestor == Party::user) {
    if (solo_) {
      return raise("ValueError", "User tool calls are not allowed in solo mode", kNotOffered);
    }
    if (user_tools == nullptr) return raise("ValueError", "User tools not available", kNotOffered);
    owner = Party::user;
  } else if (solo_ && user_tools != nullptr && user_tools->find_tool(call.name) != nullptr) {
    owner = Party::user;
  }
  if (owner == Party::user) tools = user_tools;
  const Tool* tool = tools->find_tool(call.name);
  if (tool == nullptr)
    return raise("ValueError", "Tool '" + call.name + "' not found.", kNotOffered);
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
    if (Outcome<void> synced = sync(); !synced) {
      synced.error().cause.reset();  // the tool had done what it was asked for
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
