#include "unmask/llm/chat.h"

#include <string_view>

namespace unmask::llm {

std::string_view name_of(ChatRole role) {
  switch (role) {
    case ChatRole::system:
      return "system";
    case ChatRole::user:
      return "user";
    case ChatRole::assistant:
      return "assistant";
    case ChatRole::tool:
      return "tool";
  }
  return "";
}

std::string_view name_of(ChatFault fault) {
  switch (fault) {
    case ChatFault::connection:
      return "connection";
    case ChatFault::timed_out:
      return "timed_out";
    case ChatFault::server:
      return "server";
    case ChatFault::refused:
      return "refused";
    case ChatFault::context_overflow:
      return "context_overflow";
    case ChatFault::undecodable:
      return "undecodable";
    case ChatFault::cancelled:
      return "cancelled";
  }
  return "";
}

}  // namespace unmask::llm
