#include "unmask/store/run_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"
#include "unmask/store/schema.h"

namespace unmask::store {

namespace {

std::optional<double> real_or_null(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.real(column);
}

std::optional<std::uint64_t> count_or_null(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return static_cast<std::uint64_t>(row.integer(column));
}

/// The schema lets no other words in.
UnitState state_of(std::string_view name) {
  for (const UnitState state : {UnitState::open, UnitState::done, UnitState::infrastructure}) {
    if (name == name_of(state)) return state;
  }
  return UnitState::open;
}

TurnKind kind_of(std::string_view name) {
  for (const TurnKind kind :
       {TurnKind::system, TurnKind::user, TurnKind::assistant, TurnKind::tool}) {
    if (name == name_of(kind)) return kind;
  }
  return TurnKind::aside;
}

}  // namespace

Result<std::optional<std::string>> RunRows::dictionary() {
  auto row = database_.prepare("SELECT body FROM dictionary");
  if (!row) return tl::unexpected<Error>(row.error());
  std::optional<std::string> dictionary;
  if (row->next()) dictionary = row->text(0);
  if (const auto read = verdict(*row); !read) return tl::unexpected<Error>(read.error());
  return dictionary;
}

std::string RunRows::unpacked(const Statement& statement, int column) {
  if (!packing_.has_dictionary() && TextPacking::needs_dictionary(statement, column)) {
    // Its absence shows when the text is read.
    const std::string known = dictionary().value_or(std::nullopt).value_or(std::string());
    if (!known.empty()) packing_.set_dictionary(known);
  }
  if (auto text = packing_.read(statement, column)) return std::move(*text);
  damaged_ = true;
  return {};
}

Result<void> RunRows::verdict(Statement& statement) {
  statement.reset();
  if (!statement.ok()) return tl::unexpected<Error>(statement.take_error());
  if (std::exchange(damaged_, false)) {
    return fail(ErrorCode::bad_input, database_.path().string() +
                                          ": is damaged: a text in it can't be unpacked. Restore "
                                          "the file from a copy.");
  }
  return {};
}

Result<RunInfo> RunRows::info() {
  auto row = database_.prepare("SELECT study, study_hash, settings, version, created FROM run");
  if (!row) return tl::unexpected<Error>(row.error());
  RunInfo info;
  const bool found = row->next();
  if (found) {
    info.study = row->text(0);
    info.study_hash = row->text(1);
    info.settings = row->text(2);
    info.version = row->text(3);
    info.created = row->text(4);
  }
  if (const auto read = verdict(*row); !read) return tl::unexpected<Error>(read.error());
  if (!found) {
    return fail(ErrorCode::bad_input,
                database_.path().string() + ": is damaged: it doesn't say what run it is.");
  }
  return info;
}

Result<std::vector<ArmInfo>> RunRows::arms() {
  auto row = database_.prepare(
      "SELECT cell, arm, domain, agent_implementation, agent_llm, agent_llm_args,"
      " user_implementation, user_llm, user_llm_args, p.body, t.body, g.body, num_trials,"
      " max_steps, max_errors, seed, git_commit, identity, q.body FROM arms"
      " LEFT JOIN texts p ON p.id = policy LEFT JOIN texts t ON t.id = tools"
      " LEFT JOIN texts q ON q.id = played_policy"
      " LEFT JOIN texts g ON g.id = user_guidelines ORDER BY arms.id");
  if (!row) return tl::unexpected<Error>(row.error());
  std::vector<ArmInfo> arms;
  while (row->next()) {
    ArmInfo& arm = arms.emplace_back();
    arm.cell = row->text(0);
    arm.arm = row->text(1);
    arm.domain = row->text(2);
    arm.agent = {row->text(3), row->text(4), row->text(5)};
    arm.user = {row->text(6), row->text(7), row->text(8)};
    arm.policy = unpacked(*row, 9);
    arm.tools = unpacked(*row, 10);
    arm.user_guidelines = unpacked(*row, 11);
    arm.num_trials = row->integer(12);
    arm.max_steps = row->integer(13);
    arm.max_errors = row->integer(14);
    if (!row->is_null(15)) arm.seed = row->integer(15);
    arm.git_commit = row->text(16);
    arm.identity = row->text(17);
    arm.played_policy = unpacked(*row, 18);
  }
  if (const auto read = verdict(*row); !read) return tl::unexpected<Error>(read.error());
  return arms;
}

Result<std::vector<TaskText>> RunRows::tasks(std::string_view cell) {
  auto row = database_.prepare(
      "SELECT task_id, texts.body FROM tasks JOIN texts ON texts.id = tasks.body"
      " WHERE cell = ? ORDER BY tasks.id");
  if (!row) return tl::unexpected<Error>(row.error());
  row->bind(1, cell);
  std::vector<TaskText> tasks;
  while (row->next()) tasks.push_back({row->text(0), unpacked(*row, 1)});
  if (const auto read = verdict(*row); !read) return tl::unexpected<Error>(read.error());
  return tasks;
}

Result<std::vector<Unit>> RunRows::units() { return read_units(select_units("")); }

Result<std::vector<Unit>> RunRows::units(std::string_view cell, std::string_view arm) {
  auto row = select_units(" WHERE cell = ? AND arm = ?");
  if (row) row->bind(1, cell).bind(2, arm);
  return read_units(std::move(row));
}

Result<Statement> RunRows::select_units(std::string_view where) {
  return database_.prepare(
      "SELECT unit, cell, arm, task_id, trial, seed, state, attempts, turns, termination, reward"
      " FROM unit_list" +
      std::string(where) + " ORDER BY unit");
}

Result<std::vector<Unit>> RunRows::read_units(Result<Statement> row) {
  if (!row) return tl::unexpected<Error>(row.error());
  std::vector<Unit> units;
  while (row->next()) {
    Unit& unit = units.emplace_back();
    unit.id = static_cast<UnitId>(row->integer(0));
    unit.key = {row->text(1), row->text(2), row->text(3), static_cast<int>(row->integer(4))};
    unit.seed = row->integer(5);
    unit.state = state_of(row->bytes(6));
    unit.attempts = static_cast<std::uint32_t>(row->integer(7));
    unit.turns = static_cast<std::size_t>(row->integer(8));
    unit.termination = row->text(9);
    unit.reward = real_or_null(*row, 10);
  }
  if (const auto read = verdict(*row); !read) return tl::unexpected<Error>(read.error());
  return units;
}

Result<std::optional<Outcome>> RunRows::outcome(UnitId unit) {
  if (!outcome_) {
    auto prepared = database_.prepare(
        "SELECT state, termination, reward, reward_info, info, start_time, end_time, seconds,"
        " agent_cost, user_cost FROM units WHERE id = ? AND termination IS NOT NULL");
    if (!prepared) return tl::unexpected<Error>(prepared.error());
    outcome_ = std::move(*prepared);
  }
  Statement& row = *outcome_;
  row.bind(1, static_cast<std::int64_t>(unit));
  std::optional<Outcome> outcome;
  if (row.next()) {
    outcome.emplace();
    outcome->state = state_of(row.bytes(0));
    outcome->termination = row.text(1);
    outcome->reward = real_or_null(row, 2);
    outcome->reward_info = unpacked(row, 3);
    outcome->info = unpacked(row, 4);
    outcome->start_time = row.text(5);
    outcome->end_time = row.text(6);
    outcome->seconds = row.real(7);
    outcome->agent_cost = real_or_null(row, 8);
    outcome->user_cost = real_or_null(row, 9);
  }
  if (const auto read = verdict(row); !read) return tl::unexpected<Error>(read.error());
  return outcome;
}

Result<std::vector<Turn>> RunRows::turns(UnitId unit) {
  if (!turns_) {
    auto prepared = database_.prepare(
        "SELECT kind, body, timestamp, attempts, prompt_tokens, completion_tokens, finish_reason,"
        " seconds, cost, log_probabilities, raw_body FROM turns WHERE id >= ? AND id < ?"
        " ORDER BY id");
    if (!prepared) return tl::unexpected<Error>(prepared.error());
    turns_ = std::move(*prepared);
  }
  Statement& row = *turns_;
  row.bind(1, turn_row(unit, 0)).bind(2, turn_row(unit, kTurnsPerUnit));
  std::vector<Turn> turns;
  while (row.next()) {
    Turn& turn = turns.emplace_back();
    turn.kind = kind_of(row.bytes(0));
    turn.body = unpacked(row, 1);
    turn.timestamp = row.text(2);
    if (row.is_null(3)) continue;
    ModelResponse& response = turn.response.emplace();
    response.attempts = static_cast<std::uint32_t>(row.integer(3));
    response.prompt_tokens = count_or_null(row, 4);
    response.completion_tokens = count_or_null(row, 5);
    response.finish_reason = row.text(6);
    response.seconds = real_or_null(row, 7);
    response.cost = real_or_null(row, 8);
    response.log_probabilities = unpacked(row, 9);
    response.raw_body = unpacked(row, 10);
  }
  if (const auto read = verdict(row); !read) return tl::unexpected<Error>(read.error());
  return turns;
}

}  // namespace unmask::store
