#include "unmask/ingest/message_values.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/value.h"

namespace unmask {

namespace {

std::string message_number(std::uint32_t number) { return "message " + std::to_string(number); }

}  // namespace

bool has_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\v\f") != std::string_view::npos;
}

Party party_of(const json::Value& requestor, Party sender) {
  const std::string_view name = requestor.text();
  if (name == "user") return Party::user;
  if (name == "assistant") return Party::agent;
  return sender;
}

void add_tokens(std::optional<std::int64_t>& sum, const json::Value& count) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50U;
  const auto value = count.integer();
  if (value && *value >= 0 && *value < kMost) sum = std::min(sum.value_or(0) + *value, kMost);
}

void report_unreadable_message(std::uint32_t number, const json::Value& message,
                               const Remarks& remarks) {
  remarks.loss("unreadable_message", message_number(number) + " is " +
                                         std::string(name_of(message.kind())) +
                                         " instead of an object and was passed over");
}

void report_unknown_role(std::uint32_t number, std::string_view role, const Remarks& remarks) {
  remarks.info("unknown_role", message_number(number) + " has the role '" + std::string(role) +
                                   "', which is neither assistant, user, tool nor system; its "
                                   "calls, if any, are not counted");
}

void report_calls_unless_list(std::uint32_t number, const json::Value& calls,
                              const Remarks& remarks) {
  if (calls.is_null() || calls.is_array()) return;
  remarks.loss("wrong_type", message_number(number) + ": tool_calls is " +
                                 std::string(name_of(calls.kind())) +
                                 " instead of a list; its calls were passed over");
}

}  // namespace unmask
