#include "unmask/world/generate/pick.h"

#include <cstddef>
#include <string>
#include <vector>

namespace unmask::world::generated {

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace unmask::world::generated
