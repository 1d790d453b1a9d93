#include "unmask/run/run_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/base/secrets.h"
#include "unmask/budget/budget_semantics.h"
#include "unmask/episode/log_header.h"
#include "unmask/json/split.h"
#include "unmask/llm/endpoint.h"
#include "unmask/local/language_model.h"
#include "unmask/play/settings.h"
#include "unmask/repair/repair_mode.h"
#include "unmask/store/credentials.h"
#include "unmask/study/study_file.h"
#include "unmask/study/study_reader.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/world.h"

namespace unmask::run {
namespace {

constexpr std::array kAgents = {AgentKind::llm, AgentKind::oracle, AgentKind::scripted,
                                AgentKind::simulated};
constexpr std::array kRepairs = {repair::Mode::off, repair::Mode::rule, repair::Mode::reflex,
                                 repair::Mode::intercept};
constexpr std::uint32_t kMany = 1'000'000;
constexpr double kLongestTimeout = 1e6;  ///< seconds; all attempts together must fit a clock

// What a run needs of a study file, beside what its cells and arms have in common with logs that
// are there already (parse_study_file). The first problem ends the reading.
class Reader {
 public:
  explicit Reader(std::string path)
      : path_(std::move(path)), folder_(std::filesystem::path(path_).parent_path()) {}

  Result<RunStudy> read(std::string_view text, std::vector<CellSource> sources) {
    toml::table document;
    try {
      document = toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      return fail(ErrorCode::bad_input, path_ + ":" + std::to_string(error.source().begin.line) +
                                            ": not TOML: " + std::string(error.description()));
    }
    study_.path = path_;
    study_.text = text;
    check_keys(document, {"study", "endpoint", "cell"}, "the study");
    read_endpoints(document);
    read_settings(document);
    const toml::array& cells = *document.get("cell")->as_array();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      read_cell(*cells.get(i)->as_table(), std::move(sources[i]));
    }
    if (error_) return tl::unexpected(std::move(*error_));
    return std::move(study_);
  }

 private:
  void problem(const toml::node& node, const std::string& what) {
    if (error_) return;
    error_ = Error{ErrorCode::bad_input,
                   path_ + ":" + std::to_string(node.source().begin.line) + ": " + what};
  }

  void check_keys(const toml::table& table, std::initializer_list<std::string_view> known,
                  const std::string& where) {
    for (const auto& [key, value] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      if (key.str() == "api_key") {
        problem(value,
                "a key must not stand in a study; put it into a variable of the environment and "
                "give that variable's name: api_key_env = \"MY_KEY\"");
      }
      // Only a study of logs names them.
      if (key.str() == "files" || key.str() == "single_turn") {
        problem(value, "'" + std::string(key.str()) +
                           "' names logs: this is a study of logs that are there, for unmask audit "
                           "--study. To go on with a run give the study that it was begun with; to "
                           "begin one, a study with agents (docs/run-study.md)");
      }
      problem(value, "unknown key '" + std::string(key.str()) + "' in " + where +
                         "; known are: " + joined(known, ", "));
    }
  }

  std::string text(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (!node->is_string()) {
      problem(*node, std::string(key) + " must be a string");
      return {};
    }
    return node->as_string()->get();
  }

  void flag(const toml::table& table, std::string_view key, bool& out) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    if (!node->is_boolean()) return problem(*node, std::string(key) + " must be true or false");
    out = node->as_boolean()->get();
  }

  template <typename Integer>
  void whole(const toml::table& table, std::string_view key, std::int64_t least, std::int64_t most,
             Integer& out) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const std::optional<std::int64_t> value =
        node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    if (!value || *value < least || *value > most) {
      return problem(*node, std::string(key) + " must be a whole number from " +
                                std::to_string(least) + " to " + std::to_string(most));
    }
    out = static_cast<Integer>(*value);
  }

  void whole(const toml::table& table, std::string_view key, std::uint32_t least,
             std::uint32_t most, std::optional<std::uint32_t>& out) {
    if (!table.contains(key)) return;
    std::uint32_t value = 0;
    whole(table, key, std::int64_t{least}, std::int64_t{most}, value);
    out = value;
  }

  [[nodiscard]] std::optional<double> number(const toml::table& table, std::string_view key,
                                             double least, double most = 1e9) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value) || *value < least || *value > most) {
      problem(*node, std::string(key) + " must be a number" +
                         (least > 0 ? " above 0" : " that is not negative") +
                         (value && *value > most ? ", and not so large" : ""));
      return {};
    }
    return value;
  }

  /// One of a list of named values.
  template <typename T, typename Values>
  void choice(const toml::table& table, std::string_view key, const Values& values, T& out) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const std::string given = text(table, key);
    std::vector<std::string> names;
    for (const T value : values) {
      if (name_of(value) == given) {
        out = value;
        return;
      }
      names.emplace_back(name_of(value));
    }
    problem(*node, std::string(key) + " must be one of: " + joined(names, ", "));
  }

  [[nodiscard]] std::string resolved(const std::string& file) const {
    const std::filesystem::path path(file);
    return path.is_absolute() || folder_.empty() ? file : (folder_ / path).string();
  }

  void read_settings(const toml::table& document) {
    const toml::node* node = document.get("study");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) return problem(*node, "the study must be a table: [study]");
    check_keys(
        *table,
        {"name", "seed", "trials", "max_steps", "max_errors", "timeout", "counts", "how", "tested",
         "ends", "validate_communication", "when_empty", "judge", "keep_responses"},
        "[study]");
    study_.name = text(*table, "name");
    whole(*table, "seed", 0, std::numeric_limits<std::int64_t>::max(), study_.seed);
    whole(*table, "trials", 1, 10'000, study_.trials);
    whole(*table, "max_steps", 1, 100'000, study_.episode.max_steps);
    whole(*table, "max_errors", 1, 100'000, study_.episode.max_errors);
    study_.episode.timeout_seconds = number(*table, "timeout", 1e-9);
    BudgetSemantics& budget = study_.episode.budget;
    choice(*table, "counts", std::array{CountedParty::both, CountedParty::agent}, budget.counts);
    choice(*table, "how", std::array{How::cumulative, How::consecutive}, budget.how);
    choice(*table, "tested", std::array{Tested::turn, Tested::call}, budget.tested);
    choice(*table, "ends", std::array{Ends::reach, Ends::exceed}, budget.ends);
    flag(*table, "validate_communication", study_.episode.validate_communication);
    const std::string empty = text(*table, "when_empty");
    if (empty == "raise") {
      study_.episode.when_empty = play::WhenEmpty::raise;
    } else if (empty.empty() || empty == "end") {
      study_.episode.when_empty = play::WhenEmpty::end;
    } else {
      problem(*table->get("when_empty"), "when_empty must be one of: end, raise");
    }
    study_.judge = text(*table, "judge");
    check_endpoint(*table, "judge", study_.judge);
    flag(*table, "keep_responses", study_.keep_responses);
  }

  void check_endpoint(const toml::table& table, std::string_view key, const std::string& name) {
    if (name.empty() || study_.find_endpoint(name) != nullptr) return;
    std::vector<std::string> names;
    names.reserve(study_.endpoints.size());
    for (const EndpointPlan& endpoint : study_.endpoints) names.push_back(endpoint.name);
    problem(*table.get(key), "there is no [[endpoint]] '" + name + "'" +
                                 (names.empty() ? std::string("; the study has none")
                                                : "; there are: " + joined(names, ", ")));
  }

  void read_endpoints(const toml::table& document) {
    const toml::node* node = document.get("endpoint");
    if (node == nullptr) return;
    const toml::array* list = node->as_array();
    if (list == nullptr) return problem(*node, "an endpoint must be a table: [[endpoint]]");
    for (const toml::node& each : *list) {
      const toml::table* table = each.as_table();
      if (table == nullptr) return problem(each, "an endpoint must be a table: [[endpoint]]");
      read_endpoint(*table);
    }
  }

  void read_endpoint(const toml::table& table) {
    check_keys(table,
               {"name", "base_url", "gguf", "model", "api_key_env", "max_concurrency", "timeout",
                "retries", "temperature", "max_tokens", "extra_body", "top_logprobs", "streaming",
                "text_protocol", "context", "threads", "begins"},
               "an endpoint");
    EndpointPlan endpoint;
    endpoint.name = text(table, "name");
    endpoint.base_url = text(table, "base_url");
    endpoint.gguf = text(table, "gguf");
    endpoint.model = text(table, "model");
    endpoint.api_key_env = text(table, "api_key_env");
    if (endpoint.name.empty()) problem(table, "the endpoint has no name; give name = \"int4\"");
    if (endpoint.name == "scripted" || endpoint.name == "none") {
      problem(table, "an endpoint can't be called '" + endpoint.name + "'; give another name");
    }
    if (study_.find_endpoint(endpoint.name) != nullptr) {
      problem(table, "the endpoint '" + endpoint.name + "' is there twice; give each its own name");
    }
    if (!endpoint.gguf.empty()) {
      read_gguf(table, endpoint);
    } else if (endpoint.base_url.empty()) {
      problem(table,
              "the endpoint has no base_url; give base_url = \"http://localhost:8000/v1\", or gguf "
              "= \"model.gguf\" for a model in the process");
    }
    if (!endpoint.base_url.empty()) check_address(*table.get("base_url"), endpoint.base_url);
    const auto is_name_byte = [](char byte) {
      return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
             (byte >= '0' && byte <= '9') || byte == '_';
    };
    if (!std::ranges::all_of(endpoint.api_key_env, is_name_byte)) {
      problem(*table.get("api_key_env"),
              "api_key_env must be the name of a variable of the environment, such as "
              "OPENAI_API_KEY; the key itself must not stand in a study");
    }
    for (const std::string_view key : {"context", "threads", "begins"}) {
      if (const toml::node* node = table.get(key); node != nullptr && endpoint.gguf.empty()) {
        problem(*node, std::string(key) + " is for a gguf; a server decides that itself");
      }
    }
    whole(table, "max_concurrency", 1, 4096, endpoint.max_concurrency);
    endpoint.timeout_seconds =
        number(table, "timeout", 1e-9, kLongestTimeout).value_or(endpoint.timeout_seconds);
    whole(table, "retries", 0, 100, endpoint.retries);
    endpoint.temperature = number(table, "temperature", 0);
    whole(table, "max_tokens", 1U, 10'000'000U, endpoint.max_tokens);
    whole(table, "top_logprobs", 0, 20, endpoint.top_logprobs);
    flag(table, "streaming", endpoint.streaming);
    if (endpoint.gguf.empty()) flag(table, "text_protocol", endpoint.text_protocol);
    read_extra_body(table, endpoint);
    study_.endpoints.push_back(std::move(endpoint));
  }

  /// What is different for a model in the process.
  void read_gguf(const toml::table& table, EndpointPlan& endpoint) {
    if (!local::has_llama()) problem(*table.get("gguf"), std::string(local::kWithoutLlama));
    for (const std::string_view key :
         {"base_url", "api_key_env", "extra_body", "retries", "streaming", "text_protocol"}) {
      if (const toml::node* node = table.get(key)) {
        problem(*node, std::string(key) + " is for a server; a gguf has none");
      }
    }
    if (endpoint.model.empty()) endpoint.model = std::filesystem::path(endpoint.gguf).stem();
    endpoint.text_protocol = true;
    endpoint.max_concurrency = 1;  // one answer after another: more would wait in line
    whole(table, "context", 64, kMany, endpoint.context);
    whole(table, "threads", 1, 1024, endpoint.threads);
    endpoint.begins = text(table, "begins");
  }

  void check_address(const toml::node& node, const std::string& base_url) {
    llm::Endpoint address;
    address.base_url = base_url;
    if (const Result<void> usable = llm::check(address); !usable) {
      problem(node, without_secrets(usable.error().message));
    }
    std::string_view query = base_url;
    query.remove_prefix(std::min(query.find('?'), query.size()));
    while (!query.empty()) {
      query.remove_prefix(1);
      const std::string_view parameter = query.substr(0, query.find('&'));
      query.remove_prefix(parameter.size());
      const std::size_t equals = parameter.find('=');
      if (equals == std::string_view::npos || equals + 1 == parameter.size()) continue;
      const std::string name(parameter.substr(0, equals));
      if (store::names_a_credential(name) || name.ends_with("key") || name == "sig" ||
          name == "signature") {
        problem(node, "a key must not stand in a study, as '" + name +
                          "' in base_url does; put it into a variable of the environment and "
                          "give that variable's name: api_key_env = \"MY_KEY\"");
      }
    }
  }

  /// Names stand in paths, messages and logs.
  void check_name(const toml::table& table, std::string_view key, const std::string& name) {
    constexpr std::size_t kLongest = 200;
    const toml::node* node = table.get(key);
    const auto is_control = [](char byte) {
      return static_cast<unsigned char>(byte) < 0x20 || byte == '\x7F';
    };
    if (name.size() <= kLongest && !std::ranges::any_of(name, is_control)) return;
    problem(node != nullptr ? *node : static_cast<const toml::node&>(table),
            std::string(key) + " must be at most " + std::to_string(kLongest) +
                " bytes without control characters");
  }

  static bool is_finite(const toml::node& node) {
    if (node.is_floating_point()) return std::isfinite(node.as_floating_point()->get());
    if (const toml::array* list = node.as_array()) return std::ranges::all_of(*list, is_finite);
    const toml::table* table = node.as_table();
    if (table == nullptr) return true;
    for (const auto& [key, member] : *table) {
      if (!is_finite(member)) return false;
    }
    return true;
  }

  void check_extra_members(const toml::node& node, std::string_view body) {
    if (!is_finite(node)) problem(node, "extra_body can't hold nan or inf: JSON has neither");
    for (const json::RawMember& member :
         json::split_object(body).value_or(std::vector<json::RawMember>())) {
      if (member.key == "messages" || member.key == "tools" || member.key == "stream") {
        problem(node, "extra_body can't hold '" + std::string(member.key) +
                          "', which unmask sends itself" +
                          (member.key == "stream" ? "; give streaming = true" : ""));
      }
    }
  }

  void read_extra_body(const toml::table& table, EndpointPlan& endpoint) {
    const toml::node* node = table.get("extra_body");
    if (node == nullptr) return;
    if (node->is_string()) {
      endpoint.extra_body = node->as_string()->get();
    } else if (node->is_table()) {
      std::ostringstream stream;
      stream << toml::json_formatter(*node->as_table(), toml::format_flags::none);
      endpoint.extra_body = stream.str();
    } else {
      return problem(*node, "extra_body must be a table, or a string with a JSON object");
    }
    check_extra_members(*node, endpoint.extra_body);
    if (const Result<void> clean = store::refuse_credentials(endpoint.extra_body, "extra_body");
        !clean) {
      problem(*node, clean.error().message);
    }
  }

  void read_cell(const toml::table& table, CellSource source) {
    check_keys(table, {"id", "family", "architecture", "size", "domain", "user", "tasks", "arm"},
               "a cell");
    CellPlan cell;
    cell.source = std::move(source);
    check_name(table, "id", cell.source.info.cell);
    const std::string& domain = cell.source.info.domain;
    if (world::find_known_world(domain) == nullptr) {
      std::vector<std::string> names;
      for (const world::KnownWorld& known : world::known_worlds()) names.emplace_back(known.name);
      const toml::node* given = table.get("domain");
      problem(given != nullptr ? *given : static_cast<const toml::node&>(table),
              "a cell to be run needs a domain; there are: " + joined(names, ", "));
    }
    read_user(table, cell);
    read_tasks(table, cell);
    const toml::array& arms = *table.get("arm")->as_array();
    for (std::size_t i = 0; i < cell.source.arms.size(); ++i) {
      read_arm(*arms.get(i)->as_table(), cell, cell.source.arms[i]);
    }
    study_.cells.push_back(std::move(cell));
  }

  void read_user(const toml::table& table, CellPlan& cell) {
    const std::string user = text(table, "user");
    if (user.empty() || user == "scripted") {
      cell.user = UserKind::scripted;
    } else if (user == "none") {
      cell.user = UserKind::none;
    } else {
      cell.user = UserKind::llm;
      cell.user_endpoint = user;
      if (study_.find_endpoint(user) == nullptr) {
        problem(*table.get("user"),
                "user must be \"scripted\", \"none\" or the name of an "
                "[[endpoint]]; there is none called '" +
                    user + "'");
      }
    }
  }

  void read_tasks(const toml::table& cell, CellPlan& plan) {
    TaskPlan& tasks = plan.tasks;
    const std::string& domain = plan.source.info.domain;
    const world::KnownWorld* known = world::find_known_world(domain);
    const std::optional<world::generated::GeneratedDomain> own =
        known == nullptr ? std::nullopt : world::generated::generated_domain_of_name(known->data);
    if (own) tasks.world.domain = *own;
    const toml::node* node = cell.get("tasks");
    if (node == nullptr) {
      tasks.official = !own;
      return;
    }
    const toml::table* table = node->as_table();
    if (table == nullptr) return problem(*node, "tasks must be a table: [cell.tasks]");
    check_keys(*table,
               {"source", "number", "seed", "difficulty", "policy", "split", "ids", "num_tasks"},
               "[cell.tasks]");
    const std::string source = text(*table, "source");
    if (!source.empty() && source != "own" && source != "tau2") {
      problem(*table->get("source"), "source must be one of: own, tau2");
    }
    tasks.official = source.empty() ? !own || table->contains("split") : source == "tau2";
    if (!tasks.official && !own) {
      problem(*node, "unmask has no tasks of its own for '" + domain + "'; give source = \"tau2\"");
    }
    const auto not_for = [&](std::initializer_list<std::string_view> keys, const char* sentence) {
      for (const std::string_view key : keys) {
        if (const toml::node* found = table->get(key)) {
          problem(*found, std::string(key) + sentence);
        }
      }
    };
    if (tasks.official) {
      not_for({"number", "seed", "difficulty", "policy"},
              " is for this project's own tasks; official ones are chosen with split, ids and "
              "num_tasks");
    } else {
      not_for({"split"}, " is for official tasks (source = \"tau2\"); own ones have none");
    }
    whole(*table, "number", 1, kMany, tasks.world.tasks);
    whole(*table, "seed", 0, std::numeric_limits<std::int64_t>::max(), tasks.world.seed);
    choice(*table, "difficulty", world::generated::kDifficulties, tasks.world.difficulty);
    const std::string policy = text(*table, "policy");
    if (policy == "long") {
      tasks.world.policy = world::generated::PolicyLength::long_text;
    } else if (policy == "short") {
      tasks.world.policy = world::generated::PolicyLength::short_text;
    } else if (!policy.empty()) {
      problem(*table->get("policy"), "policy must be one of: long, short");
    }
    tasks.split = text(*table, "split");
    whole(*table, "num_tasks", 1U, kMany, tasks.num_tasks);
    if (const toml::node* ids = table->get("ids")) read_ids(*ids, tasks);
  }

  void read_ids(const toml::node& node, TaskPlan& tasks) {
    const toml::array* list = node.as_array();
    if (list == nullptr || list->empty()) return problem(node, "ids must be a list of task ids");
    for (const toml::node& id : *list) {
      if (!id.is_string()) return problem(id, "a task's id must be a string: ids = [\"0\", \"1\"]");
      tasks.ids.push_back(id.as_string()->get());
    }
  }

  void read_arm(const toml::table& table, CellPlan& cell, ArmSource& source) {
    check_keys(table,
               {"name", "precision", "reference", "null", "repairs", "mode", "agent", "endpoint",
                "script", "model", "margin_sd", "repair"},
               "an arm to be run");
    ArmPlan arm;
    check_name(table, "name", source.name);
    if (!source.unrepaired.empty() && source.unrepaired == source.name) {
      problem(*table.get("repairs"),
              "an arm can't repair itself; repairs names the arm that plays without the help");
    }
    if (!table.contains("agent")) {
      problem(table,
              "the arm has no agent; give agent = \"llm\", \"oracle\", \"scripted\" or "
              "\"simulated\"");
    }
    choice(table, "agent", kAgents, arm.agent);
    choice(table, "repair", kRepairs, arm.repair);
    if (arm.repair != repair::Mode::off) {
      check_repair(*table.get("repair"), arm);
      if (source.mode.empty()) source.mode = repair::name_of(arm.repair);
    }
    arm.endpoint = text(table, "endpoint");
    arm.script = text(table, "script");
    arm.model = text(table, "model");
    arm.margin_sd = number(table, "margin_sd", 0);
    needs(table, arm, AgentKind::llm, "endpoint", arm.endpoint);
    needs(table, arm, AgentKind::scripted, "script", arm.script);
    needs(table, arm, AgentKind::simulated, "model", arm.model);
    if (arm.agent == AgentKind::llm) check_endpoint(table, "endpoint", arm.endpoint);
    if (!arm.script.empty()) arm.script = resolved(arm.script);
    if (arm.margin_sd && arm.agent != AgentKind::simulated) {
      problem(*table.get("margin_sd"), "margin_sd is for agent = \"simulated\"");
    }
    cell.arms.push_back(std::move(arm));
  }

  void check_repair(const toml::node& node, const ArmPlan& arm) {
    const bool never_fails = arm.agent == AgentKind::oracle || arm.agent == AgentKind::scripted;
    if (never_fails) {
      problem(node, "repair is for agents that decide: agent = \"llm\" or \"simulated\"");
    } else if (arm.agent == AgentKind::simulated && arm.repair == repair::Mode::intercept) {
      problem(node, "a simulated agent can be helped by \"rule\" or \"reflex\"");
    }
  }

  /// A key that one kind of agent must have and no other may.
  void needs(const toml::table& table, const ArmPlan& arm, AgentKind kind, const std::string& key,
             const std::string& value) {
    const std::string agent = "agent = \"" + std::string(name_of(kind)) + "\"";
    if (arm.agent == kind && value.empty()) problem(table, agent + " needs " + key + " = \"...\"");
    if (arm.agent != kind && !value.empty()) problem(*table.get(key), key + " is for " + agent);
  }

  std::string path_;
  std::filesystem::path folder_;
  std::optional<Error> error_;
  RunStudy study_;
};

}  // namespace

std::string_view name_of(AgentKind kind) {
  switch (kind) {
    case AgentKind::llm:
      return "llm";
    case AgentKind::oracle:
      return "oracle";
    case AgentKind::scripted:
      return "scripted";
    case AgentKind::simulated:
      return "simulated";
  }
  return {};
}

std::string_view name_of(UserKind kind) {
  switch (kind) {
    case UserKind::llm:
      return "llm";
    case UserKind::scripted:
      return "scripted";
    case UserKind::none:
      return "none";
  }
  return {};
}

const EndpointPlan* RunStudy::find_endpoint(std::string_view endpoint) const {
  const auto found = std::ranges::find(endpoints, endpoint, &EndpointPlan::name);
  return found == endpoints.end() ? nullptr : &*found;
}

Result<RunStudy> parse_run_study(std::string_view text, const std::string& path) {
  Result<std::vector<CellSource>> cells = parse_study_file(text, path, StudyUse::run);
  if (!cells) return tl::unexpected(cells.error());
  return Reader(path).read(text, std::move(*cells));
}

Result<RunStudy> read_run_study(const std::string& path) {
  const Result<StudyText> study = read_study_text(path);
  if (!study) return tl::unexpected(study.error());
  return parse_run_study(study->text, study->path);
}

}  // namespace unmask::run
