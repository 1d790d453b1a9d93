#include "unmask/store/schema.h"

#include <cstdint>
#include <string>

#include "unmask/base/error.h"
#include "unmask/store/database.h"

namespace unmask::store {

namespace {

constexpr std::int64_t kApplicationId = 0x756E6D6B;  // `unmk`

// user_version and application_id are the numbers above. CHECKs have no IN: for a list SQLite makes
// a table of its own in each INSERT, which takes longer than the row.
constexpr const char* kSchema = R"sql(
PRAGMA application_id = 1970171243;
PRAGMA user_version = 1;
CREATE TABLE run (
  study TEXT,              -- the study file as given, without credentials
  study_hash TEXT NOT NULL,  -- SHA-256 of the study as given
  settings TEXT NOT NULL,  -- JSON object
  version TEXT NOT NULL,   -- of unmask
  created TEXT NOT NULL
);
CREATE TABLE texts (       -- long texts that rows share
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,  -- SHA-256
  body NOT NULL            -- text, or blob: packed
);
CREATE TABLE dictionary (  -- at most one row, which never changes: what zstd frames refer to
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body BLOB NOT NULL
);
CREATE TABLE arms (
  id INTEGER PRIMARY KEY,
  cell TEXT NOT NULL,
  arm TEXT NOT NULL,
  domain TEXT NOT NULL,
  agent_implementation TEXT NOT NULL,
  agent_llm TEXT,
  agent_llm_args TEXT,     -- JSON object
  user_implementation TEXT NOT NULL,
  user_llm TEXT,
  user_llm_args TEXT,
  policy INTEGER REFERENCES texts (id),
  played_policy INTEGER REFERENCES texts (id),  -- where the agent was given another one
  tools INTEGER REFERENCES texts (id),  -- JSON list
  user_guidelines INTEGER REFERENCES texts (id),
  num_trials INTEGER NOT NULL,
  max_steps INTEGER NOT NULL,
  max_errors INTEGER NOT NULL,
  seed INTEGER,
  git_commit TEXT NOT NULL,
  identity TEXT,           -- JSON object
  UNIQUE (cell, arm)
);
CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,  -- in the order of the study
  cell TEXT NOT NULL,
  task_id TEXT NOT NULL,
  body INTEGER NOT NULL REFERENCES texts (id),  -- JSON object
  UNIQUE (cell, task_id)
);
CREATE TABLE units (
  id INTEGER PRIMARY KEY,
  arm INTEGER NOT NULL REFERENCES arms (id),
  task_id TEXT NOT NULL,
  trial INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'done' OR state = 'infrastructure'),
  attempts INTEGER NOT NULL,
  termination TEXT,        -- this and the rest: null until the unit has ended
  reward REAL,
  reward_info,             -- JSON object: text, or blob: packed
  info,                    -- as reward_info
  start_time TEXT,
  end_time TEXT,
  seconds REAL,
  agent_cost REAL,
  user_cost REAL,
  UNIQUE (arm, task_id, trial)
);
CREATE TABLE turns (
  id INTEGER PRIMARY KEY,  -- unit * 1048576 + index
  kind TEXT NOT NULL CHECK (kind = 'system' OR kind = 'user' OR kind = 'assistant'
    OR kind = 'tool' OR kind = 'aside'),
  body NOT NULL,           -- JSON object: text, or blob: packed
  timestamp TEXT,
  attempts INTEGER,        -- this and the rest: null where no model answered
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  finish_reason TEXT,
  seconds REAL,
  cost REAL,
  log_probabilities,       -- JSON: text, or blob: packed
  raw_body                 -- text, or blob: packed
);
CREATE VIEW unit_list AS
  SELECT units.id AS unit, cell, arms.arm, task_id, trial, units.seed, state, attempts, termination,
    reward, seconds,
    coalesce((SELECT max(turns.id) FROM turns
      WHERE turns.id >= units.id * 1048576 AND turns.id < (units.id + 1) * 1048576)
      - units.id * 1048576 + 1, 0) AS turns
  FROM units JOIN arms ON arms.id = units.arm;
CREATE VIEW turn_list AS
  SELECT id / 1048576 AS unit, id % 1048576 AS "index", kind, typeof(body) = 'blob' AS packed,
    CASE typeof(body) WHEN 'text' THEN body END AS body, timestamp, attempts, prompt_tokens,
    completion_tokens, finish_reason, seconds, cost
  FROM turns;
)sql";

}  // namespace

Result<void> create_schema(Database& database) { return database.execute(kSchema); }

Result<void> check_schema(const Database& database) {
  const std::string file = database.path().string();
  const auto application = database.number("PRAGMA application_id");
  if (!application) return tl::unexpected<Error>(application.error());
  if (*application != kApplicationId) {
    return fail(ErrorCode::bad_input, file + ": is a SQLite database, but no run of unmask.");
  }
  const auto version = database.number("PRAGMA user_version");
  if (!version) return tl::unexpected<Error>(version.error());
  if (*version > kSchemaVersion) {
    return fail(ErrorCode::bad_input, file + ": was written by a newer unmask (file version " +
                                          std::to_string(*version) + "; this one reads up to " +
                                          std::to_string(kSchemaVersion) + "). Use that version.");
  }
  return {};
}

}  // namespace unmask::store
