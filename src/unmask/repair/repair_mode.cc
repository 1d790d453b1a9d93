#include "unmask/repair/repair_mode.h"

#include <array>

namespace unmask::repair {

std::string_view name_of(Mode mode) {
  switch (mode) {
    case Mode::off:
      return "off";
    case Mode::rule:
      return "rule";
    case Mode::reflex:
      return "reflex";
    case Mode::intercept:
      return "intercept";
  }
  return "";
}

std::optional<Mode> mode_of_name(std::string_view name) {
  for (const Mode mode : {Mode::off, Mode::rule, Mode::reflex, Mode::intercept}) {
    if (name_of(mode) == name) return mode;
  }
  return std::nullopt;
}

}  // namespace unmask::repair
