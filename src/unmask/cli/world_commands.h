#pragma once

#include <memory>

#include "unmask/cli/commands.h"

namespace unmask::cli {

// The subcommands of `unmask worlds`, one source file each.
[[nodiscard]] std::unique_ptr<Command> worlds_list_command(CLI::App& worlds);
[[nodiscard]] std::unique_ptr<Command> worlds_tools_command(CLI::App& worlds);
[[nodiscard]] std::unique_ptr<Command> worlds_tasks_command(CLI::App& worlds);
[[nodiscard]] std::unique_ptr<Command> worlds_call_command(CLI::App& worlds);
[[nodiscard]] std::unique_ptr<Command> worlds_generate_command(CLI::App& worlds);
[[nodiscard]] std::unique_ptr<Command> worlds_check_command(CLI::App& worlds);

}  // namespace unmask::cli
