#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/world.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// Where the worlds' data come from.
struct WorldOptions {
  std::string tau2_data;  ///< folder of the official data; empty = this project's own worlds

  void add(CLI::App& app);

  /// The names of the worlds that there are data for, in the order of known_worlds().
  [[nodiscard]] std::vector<std::string> names() const;

  /// Loads a world. `counted_ids`: ids that tau2-bench draws at random are counted instead, as in
  /// reference vectors. Errors: invalid_argument for an unknown name, bad_input or outside for data
  /// that can't be used.
  [[nodiscard]] Result<std::shared_ptr<const world::World>> load(std::string_view name,
                                                                 bool counted_ids = false) const;
};

}  // namespace unmask::cli
