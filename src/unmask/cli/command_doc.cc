#include "unmask/cli/command_doc.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace unmask::cli {
namespace {

// CLI11 says all of a value's type in one text: `POINTS:NUMBER AND FLOAT in [0.01 - 100]`.
std::string between(std::string_view text, std::string_view open, char close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) return {};
  const std::size_t from = begin + open.size();
  const std::size_t end = text.find(close, from);
  return end == std::string_view::npos ? std::string() : std::string(text.substr(from, end - from));
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

OptionDoc::Value value_of(std::string_view name) {
  if (name == "FILE") return OptionDoc::Value::file;
  if (name == "FOLDER") return OptionDoc::Value::folder;
  if (name.ends_with("PATH")) return OptionDoc::Value::log;
  return OptionDoc::Value::free;
}

std::string value_name(std::string_view type, const std::string& option) {
  const std::string_view name = type.substr(0, type.find(':'));
  if (name == "INT" || name == "UINT") return "N";
  if (name == "FLOAT") return "NUMBER";
  if (name != "TEXT" && !name.starts_with('{')) return std::string(name);
  std::string upper;
  for (const char c : option) {
    if (c != '-') upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return upper;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

OptionDoc describe(const CLI::Option& option) {
  OptionDoc doc;
  if (!option.get_snames().empty()) doc.short_name = "-" + option.get_snames().front();
  if (!option.get_lnames().empty()) doc.long_name = "--" + option.get_lnames().front();
  doc.positional = doc.short_name.empty() && doc.long_name.empty();
  if (doc.positional) doc.long_name = option.get_name();
  doc.description = one_line(option.get_description());
  doc.required = option.get_required();
  if (option.get_items_expected_max() == 0) return doc;
  const std::string type = option.get_type_name();
  doc.value_name = value_name(type, doc.long_name);
  doc.choices = split(between(type, "{", '}'));
  doc.limits = between(type, " in [", ']');
  if (const std::size_t dash = doc.limits.find(" - "); dash != std::string::npos) {
    doc.limits.replace(dash, 3, " to ");
  }
  doc.value = value_of(doc.value_name);
  doc.list = option.get_delimiter() == ',';
  doc.default_text = option.get_default_str();
  if (doc.default_text.starts_with('[') && doc.default_text.ends_with(']')) {
    doc.default_text = doc.default_text.substr(1, doc.default_text.size() - 2);
  }
  if (doc.default_text == "\"\"") doc.default_text.clear();
  return doc;
}

}  // namespace

CommandDoc describe(const CLI::App& app) {
  CommandDoc doc{.name = app.get_name(),
                 .description = one_line(app.get_description()),
                 .footer = app.get_footer(),
                 .options = {},
                 .commands = {}};
  for (const CLI::Option* option : app.get_options()) doc.options.push_back(describe(*option));
  for (const CLI::App* command : app.get_subcommands({})) {
    doc.commands.push_back(describe(*command));
    // CLI11 hands a footer on to every command below.
    if (doc.commands.back().footer == doc.footer) doc.commands.back().footer.clear();
  }
  return doc;
}

}  // namespace unmask::cli
