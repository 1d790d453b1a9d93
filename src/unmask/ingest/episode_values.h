#pragma once

#include <string>
#include <string_view>

#include "unmask/episode/episode.h"
#include "unmask/ingest/remarks.h"
#include "unmask/json/value.h"

namespace unmask {

/// Takes a stored reward, which is neither missing nor null, over into `episode`: a number, a text
/// of one, or a truth value. What is no number stays absent, what is neither 0 nor 1 is reported.
void take_reward(const json::Value& value, Episode& episode, const Remarks& remarks);

/// An own note of a crash: the first line of its text, without secrets and cut.
[[nodiscard]] std::string crash_note(std::string_view text);

}  // namespace unmask
