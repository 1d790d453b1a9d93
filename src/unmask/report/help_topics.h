#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace unmask {

/// What `unmask help TOPIC` explains besides the commands, in the order in which topics are listed.
[[nodiscard]] std::span<const std::string_view> help_topics();

/// The text of a topic in plain words: one screen of 80 columns, ends in a newline. Empty for a
/// name that is none.
[[nodiscard]] std::optional<std::string> help_topic(std::string_view name);

}  // namespace unmask
