#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace unmask::cli {

/// One subcommand: declared on the application, run after parsing. One source file each.
class Command {
 public:
  virtual ~Command() = default;
  /// Returns the exit code.
  virtual int run() = 0;

  [[nodiscard]] CLI::App* app() const { return app_; }

 protected:
  CLI::App* app_ = nullptr;
};

[[nodiscard]] std::unique_ptr<Command> audit_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> report_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> view_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> inspect_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> diagnose_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> convert_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> power_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> screen_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> card_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> study_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> run_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> worlds_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> replay_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> margins_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> completion_command(CLI::App& root);
[[nodiscard]] std::unique_ptr<Command> help_command(CLI::App& root);

/// Gives every long flag of `app` and its subcommands a variable in the environment: `--margin`
/// is UNMASK_MARGIN. A flag on the command line wins. Those of help and completion have none.
void name_environment(CLI::App& app);

}  // namespace unmask::cli
