#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace unmask::world {

/// What the original raises as a Python exception: a fact of the simulated world, not a failure of
/// ours. A tool call shows `text`; evaluations name the type as well.
struct Raised {
  std::string_view type;  ///< of static storage
  std::string text;

  bool operator==(const Raised&) const = default;
};

/// `ValueError: Order not found`.
[[nodiscard]] inline std::string text_of(const Raised& raised) {
  return std::string(raised.type) + ": " + raised.text;
}

/// A value, or what was raised instead. `tl::expected` 1.0 is not [[nodiscard]]; this class is.
template <typename T>
class [[nodiscard]] Outcome : public tl::expected<T, Raised> {
  using Base = tl::expected<T, Raised>;

 public:
  using Base::Base;
  Outcome(Base base) : Base(std::move(base)) {}  // NOLINT(google-explicit-constructor): as its base
};

/// The raised half of an Outcome, for `return raise("ValueError", "Order not found")`.
[[nodiscard]] inline tl::unexpected<Raised> raise(std::string_view type, std::string text) {
  return tl::unexpected<Raised>(Raised{type, std::move(text)});
}

/// The raised half of another Outcome, passed on: `if (!order) return raised_by(order);`.
template <typename T>
[[nodiscard]] tl::unexpected<Raised> raised_by(const Outcome<T>& outcome) {
  return tl::unexpected<Raised>(outcome.error());
}
template <typename T>
[[nodiscard]] tl::unexpected<Raised> raised_by(Outcome<T>&& outcome) {
  return tl::unexpected<Raised>(std::move(outcome.error()));
}

}  // namespace unmask::world
