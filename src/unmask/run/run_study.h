#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/local/gguf_file.h"
#include "unmask/play/settings.h"
#include "unmask/repair/repair_mode.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/generate/generate.h"

namespace unmask::run {

/// A `[[endpoint]]` of a study: where a model is asked, and how. Never holds a key.
struct EndpointPlan {
  std::string name;
  std::string base_url;       ///< empty for a model in the process
  std::string gguf;           ///< its file, as the study has it; empty for a server
  std::uint32_t context = 0;  ///< tokens, of a gguf; 0: as local::ModelSettings
  std::uint32_t threads = 1;  ///< of a gguf
  std::string begins;         ///< how each answer of a gguf begins; empty: as the model likes
  std::string model;
  std::string api_key_env;  ///< variable of the environment with the key; empty: no key is sent
  std::uint32_t max_concurrency = 8;
  double timeout_seconds = 600.0;  ///< of one request
  std::uint32_t retries = 6;
  std::optional<double> temperature;
  std::optional<std::uint32_t> max_tokens;
  std::string extra_body;          ///< a JSON object, or empty
  std::uint32_t top_logprobs = 0;  ///< 0: log-probabilities are not asked for
  bool streaming = false;
  bool text_protocol = false;  ///< tools are explained in words, calls are written as text

  /// What find_ggufs adds to a gguf: where the file lies, and what it says of itself.
  std::filesystem::path gguf_path;
  std::optional<local::GgufFile> gguf_file;

  bool operator==(const EndpointPlan&) const = default;
};

enum class AgentKind : std::uint8_t {
  llm,        ///< a model behind an endpoint
  oracle,     ///< plays the golden actions
  scripted,   ///< says the messages of a file
  simulated,  ///< decides by logits with noise (simulate)
};

enum class UserKind : std::uint8_t {
  llm,       ///< a model behind an endpoint
  scripted,  ///< follows the scenario's facts and does what it is asked to
  none,      ///< solo mode: the agent works on a ticket
};

/// `llm`, `oracle`, `none` ...: as a study has them.
[[nodiscard]] std::string_view name_of(AgentKind kind);
[[nodiscard]] std::string_view name_of(UserKind kind);

/// What a run needs to know of an arm beside its ArmSource.
struct ArmPlan {
  AgentKind agent = AgentKind::llm;
  std::string endpoint;  ///< of an llm agent
  std::string script;    ///< of a scripted agent: path of its file
  std::string model;     ///< of a simulated agent, in the file of models
  /// Of a simulated agent: noise on a margin, in logits; absent: that of the arm's precision in the
  /// file of models.
  std::optional<double> margin_sd;
  repair::Mode repair = repair::Mode::off;  ///< how calls that fail are helped

  bool operator==(const ArmPlan&) const = default;
};

/// Which tasks a cell plays.
struct TaskPlan {
  /// The official tasks, read from --tau2-data, or this project's own world of `world`.
  bool official = false;
  world::generated::WorldSettings world;
  std::string split;                       ///< of official tasks; empty: `base`
  std::vector<std::string> ids;            ///< only these; empty: all
  std::optional<std::uint32_t> num_tasks;  ///< only so many, the first ones

  bool operator==(const TaskPlan&) const = default;
};

/// A cell: what its arms share.
struct CellPlan {
  /// Id, labels, reference; names, precisions and roles of the arms. No files.
  CellSource source;
  std::vector<ArmPlan> arms;  ///< of source.arms, in their order
  TaskPlan tasks;
  UserKind user = UserKind::scripted;
  std::string user_endpoint;  ///< of an llm user
};

/// A study.toml to be run.
struct RunStudy {
  std::string path;  ///< of the file, for messages
  std::string text;  ///< as it stands in the file
  std::string name;
  std::uint64_t seed = kDefaultSeed;
  int trials = 1;
  play::EpisodeSettings episode;  ///< but for seed and solo
  std::string judge;              ///< endpoint that judges assertions in words; empty: nobody does
  bool keep_responses = false;    ///< each response is stored whole
  std::vector<EndpointPlan> endpoints;
  std::vector<CellPlan> cells;

  /// Null if there is none of that name.
  [[nodiscard]] const EndpointPlan* find_endpoint(std::string_view endpoint) const;
};

/// Reads a study.toml for a run (docs/run-study.md). Errors: bad_input with file, line and remedy:
/// not TOML, an unknown key, a wrong type, a value out of range, a name that is missing, stands
/// twice or is nowhere defined, a key of an endpoint in the file itself. `path` names the file and
/// resolves relative paths.
[[nodiscard]] Result<RunStudy> parse_run_study(std::string_view text, const std::string& path);

/// The same from a file, or the `study.toml` of a folder.
[[nodiscard]] Result<RunStudy> read_run_study(const std::string& path);

}  // namespace unmask::run
