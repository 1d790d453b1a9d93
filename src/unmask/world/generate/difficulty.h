#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace unmask::world::generated {

/// How much a generated task asks of an agent.
enum class Difficulty : std::uint8_t {
  tiny,    ///< one call of the agent; every argument stands in the customer's words
  easy,    ///< one request or fault; the customer must be identified
  medium,  ///< some at once; the agent looks things up, and some wishes must be refused
  hard,    ///< many at once, with conditions and things that the customer doesn't know
};

inline constexpr std::array<Difficulty, 4> kDifficulties = {Difficulty::tiny, Difficulty::easy,
                                                            Difficulty::medium, Difficulty::hard};

[[nodiscard]] std::string_view name_of(Difficulty difficulty);
[[nodiscard]] std::optional<Difficulty> difficulty_of_name(std::string_view name);

}  // namespace unmask::world::generated
