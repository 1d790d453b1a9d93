#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/usage_error.h"
#include "unmask/report/producer.h"

namespace unmask::cli {

namespace {

// Their output is text for packages and shells, not a result: what a user sets once for all audits
// must not send it elsewhere.
constexpr std::array<std::string_view, 2> kWithoutEnvironment = {"help", "completion"};

}  // namespace

void name_environment(CLI::App& app) {
  if (std::ranges::find(kWithoutEnvironment, app.get_name()) != kWithoutEnvironment.end()) return;
  for (CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_lnames().front() == "help" ||
        option->get_lnames().front() == "version") {
      continue;
    }
    std::string name = "UNMASK_";
    for (const char c : option->get_lnames().front()) {
      name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    option->envname(name);
  }
  for (CLI::App* sub : app.get_subcommands({})) {
    name_environment(*sub);
    // With a callback of its own a subcommand reads the environment only when it is the one that
    // runs; else UNMASK_FORMAT would have to suit every command.
    sub->parse_complete_callback([] {});
  }
}

namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "unmask shows what a flat benchmark score hides when a tool-calling LLM agent is quantized.",
      "unmask");
  app.set_version_flag("--version", "unmask " + this_program().version);
  app.require_subcommand(1);
  app.footer(
      "Every flag can also be set in the environment: --margin is UNMASK_MARGIN.\n"
      "Start with: unmask audit bf16=REFERENCE.json int4=QUANTIZED.json");
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(audit_command(app));
  commands.push_back(report_command(app));
  commands.push_back(view_command(app));
  commands.push_back(inspect_command(app));
  commands.push_back(diagnose_command(app));
  commands.push_back(convert_command(app));
  commands.push_back(power_command(app));
  commands.push_back(screen_command(app));
  commands.push_back(card_command(app));
  commands.push_back(study_command(app));
  commands.push_back(run_command(app));
  commands.push_back(worlds_command(app));
  commands.push_back(replay_command(app));
  commands.push_back(margins_command(app));
  commands.push_back(completion_command(app));
  commands.push_back(help_command(app));
  name_environment(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForAllHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::string text = usage_error_text(app, error, arguments);
    const std::size_t last_line = text.rfind('\n') + 1;  // which --help to read
    if (last_line > 0) complain(std::string_view(text).substr(0, last_line - 1));
    std::fprintf(stderr, "%s\n", text.c_str() + last_line);
    return kBadUsage;
  }
  for (const std::unique_ptr<Command>& command : commands) {
    if (command->app()->parsed()) return command->run();
  }
  return kBadUsage;
}

}  // namespace
}  // namespace unmask::cli

int main(int argc, char** argv) {
  unmask::cli::catch_interrupts();
  unmask::cli::let_writes_fail();
  try {
    return unmask::cli::run(argc, argv);
  } catch (const std::exception& error) {
    unmask::cli::complain(error.what());
    return unmask::cli::kOutside;
  }
}
