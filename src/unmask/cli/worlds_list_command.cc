#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/cli/world_options.h"
#include "unmask/world/data_files.h"
#include "unmask/world/environment.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size() + 2, width), ' ');
  return text;
}

class WorldsList final : public Command {
 public:
  explicit WorldsList(CLI::App& worlds) {
    app_ = worlds.add_subcommand("list", "The worlds, with the number of their tools and tasks");
    options_.add(*app_);
  }

  int run() override {
    if (std::error_code ignored; !options_.tau2_data.empty() &&
                                 !std::filesystem::is_directory(options_.tau2_data, ignored)) {
      return report_failure(world::DataFiles::of_domain(options_.tau2_data, "").error());
    }
    std::string text = padded("WORLD", 20) + padded("AGENT'S TOOLS", 15) +
                       padded("USER'S TOOLS", 14) + padded("TASKS", 7) + "SPLITS\n";
    int code = kDone;
    for (const std::string& name : options_.names()) {
      const Result<std::shared_ptr<const world::World>> world = options_.load(name);
      if (!world) {
        code = report_failure(world.error());
        continue;
      }
      const world::EnvironmentSetup& setup = (*world)->setup();
      std::string splits;
      for (const world::Split& split : (*world)->splits()) {
        splits +=
            (splits.empty() ? "" : ", ") + split.name + " " + std::to_string(split.task_ids.size());
      }
      text += padded(name, 20) + padded(std::to_string(setup.agent.tools.size()), 15) +
              padded(setup.user ? std::to_string(setup.user->tools.size()) : "-", 14) +
              padded(std::to_string((*world)->tasks().size()), 7) +
              (splits.empty() ? "-" : splits) + "\n";
    }
    const Result<void> written = write_output("", text);
    return written ? code : report_failure(written.error());
  }

 private:
  WorldOptions options_;
};

}  // namespace

std::unique_ptr<Command> worlds_list_command(CLI::App& worlds) {
  return std::make_unique<WorldsList>(worlds);
}

}  // namespace unmask::cli
