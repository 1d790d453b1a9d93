#pragma once

#include <span>
#include <string_view>

namespace unmask::world::generated {

/// Something that tells versions of a product apart: `color`, with the values that it can have.
struct ProductOption {
  std::string_view name;
  std::span<const std::string_view> values;
};

/// A kind of thing that the invented shop may sell.
struct ProductKind {
  std::string_view name;
  std::span<const ProductOption> options;
  int least_price_dollars = 0;
  int most_price_dollars = 0;
};

/// All kinds, each with a name of its own. A shop with fewer products has the first ones.
[[nodiscard]] std::span<const ProductKind> product_kinds();

}  // namespace unmask::world::generated
