#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace CLI {
class App;
}

namespace unmask::cli {

/// Where the worlds' data come from.
class WorldOptions {
 public:
  std::string tau2_data;  ///< folder of the official data; empty = this project's own worlds

  void add(CLI::App& app);

  /// The names of the worlds that there are data for, in the order of known_worlds().
  [[nodiscard]] std::vector<std::string> names() const;

  /// Whether there are data for one of names(): false where the official data's folder lacks it.
  [[nodiscard]] bool has_data(std::string_view name) const;

  /// Error if the data's folder isn't there: to be asked before long work.
  [[nodiscard]] Result<void> check() const;

  /// A world; a second call for the same one gives what the first loaded. `settings` must then be
  /// the same. Errors: invalid_argument for an unknown name, bad_input or outside for data that
  /// can't be used.
  [[nodiscard]] Result<std::shared_ptr<const world::World>> load(
      std::string_view name, const world::LoadSettings& settings = {});

  /// A task of a world. Errors: invalid_argument, with how to list them.
  [[nodiscard]] static Result<const world::Task*> task(const world::World& world,
                                                       const std::string& id);

 private:
  std::map<std::string, std::shared_ptr<const world::World>, std::less<>> loaded_;
};

}  // namespace unmask::cli
