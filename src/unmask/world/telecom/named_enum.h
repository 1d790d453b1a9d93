#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace unmask::world::telecom {

/// The texts of an enumeration's values, in the order of the enumerators. Specialised beside each
/// enumeration; data files, dumps and messages all use these texts.
template <typename Enum>
inline constexpr std::array<std::string_view, 0> kEnumTexts{};

template <typename Enum>
[[nodiscard]] constexpr std::string_view text_of(Enum value) {
  return kEnumTexts<Enum>[static_cast<std::size_t>(value)];
}

/// The value that `text` names exactly; nullopt if none.
template <typename Enum>
[[nodiscard]] constexpr std::optional<Enum> enum_of(std::string_view text) {
  for (std::size_t at = 0; at < kEnumTexts<Enum>.size(); ++at) {
    if (kEnumTexts<Enum>[at] == text) {
      return static_cast<Enum>(at);
    }
  }
  return std::nullopt;
}

}  // namespace unmask::world::telecom
