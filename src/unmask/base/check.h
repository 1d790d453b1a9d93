#pragma once

#include <stdexcept>
#include <string>

namespace unmask {

/// A bug of unmask itself. Thrown rather than aborting, so that a long-running host survives it.
class BugError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace internal {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace internal

}  // namespace unmask

/// Throws BugError when `condition` is false. For what only a bug of ours can break; bad input gets
/// a Result or a Diagnostic.
#define UNMASK_CHECK(condition)                                         \
  do {                                                                  \
    if (!(condition)) [[unlikely]]                                      \
      ::unmask::internal::check_failed(#condition, __FILE__, __LINE__); \
  } while (false)
