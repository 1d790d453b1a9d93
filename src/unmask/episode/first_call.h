#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask {

/// What an agent's first call at a state of a perfect run was, set beside the golden action that is
/// due there (`unmask run --single-turn`). Whether the call also failed is told by its result.
enum class FirstCall : std::uint8_t {
  right,            ///< the golden tool with its arguments; at a step of the user's: words, no call
  wrong_arguments,  ///< the golden tool with other arguments
  other_tool,       ///< another tool that is offered
  unknown_tool,     ///< a name that is not offered
  malformed,        ///< arguments that can't be read
  no_call,          ///< words, or nothing, where a call is due
};

inline constexpr std::size_t kFirstCallCount = 6;
inline constexpr std::array<FirstCall, kFirstCallCount> kFirstCalls = {
    FirstCall::right,        FirstCall::wrong_arguments, FirstCall::other_tool,
    FirstCall::unknown_tool, FirstCall::malformed,       FirstCall::no_call};

/// `right`, `wrong_arguments` ...: as logs and JSON have them.
[[nodiscard]] std::string_view name_of(FirstCall call);
[[nodiscard]] std::optional<FirstCall> first_call_from_name(std::string_view name);

}  // namespace unmask
