#include "unmask/replay/log_replay.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/replay/episode_replay.h"

namespace unmask::replay {
namespace {

EpisodeName name_of_episode(const EpisodeReplay& episode) {
  return {episode.id, episode.task_id, episode.trial};
}

std::string key_of(const CallDifference& difference) {
  std::string key = std::to_string(static_cast<int>(difference.cause));
  for (const std::string* part : {&difference.known, &difference.tool, &difference.place}) {
    key += '\0';
    key += *part;
  }
  return key;
}

}  // namespace

std::string_view name_of(DataVerdict verdict) {
  switch (verdict) {
    case DataVerdict::same:
      return "same";
    case DataVerdict::other:
      return "other";
    case DataVerdict::uncertain:
      return "uncertain";
    case DataVerdict::unknown:
      return "unknown";
  }
  return "unknown";
}

void LogReplayBuilder::add(const EpisodeReplay& episode) {
  ++log_.episodes;
  log_.calls += episode.calls;
  log_.own_calls += episode.own_calls;
  log_.foreign_calls += episode.foreign_calls;
  if (!episode.not_replayed.empty()) {
    ++log_.not_replayed[episode.not_replayed];
    return;
  }
  ++log_.replayed;
  if (!episode.judged_as.empty() && log_.judged_as_other++ == 0) {
    log_.first_judged_as_other = name_of_episode(episode);
    log_.first_other_task = episode.judged_as;
  }
  if (episode.differences.empty()) ++log_.equal_episodes;
  log_.compared += episode.compared;
  log_.differing += episode.differences.size();
  log_.unanswered += episode.unanswered;
  log_.unreadable += episode.unreadable;
  log_.other_text += episode.other_text;
  std::set<std::string> seen;
  for (const CallDifference& difference : episode.differences) {
    ++log_.causes.at(static_cast<std::size_t>(difference.cause));
    const std::string key = key_of(difference);
    const auto [place, added] = groups_.try_emplace(key);
    DifferenceGroup& group = place->second;
    if (added) {
      group.cause = difference.cause;
      group.known = difference.known;
      group.tool = difference.tool;
      group.place = difference.place;
      group.first_episode = name_of_episode(episode);
      group.first = difference;
    }
    ++group.calls;
    if (seen.insert(key).second) ++group.episodes;
  }
  for (const FirstRead& read : episode.first_reads) {
    ReadCount& count = reads_[read.tool];
    count.tool = read.tool;
    ++count.reads;
    if (read.equal) continue;
    ++count.differ;
    Read& known = differing_reads_[read.tool + " " + read.arguments];
    if (known.times++ == 0) known.recorded = read.recorded;
    known.constant = known.constant && known.recorded == read.recorded;
  }
  add_reward(episode);
}

void LogReplayBuilder::add_reward(const EpisodeReplay& episode) {
  const RewardReplay& reward = episode.reward;
  if (!reward.raised.empty()) ++log_.raised[reward.raised];
  if (!reward.recorded) return;
  ++log_.rewards_recorded;
  if (reward.comparable()) {
    ++log_.rewards_compared;
    if (reward.equal()) ++log_.rewards_equal;
  } else {
    ++log_.not_evaluated[reward.reason];
  }
  RewardDifference difference{name_of_episode(episode), reward, 0};
  std::erase_if(difference.reward.checks,
                [](const PartCheck& check) { return check.recorded == check.replayed; });
  for (const PartCheck& check : reward.checks) {
    PartCount& count = log_.parts.at(static_cast<std::size_t>(check.part));
    ++count.compared;
    if (check.recorded == check.replayed) ++count.equal;
  }
  for (const Part part : reward.other_checks) {
    ++log_.parts.at(static_cast<std::size_t>(part)).other_number;
  }
  if (difference.reward.checks.empty() && (!reward.comparable() || reward.equal())) return;
  difference.call_differences = static_cast<std::size_t>(std::ranges::count_if(
      episode.differences,
      [](const CallDifference& call) { return call.cause != Cause::foreign_tool; }));
  log_.reward_differences.push_back(std::move(difference));
}

DataVerdict LogReplayBuilder::verdict() const {
  std::size_t reads = 0;
  std::size_t differ = 0;
  for (const auto& [tool, count] : reads_) {
    reads += count.reads;
    differ += count.differ;
  }
  if (reads == 0) return DataVerdict::unknown;
  if (differ == 0) return DataVerdict::same;
  if (2 * differ >= reads) return DataVerdict::other;
  const bool repeated = std::ranges::any_of(differing_reads_, [](const auto& entry) {
    return entry.second.times > 1 && entry.second.constant;
  });
  return repeated ? DataVerdict::other : DataVerdict::uncertain;
}

LogReplay LogReplayBuilder::finish() && {
  for (auto& [key, group] : groups_) log_.groups.push_back(std::move(group));
  std::ranges::stable_sort(log_.groups, [](const DifferenceGroup& a, const DifferenceGroup& b) {
    return a.cause != b.cause ? a.cause < b.cause : a.calls > b.calls;
  });
  log_.data = verdict();
  for (auto& [tool, count] : reads_) log_.first_reads.push_back(std::move(count));
  return std::move(log_);
}

}  // namespace unmask::replay
