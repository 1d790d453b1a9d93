#pragma once

#include <string>

namespace unmask {

/// What a served page asks for again and again: whether there is another one.
struct PageStatus {
  std::string version;  ///< of the page that is served now
  std::string problem;  ///< why that is older than the logs; empty if it is not
};

/// `{"version":"...","problem":"..."}`
[[nodiscard]] std::string page_status_json(const PageStatus& status);

}  // namespace unmask
