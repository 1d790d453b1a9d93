#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/cli/world_options.h"
#include "unmask/episode/channel.h"
#include "unmask/world/environment.h"
#include "unmask/world/message.h"
#include "unmask/world/outcome.h"
#include "unmask/world/task.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

class WorldsCall final : public Command {
 public:
  explicit WorldsCall(CLI::App& worlds) {
    app_ = worlds.add_subcommand(
        "call", "Call tools of a world, one after the other, and print what a model would be told");
    app_->add_option("world", world_, "world, see `unmask worlds list`")
        ->required()
        ->type_name("WORLD");
    app_->add_option("calls", words_,
                     "names of tools, each with its arguments as a JSON object after it (none if "
                     "left out); `user:NAME` is called by the simulated user")
        ->required()
        ->type_name("NAME [JSON]");
    app_->add_option("--task", task_, "begin in the initial state of this task")->type_name("ID");
    app_->add_flag("--solo", solo_, "solo mode: the agent has the user's tools too");
    options_.add(*app_);
  }

  int run() override {
    const Result<std::vector<world::ToolCall>> calls = parsed();
    if (!calls) return report_failure(calls.error());
    const Result<std::shared_ptr<const world::World>> world = options_.load(world_);
    if (!world) return report_failure(world.error());
    const Result<std::unique_ptr<world::Environment>> environment = started(**world);
    if (!environment) return report_failure(environment.error());
    std::string text;
    for (const world::ToolCall& call : *calls) {
      text += (*environment)->call(call).content + "\n";
    }
    const Result<void> written = write_output("", for_destination("", text));
    return written ? kDone : report_failure(written.error());
  }

 private:
  /// Alternates names and arguments; a word that begins with `{` is arguments.
  Result<std::vector<world::ToolCall>> parsed() const {
    std::vector<world::ToolCall> calls;
    for (const std::string& word : words_) {
      if (!word.starts_with('{')) {
        constexpr std::string_view kByUser = "user:";
        world::ToolCall call;
        call.requestor = word.starts_with(kByUser) ? Party::user : Party::agent;
        call.name = call.requestor == Party::user ? word.substr(kByUser.size()) : word;
        calls.push_back(std::move(call));
        continue;
      }
      Result<world::Value> arguments = world::parse_json(word);
      if (!arguments) {
        return fail(ErrorCode::invalid_argument,
                    "the arguments " + word + " are no JSON: " + arguments.error().message);
      }
      if (calls.empty()) {
        return fail(ErrorCode::invalid_argument, "a tool's name goes before its arguments " + word);
      }
      calls.back().arguments = std::move(*arguments->object());
    }
    return calls;
  }

  Result<std::unique_ptr<world::Environment>> started(const world::World& world) const {
    world::Outcome<std::unique_ptr<world::Environment>> environment = world.make_environment(solo_);
    if (!environment) return fail(ErrorCode::invalid_argument, environment.error().text);
    if (task_.empty()) return std::move(*environment);
    const Result<const world::Task*> task = WorldOptions::task(world, task_);
    if (!task) return tl::unexpected(task.error());
    const std::optional<world::InitialState>& initial = (*task)->initial_state;
    const world::Outcome<void> set = set_state(**environment, initial ? &*initial : nullptr, {});
    if (!set) {
      return fail(ErrorCode::bad_input, "the task " + task_ + " can't begin: " + set.error().text);
    }
    return std::move(*environment);
  }

  WorldOptions options_;
  std::string world_;
  std::vector<std::string> words_;
  std::string task_;
  bool solo_ = false;
};

}  // namespace

std::unique_ptr<Command> worlds_call_command(CLI::App& worlds) {
  return std::make_unique<WorldsCall>(worlds);
}

}  // namespace unmask::cli
