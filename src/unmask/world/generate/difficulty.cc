#include "unmask/world/generate/difficulty.h"

#include <optional>
#include <string_view>

namespace unmask::world::generated {

std::string_view name_of(Difficulty difficulty) {
  switch (difficulty) {
    case Difficulty::tiny:
      return "tiny";
    case Difficulty::easy:
      return "easy";
    case Difficulty::medium:
      return "medium";
    case Difficulty::hard:
      return "hard";
  }
  return {};
}

std::optional<Difficulty> difficulty_of_name(std::string_view name) {
  for (const Difficulty difficulty : kDifficulties) {
    if (name_of(difficulty) == name) return difficulty;
  }
  return std::nullopt;
}

}  // namespace unmask::world::generated
