#pragma once

#include <array>
#include <string_view>

#include "unmask/cli/exit_code.h"

namespace unmask::cli {

/// An exit code in words, for the manual.
struct ExitMeaning {
  int code = 0;
  std::string_view meaning;
};

inline constexpr std::array<ExitMeaning, 7> kExitMeanings = {{
    {kDone, "done; with --gate: no arm is damaged"},
    {kGateFailed, "--gate: an arm has a verdict that --fail-on names"},
    {kBadUsage, "bad usage: the command line is wrong"},
    {kBadInput, "bad input: a file, or with --gate a set of arms, that can't be used"},
    {kInconclusive, "--gate: inconclusive"},
    {kOutside, "outside failure: disk, permission"},
    {kInterrupted, "interrupted"},
}};

}  // namespace unmask::cli
