#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unmask::json {

/// A member of an object, its value as it stands in the text.
struct RawMember {
  std::string key;         ///< escapes decoded
  std::string_view value;  ///< JSON text without surrounding space

  bool operator==(const RawMember&) const = default;
};

/// The members of an object, in the text's order, for who rearranges JSON and must not change the
/// values: numbers of any size and strings with lone surrogates stay as they are. Values are not
/// looked into beyond their brackets and strings. nullopt if `text` is no object.
[[nodiscard]] std::optional<std::vector<RawMember>> split_object(std::string_view text);

/// The same for the elements of a list; nullopt if `text` is no list.
[[nodiscard]] std::optional<std::vector<std::string_view>> split_array(std::string_view text);

}  // namespace unmask::json
