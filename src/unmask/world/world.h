#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"

namespace unmask::world {

/// A domain with its data, loaded once: makes environments in their initial state. Immutable, so
/// safe to share between threads.
class World {
 public:
  virtual ~World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// A fresh environment. Raises what tau2-bench raises where the world has no solo mode.
  [[nodiscard]] virtual Outcome<std::unique_ptr<Environment>> make_environment(
      bool solo = false) const = 0;

  [[nodiscard]] const EnvironmentSetup& setup() const { return *setup_; }
  [[nodiscard]] const std::string& name() const { return setup_->domain; }
  /// In the file's order.
  [[nodiscard]] std::span<const Task> tasks() const { return tasks_; }
  /// Null if there is no such task.
  [[nodiscard]] const Task* find_task(std::string_view id) const;
  [[nodiscard]] std::span<const Split> splits() const { return splits_; }
  /// The tasks of a split, in the order of tasks(). Errors: invalid_argument, with the known names,
  /// for an unknown split.
  [[nodiscard]] Result<std::vector<const Task*>> split(std::string_view name) const;

 protected:
  World(std::shared_ptr<const EnvironmentSetup> setup, std::vector<Task> tasks,
        std::vector<Split> splits);
  [[nodiscard]] const std::shared_ptr<const EnvironmentSetup>& shared_setup() const {
    return setup_;
  }

 private:
  std::shared_ptr<const EnvironmentSetup> setup_;
  std::vector<Task> tasks_;
  std::vector<Split> splits_;
};

/// `tasks.json`, or else `tasks.json.gz`, and `split_tasks.json` of a domain's folder; empty where
/// a file is missing.
struct TaskFiles {
  std::vector<Task> tasks;
  std::vector<Split> splits;
};

/// Errors: outside or bad_input, with file and place.
[[nodiscard]] Result<TaskFiles> read_task_files(const std::filesystem::path& folder);

/// A domain that can be loaded from a folder of tau2-bench's data files.
struct KnownWorld {
  std::string_view name;  ///< tau2-bench's domain name
  /// Errors: bad_input or outside, with file and place.
  Result<std::shared_ptr<const World>> (*load)(const std::filesystem::path& folder);
};

/// All domains: a world is added by its folder and a line in worlds.cc.
[[nodiscard]] std::span<const KnownWorld> known_worlds();
/// Null if there is none of that name.
[[nodiscard]] const KnownWorld* find_known_world(std::string_view name);

/// A file's bytes, unpacked if its name ends in .gz. Errors: outside, with the file; bad_input for
/// a damaged archive.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& file);

}  // namespace unmask::world
