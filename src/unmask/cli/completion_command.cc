#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/command_doc.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"

namespace unmask::cli {
namespace {

class Completion final : public Command {
 public:
  explicit Completion(CLI::App& root) : root_(root) {
    app_ = root.add_subcommand("completion", "Print a completion script for a shell");
    app_->add_option("shell", shell_, "the shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
    app_->footer("In bash, for this session: source <(unmask completion bash)");
  }

  int run() override {
    const CommandDoc doc = describe(root_);
    const Result<void> written = write_output(output_, shell_ == "bash"  ? bash_completion(doc)
                                                       : shell_ == "zsh" ? zsh_completion(doc)
                                                                         : fish_completion(doc));
    return written ? kDone : report_failure(written.error());
  }

 private:
  CLI::App& root_;
  std::string shell_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> completion_command(CLI::App& root) {
  return std::make_unique<Completion>(root);
}

}  // namespace unmask::cli
