#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace unmask {

/// A thing that `unmask help` explains.
struct HelpTopic {
  std::string_view name;
  std::string_view summary;  ///< a line
  std::string_view body;     ///< one screen of 80 columns, ends in a newline
};

/// In the order in which they are listed.
[[nodiscard]] const std::vector<HelpTopic>& help_topics();
/// The text of a topic; empty for a name that is none.
[[nodiscard]] std::optional<std::string_view> help_topic(std::string_view name);

}  // namespace unmask
