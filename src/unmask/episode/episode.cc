#include "unmask/episode/episode.h"

#include <array>

namespace unmask {
namespace {

constexpr std::array<std::string_view, kTerminationCount> kNames = {"unknown",
                                                                    "user_stop",
                                                                    "agent_stop",
                                                                    "judge_stop",
                                                                    "max_steps",
                                                                    "timeout",
                                                                    "too_many_errors",
                                                                    "agent_error",
                                                                    "user_error",
                                                                    "infrastructure_error",
                                                                    "context_window_exceeded",
                                                                    "unexpected_error"};

}  // namespace

std::string_view name_of(Termination termination) {
  return kNames.at(static_cast<std::size_t>(termination));
}

Termination termination_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames.at(i) == name) return static_cast<Termination>(i);
  }
  return Termination::unknown;
}

}  // namespace unmask
