#include <string>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/cli/command_doc.h"

namespace unmask::cli {
namespace {

// What completes a value: a line of shell that sets COMPREPLY.
std::string action(const OptionDoc& option) {
  if (!option.choices.empty()) {
    return std::string(option.list ? "_unmask_list" : "_unmask_words") + " '" +
           joined(option.choices, " ") + "'";
  }
  switch (option.value) {
    case OptionDoc::Value::file:
    case OptionDoc::Value::log:
      return "_unmask_files -f";
    case OptionDoc::Value::folder:
      return "_unmask_files -d";
    case OptionDoc::Value::none:
    case OptionDoc::Value::free:
      break;
  }
  return ":";
}

// Cases of the three switches below: which command is it, what does a flag take, what else may
// stand there.
struct Cases {
  std::string commands;
  std::string values;
  std::string rest;
};

void add_cases(const CommandDoc& command, const std::string& path, Cases& cases) {
  std::vector<std::string> flags, subcommands;
  std::string positional;
  for (const OptionDoc& option : command.options) {
    if (option.positional) {
      positional = action(option);
      continue;
    }
    std::string names;
    for (const std::string& name : {option.short_name, option.long_name}) {
      if (name.empty()) continue;
      flags.push_back(name);
      names.append(names.empty() ? "'" : " | '").append(path).append(" ").append(name).append("'");
    }
    if (option.value == OptionDoc::Value::none) continue;
    cases.values += "    " + names + ") " + action(option) + "; return ;;\n";
  }
  for (const CommandDoc& sub : command.commands) {
    subcommands.push_back(sub.name);
    const std::string longer = path + " " + sub.name;
    cases.commands.append("      '").append(longer).append("') path='").append(longer);
    cases.commands.append("' ;;\n");
  }
  if (!subcommands.empty()) positional = "_unmask_words '" + joined(subcommands, " ") + "'";
  cases.rest += "    '" + path + "')\n      if [[ $cur == -* ]]; then _unmask_words '" +
                joined(flags, " ") + "'" +
                (positional.empty() ? std::string() : "; else " + positional) + "; fi ;;\n";
  for (const CommandDoc& sub : command.commands) add_cases(sub, path + " " + sub.name, cases);
}

}  // namespace

std::string bash_completion(const CommandDoc& root) {
  Cases cases;
  add_cases(root, root.name, cases);
  return R"(# bash completion for unmask; made by: unmask completion bash
# Source it, or save it as ~/.local/share/bash-completion/completions/unmask

_unmask_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# The last of values that commas separate.
_unmask_list() {
  local before=
  if [[ $cur == *,* ]]; then before=${cur%,*},; fi
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

_unmask_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

_unmask() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} path='unmask' i
  COMPREPLY=()
  # Bash makes three words of --format=json and of int4=run.json.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $prev == '=' && COMP_CWORD -gt 2 ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${COMP_WORDS[i]}" in
)" + cases.commands +
         R"(    esac
  done
  case "$path $prev" in
)" + cases.values +
         R"(  esac
  case "$path" in
)" + cases.rest +
         R"(  esac
}

complete -F _unmask unmask
)";
}

}  // namespace unmask::cli
