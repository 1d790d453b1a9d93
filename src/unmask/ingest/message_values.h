#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "unmask/episode/channel.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/value.h"

namespace unmask {

/// Anything but white space.
[[nodiscard]] bool has_text(std::string_view text);

/// Whose call or result it is: as `requestor` says, else the sender's.
[[nodiscard]] Party party_of(const json::Value& requestor, Party sender);

/// Adds a count of tokens, if it is one; hostile counts don't overflow the sum.
void add_tokens(std::optional<std::int64_t>& sum, const json::Value& count);

/// Remarks on the message with index `number`: that it is no object, that its role is not known,
/// and, where `calls` is neither missing, null nor a list, that its calls can't be read.
void report_unreadable_message(std::uint32_t number, const json::Value& message,
                               const Remarks& remarks);
void report_unknown_role(std::uint32_t number, std::string_view role, const Remarks& remarks);
void report_calls_unless_list(std::uint32_t number, const json::Value& calls,
                              const Remarks& remarks);

}  // namespace unmask
