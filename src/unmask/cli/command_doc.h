#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace unmask::cli {

/// An option, a flag or a positional argument, as declared.
struct OptionDoc {
  enum class Value { none, free, file, log, folder };  ///< what a shell completes; none for a flag

  std::string short_name;            ///< with its dash; empty if there is none
  std::string long_name;             ///< with its dashes; the bare name of a positional
  std::string description;           ///< one paragraph, no line ends
  std::string value_name;            ///< `FILE`; empty for a flag
  std::string limits;                ///< `1 to 256`; empty if anything goes
  std::string default_text;          ///< empty if there is none worth telling
  std::vector<std::string> choices;  ///< the only values that it takes; empty if it takes others
  Value value = Value::none;
  bool positional = false;
  bool required = false;
  bool list = false;  ///< values separated by commas

  bool operator==(const OptionDoc&) const = default;
};

/// A command with the commands below it.
struct CommandDoc {
  std::string name;
  std::string description;
  std::string footer;
  std::vector<OptionDoc> options;  ///< positional ones included
  std::vector<CommandDoc> commands;

  bool operator==(const CommandDoc&) const = default;
};

/// What the definitions of the command line say. Man page and completions are made from it, so that
/// they can't differ from what is parsed.
[[nodiscard]] CommandDoc describe(const CLI::App& app);

/// A manual page in roff's man macros, for section 1. `version` stands in its foot.
[[nodiscard]] std::string man_page(const CommandDoc& root, const std::string& version);

/// Completion scripts. They call nothing but the shell itself.
[[nodiscard]] std::string bash_completion(const CommandDoc& root);
[[nodiscard]] std::string zsh_completion(const CommandDoc& root);
[[nodiscard]] std::string fish_completion(const CommandDoc& root);

}  // namespace unmask::cli
