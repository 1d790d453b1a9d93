#include "unmask/episode/first_call.h"

#include <optional>
#include <string_view>

namespace unmask {

std::string_view name_of(FirstCall call) {
  switch (call) {
    case FirstCall::right:
      return "right";
    case FirstCall::wrong_arguments:
      return "wrong_arguments";
    case FirstCall::other_tool:
      return "other_tool";
    case FirstCall::unknown_tool:
      return "unknown_tool";
    case FirstCall::malformed:
      return "malformed";
    case FirstCall::no_call:
      return "no_call";
  }
  return "";
}

std::optional<FirstCall> first_call_from_name(std::string_view name) {
  for (const FirstCall call : kFirstCalls) {
    if (name_of(call) == name) return call;
  }
  return std::nullopt;
}

}  // namespace unmask
