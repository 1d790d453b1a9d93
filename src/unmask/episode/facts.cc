#include "unmask/episode/facts.h"

#include <algorithm>

namespace unmask {

std::uint32_t counted_errors(const EpisodeFacts& episode, CountedParty counted) {
  return static_cast<std::uint32_t>(
      std::count_if(episode.calls.begin(), episode.calls.end(), [&](const CallFacts& call) {
        return call.failed && (counted == CountedParty::both || call.party == Party::agent);
      }));
}

}  // namespace unmask
