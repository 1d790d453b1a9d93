#include "unmask/play/vector_check.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unmask/base/error.h"
#include "unmask/play/run_vector.h"
#include "unmask/world/fields.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/value.h"
#include "unmask/world/vector_check.h"
#include "unmask/world/world.h"

namespace unmask::play {
namespace {

using world::Fields;
using world::List;
using world::Member;
using world::Object;
using world::Value;
using world::VectorCheck;

std::string text_of(const Value* value) {
  return value == nullptr ? "null" : dump_sorted_json(*value);
}

/// pydantic puts its version into the address that ends its texts.
Value without_address(const Value& message) {
  constexpr std::string_view kAddress = "https://errors.pydantic.dev/";
  Value cut = message;
  Object* members = cut.object();
  Value* content = members == nullptr ? nullptr : members->find("content");
  if (content != nullptr && content->is_string()) {
    *content = content->string()->substr(0, content->string()->find(kAddress));
  }
  return cut;
}

class Comparison {
 public:
  explicit Comparison(VectorCheck& check) : check_(check) {}

  void compare(std::string where, const std::string& expected, const std::string& found) {
    ++check_.compared;
    if (expected != found) check_.differences.push_back({std::move(where), expected, found});
  }

  /// Everything that `expected` has.
  void compare_run(const Object& expected, const Object& found) {
    for (const Member& member : expected) {
      const Value* value = found.find(member.key);
      if (member.key == "raises" || member.key == "evaluation_raises") {
        compare_raised(member.key, member.value, value);
      } else if (member.key == "messages" && member.value.list() != nullptr) {
        compare_messages(*member.value.list(), value == nullptr ? nullptr : value->list());
      } else {
        compare(member.key, text_of(&member.value), text_of(value));
      }
    }
  }

 private:
  /// The text only of one line, which holds no dumped object.
  void compare_raised(const std::string& where, const Value& expected, const Value* found) {
    const auto part = [](const Value* raised, std::string_view key) {
      const Value* value = raised == nullptr ? nullptr : raised->find(key);
      return value == nullptr || !value->is_string() ? std::string("null") : *value->string();
    };
    const std::string type = part(&expected, "type");
    compare(where, type, part(found, "type"));
    const std::string text = part(&expected, "message");
    const bool is_dump = text.find('\n') != std::string::npos || type == "JSONDecodeError";
    if (!is_dump) compare(where + " text", text, part(found, "message"));
  }

  void compare_messages(const List& expected, const List* found) {
    const std::size_t count = found == nullptr ? 0 : found->size();
    compare("number of messages", std::to_string(expected.size()), std::to_string(count));
    for (std::size_t i = 0; i < expected.size() && i < count; ++i) {
      compare("messages[" + std::to_string(i) + "]", dump_sorted_json(without_address(expected[i])),
              dump_sorted_json(without_address((*found)[i])));
    }
  }

  VectorCheck& check_;
};

void compare_at(Comparison& comparison, Fields& line, std::string_view key,
                const std::string& budget, const Value& found) {
  const Value* recorded = line.find(key);
  const Value* at = recorded == nullptr ? nullptr : recorded->find(budget);
  comparison.compare(std::string(key) + " " + budget, text_of(at), text_of(&found));
}

}  // namespace

bool is_run_vector(const Value& line) {
  return line.find("agent_script") != nullptr && line.find("expected") != nullptr;
}

bool is_counterfactual_vector(const Value& line) {
  return line.find("success_at") != nullptr && line.find("vector") != nullptr;
}

std::optional<std::string> domain_of_vector(const Value& line) {
  const Value* vector = is_counterfactual_vector(line) ? line.find("vector") : &line;
  const Value* domain = vector->find("domain");
  if (domain == nullptr || !domain->is_string()) return std::nullopt;
  return *domain->string();
}

Result<VectorCheck> check_run(const world::World& world, const Value& line,
                              std::string_view place) {
  const Result<RunVector> vector = read_run_vector(world, line, place);
  if (!vector) return tl::unexpected(vector.error());
  const Fields fields(*vector->expected, std::string(place) + ".expected");
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  VectorCheck check;
  check.id = vector->id;
  const PlayedRun run = play_run(world, *vector, vector->settings.max_errors);
  check.calls = run.calls;
  Comparison(check).compare_run(*vector->expected->object(), run.found);
  return check;
}

Result<VectorCheck> check_counterfactual(const world::World& world, const Value& line,
                                         std::string_view place) {
  Fields fields(line, std::string(place));
  const Object& budgets = fields.object("success_at");
  if (const std::optional<Error>& error = fields.error()) return tl::unexpected<Error>(*error);
  const Value& inner = *fields.find("vector");
  const std::string inner_place = std::string(place) + ".vector";
  const Result<RunVector> vector = read_run_vector(world, inner, inner_place);
  if (!vector) return tl::unexpected(vector.error());
  Result<VectorCheck> check = check_run(world, inner, inner_place);
  if (!check) return check;
  Comparison comparison(*check);
  for (const Member& budget : budgets) {
    int max_errors = 0;
    const char* end = budget.key.data() + budget.key.size();
    if (std::from_chars(budget.key.data(), end, max_errors).ptr != end || max_errors < 1) {
      return fail(
          ErrorCode::bad_input,
          std::string(place) + ".success_at: an error budget is due as a key, such as \"3\"");
    }
    const PlayedRun run = play_run(world, *vector, max_errors);
    check->calls += run.calls;
    compare_at(comparison, fields, "success_at", budget.key, run.success);
    compare_at(comparison, fields, "termination_at", budget.key, run.ending);
    compare_at(comparison, fields, "num_errors_at", budget.key, run.num_errors);
    compare_at(comparison, fields, "num_messages_at", budget.key,
               static_cast<std::int64_t>(run.num_messages));
    compare_at(comparison, fields, "evaluation_raises_at", budget.key,
               run.evaluation_raises ? Value(*run.evaluation_raises) : Value());
  }
  return check;
}

bool is_vector(const Value& line) {
  return world::is_call_vector(line) || world::is_episode_vector(line) || is_run_vector(line) ||
         is_counterfactual_vector(line);
}

Result<VectorCheck> check_any_vector(const world::World& world, const Value& line,
                                     std::string_view place) {
  if (is_counterfactual_vector(line)) return check_counterfactual(world, line, place);
  if (is_run_vector(line)) return check_run(world, line, place);
  return world::check_vector(world, line, place);
}

}  // namespace unmask::play
