#pragma once

#include "unmask/base/error.h"

namespace unmask::cli {

/// What the process ends with; the output format never changes it.
enum ExitCode : int {
  kDone = 0,        ///< with --gate: nothing damaged
  kGateFailed = 1,  ///< --gate: a verdict that --fail-on names
  kBadUsage = 2,
  kBadInput = 3,
  kInconclusive = 4,  ///< --gate: inconclusive, or coverage too low
  kOutside = 5,       ///< disk, permission, endpoint
  kInterrupted = 130,
};

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
