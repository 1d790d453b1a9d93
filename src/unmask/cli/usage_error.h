#pragma once

#include <span>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace unmask::cli {

/// What is wrong with the command line, for someone who has not read the manual: the flag or
/// command that was meant, the values that a flag takes, and whose --help to read. One line or two,
/// without a line end. `arguments` are those of the program, without its name.
[[nodiscard]] std::string usage_error_text(const CLI::App& root, const CLI::ParseError& error,
                                           std::span<const std::string> arguments);

}  // namespace unmask::cli
