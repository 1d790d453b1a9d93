#pragma once

#include <cstddef>
#include <vector>

#include "unmask/episode/facts.h"

namespace unmask {

/// An episode's calls, message by message and in one row.
struct ShortEpisode {
  std::vector<std::vector<CallFacts>> messages;
  EpisodeFacts facts;  ///< successful
};

/// Hands every episode of exactly `length` calls to `visit`: each call by either party, failed or
/// not, alone or in its predecessor's message. `mixed`: also messages with calls of both parties
/// (a harness lets an agent call a tool in the user's name).
template <typename Visit>
void for_each_short_episode(std::size_t length, bool mixed, Visit visit) {
  // Three bits a call: user, failed, grouped; the grouping bit of the first call stays 0.
  for (std::size_t code = 0; code < (std::size_t{1} << (3 * length)); ++code) {
    if (length > 0 && (code & 4U) != 0) continue;
    ShortEpisode episode;
    episode.facts.success = true;
    episode.facts.reward = 1.0;
    episode.facts.termination = Termination::user_stop;
    bool wanted = true;
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t bits = code >> (3 * i);
      CallFacts call;
      call.party = (bits & 1U) == 0 ? Party::agent : Party::user;
      call.failed = (bits & 2U) != 0;
      if ((bits & 4U) == 0) {
        episode.messages.emplace_back();
      } else if (!mixed && episode.messages.back().back().party != call.party) {
        wanted = false;
        break;
      }
      call.message = static_cast<std::uint32_t>(episode.messages.size());
      episode.facts.calls.push_back(call);
      episode.messages.back().push_back(call);
    }
    if (wanted) visit(episode);
  }
}

}  // namespace unmask
