#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/environment.h"
#include "unmask/world/evaluate.h"
#include "unmask/world/fields.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::world {
namespace {

/// The text of a replayed write that differs holds a time stamp, so vectors record its first line.
std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

class EpisodeVector {
 public:
  EpisodeVector(const World& world, const Value& line, std::string_view place)
      : world_(world), fields_(line, std::string(place)) {}

  Result<VectorCheck> run() {
    check_.id = fields_.text("id");
    const std::string task_id = fields_.text("task_id");
    const Task* task = world_.find_task(task_id);
    if (task == nullptr) {
      fields_.fault("task_id", "the world " + world_.name() + " has no task of this id");
    }
    reason_ = fields_.text("termination_reason");
    solo_ = fields_.boolean_or("solo_mode", false);
    read_trajectory();
    if (!fields_.error()) compare_reward(*task);
    if (!fields_.error()) compare_live_hashes(*task);
    if (fields_.error()) return tl::unexpected<Error>(*fields_.error());
    return std::move(check_);
  }

 private:
  void read_trajectory() {
    if (fields_.find("messages") == nullptr) {
      return fields_.fault("messages", "a list of messages is due here");
    }
    Result<std::vector<Message>> messages =
        read_messages(*fields_.find("messages"), fields_.place_of("messages"));
    if (!messages) return fields_.adopt(messages.error());
    messages_ = std::move(*messages);
  }

  void compare_reward(const Task& official) {
    Task task = official;
    EvaluationOptions options;
    if (const std::optional<std::string> type = fields_.optional_text("evaluation_type")) {
      const std::optional<EvaluationType> known = evaluation_type_of(*type);
      if (!known) return fields_.fault("evaluation_type", "no evaluation type of tau2-bench");
      options.type = *known;
    }
    if (const List* names = fields_.optional_list("reward_basis")) set_basis(task, *names);
    if (fields_.error()) return;
    const Trajectory trajectory{messages_, reason_, solo_};
    compare("reward", evaluate(world_, task, trajectory, options), fields_.find("reward_info"),
            recorded_error(fields_));
    if (const Value* shipped = fields_.find("official")) {
      Fields record(*shipped, fields_.place_of("official"));
      compare("official reward", evaluate(world_, official, trajectory), record.find("reward_info"),
              recorded_error(record));
      fields_.adopt(record.error());
    }
  }

  void set_basis(Task& task, const List& names) {
    if (!task.evaluation_criteria) return;
    task.evaluation_criteria->reward_basis.clear();
    for (const Value& name : names) {
      const std::optional<RewardPart> part =
          name.is_string() ? reward_part_of(*name.string()) : std::nullopt;
      if (!part) return fields_.fault("reward_basis", "no part of a reward: " + dump_json(name));
      task.evaluation_criteria->reward_basis.push_back(*part);
    }
  }

  /// `{ExceptionType}: {first line}` of what the evaluation raised; nullopt: nothing.
  static std::optional<std::string> recorded_error(Fields& record) {
    if (const Value* error = record.find("evaluation_error")) {
      Fields raised(*error, record.place_of("evaluation_error"));
      std::string text = raised.text("type") + ": " + raised.text("message_first_line");
      record.adopt(raised.error());
      return text;
    }
    const std::optional<std::string> error = record.optional_text("error");
    if (!error) return std::nullopt;
    constexpr std::string_view kCut = " ...";
    return first_line(error->ends_with(kCut) ? error->substr(0, error->size() - kCut.size())
                                             : *error);
  }

  void compare(std::string where, const Outcome<RewardInfo>& got, const Value* info,
               const std::optional<std::string>& error) {
    ++check_.compared;
    const std::string found = got ? dump_json(to_value(*got)) : first_line(text_of(got.error()));
    const std::string expected = error ? *error : info == nullptr ? "null" : dump_json(*info);
    if (error.has_value() == got.has_value() || expected != found) {
      check_.differences.push_back({std::move(where), expected, found});
    }
  }

  /// The state that a live run has at the end: it syncs after each message.
  void compare_live_hashes(const Task& task) {
    const std::optional<std::string> agent = fields_.optional_text("live_agent_db_hash");
    const std::optional<std::string> user = fields_.optional_text("live_user_db_hash");
    if (!agent && !user) return;
    const Outcome<std::unique_ptr<Environment>> environment = world_.make_environment(solo_);
    if (!environment) return fields_.fault("solo_mode", environment.error().text);
    const InitialState* initial = task.initial_state ? &*task.initial_state : nullptr;
    if (const Outcome<void> set = set_state(**environment, initial, {}); !set) {
      return fields_.fault("task_id", "its initial state can't be set: " + set.error().text);
    }
    for (const Message& message : messages_) {
      if (!message.tool_calls) continue;
      for (const ToolCall& call : *message.tool_calls) {
        (void)(*environment)->call(call);  // the messages have what it answered
        ++check_.calls;
      }
      (void)(*environment)->sync();  // what it raises changes no hash
    }
    if (agent) compare_hash("live_agent_db_hash", *agent, (*environment)->agent_hash());
    if (user) {
      compare_hash("live_user_db_hash", *user, (*environment)->user_hash().value_or("null"));
    }
  }

  void compare_hash(std::string where, const std::string& expected, const std::string& found) {
    ++check_.compared;
    if (expected != found) check_.differences.push_back({std::move(where), expected, found});
  }

  const World& world_;
  Fields fields_;
  std::string reason_;
  bool solo_ = false;
  std::vector<Message> messages_;
  VectorCheck check_;
};

}  // namespace

bool is_episode_vector(const Value& line) {
  return line.find("messages") != nullptr && line.find("reward_info") != nullptr;
}

Result<VectorCheck> check_episode(const World& world, const Value& line, std::string_view place) {
  return EpisodeVector(world, line, place).run();
}

}  // namespace unmask::world
