#include "unmask/play/judge.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unmask/base/error.h"
#include "unmask/world/outcome.h"
#include "unmask/world/reward_info.h"
#include "unmask/world/value.h"

namespace unmask::play {
namespace {

using world::Outcome;
using world::raise;
using world::Value;

/// Python's truth of a value.
bool is_true(const Value& value) {
  if (const bool* boolean = value.boolean()) return *boolean;
  if (const std::string* text = value.string()) return !text->empty();
  if (const world::List* list = value.list()) return !list->empty();
  if (const world::Object* object = value.object()) return !object->empty();
  return value.is_number() && !python_equal(value, 0);
}

Outcome<world::NlCheck> read_check(const Value& result) {
  for (const std::string_view key : {"expectedOutcome", "metExpectation", "reasoning"}) {
    if (result.find(key) == nullptr) return raise("KeyError", "'" + std::string(key) + "'");
  }
  return world::NlCheck{.assertion = python_str(*result.find("expectedOutcome")),
                        .met = is_true(*result.find("metExpectation")),
                        .justification = python_str(*result.find("reasoning"))};
}

}  // namespace

Outcome<std::vector<world::NlCheck>> read_judgement(std::string_view answer) {
  const Result<Value> parsed = world::parse_json(answer);
  if (!parsed) {
    return raise("JSONDecodeError", "The judge's answer is no JSON: " + parsed.error().message);
  }
  if (parsed->object() == nullptr) {
    return raise("AttributeError", "The judge's answer is no JSON object");
  }
  std::vector<world::NlCheck> checks;
  const Value* results = parsed->find("results");
  if (results == nullptr) return checks;
  if (results->list() == nullptr) {
    return raise("TypeError", "`results` of the judge's answer is no list");
  }
  for (const Value& result : *results->list()) {
    Outcome<world::NlCheck> check = read_check(result);
    if (!check) return raised_by(check);
    checks.push_back(std::move(*check));
  }
  return checks;
}

}  // namespace unmask::play
