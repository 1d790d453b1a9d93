#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/fields.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

std::string indexed(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

std::string text_of(const Value* value) { return value == nullptr ? "null" : python_str(*value); }

/// pydantic's texts on a whole database aren't reproduced: that it refused is all that is compared.
bool same_error(std::string_view expected, std::string_view found) {
  constexpr std::string_view kRefused = "ValidationError:";
  if (expected.starts_with(kRefused)) return found.starts_with(kRefused);
  return expected == found;
}

/// Runs one vector. A fault of the vector itself stays in `fields`, and ends the run.
class CallVector {
 public:
  CallVector(const World& world, const Value& line, std::string_view place)
      : world_(world), fields_(line, std::string(place)) {}

  Result<VectorCheck> run() {
    check_.id = fields_.text("id");
    start();
    if (!fields_.error()) run_initial_functions();
    if (!fields_.error()) run_calls();
    if (!fields_.error()) compare_final_hashes();
    if (!fields_.error()) run_assertions();
    if (fields_.error()) return tl::unexpected<Error>(*fields_.error());
    return std::move(check_);
  }

 private:
  void start() {
    const bool solo = fields_.boolean_or("solo_mode", false);
    Outcome<std::unique_ptr<Environment>> made = world_.make_environment(solo);
    if (!made) return fields_.fault("solo_mode", text_of(made.error()));
    environment_ = std::move(*made);
    const std::optional<std::string> task_id = fields_.optional_text("task_id");
    if (!task_id) return;
    const Task* task = world_.find_task(*task_id);
    if (task == nullptr) {
      return fields_.fault("task_id", "the world " + world_.name() + " has no task of this id");
    }
    const InitialState* initial = task->initial_state ? &*task->initial_state : nullptr;
    if (const Outcome<void> set = set_state(*environment_, initial, {}); !set) {
      fields_.fault("task_id", "its initial state can't be set: " + text_of(set.error()));
    }
  }

  void run_initial_functions() {
    const List* actions = fields_.optional_list("init_actions");
    if (actions == nullptr) return;
    const List* results = fields_.optional_list("init_results");
    for (std::size_t i = 0; i < actions->size(); ++i) {
      const bool recorded = results != nullptr && i < results->size();
      run_function((*actions)[i], "func_name", "arguments", fields_.place_of("init_actions", i),
                   indexed("init_actions", i), recorded ? &(*results)[i] : nullptr);
    }
  }

  /// Runs a function and compares what it gave with `record`, `{value, error}`, if there is one.
  void run_function(const Value& value, std::string_view name, std::string_view arguments,
                    std::string place, const std::string& where, const Value* record) {
    Fields fields(value, std::move(place));
    FunctionCall call;
    const std::optional<Party> party = party_of_requestor(fields.text("env_type"));
    if (!party) fields.fault("env_type", "`assistant` or `user` is due here");
    call.party = party.value_or(Party::agent);
    call.name = fields.text(name);
    call.arguments = fields.object_or_empty(arguments);
    if (fields.error()) return fields_.adopt(fields.error());
    const Outcome<Value> got = environment_->run(call);
    if (record == nullptr) return;
    const std::string label = where + " " + call.name;
    const Value* error = record->find("error");
    const bool raises = error != nullptr && error->is_string();
    if (raises || !got) {
      const std::string expected = raises ? *error->string() : text_of(record->find("value"));
      const std::string found = got ? python_str(*got) : text_of(got.error());
      ++check_.compared;
      if (raises && !got && same_error(expected, found)) return;
      return differ(label, expected, found);
    }
    const Value* expected = record->find("value");
    compare(label, expected == nullptr ? "null" : dump_sorted_json(*expected),
            dump_sorted_json(*got));
  }

  void run_calls() {
    const List& calls = fields_.list("calls");
    const List& results = fields_.list("results");
    if (calls.size() != results.size()) {
      return fields_.fault("results", "as many results as calls are due here");
    }
    const List* hashes = fields_.optional_list("db_hash_after_each");
    const List* trace = fields_.optional_list("trace");
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Result<ToolCall> call = read_tool_call(calls[i], fields_.place_of("calls", i));
      if (!call) return fields_.adopt(call.error());
      Fields result(results[i], fields_.place_of("results", i));
      const std::string content = result.text("content");
      const bool error = result.boolean("error");
      if (result.error()) return fields_.adopt(result.error());
      const CallResult got = environment_->call(*call);
      ++check_.calls;
      const std::string where = indexed("calls", i) + " " + call->name;
      compare(where + ": content", content, got.content);
      compare(where + ": error", error ? "true" : "false", got.error ? "true" : "false");
      if (hashes != nullptr && i < hashes->size()) {
        compare(where + ": hash", text_of(&(*hashes)[i]), environment_->agent_hash());
      }
      if (trace != nullptr && i < trace->size()) compare_trace(where, (*trace)[i]);
    }
  }

  /// `[agent hash, user hash]`, each cut to its first digits.
  void compare_trace(const std::string& where, const Value& hashes) {
    const List* both = hashes.list();
    if (both == nullptr || both->size() != 2) {
      return fields_.fault("trace", "a pair of hashes is due here");
    }
    const std::string agent = text_of(&both->front());
    const std::string user = text_of(&both->back());
    compare(where + ": agent's hash", agent, environment_->agent_hash().substr(0, agent.size()));
    compare(where + ": user's hash", user,
            environment_->user_hash().value_or("null").substr(0, user.size()));
  }

  void compare_final_hashes() {
    for (const std::string_view key : {"db_hash_after", "agent_db_hash_after"}) {
      if (const Value* hash = fields_.find(key)) {
        compare(std::string(key), text_of(hash), environment_->agent_hash());
      }
    }
    if (const Value* hash = fields_.find("user_db_hash_after")) {
      compare("user_db_hash_after", text_of(hash), environment_->user_hash().value_or("null"));
    }
  }

  void run_assertions() {
    const List* assertions = fields_.optional_list("assertions");
    if (assertions == nullptr) return;
    for (std::size_t i = 0; i < assertions->size(); ++i) {
      run_function((*assertions)[i], "func", "args", fields_.place_of("assertions", i),
                   indexed("assertions", i), &(*assertions)[i]);
    }
  }

  void compare(std::string where, const std::string& expected, const std::string& found) {
    ++check_.compared;
    if (expected != found) differ(std::move(where), expected, found);
  }

  void differ(std::string where, std::string expected, std::string found) {
    check_.differences.push_back({std::move(where), std::move(expected), std::move(found)});
  }

  const World& world_;
  Fields fields_;
  std::unique_ptr<Environment> environment_;
  VectorCheck check_;
};

}  // namespace

bool is_call_vector(const Value& line) {
  return line.find("calls") != nullptr && line.find("results") != nullptr;
}

Result<VectorCheck> check_calls(const World& world, const Value& line, std::string_view place) {
  return CallVector(world, line, place).run();
}

tl::unexpected<Error> no_vector(std::string_view place) {
  return fail(ErrorCode::bad_input, std::string(place) +
                                        ": this is no vector; one has `calls` and `results`, "
                                        "`messages` and `reward_info`, `agent_script` and "
                                        "`expected`, or `success_at` and `vector` "
                                        "(docs/worlds.md)");
}

Result<VectorCheck> check_vector(const World& world, const Value& line, std::string_view place) {
  if (is_call_vector(line)) return check_calls(world, line, place);
  if (is_episode_vector(line)) return check_episode(world, line, place);
  return no_vector(place);
}

}  // namespace unmask::world
