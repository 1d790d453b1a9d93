#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unmask {

/// Damerau-Levenshtein distance (insert, delete, replace, swap of neighbours; optimal string
/// alignment) in bytes, or `limit` + 1 if it is larger. Time O(|a| x |b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// Those of `known` that someone who typed `typed` may have meant, the nearest first, at most
/// `most`: equal but for case, then within a third of the longer one's letters in edit distance,
/// then those that begin with what was typed (of three letters or more).
[[nodiscard]] std::vector<std::string> near_names(std::string_view typed,
                                                  std::span<const std::string> known,
                                                  std::size_t most = 3);

/// `; did you mean a or b?`, to be put behind a sentence; empty if there is nothing near.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> known);

}  // namespace unmask
