#include "unmask/diagnose/recovery.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>

#include "unmask/episode/channel.h"
#include "unmask/episode/facts.h"

namespace unmask {

RecoveryCounts& RecoveryCounts::operator+=(const RecoveryCounts& other) {
  next_recovered += other.next_recovered;
  next_followed += other.next_followed;
  runs_recovered += other.runs_recovered;
  runs += other.runs;
  episodes_solved += other.episodes_solved;
  episodes_with_error += other.episodes_with_error;
  repeats += other.repeats;
  hallucinated += other.hallucinated;
  return *this;
}

RecoveryCounts recovery_of(const EpisodeFacts& episode, Party party) {
  RecoveryCounts counts;
  std::optional<bool> previous_failed;
  std::set<std::uint32_t> refused;
  for (const CallFacts& call : episode.calls) {
    if (call.party != party) continue;
    if (previous_failed == true) {
      ++counts.next_followed;
      if (!call.failed) {
        ++counts.next_recovered;
        ++counts.runs_recovered;
      }
    }
    if (call.failed) {
      if (previous_failed != true) ++counts.runs;
      counts.episodes_with_error = 1;
      if (call.channel == Channel::tool_name) {
        ++counts.hallucinated;
        if (!refused.insert(call.name).second) ++counts.repeats;
      }
    }
    previous_failed = call.failed;
  }
  if (episode.success) counts.episodes_solved = counts.episodes_with_error;
  return counts;
}

RecoveryCounts recovery_of(std::span<const EpisodeFacts> episodes, Party party) {
  RecoveryCounts sum;
  for (const EpisodeFacts& episode : episodes) {
    if (episode.excluded == Exclusion::none) sum += recovery_of(episode, party);
  }
  return sum;
}

}  // namespace unmask
