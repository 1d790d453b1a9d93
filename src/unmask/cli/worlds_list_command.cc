#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/joined.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/cli/world_options.h"
#include "unmask/report/text_style.h"
#include "unmask/report/text_table.h"
#include "unmask/world/environment.h"
#include "unmask/world/task.h"
#include "unmask/world/world.h"

namespace unmask::cli {
namespace {

class WorldsList final : public Command {
 public:
  explicit WorldsList(CLI::App& worlds) {
    app_ = worlds.add_subcommand("list", "The worlds, with the number of their tools and tasks");
    options_.add(*app_);
  }

  int run() override {
    if (const Result<void> there = options_.check(); !there) return report_failure(there.error());
    text::TextTable table;
    table.columns = {{.header = "WORLD"},
                     {.header = "AGENT'S TOOLS", .align = text::Align::right},
                     {.header = "USER'S TOOLS", .align = text::Align::right},
                     {.header = "TASKS", .align = text::Align::right},
                     {.header = "SPLITS"}};
    int code = kDone;
    std::vector<std::string> names = options_.names();
    std::vector<std::string> missing;
    std::ranges::copy_if(names, std::back_inserter(missing),
                         [&](const std::string& name) { return !options_.has_data(name); });
    if (missing.size() < names.size()) {
      std::erase_if(names, [&](const std::string& name) { return !options_.has_data(name); });
      if (!missing.empty())
        complain(options_.tau2_data + ": no data of " + joined(missing, ", ") + " here");
    }
    for (const std::string& name : names) {
      const Result<std::shared_ptr<const world::World>> world = options_.load(name);
      if (!world) {
        code = report_failure(world.error());
        continue;
      }
      const world::EnvironmentSetup& setup = (*world)->setup();
      std::vector<std::string> splits;
      for (const world::Split& split : (*world)->splits()) {
        splits.push_back(split.name + " " + std::to_string(split.task_ids.size()));
      }
      table.rows.push_back(
          {{.content = name},
           {.content = std::to_string(setup.agent.tools.size())},
           {.content = setup.user ? std::to_string(setup.user->tools.size()) : "-"},
           {.content = std::to_string((*world)->tasks().size())},
           {.content = splits.empty() ? "-" : joined(splits, ", ")}});
    }
    const std::vector<std::string> lines =
        text::table_lines(table, table.natural_width(), TextStyle{});
    const Result<void> written =
        table.rows.empty() ? Result<void>{} : write_output("", joined(lines, "\n") + "\n");
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
