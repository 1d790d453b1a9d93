#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_demo.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/synthetic/example_study.h"
#include "unmask/synthetic/study_folder.h"

namespace unmask::cli {
namespace {

class Study final : public Command {
 public:
  explicit Study(CLI::App& root) {
    app_ = root.add_subcommand("study", "Whole studies");
    app_->require_subcommand(1);
    demo_.add(*app_);
    CLI::App* example = app_->add_subcommand(
        "example", "Write a simulated ten-cell study in tau2-bench's format, with a study.toml");
    example->add_option("-o,--output", folder_, "folder to write into")
        ->required()
        ->type_name("FOLDER");
    example->add_option("--seed", seed_, "another seed shows the same pattern with other noise")
        ->capture_default_str();
    example->add_flag("--force", force_,
                      "write into a folder that holds files; replace the study's");
    example->add_flag("-q,--quiet", quiet_, "no progress");
  }

  int run() override {
    if (demo_.is_asked_for()) return demo_.run();
    std::error_code error;
    if (!force_ && std::filesystem::is_directory(folder_, error) &&
        !std::filesystem::is_empty(folder_, error)) {
      return report_failure({ErrorCode::invalid_argument,
                             folder_ + ": the folder is not empty; name a new one, or add --force "
                                       "to replace the files of a study in it"});
    }
    ProgressBar bar("writing", quiet_);
    const Result<void> written = synthetic::write_study(
        synthetic::example_study(), seed_, folder_, [&bar](std::size_t done, std::size_t total) {
          bar.update(done, total, "logs");
          return !interrupted();
        });
    if (!written) return report_failure(written.error());
    return kDone;
  }

 private:
  StudyDemo demo_;
  std::string folder_;
  std::uint64_t seed_ = synthetic::kExampleSeed;
  bool quiet_ = false;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> study_command(CLI::App& root) { return std::make_unique<Study>(root); }

}  // namespace unmask::cli
