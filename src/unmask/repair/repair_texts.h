#pragma once

#include <string>
#include <string_view>

#include "unmask/base/error.h"

namespace unmask::repair {

/// What a model is told under a mode of repair: data, so that wording can be studied.
/// data/repair_texts.toml says what each is for and which names in braces it may hold.
struct RepairTexts {
  std::string version;  ///< stands in the identity of a repaired arm
  std::string rule;
  std::string unknown_name;
  std::string near_name;
  std::string unreadable;
  std::string bad_arguments;
  std::string refused;
  std::string offered;
  std::string parameters;
  std::string failed;
  std::string held_back;
  std::string again;

  bool operator==(const RepairTexts&) const = default;
};

/// Reads such a file; `file` begins the errors. Errors: bad_input, with line and remedy, for what
/// is no TOML, a text that is missing or empty, an unknown key.
[[nodiscard]] Result<RepairTexts> read_repair_texts(std::string_view toml, std::string_view file);

/// The project's own.
[[nodiscard]] const RepairTexts& own_repair_texts();

}  // namespace unmask::repair
