#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/reference_data.h"
#include <gtest/gtest.h>

#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

/// The official world, loaded once; null if the data are missing.
const World* retail_world() {
  static const std::shared_ptr<const World> loaded = []() -> std::shared_ptr<const World> {
    const std::filesystem::path folder = reference::shared_folder() / "tau2/data/retail";
    Result<std::shared_ptr<const World>> world = find_known_world("retail")->load(folder);
    if (world) return *world;
    ADD_FAILURE() << world.error().message;
    return nullptr;
  }();
  return loaded.get();
}

std::unique_ptr<Environment> fresh_environment() {
  return std::move(retail_world()->make_environment().value());
}

const std::string& text_of(const Value& object, std::string_view key) {
  return *object.find(key)->string();
}

/// Executes the calls of a vector on a fresh environment and compares contents, errors and hashes.
/// The first difference is reported.
bool check_vector(const Value& vector) {
  const std::string& id = text_of(vector, "id");
  const std::unique_ptr<Environment> environment = fresh_environment();
  const List& calls = *vector.find("calls")->list();
  const List& results = *vector.find("results")->list();
  const Value* hashes = vector.find("db_hash_after_each");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Result<ToolCall> call = read_tool_call(calls[i], id);
    if (!call) {
      ADD_FAILURE() << call.error().message;
      return false;
    }
    const CallResult result = environment->call(*call);
    const CallResult expected{text_of(results[i], "content"), *results[i].find("error")->boolean()};
    if (result != expected) {
      ADD_FAILURE() << id << " call " << i << " " << call->name << " " << dump_json(call->arguments)
                    << "\n  is       " << result.content << "\n  expected " << expected.content;
      return false;
    }
    if (hashes != nullptr && environment->agent_hash() != *(*hashes->list())[i].string()) {
      ADD_FAILURE() << id << ": hash after call " << i;
      return false;
    }
  }
  if (environment->agent_hash() == text_of(vector, "db_hash_after")) return true;
  ADD_FAILURE() << id << ": hash after all calls";
  return false;
}

void check_vectors(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available() || retail_world() == nullptr) return;
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const Result<Value> vector = parse_json(line);
    ASSERT_TRUE(vector.has_value()) << vector.error().message;
    if (check_vector(*vector)) vectors.count();
  }
  vectors.finish();
}

TEST(RetailReference, PristineHash) {
  reference::Vectors vectors("tau2/data/retail/db.json", 1);
  if (!vectors.available() || retail_world() == nullptr) return;
  EXPECT_EQ(fresh_environment()->agent_hash(),
            "b25c9cb211f5efcaee5dd646054a73c4a9f43f4f5acc32c10713cd9f9ac20e9c");
  vectors.count();
  vectors.finish();
}

TEST(RetailReference, CallVectors) { check_vectors("tau2/retail/vectors.jsonl.gz", 1646); }

TEST(RetailReference, EdgeCallVectors) { check_vectors("tau2/retail/vectors_edge.jsonl.gz", 273); }

std::vector<RewardPart> parts_of(const List& names) {
  std::vector<RewardPart> parts;
  for (const Value& name : names) parts.push_back(reward_part_of(*name.string()).value());
  return parts;
}

/// Compares an evaluation with `{reward_info, evaluation_error}`; nothing if they agree.
std::string difference(const Outcome<RewardInfo>& evaluated, const Value& expected) {
  const Value* error = expected.find("evaluation_error");
  if (error == nullptr || error->is_null()) {
    if (!evaluated) return "raised " + evaluated.error().text;
    const std::string is = dump_json(to_value(*evaluated));
    const std::string due = dump_json(*expected.find("reward_info"));
    return is == due ? "" : "\n  is       " + is + "\n  expected " + due;
  }
  if (evaluated) return "did not raise";
  const Raised& raised = evaluated.error();
  const std::string first_line = raised.text.substr(0, raised.text.find('\n'));
  const bool same =
      raised.type == text_of(*error, "type") && first_line == text_of(*error, "message_first_line");
  return same ? "" : "raised " + raised.type + ": " + first_line;
}

void check_episodes(const std::string& file, std::size_t expected) {
  reference::Vectors vectors(file, expected);
  if (!vectors.available() || retail_world() == nullptr) return;
  std::istringstream lines(reference::read_bytes(vectors.path()).value());
  for (std::string line; std::getline(lines, line);) {
    const Value episode = parse_json(line).value();
    const std::string& id = text_of(episode, "id");
    const Result<std::vector<Message>> messages = read_messages(*episode.find("messages"), id);
    ASSERT_TRUE(messages.has_value()) << messages.error().message;
    const Trajectory trajectory{*messages, text_of(episode, "termination_reason"), false};
    const Task& official = *retail_world()->find_task(text_of(episode, "task_id"));
    Task task = official;
    if (const List* basis = episode.find("reward_basis")->list()) {
      task.evaluation_criteria->reward_basis = parts_of(*basis);
    }
    EvaluationOptions options;
    options.type = evaluation_type_of(text_of(episode, "evaluation_type")).value();
    std::string wrong = difference(evaluate(*retail_world(), task, trajectory, options), episode);
    if (const Value& as_shipped = *episode.find("official"); !as_shipped.is_null()) {
      wrong += difference(evaluate(*retail_world(), official, trajectory), as_shipped);
    }
    if (wrong.empty()) {
      vectors.count();
    } else {
      ADD_FAILURE() << id << ": " << wrong;
    }
  }
  vectors.finish();
}

TEST(RetailReference, Episodes) { check_episodes("tau2/retail/episodes.jsonl.gz", 340); }

TEST(RetailReference, EdgeEpisodes) { check_episodes("tau2/retail/episodes_edge.jsonl.gz", 43); }

}  // namespace
}  // namespace unmask::world
