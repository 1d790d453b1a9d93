#include "unmask/store/row_writer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "unmask/base/error.h"
#include "unmask/base/sha256.h"
#include "unmask/store/database.h"
#include "unmask/store/run.h"
#include "unmask/store/schema.h"
#include "unmask/store/text_packing.h"

namespace unmask::store {

namespace {

std::optional<std::int64_t> count_or_null(const std::optional<std::uint64_t>& count) {
  if (!count) return std::nullopt;
  return static_cast<std::int64_t>(*count);
}

void bind_reference(Statement& statement, int parameter, std::int64_t row) {
  if (row == 0) {
    statement.bind_null(parameter);
  } else {
    statement.bind(parameter, row);
  }
}

std::size_t size_of_turn(const Turn& turn) {
  std::size_t size = turn.body.size() + turn.timestamp.size();
  if (turn.response) {
    size += turn.response->raw_body.size() + turn.response->log_probabilities.size();
  }
  return size;
}

}  // namespace

std::size_t size_of(const Change& change) {
  if (const auto* turn = std::get_if<AddTurn>(&change)) return size_of_turn(turn->turn);
  if (const auto* finish = std::get_if<FinishUnit>(&change)) {
    return finish->outcome.reward_info.size() + finish->outcome.info.size();
  }
  return 0;
}

Result<RowWriter> RowWriter::prepare(Database& database,
                                     const std::optional<std::string>& dictionary) {
  RowWriter writer(database);
  if (dictionary) writer.packing_.set_dictionary(*dictionary);
  const std::pair<Statement*, std::string_view> statements[] = {
      {&writer.add_unit_,
       "INSERT INTO units (id, arm, task_id, trial, seed, state, attempts)"
       " VALUES (?, ?, ?, ?, ?, 'open', 1)"},
      {&writer.reopen_unit_,
       "UPDATE units SET state = 'open', termination = NULL, reward = NULL, reward_info = NULL,"
       " info = NULL, start_time = NULL, end_time = NULL, seconds = NULL, agent_cost = NULL,"
       " user_cost = NULL WHERE id = ?"},
      {&writer.add_turn_,
       "INSERT INTO turns (id, kind, body, timestamp, attempts, prompt_tokens, completion_tokens,"
       " finish_reason, seconds, cost, log_probabilities, raw_body)"
       " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
      {&writer.drop_turns_, "DELETE FROM turns WHERE id >= ? AND id < ?"},
      {&writer.new_attempt_, "UPDATE units SET attempts = attempts + 1 WHERE id = ?"},
      {&writer.finish_unit_,
       "UPDATE units SET state = ?, termination = ?, reward = ?, reward_info = ?, info = ?,"
       " start_time = ?, end_time = ?, seconds = ?, agent_cost = ?, user_cost = ? WHERE id = ?"},
  };
  for (const auto& [statement, sql] : statements) {
    auto prepared = database.prepare(sql);
    if (!prepared) return tl::unexpected<Error>(prepared.error());
    *statement = std::move(*prepared);
  }
  return writer;
}

Result<void> RowWriter::write(std::span<const Change> changes) {
  const bool full = !packing_.has_dictionary() && gathered_.size() >= kDictionaryBytes;
  Transaction transaction(*database_);
  if (auto begun = transaction.begin(); !begun) return begun;
  for (const Change& change : changes) {
    if (auto written = write_one(change); !written) return written;
  }
  if (full) {
    if (auto added = add_dictionary(); !added) return added;
  }
  if (auto committed = transaction.commit(); !committed) return committed;
  if (full) {
    packing_.set_dictionary(gathered_);
    gathered_ = {};
  } else if (!packing_.has_dictionary()) {
    gather(changes);
  }
  return {};
}

void RowWriter::gather(std::span<const Change> changes) {
  for (const Change& change : changes) {
    if (gathered_.size() >= kDictionaryBytes) return;
    const auto* const turn = std::get_if<AddTurn>(&change);
    // A document of many pages would leave no room for others.
    if (turn != nullptr) gathered_ += turn->turn.body.substr(0, kDictionaryBytes / 8);
  }
}

Result<void> RowWriter::add_dictionary() {
  auto row = database_->prepare("INSERT INTO dictionary (id, body) VALUES (1, ?)");
  if (!row) return tl::unexpected<Error>(row.error());
  row->bind_blob(1, gathered_);
  if (!row->run()) return tl::unexpected<Error>(row->error());
  return {};
}

Result<void> RowWriter::write_one(const Change& change) {
  const bool written = std::visit([this](const auto& kind) { return write(kind); }, change);
  if (written) return {};
  // The statement serves again once the disk has space.
  return tl::unexpected<Error>(last_->take_error());
}

bool RowWriter::write(const AddUnit& change) {
  last_ = &add_unit_;
  return add_unit_.bind(1, static_cast<std::int64_t>(change.id))
      .bind(2, change.arm)
      .bind(3, std::string_view(change.key.task_id))
      .bind(4, std::int64_t{change.key.trial})
      .bind(5, change.seed)
      .run();
}

bool RowWriter::write(const ReopenUnit& change) {
  last_ = &reopen_unit_;
  return reopen_unit_.bind(1, static_cast<std::int64_t>(change.id)).run();
}

bool RowWriter::write(const AddTurn& change) {
  last_ = &add_turn_;
  const Turn& turn = change.turn;
  Statement& row = add_turn_;
  row.bind(1, turn_row(change.unit, static_cast<std::int64_t>(change.index)))
      .bind(2, name_of(turn.kind));
  packing_.bind(row, 3, turn.body, body_);
  row.bind_unless_empty(4, turn.timestamp);
  if (turn.response) {
    const ModelResponse& response = *turn.response;
    row.bind(5, std::int64_t{response.attempts})
        .bind(6, count_or_null(response.prompt_tokens))
        .bind(7, count_or_null(response.completion_tokens))
        .bind_unless_empty(8, response.finish_reason)
        .bind(9, response.seconds)
        .bind(10, response.cost);
    packing_.bind(row, 11, response.log_probabilities, log_probabilities_);
    packing_.bind(row, 12, response.raw_body, raw_body_);
  } else {
    for (int parameter = 5; parameter <= 12; ++parameter) row.bind_null(parameter);
  }
  return row.run();
}

bool RowWriter::write(const DropTurns& change) {
  last_ = &drop_turns_;
  const bool dropped =
      drop_turns_.bind(1, turn_row(change.unit, static_cast<std::int64_t>(change.keep)))
          .bind(2, turn_row(change.unit, kTurnsPerUnit))
          .run();
  if (!dropped || !change.new_attempt) return dropped;
  last_ = &new_attempt_;
  return new_attempt_.bind(1, static_cast<std::int64_t>(change.unit)).run();
}

bool RowWriter::write(const FinishUnit& change) {
  last_ = &finish_unit_;
  const Outcome& outcome = change.outcome;
  Statement& row = finish_unit_;
  row.bind(1, name_of(outcome.state))
      .bind(2, std::string_view(outcome.termination))
      .bind(3, outcome.reward);
  packing_.bind(row, 4, outcome.reward_info, body_);
  packing_.bind(row, 5, outcome.info, raw_body_);
  return row.bind_unless_empty(6, outcome.start_time)
      .bind_unless_empty(7, outcome.end_time)
      .bind(8, outcome.seconds)
      .bind(9, outcome.agent_cost)
      .bind(10, outcome.user_cost)
      .bind(11, static_cast<std::int64_t>(change.id))
      .run();
}

Result<std::int64_t> RowWriter::text_row(std::string_view text) {
  if (text.empty()) return std::int64_t{0};
  const std::string hash = sha256_hex(text);
  auto known = database_->prepare("SELECT id FROM texts WHERE hash = ?");
  if (!known) return tl::unexpected<Error>(known.error());
  known->bind(1, std::string_view(hash));
  const std::int64_t id = known->next() ? known->integer(0) : 0;
  if (!known->ok()) return tl::unexpected<Error>(known->error());
  if (id != 0) return id;
  auto added = database_->prepare("INSERT INTO texts (hash, body) VALUES (?, ?) RETURNING id");
  if (!added) return tl::unexpected<Error>(added.error());
  added->bind(1, std::string_view(hash));
  packing_.bind(*added, 2, text, body_);
  const std::int64_t row = added->next() ? added->integer(0) : 0;
  if (!added->run()) return tl::unexpected<Error>(added->error());
  return row;
}

Result<std::int64_t> RowWriter::add_arm(const ArmInfo& arm) {
  Transaction transaction(*database_);
  if (auto begun = transaction.begin(); !begun) return tl::unexpected<Error>(begun.error());
  auto policy = text_row(arm.policy);
  if (!policy) return policy;
  auto played = text_row(arm.played_policy);
  if (!played) return played;
  auto tools = text_row(arm.tools);
  if (!tools) return tools;
  auto guidelines = text_row(arm.user_guidelines);
  if (!guidelines) return guidelines;
  auto row = database_->prepare(
      "INSERT INTO arms (cell, arm, domain, agent_implementation, agent_llm, agent_llm_args,"
      " user_implementation, user_llm, user_llm_args, policy, tools, user_guidelines, num_trials,"
      " max_steps, max_errors, seed, git_commit, identity, played_policy)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id");
  if (!row) return tl::unexpected<Error>(row.error());
  row->bind(1, std::string_view(arm.cell))
      .bind(2, std::string_view(arm.arm))
      .bind(3, std::string_view(arm.domain))
      .bind(4, std::string_view(arm.agent.implementation))
      .bind_unless_empty(5, arm.agent.llm)
      .bind_unless_empty(6, arm.agent.llm_args)
      .bind(7, std::string_view(arm.user.implementation))
      .bind_unless_empty(8, arm.user.llm)
      .bind_unless_empty(9, arm.user.llm_args);
  bind_reference(*row, 10, *policy);
  bind_reference(*row, 11, *tools);
  bind_reference(*row, 12, *guidelines);
  row->bind(13, arm.num_trials)
      .bind(14, arm.max_steps)
      .bind(15, arm.max_errors)
      .bind(16, arm.seed)
      .bind(17, std::string_view(arm.git_commit))
      .bind_unless_empty(18, arm.identity);
  bind_reference(*row, 19, *played);
  const std::int64_t id = row->next() ? row->integer(0) : 0;
  if (!row->run()) return tl::unexpected<Error>(row->error());
  if (auto committed = transaction.commit(); !committed) {
    return tl::unexpected<Error>(committed.error());
  }
  return id;
}

Result<void> RowWriter::set_trials(std::int64_t arm_row, std::int64_t num_trials) {
  Transaction transaction(*database_);
  if (auto begun = transaction.begin(); !begun) return begun;
  auto row = database_->prepare("UPDATE arms SET num_trials = ? WHERE id = ?");
  if (!row) return tl::unexpected<Error>(row.error());
  row->bind(1, num_trials).bind(2, arm_row);
  if (!row->run()) return tl::unexpected<Error>(row->error());
  return transaction.commit();
}

Result<void> RowWriter::add_tasks(std::string_view cell, std::span<const TaskText> tasks) {
  Transaction transaction(*database_);
  if (auto begun = transaction.begin(); !begun) return begun;
  auto row = database_->prepare("INSERT INTO tasks (cell, task_id, body) VALUES (?, ?, ?)");
  if (!row) return tl::unexpected<Error>(row.error());
  for (const TaskText& task : tasks) {
    const auto body = text_row(task.json);
    if (!body) return tl::unexpected<Error>(body.error());
    row->bind(1, cell).bind(2, std::string_view(task.id)).bind(3, *body);
    if (!row->run()) return tl::unexpected<Error>(row->error());
  }
  return transaction.commit();
}

}  // namespace unmask::store
