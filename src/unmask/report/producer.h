#pragma once

#include <string>

namespace unmask {

/// The program that wrote a document; machine-readable output names it.
struct Producer {
  std::string version;  ///< of unmask, `0.1.0`
  std::string commit;   ///< empty if not known

  bool operator==(const Producer&) const = default;
};

/// This program.
[[nodiscard]] Producer this_program();

}  // namespace unmask
