#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace unmask {

/// What is wrong at one place of a card.
struct CardViolation {
  std::string path;      ///< JSON Pointer (RFC 6901); empty = the document
  std::string sentence;  ///< what is wrong and the remedy

  bool operator==(const CardViolation&) const = default;
};

/// Checks a card, made here or elsewhere, against docs/schemas/card.json and against itself: S(K)
/// must not fall as K grows, shares lie within 0..1, intervals hold their value, score = S(k_obs).
/// Empty = a good card. Text that is no JSON is one violation. Rounded figures (three decimals) are
/// good enough.
[[nodiscard]] std::vector<CardViolation> check_card(std::string_view json);

}  // namespace unmask
