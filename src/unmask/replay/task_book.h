#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/diagnostics.h"
#include "unmask/episode/episode.h"
#include "unmask/episode/log_header.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::replay {

/// The tasks of a log's episodes: the log's own where it has their texts, else those of the world.
class TaskBook {
 public:
  /// `header` and `world` outlive the book. A task of the log that can't be read is reported to
  /// `diagnostics`, and that of the world is taken.
  TaskBook(const LogHeader& header, const world::World& world, Diagnostics& diagnostics);

  struct Found {
    const world::Task* task = nullptr;  ///< null: nobody has it
    /// The log's task_id names another one (or none), but the golden actions in the record of the
    /// reward are this one's.
    bool by_record = false;
    /// The record of the episode's reward, read; nullopt where it has none that can be read.
    std::optional<world::Value> record;
  };
  /// The task by which an episode was judged. `episode` has its reward's record.
  [[nodiscard]] Found find(const Episode& episode) const;

 private:
  [[nodiscard]] const world::Task* find_id(std::string_view id) const;
  /// The task that `record` is of, which is not that of its id; null: none.
  [[nodiscard]] const world::Task* find_record(const world::Value& record) const;

  const world::World& world_;
  std::vector<std::unique_ptr<world::Task>> own_;
  std::map<std::string, const world::Task*, std::less<>> by_id_;
};

/// The record of an episode's reward; nullopt: it has none that can be read.
[[nodiscard]] std::optional<world::Value> reward_record_of(const Episode& episode);

/// Whether a record of a reward (tau2-bench's RewardInfo) may be one of `task`: it lists the task's
/// golden actions and what the agent had to say. True too for a record that lists nothing.
[[nodiscard]] bool is_record_of(const world::Value& record, const world::Task& task);

}  // namespace unmask::replay
