#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/audit/audit.h"

namespace unmask {

/// Where in the page's blocks an episode's text stands; -1: nowhere.
struct EpisodePlace {
  int block = -1;
  int place = -1;

  bool operator==(const EpisodePlace&) const = default;
};

/// One value an episode: [cell][arm][episode], as CellInput has them.
template <typename T>
using PerEpisode = std::vector<std::vector<std::vector<T>>>;

/// `value` for each episode of `cells`.
template <typename T>
[[nodiscard]] PerEpisode<T> per_episode(std::span<const CellInput> cells, const T& value) {
  PerEpisode<T> all;
  for (const CellInput& cell : cells) {
    auto& arms = all.emplace_back();
    for (const ArmInput& arm : cell.arms) arms.emplace_back(arm.facts.episodes.size(), value);
  }
  return all;
}

/// The rows of a study as columns, compact JSON: everything that a figure of the page is computed
/// from (docs/report-page.md, "Rows"). `selection` says whose texts the page holds.
[[nodiscard]] std::string page_rows(std::span<const CellInput> cells,
                                    const PerEpisode<EpisodePlace>& places,
                                    std::string_view selection);

}  // namespace unmask
