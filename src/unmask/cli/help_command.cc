#include <memory>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "unmask/base/joined.h"
#include "unmask/cli/command_doc.h"
#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/study_options.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/help_topics.h"
#include "unmask/report/producer.h"

namespace unmask::cli {
namespace {

class Help final : public Command {
 public:
  explicit Help(CLI::App& root) : root_(root) {
    app_ = root.add_subcommand("help", "What the words mean: verdicts, channels, budget");
    std::string known;
    for (const std::string_view topic : help_topics()) known += std::string(topic) + ",";
    for (const CLI::App* command : root.get_subcommands({})) {
      if (command != app_) known += command->get_name() + ",";
    }
    app_->add_option("topic", topic_, "a topic, a command, or man for the manual page")
        ->type_name("{" + known + "man}");
    app_->add_option("-o,--output", output_, "write to a file instead of standard output")
        ->type_name("FILE");
  }

  int run() override {
    if (topic_.empty()) {
      std::string text = root_.help();
      text += "\nTopics (unmask help TOPIC):\n";
      for (const std::string_view topic : help_topics()) text += "  " + std::string(topic) + "\n";
      return written(text);
    }
    if (topic_ == "man") return written(man_page(describe(root_), this_program().version));
    if (const std::optional<std::string> text = help_topic(topic_)) return written(*text);
    for (const CLI::App* command : root_.get_subcommands({})) {
      if (command->get_name() == topic_) return written(command->help("unmask"));
    }
    complain("no help on '" + topic_ + "'; topics: " + joined(help_topics(), ", ") +
             ", man, or the name of a command");
    return kBadUsage;
  }

 private:
  [[nodiscard]] int written(const std::string& text) const {
    const Result<void> done = write_output(output_, text);
    return done ? kDone : report_failure(done.error());
  }

  CLI::App& root_;
  std::string topic_;
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> help_command(CLI::App& root) { return std::make_unique<Help>(root); }

}  // namespace unmask::cli
