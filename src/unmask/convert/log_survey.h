#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"

namespace unmask {

/// What has to be known of a log before its first episode can be written: a first pass over it.
class LogSurvey {
 public:
  /// The next episode, with its transcript where histories shall be kept.
  void see(const Episode& episode);
  /// The complete header, at the end.
  void finish(LogHeader header) { header_ = std::move(header); }

  [[nodiscard]] const LogHeader& header() const { return header_; }
  /// The header's tasks, and those that only episodes have, in the log's order.
  [[nodiscard]] std::vector<TaskDefinition> tasks() const;
  /// Whether the header has tasks that no episode is of.
  [[nodiscard]] bool has_tasks_without_episode() const;
  /// Of each task with a message history the first episode, cut to it.
  [[nodiscard]] const std::map<std::string, Episode>& histories() const { return histories_; }

 private:
  LogHeader header_;
  std::set<std::string> known_;
  std::vector<std::string> order_;
  std::map<std::string, Episode> histories_;
};

}  // namespace unmask
