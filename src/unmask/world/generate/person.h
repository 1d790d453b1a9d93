#pragma once

#include <string>

#include "unmask/base/rng.h"

namespace unmask::world::generated {

/// Of an invented person.
struct Name {
  std::string first;
  std::string last;

  bool operator==(const Name&) const = default;
};

/// An invented address: streets and towns that no map has, real two-letter states.
struct PostalAddress {
  std::string street;  ///< `48 Marzipan Row`
  std::string unit;    ///< `Suite 204`
  std::string city;
  std::string state;  ///< two letters
  std::string zip;    ///< five digits, the first not 0

  bool operator==(const PostalAddress&) const = default;
};

[[nodiscard]] Name draw_name(Rng& rng);
[[nodiscard]] PostalAddress draw_address(Rng& rng);
/// `count` digits, the first not 0; `count` from 1 to 18.
[[nodiscard]] std::string draw_digits(Rng& rng, unsigned count);
/// `555-01xx` with an area code: numbers that are set aside for fiction.
[[nodiscard]] std::string draw_phone_number(Rng& rng);

/// Lower-case letters of `text` alone, for ids and e-mail addresses.
[[nodiscard]] std::string letters_of(const std::string& text);

/// `48 Marzipan Row, Suite 204, Fernhollow, OR 48112`.
[[nodiscard]] std::string address_text(const PostalAddress& address);

}  // namespace unmask::world::generated
