// Calls of tools and functions, a line each: `!` or not (the user's), a word (a tool's name, or the
// number of one), then its arguments as JSON, or none. The first byte chooses the world. Whatever
// is called, nothing crashes, an error says so, a snapshot does not notice, and the state can be
// hashed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz_support.h"

#include "unmask/base/error.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/generate/generate.h"
#include "unmask/world/generate/own_world.h"
#include "unmask/world/json_dump.h"
#include "unmask/world/message.h"
#include "unmask/world/mock/mock_database.h"
#include "unmask/world/mock/mock_world.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/tool.h"
#include "unmask/world/validation.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace {

using namespace unmask::world;  // NOLINT(google-build-using-namespace): all of it is of a world
using unmask::fuzz::require;

std::shared_ptr<const World> make_world(generated::GeneratedDomain domain) {
  generated::WorldSettings settings;
  settings.domain = domain;
  settings.tasks = 4;
  settings.retail = {.products = 6, .users = 4, .orders = 12};
  settings.telecom_customers = 4;
  auto world = generated::own_world(name_of(domain), settings);
  require(world.has_value());
  return *world;
}

/// Two people with a task and a notification.
std::shared_ptr<const World> make_mock() {
  Validation validation("MockDB");
  Value agent = mock::agent_database_from(*parse_json(R"({
        "tasks": {"task_1": {"task_id": "task_1", "title": "Water the ferns",
                             "status": "pending"}},
        "users": {"u1": {"user_id": "u1", "name": "Ada", "tasks": ["task_1"]},
                  "u2": {"user_id": "u2", "name": "Bo", "tasks": []}}})"),
                                          validation);
  Value user = mock::user_database_from(
      *parse_json(R"({"notifications": {"n1": {"notification_id": "n1", "message": "rain"}}})"),
      validation);
  require(validation.passed());
  return std::make_shared<const mock::MockWorld>(
      std::make_shared<EnvironmentSetup>(mock::mock_setup()), std::vector<Task>{},
      std::vector<Split>{}, std::move(agent), std::move(user));
}

const World& world_of(std::uint8_t byte) {
  static const std::shared_ptr<const World> mock = make_mock();
  if (byte % 8 >= 4) return *mock;
  static const std::shared_ptr<const World> retail = make_world(generated::GeneratedDomain::retail);
  static const std::shared_ptr<const World> telecom =
      make_world(generated::GeneratedDomain::telecom);
  return byte % 2 == 0 ? *retail : *telecom;
}

/// A name as it stands, or the tool or function of that number.
std::string name_of_word(const Toolkit& toolkit, std::string_view word) {
  if (word.empty() || word.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::string(word);
  }
  std::size_t number = 0;
  for (const char digit : word.substr(0, 4)) number = number * 10 + std::size_t(digit - '0');
  number %= toolkit.tools.size() + toolkit.functions.size();
  return number < toolkit.tools.size() ? toolkit.tools[number].name
                                       : toolkit.functions[number - toolkit.tools.size()].name;
}

/// What a line led to: the content of a tool message, or a value.
std::string run_line(Environment& environment, std::string_view line) {
  const bool user = line.starts_with('!');
  if (user) line.remove_prefix(1);
  const unmask::Party party = user ? unmask::Party::user : unmask::Party::agent;
  const Toolkit* toolkit = environment.toolkit(party);
  const std::size_t space = std::min(line.find(' '), line.size());
  std::string name = std::string(line.substr(0, space));
  if (toolkit != nullptr) name = name_of_word(*toolkit, name);
  Object arguments;
  if (const auto parsed = parse_json(line.substr(space)); parsed && parsed->object() != nullptr) {
    arguments = *parsed->object();
  }
  const bool is_function = toolkit != nullptr && toolkit->find_tool(name) == nullptr &&
                           toolkit->find_method(name) != nullptr;
  if (is_function) {
    const auto value = environment.run(FunctionCall{party, name, std::move(arguments)});
    return value ? dump_json(*value) : text_of(value.error());
  }
  return environment.call(ToolCall{"", name, std::move(arguments), party}).content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const World& world = world_of(data[0]);
  auto made = world.make_environment(world.setup().user && data[0] % 4 == 3);
  require(made.has_value());
  Environment& environment = **made;
  std::string_view lines(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (int count = 0; !lines.empty() && count < 50; ++count) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::unique_ptr<Environment> snapshot = environment.clone();
    const bool fresh = count % 8 == 0;
    const std::string before = fresh ? environment.agent_hash() : "";
    const std::string answer = run_line(environment, lines.substr(0, end));
    if (fresh) {
      require(snapshot->agent_hash() == before);
      const bool same =
          environment.agent_hash() == before && environment.user_hash() == snapshot->user_hash();
      require(environment.has_same_state(*snapshot) == same);
      require(run_line(*snapshot, lines.substr(0, end)) == answer);
      require(snapshot->agent_hash() == environment.agent_hash());
    }
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return 0;
}
