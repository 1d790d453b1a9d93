#include "unmask/simulate/asked_user.h"

#include <string>
#include <utility>

#include "unmask/episode/channel.h"
#include "unmask/simulate/plan.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"

namespace unmask::simulate {
namespace {

constexpr std::string_view kWith = "` with {";

world::Message in_words(std::string text) {
  world::Message message;
  message.role = world::Role::user;
  message.content = std::move(text);
  return message;
}

/// Why the user calls: the scenario's reason, or all of it where it is a plain text.
std::string reason(const world::Task& task) {
  const world::Value& instructions = task.user_scenario.instructions;
  const world::Value* reason = instructions.find("reason_for_call");
  const std::string* text = reason != nullptr ? reason->string() : instructions.string();
  return text != nullptr && !text->empty() ? *text : "Hello, I need help.";
}

}  // namespace

std::string words_of(const Request& request) {
  std::string words = "Please use `" + request.tool + "`";
  if (!request.arguments.empty()) {
    words += " with " + world::dump_json(world::Value(request.arguments));
  }
  return words + ".";
}

std::optional<Request> request_in(std::string_view text, const world::Toolkit& toolkit) {
  for (std::size_t from = 0; (from = text.find('`', from)) != std::string_view::npos;) {
    const std::size_t end = text.find('`', from + 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view name = text.substr(from + 1, end - from - 1);
    if (toolkit.find_tool(name) == nullptr) {
      from = end + 1;
      continue;
    }
    Request request{std::string(name), {}};
    if (text.substr(end, kWith.size()) == kWith) {
      const std::size_t begin = end + kWith.size() - 1;
      const Result<world::Value> arguments =
          world::parse_json(text.substr(begin, text.rfind('}') + 1 - begin));
      if (arguments && arguments->object() != nullptr) request.arguments = *arguments->object();
    }
    return request;
  }
  return std::nullopt;
}

std::optional<bool> is_settled(std::string_view tool, std::string_view content) {
  const auto says = [content](std::string_view words) {
    return content.find(words) != std::string_view::npos;
  };
  if (tool == "run_speed_test") return says("Excellent");
  if (tool == "can_send_mms") return says("can send");
  if (tool == "check_status_bar") return !says("No Signal") && !says("Airplane Mode");
  return std::nullopt;
}

world::Outcome<play::Turn> AskedUser::take_turn(const play::View& view) const {
  if (view.own_turns() == 0)
    return play::SentMessage{.message = in_words(reason(task_)), .cost = 0.0};
  const world::Message& last = view[view.size() - 1];
  const std::string content = last.content.value_or("");
  if (last.role == world::Role::tool) {
    std::string_view tool;
    for (std::size_t i = view.size(); i-- > 0;) {
      if (view[i].role == world::Role::user && view[i].tool_calls) {
        tool = view[i].tool_calls->front().name;
        break;
      }
    }
    const bool settled = tool == last_look_of(task_) && is_settled(tool, content).value_or(false);
    return play::SentMessage{.message = in_words(settled ? "It works again, thank you. ###STOP###"
                                                         : "It says: " + content),
                             .cost = 0.0};
  }
  const std::optional<Request> request =
      toolkit_ == nullptr ? std::nullopt : request_in(content, *toolkit_);
  if (!request) return play::SentMessage{.message = in_words("Thank you. ###STOP###"), .cost = 0.0};
  world::Message call;
  call.role = world::Role::user;
  call.tool_calls.emplace();
  call.tool_calls->push_back(
      {"user_" + std::to_string(view.own_turns()), request->tool, request->arguments, Party::user});
  return play::SentMessage{.message = std::move(call), .cost = 0.0};
}

}  // namespace unmask::simulate
