#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/store/run.h"

namespace unmask::store {

/// When a change is on the disk.
enum class Durability : std::uint8_t {
  /// When the call returns: each call is one transaction and is synced, but for those between
  /// gather() and flush(). For turns that cost money.
  each_call,
  /// Within a batch: changes are kept in memory and written together, unsynced. For simulated
  /// turns, which cost nothing to make again.
  batched,
};

/// A batch is written by the call that finds one of these reached.
struct StoreOptions {
  Durability durability = Durability::each_call;
  std::size_t batch_bytes = std::size_t{8} << 20U;  ///< of texts that wait
  std::chrono::milliseconds batch_time{1000};       ///< since the oldest change that waits
};

/// A turn of some unit, for changes of several units at once.
struct UnitTurn {
  UnitId unit{};
  Turn turn;
};

/// A run's file, open for writing: a SQLite database that holds study, arms, tasks, units and their
/// turns. docs/store.md describes it.
///
/// Thread-compatible: one thread at a time; who writes from several puts a lock or a queue in front
/// (and best hands on what has gathered in one append(), which is one sync). Readers in other
/// threads and processes use RunReader meanwhile.
///
/// At most one RunStore is open on a file; a second one is refused with the process that has it. A
/// process that died holds nothing.
///
/// A call that fails has changed nothing and may be repeated, and so may flush(): after a full disk
/// no change is lost while the process lives. Errors of all calls, unless stated otherwise:
/// outside, with file and remedy (disk full, no permission); bad_input for a damaged file;
/// invalid_argument for values that break what run.h says of them.
class RunStore {
 public:
  /// A new file. Errors: invalid_argument if `path` exists already; if `info.settings` is no JSON
  /// object or holds what looks like a credential.
  [[nodiscard]] static Result<RunStore> create(const std::filesystem::path& path,
                                               const RunInfo& info,
                                               const StoreOptions& options = {});
  /// A file that exists. Units in state `open` are those to continue. Errors: bad_input for what is
  /// no run's file or of a newer version of it.
  [[nodiscard]] static Result<RunStore> open(const std::filesystem::path& path,
                                             const StoreOptions& options = {});
  /// Closes as close() does; what could not be written then is lost.
  ~RunStore();
  RunStore(RunStore&&) noexcept;
  RunStore& operator=(RunStore&&) noexcept;
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  [[nodiscard]] const RunInfo& info() const;
  [[nodiscard]] const std::filesystem::path& path() const;

  /// Adds an arm. One that is there already must be equal, but for a larger number of trials, which
  /// is taken over. Errors: invalid_argument where it isn't (names the member that differs), or
  /// where `llm_args` or `identity` hold a credential.
  [[nodiscard]] Result<void> put_arm(const ArmInfo& arm);
  /// Adds a cell's tasks, in the order of the export. Tasks that are there already must be equal.
  [[nodiscard]] Result<void> put_tasks(std::string_view cell, std::span<const TaskText> tasks);

  /// All arms, in the order in which they were added.
  [[nodiscard]] const std::vector<ArmInfo>& arms() const;
  /// All units, in the order in which they were first opened.
  [[nodiscard]] const std::vector<Unit>& units() const;
  [[nodiscard]] std::optional<Unit> find(const UnitKey& key) const;

  /// The unit `key`: a new one, or the one that is there, with its turns. One in state
  /// `infrastructure` is opened again and continues from its turns. Errors: invalid_argument if it
  /// has another seed, or is done, or there is no such arm.
  [[nodiscard]] Result<UnitId> open_unit(const UnitKey& key, std::int64_t seed);
  /// Adds turns at a unit's end, all or none. Errors: invalid_argument if the unit is not open.
  [[nodiscard]] Result<void> append_turns(UnitId unit, std::span<const Turn> turns);
  /// The same for turns of several units: one transaction, one sync.
  [[nodiscard]] Result<void> append(std::span<const UnitTurn> turns);
  /// Drops a unit's turns from number `keep` on.
  [[nodiscard]] Result<void> truncate(UnitId unit, std::size_t keep);
  /// Drops all turns of an open unit and counts one attempt more.
  [[nodiscard]] Result<void> restart(UnitId unit);
  /// Ends an open unit. Its turns stay.
  [[nodiscard]] Result<void> finish(UnitId unit, const Outcome& outcome);

  /// A unit's turns in order, those that wait for their batch included.
  [[nodiscard]] Result<std::vector<Turn>> read_turns(UnitId unit);

  /// Lets changes wait until the next flush(), which then writes them in one transaction and, with
  /// Durability::each_call, syncs once.
  void gather();
  /// Writes what waits for its batch, or was gathered.
  [[nodiscard]] Result<void> flush();
  /// flush(), syncs, and leaves one file that needs no other beside it, unless a reader has it
  /// open. The object is of no use afterwards, unless it failed.
  [[nodiscard]] Result<void> close();

 private:
  struct State;
  explicit RunStore(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace unmask::store
