#pragma once

#include <string_view>

#include "unmask/episode/facts.h"

namespace unmask {

/// An episode from a sketch of its calls, one word a message: `a` / `u` a successful call of the
/// agent / the user, `A` / `U` a failed one. "aA U a" = a message with a success and a failure, a
/// failure of the user, a success.
inline EpisodeFacts sketch(std::string_view calls, bool success = true,
                           Termination termination = Termination::user_stop) {
  EpisodeFacts episode;
  episode.success = success;
  episode.reward = success ? 1.0 : 0.0;
  episode.termination = termination;
  std::uint32_t message = 1;
  for (const char letter : calls) {
    if (letter == ' ') {
      message += 2;
      continue;
    }
    CallFacts call;
    call.message = message;
    call.party = letter == 'a' || letter == 'A' ? Party::agent : Party::user;
    call.failed = letter == 'A' || letter == 'U';
    episode.calls.push_back(call);
  }
  return episode;
}

inline EpisodeFacts out_of_budget(std::string_view calls) {
  return sketch(calls, false, Termination::too_many_errors);
}

}  // namespace unmask
