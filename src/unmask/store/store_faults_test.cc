#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unmask/base/error.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/run_store.h"
#include "unmask/store/store_fixtures.h"

namespace unmask::store {
namespace {

using fixtures::must;
using ::testing::HasSubstr;
using unmask::fixtures::bytes_of;
using unmask::fixtures::TemporaryFolder;

/// Runs `work` in a child process, which ends with what it returns.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    int status = 99;
    try {
      status = work();
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
    }
    ::_exit(status);
  }
  return child;
}

/// The child's exit status; -1 if a signal ended it.
int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Two ends that are closed with the test.
struct Pipe {
  std::array<int, 2> ends{};
  Pipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  ~Pipe() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

/// Returns when there is something to read.
void wait_for_bytes(int descriptor) {
  constexpr int kMilliseconds = 10'000;
  pollfd poll = {.fd = descriptor, .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&poll, 1, kMilliseconds), 1);
}

// ---- Killed at any moment

/// What the child says when a call has returned.
struct Acknowledged {
  std::int64_t seed = 0;
  std::int64_t turns = 0;  ///< of the unit with this seed; kFinished: it has ended
};
constexpr std::int64_t kFinished = -1;
constexpr std::size_t kTurnsOfUnit = 12;

std::size_t text_bytes(std::size_t index) { return 50 + 211 * (index % 7); }

UnitKey unit_key(std::int64_t seed) { return fixtures::key("task", static_cast<int>(seed)); }

/// Plays units, four at a time, until it is killed; continues what it finds.
int play(const std::string& path, Durability durability, int acknowledgements) {
  const StoreOptions options = {
      .durability = durability, .batch_bytes = 20'000, .batch_time = std::chrono::milliseconds(2)};
  RunStore store = std::filesystem::exists(path) ? RunStore::open(path, options).value()
                                                 : fixtures::store_at(path, options);
  for (const char* const name : {"bf16", "int4"}) must(store.put_arm(fixtures::arm(name)));
  const auto acknowledge = [&](std::int64_t seed, std::int64_t turns) {
    const Acknowledged record = {seed, turns};
    if (::write(acknowledgements, &record, sizeof record) != sizeof record) ::_exit(98);
  };
  std::int64_t next_seed = 0;
  std::vector<Unit> open;
  for (const Unit& unit : store.units()) {
    next_seed = std::max(next_seed, unit.seed + 1);
    if (unit.state == UnitState::open) open.push_back(unit);
  }
  while (true) {
    while (open.size() < 4) {
      const std::int64_t seed = next_seed++;
      (void)store.open_unit(unit_key(seed), seed).value();
      open.push_back(*store.find(unit_key(seed)));
    }
    for (Unit& unit : open) {
      if (unit.turns == kTurnsOfUnit) {
        must(store.finish(unit.id, fixtures::outcome()));
        acknowledge(unit.seed, kFinished);
        unit.state = UnitState::done;
        continue;
      }
      const Turn turn = fixtures::turn(unit.seed, unit.turns, text_bytes(unit.turns));
      must(store.append_turns(unit.id, {&turn, 1}));
      acknowledge(unit.seed, static_cast<std::int64_t>(++unit.turns));
    }
    std::erase_if(open, [](const Unit& unit) { return unit.state != UnitState::open; });
  }
}

/// All units' turns are the ones that were written, in order, each once; what was acknowledged is
/// there.
void check_file(const std::string& path, const std::map<std::int64_t, std::int64_t>& acknowledged) {
  const auto reader = RunReader::open(path);
  ASSERT_TRUE(reader) << reader.error().message;
  const auto checked = reader->check();
  ASSERT_TRUE(checked) << checked.error().message;
  std::map<std::int64_t, Unit> by_seed;
  const std::vector<Unit> units = must(reader->units());
  for (const Unit& unit : units) {
    ASSERT_EQ(unit.key, unit_key(unit.seed));
    ASSERT_TRUE(by_seed.emplace(unit.seed, unit).second);
    const std::vector<Turn> turns = reader->turns(unit.id).value();
    ASSERT_EQ(turns.size(), unit.turns);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      ASSERT_EQ(turns[i], fixtures::turn(unit.seed, i, text_bytes(i)));
    }
    if (unit.state == UnitState::done) {
      ASSERT_EQ(turns.size(), kTurnsOfUnit);
      ASSERT_EQ(reader->outcome(unit.id).value(), fixtures::outcome());
    }
  }
  for (const auto& [seed, turns] : acknowledged) {
    const auto found = by_seed.find(seed);
    ASSERT_NE(found, by_seed.end()) << "unit " << seed;
    if (turns == kFinished) {
      ASSERT_EQ(found->second.state, UnitState::done) << "unit " << seed;
    } else {
      ASSERT_TRUE(std::cmp_greater_equal(found->second.turns, turns)) << "unit " << seed;
    }
  }
}

struct Killed {
  int kills = 0;
  std::size_t acknowledged = 0;  ///< turns and ends that the children reported
};

/// `kills` times: a child plays on, and is killed after a random time; then the file is checked.
Killed kill_at_random(Durability durability, int kills, std::uint64_t seed) {
  // A killed process leaves what it wrote, synced or not; in memory there is time for more of it.
  if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 1);
  std::mt19937_64 random(seed);
  Killed result;
  constexpr int kKillsPerFile = 20;
  while (result.kills < kills && !::testing::Test::HasFatalFailure()) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "run").string();
    std::map<std::int64_t, std::int64_t> acknowledged;
    for (int i = 0; i < kKillsPerFile; ++i, ++result.kills) {
      Pipe pipe;
      const pid_t child = start_child([&] { return play(path, durability, pipe.ends[1]); });
      ::close(std::exchange(pipe.ends[1], -1));
      // One in four may be killed while it opens the file.
      if (random() % 4 != 0) wait_for_bytes(pipe.ends[0]);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 10'000));
      ::kill(child, SIGKILL);
      EXPECT_EQ(wait_for(child), -1) << "it should have gone on until it was killed";
      Acknowledged record;
      while (::read(pipe.ends[0], &record, sizeof record) == sizeof record) {
        ++result.acknowledged;
        if (durability == Durability::each_call) acknowledged[record.seed] = record.turns;
      }
      if (!std::filesystem::exists(path)) {
        EXPECT_TRUE(acknowledged.empty()) << "the file is gone";
        continue;
      }
      check_file(path, acknowledged);
      if (::testing::Test::HasFailure()) return result;
    }
  }
  return result;
}

TEST(KilledStore, LosesNothingThatWasAcknowledged) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  const Killed killed = kill_at_random(Durability::each_call, 200, seed);
  std::cout << killed.kills << " kills, " << killed.acknowledged << " acknowledgements\n";
  EXPECT_EQ(killed.kills, 200);
  EXPECT_GT(killed.acknowledged, 1000U) << "the children hardly ran";
}

TEST(KilledStore, KeepsWholeBatches) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  const Killed killed = kill_at_random(Durability::batched, 60, seed);
  EXPECT_EQ(killed.kills, 60);
  EXPECT_GT(killed.acknowledged, 1000U) << "the children hardly ran";
}

// ---- The disk is full

/// Lets files of this process grow to `bytes` and no further, as a full disk does.
void limit_files(rlim_t bytes) {
  rlimit limit{};
  ::getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// In a child: fills a store until it can't grow, then makes room. The number of the step that
/// went wrong; 0 if none.
int fill_disk(const std::string& path, Durability durability) {
  ::signal(SIGXFSZ, SIG_IGN);
  RunStore store = fixtures::store_at(
      path, {.durability = durability, .batch_bytes = 50'000, .batch_time = std::chrono::hours(1)});
  const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
  if (!store.append_turns(unit, std::vector{fixtures::turn(1, 0)}) || !store.flush()) return 1;
  limit_files(400'000);
  std::size_t count = 1;
  Error error;
  for (; count < 5000; ++count) {
    const Turn turn = fixtures::turn(1, count, 300);
    if (const auto appended = store.append_turns(unit, {&turn, 1}); !appended) {
      error = appended.error();
      break;
    }
  }
  if (count == 5000) return 2;
  if (error.code != ErrorCode::outside) return 3;
  if (error.message.find(path) == std::string::npos) return 4;
  if (error.message.find("no space is left") == std::string::npos) {
    std::cerr << error.message << '\n';
    return 5;
  }
  // It stays as it was, for readers and for itself.
  if (RunReader::open(path)->turns(unit).value().size() > count) return 6;
  if (store.find(fixtures::key("t"))->turns != count) return 7;
  if (store.append_turns(unit, std::vector{fixtures::turn(1, count, 300)})) return 8;
  if (store.finish(unit, fixtures::outcome())) return 9;
  limit_files(RLIM_INFINITY);
  for (const std::size_t end = count + 10; count < end; ++count) {
    if (!store.append_turns(unit, std::vector{fixtures::turn(1, count, 300)})) return 10;
  }
  if (!store.finish(unit, fixtures::outcome()) || !store.close()) return 11;
  const auto reader = RunReader::open(path);
  if (!reader->check()) return 12;
  const std::vector<Turn> turns = reader->turns(unit).value();
  if (turns.size() != count) return 13;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i] != fixtures::turn(1, i, i == 0 ? 40 : 300)) return 14;
  }
  return 0;
}

TEST(FullDisk, LosesNothingAndGoesOnWhenThereIsSpace) {
  for (const Durability durability : {Durability::each_call, Durability::batched}) {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "run").string();
    EXPECT_EQ(wait_for(start_child([&] { return fill_disk(path, durability); })), 0)
        << "step that failed, durability " << static_cast<int>(durability);
  }
}

TEST(FullDisk, LeavesNoFileThatCouldNotBeMade) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  const auto work = [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    limit_files(3000);
    const auto store = RunStore::create(path, fixtures::run_info());
    if (store) return 1;
    return store.error().message.find("no space is left") == std::string::npos ? 2 : 0;
  };
  EXPECT_EQ(wait_for(start_child(work)), 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// ---- Two runs on one file

TEST(LockedStore, IsRefusedWithTheProcessThatHasIt) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  {
    const RunStore store = fixtures::store_at(path);
    const auto refused = [&](const Result<RunStore>& second) {
      ASSERT_FALSE(second);
      EXPECT_EQ(second.error().code, ErrorCode::outside);
      EXPECT_THAT(second.error().message, HasSubstr("another run"));
      EXPECT_THAT(second.error().message, HasSubstr("process " + std::to_string(::getpid())));
    };
    refused(RunStore::open(path));
    refused(RunStore::create(path, fixtures::run_info()));
    const auto in_child = [&] { return RunStore::open(path) ? 1 : 0; };
    EXPECT_EQ(wait_for(start_child(in_child)), 0);
  }
  EXPECT_TRUE(RunStore::open(path)) << "closed, so free";
}

TEST(LockedStore, IsFreeWhenItsProcessHasDied) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  Pipe pipe;
  const pid_t child = start_child([&] {
    const RunStore store = fixtures::store_at(path);
    if (::write(pipe.ends[1], "x", 1) != 1) return 1;
    while (true) ::pause();
  });
  char byte = 0;
  ASSERT_EQ(::read(pipe.ends[0], &byte, 1), 1);
  const auto refused = RunStore::open(path);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  EXPECT_EQ(wait_for(child), -1);
  EXPECT_TRUE(std::filesystem::exists(path + ".lock"));
  const auto store = RunStore::open(path);
  EXPECT_TRUE(store) << store.error().message;
}

// ---- Files that are no runs

void run_sql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
}

void expect_refused(const std::string& path, ErrorCode code, const std::string& text) {
  const auto store = RunStore::open(path);
  ASSERT_FALSE(store) << text;
  EXPECT_EQ(store.error().code, code) << store.error().message;
  EXPECT_THAT(store.error().message, HasSubstr(text));
  EXPECT_THAT(store.error().message, HasSubstr(path));
  const auto reader = RunReader::open(path);
  ASSERT_FALSE(reader) << text;
  EXPECT_EQ(reader.error().code, code) << reader.error().message;
  EXPECT_THAT(reader.error().message, HasSubstr(text));
  EXPECT_FALSE(std::filesystem::exists(path + ".lock"));
}

TEST(NoStore, IsRefusedForWhatItIs) {
  const TemporaryFolder folder;
  expect_refused((folder.path() / "none").string(), ErrorCode::outside, "no such file");
  expect_refused(folder.path().string(), ErrorCode::bad_input,
                 "is a folder where a run's file should be. Move it away");
  expect_refused("/dev/null", ErrorCode::bad_input, "is no regular file");
  expect_refused(folder.write("empty", ""), ErrorCode::bad_input,
                 "is empty, and so no run of unmask. Remove it");
  expect_refused(folder.write("log.json", "{\"simulations\":[]}" + std::string(2000, ' ')),
                 ErrorCode::bad_input, "no run of unmask");
  const std::string other = (folder.path() / "other").string();
  run_sql(other, "CREATE TABLE t (x)");
  expect_refused(other, ErrorCode::bad_input, "a SQLite database, but no run of unmask");
  const std::string newer = (folder.path() / "newer").string();
  {
    const RunStore store = fixtures::store_at(newer);
  }
  run_sql(newer, "PRAGMA user_version = 2");
  expect_refused(newer, ErrorCode::bad_input,
                 "newer unmask (file version 2; this one reads up to 1)");
}

TEST(NoStore, CanNotBeMadeWhereThereIsNoFolderOrAFile) {
  const TemporaryFolder folder;
  const auto none = RunStore::create(folder.path() / "no" / "run", fixtures::run_info());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::outside);
  EXPECT_THAT(none.error().message, HasSubstr("folder that exists"));
  const std::string file = folder.write("log.json", "{}");
  const auto taken = RunStore::create(file, fixtures::run_info());
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(taken.error().message, HasSubstr("exists already"));
  EXPECT_EQ(bytes_of(file), "{}");
}

std::string filled_store(const TemporaryFolder& folder) {
  std::string path = (folder.path() / "run").string();
  RunStore store = fixtures::store_at(path);
  for (int trial = 0; trial < 10; ++trial) {
    const UnitId unit = store.open_unit(fixtures::key("t", trial), trial).value();
    for (std::size_t i = 0; i < 20; ++i) {
      must(store.append_turns(unit, std::vector{fixtures::turn(trial, i, 800)}));
    }
    must(store.finish(unit, fixtures::outcome()));
  }
  must(store.close());
  return path;
}

TEST(DamagedStore, IsReportedAndNeverCrashes) {
  const TemporaryFolder folder;
  const std::string bytes = bytes_of(filled_store(folder));
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  std::mt19937_64 random(seed);
  int reported = 0;
  for (int round = 0; round < 100; ++round) {
    std::string damaged = bytes;
    if (round % 4 == 0) {
      damaged.resize(random() % bytes.size());
    } else {
      const std::size_t at = random() % bytes.size();
      for (std::size_t i = at; i < std::min(bytes.size(), at + 2000); ++i) {
        damaged[i] = static_cast<char>(random());
      }
    }
    const std::string path = folder.write("damaged", damaged);
    const auto says = [&](const auto& result) {
      if (result) return true;
      EXPECT_NE(result.error().code, ErrorCode::invalid_argument) << result.error().message;
      EXPECT_THAT(result.error().message, HasSubstr(path));
      return false;
    };
    const auto reader = RunReader::open(path);
    bool sound = says(reader);
    if (reader) {
      sound = says(reader->check()) && sound;
      sound = says(reader->info()) && sound;
      sound = says(reader->arms()) && sound;
      sound = says(reader->tasks(fixtures::kCell)) && sound;
      sound = says(reader->units()) && sound;
      for (int unit = 1; unit <= 10; ++unit) {
        sound = says(reader->outcome(UnitId{unit})) && sound;
        sound = says(reader->turns(UnitId{unit})) && sound;
      }
    }
    reported += sound ? 0 : 1;
    (void)says(RunStore::open(path));
  }
  EXPECT_GT(reported, 50);
}

TEST(DamagedStore, HasLostItsDictionary) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  constexpr std::size_t kMessages = 600;
  {
    RunStore store = fixtures::store_at(path, {.durability = Durability::batched});
    const UnitId unit = must(store.open_unit(fixtures::key("t"), 1));
    for (std::size_t i = 0; i < kMessages; ++i) {
      must(store.append_turns(unit, std::vector{fixtures::turn(1, i, 250)}));
      must(store.flush());
    }
  }
  EXPECT_EQ(RunReader::open(path)->turns(UnitId{1}).value().size(), kMessages);
  run_sql(path, "DELETE FROM dictionary");
  const auto turns = RunReader::open(path)->turns(UnitId{1});
  ASSERT_FALSE(turns);
  EXPECT_EQ(turns.error().code, ErrorCode::bad_input);
  EXPECT_THAT(turns.error().message, HasSubstr("can't be unpacked"));
}

TEST(DamagedStore, HasTextsThatCanNotBeUnpacked) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  {
    RunStore store = fixtures::store_at(path);
    const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
    const Turn turn = {.body = "{\"content\":\"" + std::string(3000, 'x') + "\"}"};
    must(store.append_turns(unit, {&turn, 1}));
  }
  for (const char* const frame : {"x'00'", "x'28B52FFD'", "substr(body, 1, length(body) - 3)",
                                  "x'28B52FFDE0FFFFFFFFFFFFFF7F01'", "zeroblob(100)"}) {
    const std::string damaged = folder.write("damaged", bytes_of(path));
    run_sql(damaged, ("UPDATE turns SET body = " + std::string(frame)).c_str());
    const auto turns = RunReader::open(damaged)->turns(UnitId{1});
    ASSERT_FALSE(turns) << frame;
    EXPECT_EQ(turns.error().code, ErrorCode::bad_input);
    EXPECT_THAT(turns.error().message, HasSubstr("can't be unpacked"));
  }
}

// ---- Folders that can't be written to

/// Runs `work` as a user without rights to the test's folders.
int as_nobody(const std::function<int()>& work) {
  return wait_for(start_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) return 97;
    return work();
  }));
}

TEST(ReadOnlyFolder, IsReadButNotWritten) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  const std::string path = filled_store(folder);
  const auto read = [&] {
    const auto reader = RunReader::open(path);
    if (!reader) std::cerr << reader.error().message << '\n';
    if (!reader || reader->turns(UnitId{10}).value().size() != 20) return 1;
    const auto store = RunStore::open(path);
    if (store || store.error().code != ErrorCode::outside) return 2;
    return store.error().message.find("may write to") == std::string::npos ? 3 : 0;
  };
  EXPECT_EQ(as_nobody(read), 0);

  // A process that died left its log beside the file.
  const pid_t child = start_child([&] {
    RunStore store = RunStore::open(path).value();
    const UnitId unit = store.open_unit(fixtures::key("new"), 1).value();
    must(store.append_turns(unit, std::vector{fixtures::turn(1, 0)}));
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  EXPECT_EQ(wait_for(child), -1);
  ASSERT_TRUE(std::filesystem::exists(path + "-wal"));
  std::filesystem::remove(path + "-shm");
  const auto advised = [&] {
    const auto reader = RunReader::open(path);
    if (reader) return 1;
    std::cerr << reader.error().message << '\n';
    return reader.error().message.find("-wal to a folder") == std::string::npos ? 2 : 0;
  };
  EXPECT_EQ(as_nobody(advised), 0);
  EXPECT_EQ(RunReader::open(path)->units().value().size(), 11U) << "who may write reads it all";
}

}  // namespace
}  // namespace unmask::store
