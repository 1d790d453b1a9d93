#include <string>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/cli/command_doc.h"

namespace unmask::cli {
namespace {

// Inside single quotes; `:`, `[` and `]` mean something to _arguments.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action(const OptionDoc& option) {
  if (!option.choices.empty()) {
    const std::string list = joined(option.choices, " ");
    return option.list ? "_values -s , value " + list : "(" + list + ")";
  }
  switch (option.value) {
    case OptionDoc::Value::file:
      return "_files";
    case OptionDoc::Value::log:
      return "_unmask_log";
    case OptionDoc::Value::folder:
      return "_files -/";
    case OptionDoc::Value::none:
    case OptionDoc::Value::free:
      break;
  }
  return " ";
}

std::string spec(const OptionDoc& option) {
  const std::string value = option.value == OptionDoc::Value::none
                                ? std::string()
                                : ":" + quoted(option.value_name) + ":" + action(option);
  if (option.positional) return "'*" + value + "'";
  const std::string text = "[" + quoted(option.description) + "]" + value + "'";
  // `=`: the value may stand in the same word.
  const std::string long_name = option.long_name + (value.empty() ? "" : "=");
  if (option.short_name.empty()) return "'*" + long_name + text;
  return "'*'{" + option.short_name + "," + long_name + "}'" + text;
}

std::string function_name(const std::string& path) {
  std::string name = "_" + path;
  for (char& c : name) {
    if (c == ' ') c = '_';
  }
  return name;
}

void add_functions(const CommandDoc& command, const std::string& path, std::string& text) {
  for (const CommandDoc& sub : command.commands) add_functions(sub, path + " " + sub.name, text);
  std::string specs;
  for (const OptionDoc& option : command.options) specs += " \\\n    " + spec(option);
  text += function_name(path) + "() {\n";
  if (command.commands.empty()) {
    text += "  _arguments -s" + specs + "\n}\n\n";
    return;
  }
  std::string list, cases;
  for (const CommandDoc& sub : command.commands) {
    list += "\n    '" + sub.name + ":" + quoted(sub.description) + "'";
    cases += "        " + sub.name + ") " + function_name(path + " " + sub.name) + " ;;\n";
  }
  text +=
      "  local context state state_descr line\n  typeset -A opt_args\n  local -a commands\n"
      "  commands=(" +
      list + "\n  )\n  _arguments -C" + specs +
      " \\\n    '1: :->command' '*:: :->rest'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    rest)\n      case $line[1] in\n" +
      cases + "      esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string zsh_completion(const CommandDoc& root) {
  std::string text =
      "#compdef unmask\n"
      "# zsh completion for unmask; made by: unmask completion zsh\n"
      "# Save it as _unmask in a folder of $fpath.\n\n"
      "# NAME=PATH or PATH.\n"
      "_unmask_log() {\n  compset -P '*='\n  _files\n}\n\n";
  add_functions(root, root.name, text);
  // Loaded by name, the file is the function's body; sourced, it announces itself.
  return text +
         "if [[ $funcstack[1] = _unmask ]]; then\n  _unmask \"$@\"\nelse\n  compdef _unmask "
         "unmask\nfi\n";
}

}  // namespace unmask::cli
