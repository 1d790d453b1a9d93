#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace unmask::replay {

/// A difference between versions of tau2-bench that results of calls show.
struct KnownVersion {
  std::string_view id;         ///< stable, snake_case
  std::string_view domain;     ///< empty: any
  std::string_view tool;       ///< empty: any
  std::string_view meaning;    ///< a sentence
  bool changes_state = false;  ///< later results may differ by it; else it is a matter of words
};

/// All that are known, for documents and reports.
[[nodiscard]] std::span<const KnownVersion> known_versions();

/// A result of a call that differs.
struct DifferingResult {
  std::string_view domain;
  std::string_view tool;
  std::string_view recorded;
  std::string_view replayed;
};

/// The known difference that explains a result; nullptr: none does.
[[nodiscard]] const KnownVersion* known_version_of(const DifferingResult& result);

}  // namespace unmask::replay
