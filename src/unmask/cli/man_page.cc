#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "unmask/base/joined.h"
#include "unmask/cli/command_doc.h"
#include "unmask/cli/exit_meanings.h"

namespace unmask::cli {
namespace {

// Text that roff prints as it stands: nothing in it is a request, an escape or a hyphen.
std::string plain(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + plain(text) + "\\fR"; }

std::string sentence(const std::string& text) {
  return text.ends_with('?') || text.ends_with('.') ? text : text + ".";
}

std::string synopsis(const CommandDoc& command, const std::string& path) {
  std::string text = bold(path);
  if (!command.commands.empty()) return text + " " + italic("COMMAND") + " ...";
  text += " [" + italic("OPTION") + "]...";
  for (const OptionDoc& option : command.options) {
    if (option.positional) {
      text += " " + std::string(option.required ? "" : "[") + italic(option.value_name) +
              (option.required ? "" : "]") + "...";
    } else if (option.required) {
      text += " " + bold(option.long_name) + " " + italic(option.value_name);
    }
  }
  return text;
}

std::string term(const OptionDoc& option) {
  if (option.positional) return italic(option.value_name);
  std::string text;
  if (!option.short_name.empty()) text = bold(option.short_name) + ", ";
  text += bold(option.long_name);
  if (!option.value_name.empty()) text += "=" + italic(option.value_name);
  return text;
}

std::string options_of(const CommandDoc& command) {
  std::string text;
  for (const OptionDoc& option : command.options) {
    if (option.long_name == "--help") continue;
    text += ".TP\n" + term(option) + "\n" + plain(option.description);
    std::string more;
    const bool told = std::ranges::all_of(option.choices, [&](const std::string& choice) {
      return option.description.find(choice) != std::string::npos;
    });
    if (!told) more = "one of " + joined(option.choices, ", ");
    if (!option.limits.empty()) more = option.limits;
    if (option.list && option.description.find("commas") == std::string::npos)
      more += more.empty() ? "separated by commas" : ", separated by commas";
    if (!option.default_text.empty()) {
      more += (more.empty() ? "default " : "; default ") + option.default_text;
    }
    if (!more.empty()) text += "\n(" + plain(more) + ")";
    text += "\n";
  }
  return text;
}

void commands_of(const CommandDoc& command, const std::string& path, std::string& text) {
  for (const CommandDoc& sub : command.commands) {
    const std::string name = path + " " + sub.name;
    text += ".SS " + plain(name) + "\n" + plain(sentence(sub.description)) + "\n";
    text += ".PP\n" + synopsis(sub, name) + "\n" + options_of(sub);
    if (!sub.footer.empty()) text += ".PP\n" + plain(sub.footer) + "\n";
    commands_of(sub, name, text);
  }
}

}  // namespace

std::string man_page(const CommandDoc& root, const std::string& version) {
  std::string text =
      ".TH UNMASK 1 \"\" \"" + plain(root.name + " " + version) + "\" \"User Commands\"\n";
  text += ".SH NAME\n" + root.name +
          " \\- show what a flat score hides when a tool-calling agent is quantized\n";
  text += ".SH SYNOPSIS\n" + synopsis(root, root.name) + "\n";
  text += ".SH DESCRIPTION\n" + plain(root.description) + "\n";
  text += ".SH OPTIONS\n" + options_of(root);
  text += ".SH COMMANDS\nEach also takes " + bold("--help") + ".\n";
  commands_of(root, root.name, text);
  text += ".SH EXIT STATUS\n";
  for (const ExitMeaning& exit : kExitMeanings) {
    text += ".TP\n.B " + std::to_string(exit.code) + "\n" + plain(exit.meaning) + "\n";
  }
  text +=
      ".SH ENVIRONMENT\n"
      "Every long flag can be set in the environment: " +
      bold("--margin") + " is " + bold("UNMASK_MARGIN") +
      ". A flag on the command line wins.\n"
      ".TP\n.B NO_COLOR\nif set and not empty, no colour\n"
      ".TP\n.B COLUMNS\nwidth of the text reports\n";
  text += ".SH EXAMPLES\n.nf\n" +
          plain(
              "unmask audit bf16=REFERENCE.json int4=QUANTIZED.json\n"
              "unmask audit --gate --study study.toml\n"
              "unmask inspect results.json\n"
              "unmask help verdicts\n") +
          ".fi\n";
  return text;
}

}  // namespace unmask::cli
