#include <memory>
#include <string>

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
#include "unmask/world/json_dump.h"
#include "unmask/world/tool.h"
#include "unmask/world/value.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

std::string signature_of(const world::Tool& tool) {
  std::string text = tool.name + "(";
  for (const world::Parameter& parameter : tool.parameters) {
    if (text.back() != '(') text += ", ";
    text += parameter.name;
    if (!parameter.required) text += "?";
  }
  return text + ")";
}

/// The first line of a description, which may be a page long.
std::string summary_of(const world::Tool& tool) {
  return tool.description.substr(0, tool.description.find('\n'));
}

class WorldsTools final : public Command {
 public:
  explicit WorldsTools(CLI::App& worlds) {
    app_ = worlds.add_subcommand("tools", "The tools of a world, as a model is offered them");
    app_->add_option("world", world_, "world, see `unmask worlds list`")
        ->required()
        ->type_name("WORLD");
    app_->add_option("--format", format_, "text, or json: a list of functions as OpenAI has them")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    app_->add_flag("--user", user_, "the simulated user's tools instead of the agent's");
    options_.add(*app_);
  }

  int run() override {
    const Result<std::shared_ptr<const world::World>> world = options_.load(world_);
    if (!world) return report_failure(world.error());
    const world::EnvironmentSetup& setup = (*world)->setup();
    if (user_ && !setup.user) {
      return report_failure(
          {ErrorCode::invalid_argument, "the user of the world " + world_ + " has no tools"});
    }
    const world::Toolkit& toolkit = user_ ? *setup.user : setup.agent;
    const Result<void> written =
        write_output("", format_ == "json" ? json_of(toolkit) : text_of(toolkit));
    return written ? kDone : report_failure(written.error());
  }

 private:
  static std::string json_of(const world::Toolkit& toolkit) {
    world::List tools;
    for (const world::Tool& tool : toolkit.tools) tools.push_back(world::openai_tool(tool));
    return world::dump_json(tools) + "\n";
  }

  static std::string text_of(const world::Toolkit& toolkit) {
    std::string text;
    for (const world::Tool& tool : toolkit.tools) {
      std::string kind(name_of(tool.kind));
      kind.resize(9, ' ');
      text += kind + signature_of(tool) + "\n";
      if (const std::string summary = summary_of(tool); !summary.empty()) {
        text += "         " + summary + "\n";
      }
    }
    return text;
  }

  WorldOptions options_;
  std::string world_;
  std::string format_ = "text";
  bool user_ = false;
};

}  // namespace

std::unique_ptr<Command> worlds_tools_command(CLI::App& worlds) {
  return std::make_unique<WorldsTools>(worlds);
}

}  // namespace unmask::cli
