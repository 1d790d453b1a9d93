#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

namespace unmask {

/// What a caller can do about a failure. A new code only where some caller reacts to it.
enum class ErrorCode {
  invalid_argument,  ///< The request itself is wrong (exit code 2 in the command).
  bad_input,         ///< A file's content can't be used (exit code 3).
  outside,           ///< Disk, permission, endpoint (exit code 5).
  interrupted,       ///< The user asked to stop (exit code 130).
};

/// A failure that ends an operation. `message` names file, place and remedy, without a final
/// newline.
struct Error {
  ErrorCode code = ErrorCode::bad_input;
  std::string message;

  bool operator==(const Error&) const = default;
};

/// Value or Error. `tl::expected` 1.0 is not [[nodiscard]]; this class is.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}  // NOLINT(google-explicit-constructor): as its base
};

/// The failure half of a Result, for `return fail(ErrorCode::bad_input, "...")`.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

}  // namespace unmask
