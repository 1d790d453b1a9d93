#include <memory>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "unmask/cli/commands.h"
#include "unmask/cli/exit_code.h"
#include "unmask/cli/terminal.h"
#include "unmask/report/help_topics.h"

namespace unmask::cli {
namespace {

class Help final : public Command {
 public:
  explicit Help(CLI::App& root) : root_(root) {
    app_ = root.add_subcommand("help", "What the words mean: verdicts, channels, budget");
    app_->add_option("topic", topic_, "a topic or a command")->type_name("TOPIC");
  }

  int run() override {
    if (topic_.empty()) {
      std::string text = root_.help();
      text += "\nTopics (unmask help TOPIC):\n";
      for (const std::string_view topic : help_topics()) text += "  " + std::string(topic) + "\n";
      return write_output("", text) ? kDone : kOutside;
    }
    if (const std::optional<std::string> text = help_topic(topic_))
      return write_output("", *text) ? kDone : kOutside;
    for (const CLI::App* command : root_.get_subcommands({})) {
      if (command->get_name() == topic_)
        return write_output("", command->help()) ? kDone : kOutside;
    }
    std::string known;
    for (const std::string_view topic : help_topics())
      known += (known.empty() ? "" : ", ") + std::string(topic);
    complain("no help on '" + topic_ + "'; topics: " + known + ", or the name of a command");
    return kBadUsage;
  }

 private:
  CLI::App& root_;
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> help_command(CLI::App& root) { return std::make_unique<Help>(root); }

}  // namespace unmask::cli
