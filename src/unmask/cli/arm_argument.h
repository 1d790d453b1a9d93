#pragma once

#include <span>
#include <string>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::cli {

/// `int4=runs/int4.json`: an arm's name, empty if none was given, and the path of a log of it.
struct ArmArgument {
  std::string name;
  std::string path;

  bool operator==(const ArmArgument&) const = default;
};

/// Reads the arguments that name logs. A path may hold `=` itself, so what stands before the first
/// one must look like a name.
/// Errors: invalid_argument for what people write instead: spaces around `=`, a colon, or a name
/// and a path as two words.
[[nodiscard]] Result<std::vector<ArmArgument>> arm_arguments(std::span<const std::string> words);

/// The paths alone, for commands that look at each log by itself: NAME=PATH, as it stands in an
/// audit's command line, loses its name, unless there is a file of that whole name.
[[nodiscard]] std::vector<std::string> without_names(std::span<const std::string> words);

}  // namespace unmask::cli
