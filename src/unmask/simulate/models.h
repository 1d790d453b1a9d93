#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/simulate/decision.h"

namespace unmask::simulate {

/// A simulated model as a study names it.
struct Model {
  std::string family;
  std::string architecture;  ///< `dense` or `moe`
  std::string size;
  ModelTraits traits;  ///< with the model's name
};

/// The simulated models and precisions that a study may name.
struct Models {
  std::vector<Model> models;
  std::vector<LogitNoise> precisions;

  /// Null if there is none of that name.
  [[nodiscard]] const Model* find_model(std::string_view name) const;
  [[nodiscard]] const LogitNoise* find_precision(std::string_view name) const;
};

/// Reads a parameter file, as src/unmask/simulate/data/simulated_models.toml is one; `file` begins
/// the errors. A trait that is left out has the default of ModelTraits. Errors: bad_input, with
/// line and remedy, for what is no TOML, an unknown key, a wrong type, a value out of range, a name
/// that is missing or stands twice.
[[nodiscard]] Result<Models> read_models(std::string_view toml, std::string_view file);

/// The project's own.
[[nodiscard]] const Models& own_models();

}  // namespace unmask::simulate
