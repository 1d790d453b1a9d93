#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "unmask/audit/audit.h"
#include "unmask/report/page_rows.h"

namespace unmask {

/// Whose texts a page holds.
struct PageSelection {
  enum class Kind : std::uint8_t {
    all,
    failed,  ///< episodes without success
    sample,  ///< `count` an arm
    none,
  };
  Kind kind = Kind::all;
  std::size_t count = 0;

  bool operator==(const PageSelection&) const = default;
};

/// Reads `all`, `failed`, `sample:N` with N >= 1, or `none`; empty for anything else.
[[nodiscard]] std::optional<PageSelection> page_selection(std::string_view text);
[[nodiscard]] std::string name_of(const PageSelection& selection);

/// Which episodes of `cells` the selection takes. A sample takes the same tasks and trials of all
/// arms, as far as they have them; `seed` chooses.
[[nodiscard]] PerEpisode<bool> selected_episodes(std::span<const CellInput> cells,
                                                 const PageSelection& selection,
                                                 std::uint64_t seed);

}  // namespace unmask
