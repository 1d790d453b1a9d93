#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace unmask::replay {

/// Where two results of a call part, and what stands there.
struct ResultDifference {
  std::string place;  ///< as CallDifference::place
  std::string recorded;
  std::string replayed;

  bool operator==(const ResultDifference&) const = default;
};

/// Compares results as tau2-bench's replay does: as JSON values where they parse, else as texts.
/// nullopt: they are the same.
[[nodiscard]] std::optional<ResultDifference> difference_of(std::string_view recorded,
                                                            std::string_view replayed);

/// Whether the results are the same but for ids that tau2-bench draws at random: bills that an
/// environment of telecom makes are `B` and eight hexadecimal digits.
[[nodiscard]] bool same_but_for_drawn_ids(std::string_view recorded, std::string_view replayed);

/// `text`, cut to where it begins to differ from `other`, at most 160 bytes with a little before.
/// Never splits a character.
[[nodiscard]] std::string around_difference(std::string_view text, std::string_view other);

}  // namespace unmask::replay
