#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/error.h"
#include "unmask/base/rng.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/cli/world_commands.h"
#include "unmask/output/output_file.h"
#include "unmask/world/generate/difficulty.h"
#include "unmask/world/generate/generate.h"

namespace unmask::cli {
namespace {

class WorldsGenerate final : public Command {
 public:
  explicit WorldsGenerate(CLI::App& worlds) {
    app_ = worlds.add_subcommand("generate",
                                 "Invent a world with fresh tasks, in tau2-bench's formats");
    app_->add_option("--domain", domain_, "retail, or telecom, where users have tools, too")
        ->required()
        ->check(CLI::IsMember({"retail", "telecom"}));
    app_->add_option("--tasks", settings_.tasks, "number of tasks")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app_->add_option("--seed", settings_.seed, "another seed gives another world")
        ->capture_default_str();
    app_->add_option("--difficulty", difficulty_,
                     "tiny (one call), easy (one request or fault), medium or hard (many)")
        ->check(CLI::IsMember({"tiny", "easy", "medium", "hard"}))
        ->capture_default_str();
    app_->add_option("--policy", policy_,
                     "long or short [short for tiny and easy tasks, else long]")
        ->check(CLI::IsMember({"long", "short"}));
    app_->add_option("--products", settings_.retail.products, "retail: products")
        ->check(CLI::Range(4, 64))
        ->capture_default_str();
    app_->add_option("--users", settings_.retail.users, "retail: users")
        ->check(CLI::Range(2, 1000000))
        ->capture_default_str();
    app_->add_option("--orders", settings_.retail.orders, "retail: orders")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app_->add_option("--customers", settings_.telecom_customers,
                     "telecom: customers [60, or a tenth of the tasks if more]")
        ->check(CLI::Range(1, 20000));
    app_->add_option("-o,--output", folder_, "folder to write into, laid out as tau2-bench's")
        ->required()
        ->type_name("FOLDER");
    app_->add_flag("--force", force_, "replace a world of that domain in the folder");
    app_->add_flag("-q,--quiet", quiet_, "no progress");
  }

  int run() override {
    settings_.domain = *world::generated::generated_domain_of_name(domain_);
    settings_.difficulty = *world::generated::difficulty_of_name(difficulty_);
    if (!policy_.empty()) {
      settings_.policy = policy_ == "long" ? world::generated::PolicyLength::long_text
                                           : world::generated::PolicyLength::short_text;
    }
    const Result<void> written = write();
    return written ? kDone : report_failure(written.error());
  }

 private:
  Result<void> write() {
    const std::filesystem::path folder(folder_);
    std::error_code error;
    if (!force_ &&
        std::filesystem::exists(
            folder / world::generated::domain_folder(settings_.domain) / "tasks.json", error)) {
      return fail(ErrorCode::invalid_argument,
                  folder_ + " already holds a world of the domain " + domain_ +
                      "; name another folder, or add --force to replace it");
    }
    Result<std::vector<world::generated::GeneratedFile>> files = generate();
    if (!files) return tl::unexpected(files.error());
    for (const world::generated::GeneratedFile& file : *files) {
      const Result<void> written = write_file(folder / file.name, file.bytes);
      if (!written) return written;
    }
    return {};
  }

  Result<std::vector<world::generated::GeneratedFile>> generate() {
    ProgressBar bar("inventing", quiet_);
    return world::generated::generate(settings_, [&bar](std::uint32_t done, std::uint32_t total) {
      bar.update(done, total, "tasks");
      return !interrupted();
    });
  }

  static Result<void> write_file(const std::filesystem::path& path, const std::string& bytes) {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
      return fail(ErrorCode::outside, "can't make the folder " + path.parent_path().string() +
                                          ": " + error.message() + ". Choose another one with -o.");
    }
    Result<OutputFile> file = OutputFile::create(path, Packing::none);
    if (!file) return tl::unexpected(file.error());
    file->write(bytes);
    return file->commit();
  }

  world::generated::WorldSettings settings_;
  std::string domain_, policy_, folder_;
  std::string difficulty_ = "medium";
  bool force_ = false, quiet_ = false;
};

}  // namespace

std::unique_ptr<Command> worlds_generate_command(CLI::App& worlds) {
  return std::make_unique<WorldsGenerate>(worlds);
}

}  // namespace unmask::cli
