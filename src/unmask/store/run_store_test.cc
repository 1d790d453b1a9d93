#include "unmask/store/run_store.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/store/run.h"
#include "unmask/store/run_reader.h"
#include "unmask/store/store_fixtures.h"

namespace unmask::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using unmask::fixtures::bytes_of;
using unmask::fixtures::TemporaryFolder;

constexpr StoreOptions kBatched = {.durability = Durability::batched};

/// Both ways of writing must give the same file.
class RunStores : public ::testing::TestWithParam<Durability> {
 protected:
  [[nodiscard]] std::string path() const { return (folder_.path() / "run.unmask").string(); }
  [[nodiscard]] static StoreOptions options() { return {.durability = GetParam()}; }
  [[nodiscard]] RunStore created() const { return fixtures::store_at(path(), options()); }
  [[nodiscard]] RunStore opened() const {
    auto store = RunStore::open(path(), options());
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }

  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Durabilities, RunStores,
                         ::testing::Values(Durability::each_call, Durability::batched),
                         [](const auto& parameter) {
                           return parameter.param == Durability::batched ? "batched" : "each_call";
                         });

std::vector<Turn> all_kinds_of_turns() {
  std::vector<Turn> turns;
  for (const TurnKind kind :
       {TurnKind::system, TurnKind::user, TurnKind::assistant, TurnKind::tool, TurnKind::aside}) {
    turns.push_back({.kind = kind,
                     .body = "{\"role\":\"" + std::string(name_of(kind)) + "\"}",
                     .timestamp = "2026-01-02T03:04:05.000006",
                     .response = {}});
  }
  turns[0].timestamp.clear();
  turns[0].body = "{}";
  turns[1].body = "{\"content\":\"" + std::string(5000, 'x') + "\"}";  // packed
  turns[3].body = R"({"content":"caf\u00e9 é \ud83d \u0000","n":12345678901234567890123})";
  turns[1].response.emplace();
  turns[2].response = {.prompt_tokens = 1U << 20U,
                       .completion_tokens = 0,
                       .finish_reason = "tool_calls",
                       .seconds = 0.25,
                       .attempts = 3,
                       .cost = 0.0,
                       .log_probabilities = "[" + std::string(1000, ' ') + "]",
                       .raw_body = "<html>" + std::string(1000, 'h')};
  return turns;
}

TEST_P(RunStores, WriteWhatWasGatheredTogether) {
  RunStore store = created();
  const auto in_file = [this] {
    const auto reader = RunReader::open(path());
    return reader ? reader->units().value().size() : 99;
  };
  store.gather();
  const UnitId first = fixtures::must(store.open_unit(fixtures::key("a"), 1));
  const UnitId second = fixtures::must(store.open_unit(fixtures::key("b"), 2));
  const std::vector<UnitTurn> turns = {{first, fixtures::turn(1, 0)},
                                       {second, fixtures::turn(2, 0)}};
  ASSERT_TRUE(store.append(turns));
  ASSERT_TRUE(store.finish(first, fixtures::outcome()));
  EXPECT_EQ(in_file(), 0U);
  EXPECT_EQ(store.units().size(), 2U);
  ASSERT_TRUE(store.flush());
  EXPECT_EQ(in_file(), 2U);
  EXPECT_EQ(store.read_turns(second).value(), std::vector{fixtures::turn(2, 0)});
  // Each call for itself again, after what was gathered.
  store.gather();
  ASSERT_TRUE(store.append_turns(second, std::vector{fixtures::turn(2, 1)}));
  ASSERT_TRUE(store.flush());
  ASSERT_TRUE(store.append_turns(second, std::vector{fixtures::turn(2, 2)}));
  EXPECT_EQ(store.read_turns(second).value().size(), 3U);
}

TEST_P(RunStores, KeepWhatWasWritten) {
  const std::vector<Turn> turns = all_kinds_of_turns();
  Outcome outcome = fixtures::outcome(0.5);
  outcome.reward_info = R"({"reward":0.5,"info":")" + std::string(2000, 'r') + "\"}";
  outcome.info = R"({"note":"ended"})";
  outcome.agent_cost = 0.125;
  const std::vector<TaskText> tasks = {{"b", R"({"id":"b"})"}, {"a", R"({"id":"a"})"}};
  {
    RunStore store = created();
    ASSERT_TRUE(store.put_tasks(fixtures::kCell, tasks));
    const auto unit = store.open_unit(fixtures::key("a", 1), 77);
    ASSERT_TRUE(unit) << unit.error().message;
    ASSERT_TRUE(store.append_turns(*unit, std::vector(turns.begin(), turns.begin() + 2)));
    ASSERT_TRUE(store.append_turns(*unit, std::vector(turns.begin() + 2, turns.end())));
    EXPECT_EQ(store.read_turns(*unit).value(), turns);
    ASSERT_TRUE(store.finish(*unit, outcome));
    ASSERT_TRUE(store.open_unit(fixtures::key("b", 0, "bf16"), -5));
    const auto closed = store.close();
    ASSERT_TRUE(closed) << closed.error().message;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1)
      << "one file, and nothing beside it";

  const auto reader = RunReader::open(path());
  ASSERT_TRUE(reader) << reader.error().message;
  ASSERT_TRUE(reader->check());
  RunInfo info = fixtures::run_info();
  info.study_hash = sha256_hex(info.study);
  EXPECT_EQ(reader->info().value(), info);
  EXPECT_EQ(reader->arms().value(),
            (std::vector<ArmInfo>{fixtures::arm("bf16"), fixtures::arm("int4")}));
  EXPECT_EQ(reader->tasks(fixtures::kCell).value(), tasks);
  EXPECT_EQ(reader->tasks("no such cell").value(), std::vector<TaskText>());
  const std::vector<Unit> units = reader->units().value();
  ASSERT_EQ(units.size(), 2U);
  for (const Unit& unit : units) {
    std::vector<Unit> of_arm = units;
    std::erase_if(of_arm, [&](const Unit& other) { return other.key.arm != unit.key.arm; });
    EXPECT_EQ(reader->units(fixtures::kCell, unit.key.arm).value(), of_arm);
  }
  EXPECT_EQ(reader->units("no such cell", "bf16").value(), std::vector<Unit>());
  EXPECT_EQ(units[0], (Unit{.id = UnitId{1},
                            .key = fixtures::key("a", 1),
                            .seed = 77,
                            .state = UnitState::done,
                            .attempts = 1,
                            .turns = turns.size(),
                            .termination = "user_stop",
                            .reward = 0.5}));
  EXPECT_EQ(units[1], (Unit{.id = UnitId{2},
                            .key = fixtures::key("b", 0, "bf16"),
                            .seed = -5,
                            .state = UnitState::open,
                            .attempts = 1,
                            .turns = 0,
                            .termination = {},
                            .reward = {}}));
  EXPECT_EQ(reader->turns(UnitId{1}).value(), turns);
  EXPECT_EQ(reader->turns(UnitId{2}).value(), std::vector<Turn>());
  EXPECT_EQ(reader->outcome(UnitId{1}).value(), std::optional(outcome));
  EXPECT_EQ(reader->outcome(UnitId{2}).value(), std::nullopt);

  const RunStore store = opened();
  EXPECT_EQ(store.info(), info);
  EXPECT_EQ(store.units(), units);
  EXPECT_EQ(store.find(fixtures::key("a", 1)), units[0]);
  EXPECT_EQ(store.find(fixtures::key("a", 0)), std::nullopt);
}

TEST_P(RunStores, ContinueInMidEpisode) {
  {
    RunStore store = created();
    const UnitId unit = store.open_unit(fixtures::key("t"), 9).value();
    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(9, i)}));
    }
  }  // closed by the destructor
  RunStore store = opened();
  const UnitId unit = store.open_unit(fixtures::key("t"), 9).value();
  ASSERT_EQ(store.read_turns(unit).value().size(), 5U);
  ASSERT_TRUE(store.truncate(unit, 3));
  ASSERT_TRUE(store.truncate(unit, 7)) << "nothing to drop";
  ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(9, 3), fixtures::turn(9, 4)}));
  const std::vector<Turn> turns = store.read_turns(unit).value();
  ASSERT_EQ(turns.size(), 5U);
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i], fixtures::turn(9, i));
  ASSERT_TRUE(store.restart(unit));
  EXPECT_EQ(store.read_turns(unit).value(), std::vector<Turn>());
  EXPECT_EQ(store.find(fixtures::key("t"))->attempts, 2U);
  ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(9, 0)}));
  ASSERT_TRUE(store.close());
  const auto reader = RunReader::open(path());
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->units().value().at(0).attempts, 2U);
  EXPECT_EQ(reader->units().value().at(0).turns, 1U);
}

TEST_P(RunStores, TryInfrastructureErrorsAgain) {
  RunStore store = created();
  const UnitId unit = store.open_unit(fixtures::key("t"), 9).value();
  ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(9, 0)}));
  Outcome failure = fixtures::outcome();
  failure.state = UnitState::infrastructure;
  failure.termination = "infrastructure_error";
  failure.reward.reset();
  failure.info = R"({"error":"401: wrong key sk-abcdefghijklmnop given"})";
  ASSERT_TRUE(store.finish(unit, failure));
  ASSERT_TRUE(store.flush());
  {
    const auto reader = RunReader::open(path());
    EXPECT_EQ(reader->units().value().at(0).state, UnitState::infrastructure);
    EXPECT_EQ(reader->outcome(unit).value()->info, R"({"error":"401: wrong key [removed] given"})");
  }
  EXPECT_EQ(store.open_unit(fixtures::key("t"), 9).value(), unit);
  EXPECT_EQ(store.read_turns(unit).value().size(), 1U) << "paid turns are kept";
  {
    const auto reader = RunReader::open(path());
    EXPECT_EQ(reader->units().value().at(0).state, UnitState::open);
    EXPECT_EQ(reader->outcome(unit).value(), std::nullopt);
  }
  ASSERT_TRUE(store.finish(unit, fixtures::outcome(0.0)));
  ASSERT_TRUE(store.flush());
  EXPECT_EQ(RunReader::open(path())->outcome(unit).value(), fixtures::outcome(0.0));
}

TEST_P(RunStores, RefuseWhatContradicts) {
  RunStore store = created();
  const UnitId done = store.open_unit(fixtures::key("done"), 1).value();
  ASSERT_TRUE(store.finish(done, fixtures::outcome()));
  const UnitId open = store.open_unit(fixtures::key("open"), 2).value();
  const std::vector<Turn> one = {fixtures::turn(2, 0)};
  ASSERT_TRUE(store.append_turns(open, one));
  const std::vector<TaskText> task = {{"open", "{}"}};
  ASSERT_TRUE(store.put_tasks(fixtures::kCell, task));

  const auto refused = [](const auto& result, const std::string& text) {
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(result.error().message, HasSubstr(text));
    EXPECT_THAT(result.error().message, HasSubstr("run.unmask"));
  };
  refused(store.open_unit(fixtures::key("done"), 1), "is done");
  refused(store.open_unit(fixtures::key("open"), 3), "seed 2, not 3");
  refused(store.open_unit(fixtures::key("t", 0, "fp8"), 3), "no arm telecom-dense/fp8");
  refused(store.append_turns(done, one), "has ended");
  refused(store.append_turns(UnitId{3}, one), "no unit 3");
  refused(store.append_turns(UnitId{0}, one), "no unit 0");
  refused(store.append_turns(UnitId{-1}, one), "no unit -1");
  refused(store.truncate(done, 0), "has ended");
  refused(store.restart(done), "has ended");
  refused(store.finish(done, fixtures::outcome()), "has ended");
  for (const char* const body : {"", "[]", "null", "{", "{}x", "text"}) {
    refused(store.append_turns(open, std::vector{Turn{.body = body}}), "no JSON object");
  }
  // All or none.
  refused(store.append(std::vector<UnitTurn>{{open, fixtures::turn(2, 1)}, {done, one[0]}}),
          "has ended");
  EXPECT_EQ(store.read_turns(open).value(), one);
  Outcome bad = fixtures::outcome();
  bad.state = UnitState::open;
  refused(store.finish(open, bad), "state other than open");
  bad = fixtures::outcome();
  bad.termination.clear();
  refused(store.finish(open, bad), "termination");
  bad = fixtures::outcome();
  bad.info = "[1]";
  refused(store.finish(open, bad), "no JSON object");
  ArmInfo arm = fixtures::arm("int4");
  EXPECT_TRUE(store.put_arm(arm)) << "the same again";
  arm.num_trials += 2;
  EXPECT_TRUE(store.put_arm(arm)) << "more trials";
  --arm.num_trials;
  refused(store.put_arm(arm), "another number of trials");
  arm = fixtures::arm("int4");
  arm.num_trials += 2;
  arm.policy += '!';
  refused(store.put_arm(arm), "another policy");
  arm = fixtures::arm("int8");
  arm.tools = "{}";
  refused(store.put_arm(arm), "must be a JSON list");
  arm = fixtures::arm("int8");
  arm.agent.llm_args = R"({"api_key":"abc"})";
  refused(store.put_arm(arm), "credential");
  EXPECT_TRUE(store.put_tasks(fixtures::kCell, task)) << "the same again";
  refused(store.put_tasks(fixtures::kCell, std::vector<TaskText>{{"open", "{ }"}}),
          "another content");
  refused(store.put_tasks(fixtures::kCell, std::vector<TaskText>{{"new", "[]"}}), "JSON object");
}

TEST_P(RunStores, TakeTurnsOfManyUnitsAtOnce) {
  RunStore store = created();
  std::vector<UnitId> units;
  units.reserve(3);
  for (int trial = 0; trial < 3; ++trial) {
    units.push_back(store.open_unit(fixtures::key("t", trial), trial).value());
  }
  ASSERT_TRUE(store.append({}));
  std::vector<UnitTurn> turns;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      turns.push_back({units[unit], fixtures::turn(static_cast<std::int64_t>(unit), i)});
    }
  }
  ASSERT_TRUE(store.append(turns));
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const std::vector<Turn> read = store.read_turns(units[unit]).value();
    ASSERT_EQ(read.size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(read[i], fixtures::turn(static_cast<std::int64_t>(unit), i));
    }
  }
}

TEST(RunStore, WritesABatchWhenItIsDue) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  RunStore store = fixtures::store_at(path, {.durability = Durability::batched,
                                             .batch_bytes = 2000,
                                             .batch_time = std::chrono::hours(1)});
  const auto reader = RunReader::open(path);
  const auto stored = [&] {
    const std::vector<Unit> units = reader->units().value();
    return units.empty() ? std::size_t{0} : units[0].turns;
  };
  const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
  std::size_t appended = 0;
  for (; stored() == 0 && appended < 100; ++appended) {
    ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(1, appended, 500)}));
  }
  EXPECT_EQ(appended, 4U) << "three of some 750 bytes fill it, the fourth finds it full";
  EXPECT_EQ(stored(), 3U);
  ASSERT_TRUE(store.flush());
  EXPECT_EQ(stored(), 4U);
}

TEST(RunStore, WritesABatchWhenItIsOld) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  RunStore store = fixtures::store_at(
      path, {.durability = Durability::batched, .batch_time = std::chrono::milliseconds(0)});
  const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
  ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(1, 0)}));
  EXPECT_EQ(RunReader::open(path)->units().value().size(), 1U) << "the unit, not yet its turn";
}

TEST_P(RunStores, PackMessagesWithWhatOthersSaid) {
  // Long enough to make the dictionary, and to use it, before and after the file is opened again.
  constexpr std::size_t kMessages = 3000;
  constexpr std::size_t kAtOnce = 50;
  std::size_t bytes = 0;
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < kMessages; ++i) {
    turns.push_back(fixtures::turn(1, i, 250));
    bytes += turns.back().body.size();
  }
  UnitId unit{};
  for (const std::size_t half : {0U, 1U}) {
    RunStore store = half == 0 ? created() : opened();
    unit = store.open_unit(fixtures::key("t"), 1).value();
    const std::size_t end = (half + 1) * kMessages / 2;
    for (std::size_t i = half * kMessages / 2; i < end; i += kAtOnce) {
      ASSERT_TRUE(store.append_turns(unit, std::span(turns).subspan(i, kAtOnce)));
      ASSERT_TRUE(store.flush());
    }
    ASSERT_TRUE(store.close());
  }
  const auto reader = RunReader::open(path());
  EXPECT_EQ(reader->turns(unit).value(), turns);
  EXPECT_LT(std::filesystem::file_size(path()), bytes / 2) << "dictionary and tables included";
}

TEST(RunStore, StoresSharedTextsOnce) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  std::string policy;  // can't be packed well
  for (int i = 0; i < 4000; ++i) policy += sha256_hex(std::to_string(i));
  {
    RunStore store = fixtures::store_at(path);
    for (int i = 0; i < 20; ++i) {
      ArmInfo arm = fixtures::arm("arm" + std::to_string(i));
      arm.policy = policy;
      ASSERT_TRUE(store.put_arm(arm));
    }
  }
  EXPECT_LT(std::filesystem::file_size(path), 2 * policy.size());
  EXPECT_EQ(RunReader::open(path)->arms().value().back().policy, policy);
}

TEST(RunStore, KeepsCredentialsOut) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  RunInfo info = fixtures::run_info();
  info.settings = R"({"api_key":"sk-abcdefghijkl"})";
  const auto refused = RunStore::create(path, info);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(refused.error().message, Not(HasSubstr("sk-abc")));
  EXPECT_FALSE(std::filesystem::exists(path));

  info.settings.clear();
  info.study = "[arm]\napi_key = \"sk-abcdefghijkl\"\n";
  const std::string hash = sha256_hex(info.study);
  {
    auto store = RunStore::create(path, info);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->info().study, "[arm]\napi_key = \"[removed]\"\n");
    EXPECT_EQ(store->info().study_hash, hash) << "of the study as given";
    EXPECT_EQ(store->info().settings, "{}");
  }
  EXPECT_THAT(bytes_of(path), Not(HasSubstr("sk-abc")));
}

TEST(RunStore, LetsReadersLookOnWhileItWrites) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  RunStore store = fixtures::store_at(path);
  const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
  const auto first = RunReader::open(path);
  const auto second = RunReader::open(path);
  ASSERT_TRUE(first && second);
  for (std::size_t i = 0; i < 50; ++i) {
    ASSERT_TRUE(store.append_turns(unit, std::vector{fixtures::turn(1, i)}));
    ASSERT_EQ(first->turns(unit).value().size(), i + 1);
    ASSERT_EQ(second->units().value().at(0).turns, i + 1);
  }
  ASSERT_TRUE(store.close()) << "although others read";
  EXPECT_EQ(first->turns(unit).value().size(), 50U);
}

/// The rows that SQL gives in another program, columns joined by `|`.
std::vector<std::string> query(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::vector<std::string> rows;
  const auto add_row = [](void* to, int columns, char** values, char** /*names*/) {
    std::string row;
    for (int column = 0; column < columns; ++column) {
      if (column > 0) row += '|';
      row += values[column] == nullptr ? "null" : values[column];
    }
    static_cast<std::vector<std::string>*>(to)->push_back(row);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, sql, add_row, &rows, nullptr), SQLITE_OK)
      << sqlite3_errmsg(database);
  sqlite3_close(database);
  return rows;
}

TEST(RunStore, IsQueriedByOtherPrograms) {  // as docs/store.md says
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  RunStore store = fixtures::store_at(path);
  const UnitId unit = store.open_unit(fixtures::key("t"), 1).value();
  ASSERT_TRUE(store.append_turns(unit, all_kinds_of_turns()));
  ASSERT_TRUE(store.finish(unit, fixtures::outcome()));
  ASSERT_TRUE(store.open_unit(fixtures::key("t", 1), 2));
  EXPECT_THAT(
      query(path, "SELECT cell, arm, state, count(*), avg(reward) FROM unit_list GROUP BY 1, 2, 3"),
      ElementsAre("telecom-dense|int4|done|1|1.0", "telecom-dense|int4|open|1|null"));
  EXPECT_THAT(query(path, "SELECT sum(prompt_tokens), sum(completion_tokens) FROM turns"),
              ElementsAre("1048576|0"));
  EXPECT_THAT(
      query(path,
            "SELECT \"index\", kind, packed, body FROM turn_list WHERE unit = 1"
            " ORDER BY \"index\" LIMIT 3"),
      ElementsAre("0|system|0|{}", "1|user|1|null", "2|assistant|0|{\"role\":\"assistant\"}"));
  EXPECT_THAT(query(path, "SELECT turns FROM unit_list ORDER BY unit"), ElementsAre("5", "0"));
}

TEST(RunReader, ReadsAnArmsTextsOfAnEmptyRun) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "run").string();
  ASSERT_TRUE(RunStore::create(path, fixtures::run_info(), kBatched));
  const auto reader = RunReader::open(path);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->arms().value(), std::vector<ArmInfo>());
  EXPECT_EQ(reader->units().value(), std::vector<Unit>());
  EXPECT_EQ(reader->outcome(UnitId{1}).value(), std::nullopt);
}

}  // namespace
}  // namespace unmask::store
