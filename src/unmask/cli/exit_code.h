#pragma once

#include "unmask/base/error.h"

namespace unmask::cli {

// What the process ends with; the output format never changes it.
inline constexpr int kDone = 0;        ///< with --gate: nothing damaged
inline constexpr int kGateFailed = 1;  ///< --gate: a verdict that --fail-on names
inline constexpr int kBadUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kInconclusive = 4;  ///< --gate: inconclusive, or coverage too low
inline constexpr int kOutside = 5;       ///< disk, permission, endpoint
inline constexpr int kInterrupted = 130;

[[nodiscard]] inline int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return kBadUsage;
    case ErrorCode::bad_input:
      return kBadInput;
    case ErrorCode::outside:
      return kOutside;
    case ErrorCode::interrupted:
      return kInterrupted;
  }
  return kOutside;
}

}  // namespace unmask::cli
