#include "unmask/store/run_store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "unmask/base/check.h"
#include "unmask/base/error.h"
#include "unmask/base/secrets.h"
#include "unmask/base/sha256.h"
#include "unmask/json/split.h"
#include "unmask/store/credentials.h"
#include "unmask/store/database.h"
#include "unmask/store/lock_file.h"
#include "unmask/store/row_writer.h"
#include "unmask/store/run.h"
#include "unmask/store/run_rows.h"
#include "unmask/store/schema.h"

namespace unmask::store {

namespace {

using Clock = std::chrono::steady_clock;

/// What a change that waits needs besides its texts.
constexpr std::size_t kChangeBytes = 200;

tl::unexpected<Error> invalid(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

/// A turn to be stored.
struct TurnOf {
  UnitId unit{};
  const Turn* turn = nullptr;
};

std::string description(const UnitKey& key) {
  return key.cell + '/' + key.arm + ", task " + key.task_id + ", trial " +
         std::to_string(key.trial);
}

/// The name of the first member in which two arms differ.
std::string_view difference(const ArmInfo& left, const ArmInfo& right) {
  if (left.domain != right.domain) return "domain";
  if (left.agent != right.agent) return "agent";
  if (left.user != right.user) return "user";
  if (left.policy != right.policy || left.played_policy != right.played_policy) return "policy";
  if (left.tools != right.tools) return "tools";
  if (left.user_guidelines != right.user_guidelines) return "user guidelines";
  if (left.num_trials != right.num_trials) return "number of trials";
  if (left.max_steps != right.max_steps) return "max_steps";
  if (left.max_errors != right.max_errors) return "max_errors";
  if (left.seed != right.seed) return "seed";
  if (left.git_commit != right.git_commit) return "git commit";
  return "identity";
}

/// Makes a renaming last through a power loss.
void sync_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// A whole file at `path`, which is a name that nobody else uses yet.
Result<void> make_file(const std::filesystem::path& path, const RunInfo& info) {
  auto database = Database::open(path, Access::create);
  if (!database) return tl::unexpected<Error>(database.error());
  Transaction transaction(**database);
  if (auto begun = transaction.begin(); !begun) return begun;
  if (auto created = create_schema(**database); !created) return created;
  auto row = (*database)->prepare(
      "INSERT INTO run (study, study_hash, settings, version, created) VALUES (?, ?, ?, ?, ?)");
  if (!row) return tl::unexpected<Error>(row.error());
  row->bind(1, std::string_view(info.study))
      .bind(2, std::string_view(info.study_hash))
      .bind(3, std::string_view(info.settings))
      .bind(4, std::string_view(info.version))
      .bind(5, std::string_view(info.created));
  if (!row->run()) return tl::unexpected<Error>(row->error());
  return transaction.commit();
}

}  // namespace

struct RunStore::State {
  std::filesystem::path path;
  StoreOptions options;
  LockFile lock;
  std::unique_ptr<Database> database;
  std::unique_ptr<RunRows> rows;
  std::unique_ptr<RowWriter> writer;
  RunInfo info;
  std::vector<ArmInfo> arms;  ///< row ids are positions + 1
  std::vector<Unit> units;    ///< likewise; changes that wait included
  std::map<UnitKey, std::size_t> positions;
  std::vector<Change> waiting;
  std::size_t waiting_bytes = 0;
  bool gathering = false;
  Clock::time_point oldest;  ///< of what waits

  State(std::filesystem::path file, const StoreOptions& chosen, LockFile taken)
      : path(std::move(file)), options(chosen), lock(std::move(taken)) {}

  [[nodiscard]] std::string file() const { return path.string(); }

  [[nodiscard]] Unit* unit(UnitId id) {
    const auto number = static_cast<std::int64_t>(id);
    if (number < 1 || std::cmp_greater(number, units.size())) return nullptr;
    return &units[static_cast<std::size_t>(number - 1)];
  }

  /// An open unit, or why it is none.
  [[nodiscard]] Result<Unit*> open_unit(UnitId id) {
    Unit* const found = unit(id);
    if (found == nullptr) {
      return invalid(file() + ": there is no unit " +
                     std::to_string(static_cast<std::int64_t>(id)) + '.');
    }
    if (found->state != UnitState::open) {
      return invalid(file() + ": " + description(found->key) + " has ended (" +
                     std::string(name_of(found->state)) + ") and takes no changes.");
    }
    return found;
  }

  [[nodiscard]] std::int64_t arm_row(std::string_view cell, std::string_view arm) const {
    for (std::size_t i = 0; i < arms.size(); ++i) {
      if (arms[i].cell == cell && arms[i].arm == arm) return static_cast<std::int64_t>(i) + 1;
    }
    return 0;
  }

  /// Writes `changes`, or lets them wait. What was refused hasn't happened.
  [[nodiscard]] Result<void> accept(std::vector<Change> changes) {
    if (changes.empty()) return {};
    const bool each_call = options.durability == Durability::each_call;
    // First, so that a failure concerns only changes that were accepted before and wait on.
    if (each_call ? !gathering : is_due()) {
      if (auto written = flush(); !written) return written;
    }
    if (each_call && !gathering) return writer->write(changes);
    if (waiting.empty()) oldest = Clock::now();
    for (Change& change : changes) {
      waiting_bytes += size_of(change) + kChangeBytes;
      waiting.push_back(std::move(change));
    }
    return {};
  }

  [[nodiscard]] bool is_due() const {
    return !waiting.empty() &&
           (waiting_bytes >= options.batch_bytes || Clock::now() - oldest >= options.batch_time);
  }

  [[nodiscard]] Result<void> flush() {
    if (waiting.empty()) return {};
    if (auto written = writer->write(waiting); !written) return written;
    waiting.clear();
    waiting_bytes = 0;
    return {};
  }

  [[nodiscard]] Result<void> append(std::span<const TurnOf> turns);
  [[nodiscard]] Result<void> load();
  [[nodiscard]] Result<void> close();
};

Result<void> RunStore::State::append(std::span<const TurnOf> turns) {
  std::vector<Change> changes;
  changes.reserve(turns.size());
  std::map<UnitId, std::size_t> counts;  // as they will be
  for (const auto& [id, turn] : turns) {
    const auto found = open_unit(id);
    if (!found) return tl::unexpected<Error>(found.error());
    const UnitKey& key = (*found)->key;
    if (!json::split_object(turn->body)) {
      return invalid(file() + ": a turn of " + description(key) +
                     " has a body that is no JSON object.");
    }
    std::size_t& count = counts.emplace(id, (*found)->turns).first->second;
    if (std::cmp_greater_equal(count, kTurnsPerUnit)) {
      return invalid(file() + ": " + description(key) + " has more than " +
                     std::to_string(kTurnsPerUnit) + " turns.");
    }
    changes.emplace_back(AddTurn{id, count++, *turn});
  }
  if (auto accepted = accept(std::move(changes)); !accepted) return accepted;
  for (const auto& [id, count] : counts) unit(id)->turns = count;
  return {};
}

Result<void> RunStore::State::load() {
  auto opened = Database::open(path, Access::write);
  if (!opened) return tl::unexpected<Error>(opened.error());
  database = std::move(*opened);
  if (auto checked = check_schema(*database); !checked) return checked;
  const auto mode = database->text("PRAGMA journal_mode = WAL");
  if (!mode) return tl::unexpected<Error>(mode.error());
  if (*mode != "wal") {
    return fail(ErrorCode::outside, file() +
                                        ": lies on a file system on which SQLite can't keep a "
                                        "log beside it. Choose a file on a local disk.");
  }
  // Each commit reaches the disk before the call returns, or, in batches, no later than the next
  // checkpoint.
  const bool each = options.durability == Durability::each_call;
  const char* const settings = each ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
  if (auto done = database->execute(settings); !done) return done;
  if (auto done = database->execute("PRAGMA journal_size_limit = 67108864"); !done) return done;
  rows = std::make_unique<RunRows>(*database);
  auto read_info = rows->info();
  if (!read_info) return tl::unexpected<Error>(read_info.error());
  info = std::move(*read_info);
  auto read_arms = rows->arms();
  if (!read_arms) return tl::unexpected<Error>(read_arms.error());
  arms = std::move(*read_arms);
  auto read_units = rows->units();
  if (!read_units) return tl::unexpected<Error>(read_units.error());
  units = std::move(*read_units);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (static_cast<std::int64_t>(units[i].id) != static_cast<std::int64_t>(i) + 1) {
      return fail(ErrorCode::bad_input,
                  file() + ": is damaged: units are missing from it. Restore it from a copy.");
    }
    positions.emplace(units[i].key, i);
  }
  const auto dictionary = rows->dictionary();
  if (!dictionary) return tl::unexpected<Error>(dictionary.error());
  auto prepared = RowWriter::prepare(*database, *dictionary);
  if (!prepared) return tl::unexpected<Error>(prepared.error());
  writer = std::make_unique<RowWriter>(std::move(*prepared));
  return {};
}

Result<void> RunStore::State::close() {
  if (database == nullptr) return {};
  if (auto written = flush(); !written) return written;
  if (auto done = database->execute("PRAGMA wal_checkpoint(TRUNCATE)"); !done) return done;
  writer.reset();
  rows.reset();
  // A reader may forbid it, and then goes on reading; the next writer's close() does it.
  (void)database->execute("PRAGMA busy_timeout = 0");
  (void)database->execute("PRAGMA journal_mode = DELETE");
  database.reset();
  return {};
}

RunStore::RunStore(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() {
  if (state_ != nullptr) (void)state_->close();
}

Result<RunStore> RunStore::create(const std::filesystem::path& path, const RunInfo& info,
                                  const StoreOptions& options) {
  RunInfo stored = info;
  stored.study_hash = sha256_hex(info.study);
  stored.study = without_secrets(info.study);
  if (stored.settings.empty()) stored.settings = "{}";
  if (auto checked = refuse_credentials(stored.settings, "the run's settings"); !checked) {
    return tl::unexpected<Error>(checked.error());
  }
  auto lock = LockFile::take(path);
  if (!lock) return tl::unexpected<Error>(lock.error());
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
    return invalid(path.string() +
                   ": exists already. Continue that run, or choose another name for a new one.");
  }
  // Under its name only when it is whole.
  std::filesystem::path partial = path;
  partial += ".partial";
  std::filesystem::remove(partial, error);
  auto made = make_file(partial, stored);
  if (made) {
    std::filesystem::rename(partial, path, error);
    if (error) {
      made = fail(ErrorCode::outside, path.string() + ": can't be created: " + error.message());
    }
  }
  if (!made) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    return tl::unexpected<Error>(made.error());
  }
  sync_folder(path);
  auto state = std::make_unique<State>(path, options, std::move(*lock));
  if (auto loaded = state->load(); !loaded) return tl::unexpected<Error>(loaded.error());
  return RunStore(std::move(state));
}

Result<RunStore> RunStore::open(const std::filesystem::path& path, const StoreOptions& options) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return fail(ErrorCode::outside, path.string() + ": there is no such file.");
  }
  auto lock = LockFile::take(path);
  if (!lock) return tl::unexpected<Error>(lock.error());
  auto state = std::make_unique<State>(path, options, std::move(*lock));
  if (auto loaded = state->load(); !loaded) return tl::unexpected<Error>(loaded.error());
  return RunStore(std::move(state));
}

const RunInfo& RunStore::info() const { return state_->info; }
const std::filesystem::path& RunStore::path() const { return state_->path; }

Result<void> RunStore::put_arm(const ArmInfo& arm) {
  State& state = *state_;
  const std::string what = state.file() + ": arm " + arm.cell + '/' + arm.arm;
  for (const auto& [name, json] : {std::pair{"llm_args of the agent", &arm.agent.llm_args},
                                   std::pair{"llm_args of the user", &arm.user.llm_args},
                                   std::pair{"identity", &arm.identity}}) {
    if (json->empty()) continue;
    if (auto checked = refuse_credentials(*json, what + ", " + name); !checked) return checked;
  }
  if (!arm.tools.empty() && !json::split_array(arm.tools)) {
    return invalid(what + ": tools must be a JSON list.");
  }
  if (const std::int64_t row = state.arm_row(arm.cell, arm.arm); row != 0) {
    ArmInfo& known = state.arms[static_cast<std::size_t>(row - 1)];
    if (known == arm) return {};
    ArmInfo grown = known;
    grown.num_trials = arm.num_trials;
    if (grown == arm && arm.num_trials > known.num_trials) {
      if (auto written = state.flush(); !written) return written;
      if (auto set = state.writer->set_trials(row, arm.num_trials); !set) return set;
      known = std::move(grown);
      return {};
    }
    return invalid(what + " is in the file already with another " +
                   std::string(difference(known, arm)) +
                   ". Give the run another file, or the study what it had.");
  }
  if (auto written = state.flush(); !written) return written;
  const auto row = state.writer->add_arm(arm);
  if (!row) return tl::unexpected<Error>(row.error());
  UNMASK_CHECK(std::cmp_equal(*row, state.arms.size() + 1));
  state.arms.push_back(arm);
  return {};
}

Result<void> RunStore::put_tasks(std::string_view cell, std::span<const TaskText> tasks) {
  State& state = *state_;
  auto known = state.rows->tasks(cell);
  if (!known) return tl::unexpected<Error>(known.error());
  std::map<std::string_view, std::string_view> texts;
  for (const TaskText& task : *known) texts.emplace(task.id, task.json);
  std::vector<TaskText> added;
  for (const TaskText& task : tasks) {
    const std::string what = state.file() + ": task " + task.id + " of cell " + std::string(cell);
    if (!json::split_object(task.json)) return invalid(what + " must be a JSON object.");
    const auto [place, is_new] = texts.emplace(task.id, task.json);
    if (is_new) {
      added.push_back(task);
    } else if (place->second != task.json) {
      return invalid(what +
                     " is in the file already with another content. Give the run another "
                     "file, or the study what it had.");
    }
  }
  if (added.empty()) return {};
  if (auto written = state.flush(); !written) return written;
  return state.writer->add_tasks(cell, added);
}

const std::vector<ArmInfo>& RunStore::arms() const { return state_->arms; }
const std::vector<Unit>& RunStore::units() const { return state_->units; }

std::optional<Unit> RunStore::find(const UnitKey& key) const {
  const auto found = state_->positions.find(key);
  if (found == state_->positions.end()) return std::nullopt;
  return state_->units[found->second];
}

Result<UnitId> RunStore::open_unit(const UnitKey& key, std::int64_t seed) {
  State& state = *state_;
  if (const auto found = state.positions.find(key); found != state.positions.end()) {
    Unit& unit = state.units[found->second];
    if (unit.seed != seed) {
      return invalid(state.file() + ": " + description(key) + " is in the file with seed " +
                     std::to_string(unit.seed) + ", not " + std::to_string(seed) + '.');
    }
    if (unit.state == UnitState::done) {
      return invalid(state.file() + ": " + description(key) + " is done.");
    }
    if (unit.state == UnitState::infrastructure) {
      if (auto accepted = state.accept({ReopenUnit{unit.id}}); !accepted) {
        return tl::unexpected<Error>(accepted.error());
      }
      unit.state = UnitState::open;
      unit.termination.clear();
      unit.reward.reset();
    }
    return unit.id;
  }
  const std::int64_t arm = state.arm_row(key.cell, key.arm);
  if (arm == 0) {
    return invalid(state.file() + ": has no arm " + key.cell + '/' + key.arm + " yet.");
  }
  Unit unit;
  unit.id = static_cast<UnitId>(static_cast<std::int64_t>(state.units.size()) + 1);
  unit.key = key;
  unit.seed = seed;
  if (auto accepted = state.accept({AddUnit{unit.id, arm, key, seed}}); !accepted) {
    return tl::unexpected<Error>(accepted.error());
  }
  const UnitId id = unit.id;
  state.positions.emplace(key, state.units.size());
  state.units.push_back(std::move(unit));
  return id;
}

Result<void> RunStore::append_turns(UnitId unit, std::span<const Turn> turns) {
  std::vector<TurnOf> all;
  all.reserve(turns.size());
  for (const Turn& turn : turns) all.push_back({unit, &turn});
  return state_->append(all);
}

Result<void> RunStore::append(std::span<const UnitTurn> turns) {
  std::vector<TurnOf> all;
  all.reserve(turns.size());
  for (const auto& [unit, turn] : turns) all.push_back({unit, &turn});
  return state_->append(all);
}

Result<void> RunStore::truncate(UnitId id, std::size_t keep) {
  const auto unit = state_->open_unit(id);
  if (!unit) return tl::unexpected<Error>(unit.error());
  if (keep >= (*unit)->turns) return {};
  if (auto accepted = state_->accept({DropTurns{id, keep, false}}); !accepted) return accepted;
  (*unit)->turns = keep;
  return {};
}

Result<void> RunStore::restart(UnitId id) {
  const auto unit = state_->open_unit(id);
  if (!unit) return tl::unexpected<Error>(unit.error());
  if (auto accepted = state_->accept({DropTurns{id, 0, true}}); !accepted) return accepted;
  (*unit)->turns = 0;
  ++(*unit)->attempts;
  return {};
}

Result<void> RunStore::finish(UnitId id, const Outcome& outcome) {
  State& state = *state_;
  const auto unit = state.open_unit(id);
  if (!unit) return tl::unexpected<Error>(unit.error());
  const std::string what = state.file() + ": the outcome of " + description((*unit)->key);
  if (outcome.state == UnitState::open || outcome.termination.empty()) {
    return invalid(what + " needs a state other than open, and a termination.");
  }
  for (const std::string* json : {&outcome.reward_info, &outcome.info}) {
    if (!json->empty() && !json::split_object(*json)) {
      return invalid(what + " has a member that is no JSON object.");
    }
  }
  FinishUnit change{id, outcome};
  // Errors of providers like to quote keys.
  change.outcome.info = without_secrets(outcome.info);
  if (auto accepted = state.accept({std::move(change)}); !accepted) return accepted;
  (*unit)->state = outcome.state;
  (*unit)->termination = outcome.termination;
  (*unit)->reward = outcome.reward;
  return {};
}

Result<std::vector<Turn>> RunStore::read_turns(UnitId id) {
  if (auto written = state_->flush(); !written) return tl::unexpected<Error>(written.error());
  return state_->rows->turns(id);
}

void RunStore::gather() { state_->gathering = true; }
Result<void> RunStore::flush() {
  state_->gathering = false;
  return state_->flush();
}
Result<void> RunStore::close() { return state_->close(); }

}  // namespace unmask::store
