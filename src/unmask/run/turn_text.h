#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "unmask/base/error.h"
#include "unmask/llm/chat.h"
#include "unmask/play/participant.h"
#include "unmask/store/run.h"
#include "unmask/world/message.h"

namespace unmask::run {

/// A message as the store keeps it. `reply` is the model's answer that it came from, or null; its
/// body is kept only if `keep_body`.
[[nodiscard]] store::Turn turn_of(const world::Message& message, const play::MessageRecord& record,
                                  const llm::ChatReply* reply, bool keep_body);

/// A message of the store. Errors: bad_input for a turn whose body is no message.
[[nodiscard]] Result<play::SentMessage> message_of(const store::Turn& turn);

/// Whether two messages say the same: role, text, calls, result.
[[nodiscard]] bool same_message(const world::Message& left, const world::Message& right);

}  // namespace unmask::run
