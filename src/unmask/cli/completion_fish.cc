#include <string>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/cli/command_doc.h"

namespace unmask::cli {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// What a value may be. -r: it must be there; -f: no file; -F: a file.
std::string value(const OptionDoc& option) {
  if (!option.choices.empty()) return " -r -f -a " + quoted(joined(option.choices, " "));
  switch (option.value) {
    case OptionDoc::Value::file:
    case OptionDoc::Value::log:
      return " -r -F";
    case OptionDoc::Value::folder:
      return " -r -f -a '(__fish_complete_directories)'";
    case OptionDoc::Value::free:
      return " -r -f";
    case OptionDoc::Value::none:
      break;
  }
  return {};
}

void add_lines(const CommandDoc& command, const std::string& condition, std::string& text) {
  std::vector<std::string> names;
  names.reserve(command.commands.size());
  for (const CommandDoc& sub : command.commands) names.push_back(sub.name);
  const std::string here = names.empty()
                               ? condition
                               : (condition.empty() ? "" : condition + "; and ") +
                                     "not __fish_seen_subcommand_from " + joined(names, " ");
  const std::string line = "complete -c unmask -n " + quoted(here);
  for (const OptionDoc& option : command.options) {
    if (option.positional) {
      if (option.choices.empty() && option.value == OptionDoc::Value::free) continue;
      text += line +
              (option.choices.empty() ? " -F" : " -a " + quoted(joined(option.choices, " "))) +
              "\n";
      continue;
    }
    text += line;
    if (!option.short_name.empty()) text += " -s " + option.short_name.substr(1);
    text += " -l " + option.long_name.substr(2) + value(option) + " -d " +
            quoted(option.description) + "\n";
  }
  for (const CommandDoc& sub : command.commands) {
    text += line + " -a " + sub.name + " -d " + quoted(sub.description) + "\n";
  }
  for (const CommandDoc& sub : command.commands) {
    add_lines(
        sub,
        (condition.empty() ? "" : condition + "; and ") + "__fish_seen_subcommand_from " + sub.name,
        text);
  }
}

}  // namespace

std::string fish_completion(const CommandDoc& root) {
  std::string text =
      "# fish completion for unmask; made by: unmask completion fish\n"
      "# Save it as ~/.config/fish/completions/unmask.fish\n\n"
      "complete -c unmask -f\n";
  add_lines(root, "", text);
  return text;
}

}  // namespace unmask::cli
