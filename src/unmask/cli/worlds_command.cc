#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/world_commands.h"

namespace unmask::cli {
namespace {

class Worlds final : public Command {
 public:
  explicit Worlds(CLI::App& root) {
    app_ = root.add_subcommand("worlds", "The simulated worlds: their tools, tasks and answers");
    app_->require_subcommand(1);
    parts_.push_back(worlds_list_command(*app_));
    parts_.push_back(worlds_tools_command(*app_));
    parts_.push_back(worlds_tasks_command(*app_));
    parts_.push_back(worlds_call_command(*app_));
    parts_.push_back(worlds_generate_command(*app_));
    parts_.push_back(worlds_check_command(*app_));
  }

  int run() override {
    for (const std::unique_ptr<Command>& part : parts_) {
      if (part->app()->parsed()) return part->run();
    }
    return kBadUsage;
  }

 private:
  std::vector<std::unique_ptr<Command>> parts_;
};

}  // namespace

std::unique_ptr<Command> worlds_command(CLI::App& root) { return std::make_unique<Worlds>(root); }

}  // namespace unmask::cli
