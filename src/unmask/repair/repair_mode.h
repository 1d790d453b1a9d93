#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask::repair {

/// How an agent is helped with calls that fail; the paper's repair prompts and two others.
enum class Mode : std::uint8_t {
  off,
  rule,       ///< a sentence in the system prompt: if the tool is not on the list, choose again
  reflex,     ///< after a failed call a diagnosis, and the demand to diagnose and re-issue
  intercept,  ///< a call that is wrong by itself is not executed; the diagnosis comes first
};

/// `off`, `rule`, `reflex`, `intercept`.
[[nodiscard]] std::string_view name_of(Mode mode);
[[nodiscard]] std::optional<Mode> mode_of_name(std::string_view name);

}  // namespace unmask::repair
