#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include "unmask/episode/channel.h"

namespace unmask::world {

/// Why a call is refused, which the world knows where its text only hints at it. `kind` is a word
/// of the channel's, such as `order` or `order_status`, and lives as long as the program.
struct Cause {
  Channel channel = Channel::other;
  std::string_view kind;

  bool operator==(const Cause&) const = default;
};

/// An argument names something that does not exist: `no_such("order")`.
[[nodiscard]] constexpr Cause no_such(std::string_view kind) { return {Channel::entity, kind}; }
/// The state of things or a business rule refuses: `refused_by("order_status")`.
[[nodiscard]] constexpr Cause refused_by(std::string_view kind) {
  return {Channel::precondition, kind};
}
/// An argument can't be right whatever the state: `bad_argument("bad_value")`.
[[nodiscard]] constexpr Cause bad_argument(std::string_view kind) {
  return {Channel::arguments, kind};
}

/// What the original raises as a Python exception: a fact of the simulated world, not a failure of
/// ours. A tool call shows `text`; evaluations name the type as well.
struct Raised {
  std::string_view type;  ///< of static storage
  std::string text;
  /// Of a refusal by a tool or by what binds it. nullopt: what Python raises by itself at a value
  /// of an unexpected type, or a fault of the state.
  std::optional<Cause> cause = {};

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

/// The raised half of an Outcome, for
/// `return raise("ValueError", "Order not found", no_such("order"))`.
[[nodiscard]] inline tl::unexpected<Raised> raise(std::string_view type, std::string text,
                                                  std::optional<Cause> cause = {}) {
  return tl::unexpected<Raised>(Raised{type, std::move(text), cause});
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
