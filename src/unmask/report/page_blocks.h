#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/report/page_rows.h"

namespace unmask {

/// Collects the texts of episodes in blocks that a browser can unpack one by one
/// (docs/report-page.md, "Blocks"). Neighbours should be alike: they share a dictionary.
class PageBlocks {
 public:
  /// Takes an episode with its transcript and says where it went.
  EpisodePlace add(const Episode& episode);

  /// The blocks, packed, in order; nothing can be added afterwards.
  [[nodiscard]] std::vector<std::string> finish();

 private:
  void close();

  std::string open_;  ///< JSON of the block being filled, without its last bracket
  int place_ = 0;     ///< episodes in it
  std::vector<std::string> blocks_;
};

/// An episode's entry in a block, compact JSON. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string page_episode(const Episode& episode);

}  // namespace unmask
