#include "unmask/cli/usage_error.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "unmask/base/joined.h"
#include "unmask/base/near_names.h"
#include "unmask/cli/command_doc.h"

namespace unmask::cli {
namespace {

// 0.010000 as people write it.
std::string shortened(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  while (number.ends_with('0')) number.pop_back();
  if (number.ends_with('.')) number.pop_back();
  return number;
}

// The command that was being parsed when it went wrong.
class Place {
 public:
  Place(const CLI::App& root, std::span<const std::string> arguments)
      : app_(&root), doc_(describe(root)), path_(root.get_name()), rest_(arguments) {
    while (!app_->get_subcommands().empty()) {
      app_ = app_->get_subcommands().front();
      const auto sub = std::ranges::find(doc_.commands, app_->get_name(), &CommandDoc::name);
      if (sub == doc_.commands.end()) break;
      CommandDoc found = *sub;  // it is a part of what is assigned to
      doc_ = std::move(found);
      path_ += " " + app_->get_name();
      const auto word = std::ranges::find(rest_, app_->get_name());
      rest_ = rest_.subspan(static_cast<std::size_t>(word - rest_.begin()) +
                            (word == rest_.end() ? 0 : 1));
    }
  }

  [[nodiscard]] const CLI::App& app() const { return *app_; }
  [[nodiscard]] const CommandDoc& doc() const { return doc_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::span<const std::string> rest() const { return rest_; }

  [[nodiscard]] const OptionDoc* option(std::string_view name) const {
    for (const OptionDoc& option : doc_.options) {
      if (option.long_name == name || option.short_name == name) return &option;
    }
    return nullptr;
  }

 private:
  const CLI::App* app_;
  CommandDoc doc_;
  std::string path_;
  std::span<const std::string> rest_;  // the arguments behind the command's name
};

std::string which_command(const Place& place) {
  std::vector<std::string> known;
  for (const CommandDoc& command : place.doc().commands) known.push_back(command.name);
  const auto word = std::ranges::find_if(
      place.rest(), [](const std::string& argument) { return !argument.starts_with('-'); });
  if (word == place.rest().end()) {
    return "a command is missing: " + place.path() + " COMMAND; commands: " + joined(known, ", ");
  }
  const std::string meant = did_you_mean(*word, known);
  return place.path() + " has no command '" + *word + "'" +
         (meant.empty() ? "; commands: " + joined(known, ", ") : meant);
}

void commands_with(const CommandDoc& command, const std::string& path, std::string_view flag,
                   std::vector<std::string>& found) {
  for (const OptionDoc& option : command.options) {
    if (option.long_name == flag) found.push_back(path);
  }
  for (const CommandDoc& sub : command.commands)
    commands_with(sub, path + " " + sub.name, flag, found);
}

bool is_flag(const std::string& word) { return word.size() > 1 && word.starts_with('-'); }

std::string what_is_left(const Place& place, const CLI::App& root) {
  const std::vector<std::string> left = place.app().remaining();
  if (left.empty()) {
    const std::vector<std::string> before = root.remaining();
    return before.empty() ? std::string()
                          : before.front() + " stands before the command; write " + place.path() +
                                " " + before.front() + " ...";
  }
  // A flag that is not known may have left words behind that look wrong themselves.
  const auto flag = std::ranges::find_if(left, is_flag);
  if (flag == left.end()) return "unexpected argument '" + left.front() + "'";
  const std::string word = flag->substr(0, flag->find('='));
  std::string text = place.path() + " has no flag " + word;
  if (!word.starts_with("--")) return text;
  std::vector<std::string> known;
  for (const OptionDoc& option : place.doc().options) {
    if (!option.positional) known.push_back(option.long_name);
  }
  if (const std::string meant = did_you_mean(word, known); !meant.empty()) return text + meant;
  std::vector<std::string> owners;
  commands_with(describe(root), root.get_name(), word, owners);
  if (!owners.empty()) text += "; it is a flag of " + joined(owners, ", ");
  return text;
}

std::string what_is_missing(const Place& place, std::string_view message) {
  const std::string_view end = " is required";
  if (!message.ends_with(end)) return {};
  const std::string_view name = message.substr(0, message.size() - end.size());
  const OptionDoc* option = place.option(name);
  if (option == nullptr) return {};
  return place.path() + " needs " +
         (option->positional ? option->value_name : option->long_name + " " + option->value_name) +
         ": " + option->description;
}

// `--format: yaml not in {text,json}`, `--margin: (a) AND (Value -3 not in range 0.01 to 100.00)`
std::string wrong_value(const Place& place, const std::string& message) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos) return {};
  const OptionDoc* option = place.option(message.substr(0, colon));
  if (option == nullptr) return {};
  const std::string name = option->positional ? option->value_name : option->long_name;
  std::string rest = message.substr(colon + 2);
  if (rest.starts_with('(')) rest = rest.substr(1, rest.find(") AND (") - 1);
  if (const std::size_t at = rest.find(" not in {"); at != std::string::npos) {
    const std::string value = rest.substr(0, at);
    return name + ": '" + value + "' is none of " + joined(option->choices, ", ") +
           did_you_mean(value, option->choices);
  }
  const std::string_view range = " not in range ";
  if (const std::size_t at = rest.find(range); at != std::string::npos) {
    const std::string bounds = rest.substr(at + range.size());
    const std::size_t to = bounds.find(" to ");
    if (to != std::string::npos && rest.starts_with("Value ")) {
      return name + ": " + rest.substr(6, at - 6) + " is not between " +
             shortened(bounds.substr(0, to)) + " and " + shortened(bounds.substr(to + 4));
    }
  }
  if (rest.ends_with(" missing")) {
    return name + ": its value is missing" +
           (option->choices.empty() ? ": " + option->value_name
                                    : "; one of " + joined(option->choices, ", "));
  }
  return name + ": " + rest;
}

std::string not_convertible(const Place& place, std::string_view message) {
  const std::string_view begin = "Could not convert: ";
  if (!message.starts_with(begin)) return {};
  const std::string_view rest = message.substr(begin.size());
  const std::size_t equals = rest.find(" = ");
  if (equals == std::string_view::npos) return {};
  const std::string name(rest.substr(0, equals));
  const OptionDoc* option = place.option(name);
  return name + ": '" + std::string(rest.substr(equals + 3)) + "' is no number" +
         (option != nullptr && !option->limits.empty() ? " (" + option->limits + ")" : "");
}

// A value that nobody typed comes from the environment.
std::string origin(const Place& place, const std::string& text) {
  for (const CLI::Option* option : place.app().get_options()) {
    if (option->get_envname().empty() || option->get_lnames().empty()) continue;
    const std::string flag = "--" + option->get_lnames().front();
    if (!text.starts_with(flag + ":") || std::getenv(option->get_envname().c_str()) == nullptr)
      continue;
    const bool typed = std::ranges::any_of(place.rest(), [&](const std::string& argument) {
      return argument.starts_with(flag) ||
             (!option->get_snames().empty() &&
              argument.starts_with("-" + option->get_snames().front()));
    });
    if (!typed) return " (from the environment: " + option->get_envname() + ")";
  }
  return {};
}

}  // namespace

std::string usage_error_text(const CLI::App& root, const CLI::ParseError& error,
                             std::span<const std::string> arguments) {
  const Place place(root, arguments);
  const std::string message = error.what();
  std::string text;
  const std::vector<std::string> left = place.app().remaining();
  const bool flag_is_left = std::ranges::any_of(left, is_flag);
  if (!place.doc().commands.empty() && place.app().get_subcommands().empty() && !flag_is_left) {
    text = which_command(place);
  }
  // What seems to be missing may be what an unknown flag was meant to be.
  if (text.empty() && flag_is_left) text = what_is_left(place, root);
  if (text.empty()) text = what_is_missing(place, message);
  if (text.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    text = what_is_left(place, root);
  if (text.empty()) text = not_convertible(place, message);
  if (text.empty()) text = wrong_value(place, message);
  if (text.empty()) text = message;
  return text + origin(place, text) + "\nsee: " + place.path() + " --help";
}

}  // namespace unmask::cli
