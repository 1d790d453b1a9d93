#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/replay/episode_replay.h"

namespace unmask::replay {

/// An episode for a reader to look up.
struct EpisodeName {
  std::string id;
  std::string task_id;
  std::optional<int> trial;

  bool operator==(const EpisodeName&) const = default;
};

/// Differences of one cause, tool and place, with the first of them.
struct DifferenceGroup {
  Cause cause = Cause::unexplained;
  std::string known;  ///< `known_version`: its id
  std::string tool;
  std::string place;
  std::size_t calls = 0;
  std::size_t episodes = 0;
  EpisodeName first_episode;
  CallDifference first;

  bool operator==(const DifferenceGroup&) const = default;
};

/// First reads of a tool: those before the episode wrote anything.
struct ReadCount {
  std::string tool;
  std::size_t reads = 0;
  std::size_t differ = 0;

  bool operator==(const ReadCount&) const = default;
};

/// Whether a log was made with the data that it was replayed on.
enum class DataVerdict : std::uint8_t {
  same,       ///< all first reads are equal
  other,      ///< what differs does so whenever it is read, or half of all does
  uncertain,  ///< few reads differ, and each was made once
  unknown,    ///< there are no first reads
};
/// `same`, `other`, `uncertain`, `unknown`.
[[nodiscard]] std::string_view name_of(DataVerdict verdict);

/// Checks of a part that both sides have.
struct PartCount {
  std::size_t compared = 0;
  std::size_t equal = 0;
  std::size_t other_number = 0;  ///< episodes whose log has another number of checks

  bool operator==(const PartCount&) const = default;
};

/// A reward that is not the recorded one, or a part of it.
struct RewardDifference {
  EpisodeName episode;
  RewardReplay reward;               ///< `checks`: those that differ
  std::size_t call_differences = 0;  ///< of the episode, foreign tools' aside

  bool operator==(const RewardDifference&) const = default;
};

/// A log, replayed.
struct LogReplay {
  std::string file;
  std::string domain;
  std::string data_source;  ///< where the world's data are from, for a person
  bool solo = false;
  std::size_t episodes = 0;
  std::size_t replayed = 0;
  std::map<std::string, std::size_t> not_replayed;  ///< reasons, with their numbers of episodes
  std::size_t judged_as_other = 0;                  ///< EpisodeReplay::judged_as is set
  EpisodeName first_judged_as_other;
  std::string first_other_task;    ///< of that episode
  std::size_t equal_episodes = 0;  ///< without a difference
  std::size_t calls = 0;
  std::size_t own_calls = 0;      ///< as EpisodeReplay::own_calls
  std::size_t foreign_calls = 0;  ///< as EpisodeReplay::foreign_calls
  std::size_t compared = 0;
  std::size_t differing = 0;
  std::size_t unanswered = 0;
  std::size_t unreadable = 0;
  std::size_t other_text = 0;
  std::array<std::size_t, kCauseCount> causes{};  ///< differing calls
  std::vector<DifferenceGroup> groups;            ///< by cause, then most calls first
  std::vector<ReadCount> first_reads;             ///< by tool name
  DataVerdict data = DataVerdict::unknown;
  std::size_t rewards_recorded = 0;
  std::size_t rewards_compared = 0;
  std::size_t rewards_equal = 0;
  std::map<std::string, std::size_t> not_evaluated;  ///< reasons, of recorded rewards
  std::map<std::string, std::size_t> raised;         ///< what evaluations raised
  std::array<PartCount, kPartCount> parts{};
  std::vector<RewardDifference> reward_differences;

  /// It tells of another world: what it called with success this one doesn't have.
  [[nodiscard]] bool is_of_another_world() const { return foreign_calls > 0 && own_calls == 0; }

  bool operator==(const LogReplay&) const = default;
};

/// Gathers a log's episodes. Keeps what differs and one line a thing that was read, no texts of
/// episodes.
class LogReplayBuilder {
 public:
  void add(const EpisodeReplay& episode);
  /// The log without its name, domain, data and mode.
  [[nodiscard]] LogReplay finish() &&;

 private:
  struct Read {
    std::string recorded;  ///< the first record
    std::size_t times = 0;
    bool constant = true;  ///< all records are the first one
  };

  void add_reward(const EpisodeReplay& episode);
  [[nodiscard]] DataVerdict verdict() const;

  LogReplay log_;
  std::map<std::string, DifferenceGroup> groups_;  ///< by cause, known id, tool, place
  std::map<std::string, ReadCount> reads_;
  std::map<std::string, Read> differing_reads_;  ///< by tool and arguments
};

}  // namespace unmask::replay
