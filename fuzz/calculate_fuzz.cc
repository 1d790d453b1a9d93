// An expression; other characters than calculate's are read as some of them, so that most inputs
// get past the first check.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz_support.h"

#include "unmask/world/calculate.h"
#include "unmask/world/calculate_evaluate.h"
#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_operand.h"
#include "unmask/world/calculate_simple.h"
#include "unmask/world/calculate_token.h"
#include "unmask/world/python_number.h"

namespace {

using unmask::fuzz::require;
using unmask::world::calculate;
using unmask::world::Calculated;

/// The text of a result is that of a float of at most two places.
void require_result(const std::string& text) {
  require(!text.empty());
  if (text == "nan" || text == "inf" || text == "-inf") return;
  const double value = std::strtod(text.c_str(), nullptr);
  require(std::isfinite(value));
  require(unmask::world::python_float(value) == text);
  require(unmask::world::python_float(unmask::world::round2(value)) == text);
}

/// A program leaves one operand, and never takes more than there are.
void require_balanced(const unmask::world::calculator::Program& program) {
  using unmask::world::calculator::Action;
  std::size_t operands = 0;
  for (const auto& instruction : program) {
    switch (instruction.action) {
      case Action::push_integer:
      case Action::push_real:
      case Action::push_ellipsis:
      case Action::push_tuple:
        ++operands;
        break;
      case Action::plus:
      case Action::negate:
      case Action::call:
        require(operands >= 1);
        break;
      default:
        require(operands >= 2);
        --operands;
    }
  }
  require(operands == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kCharacters = "0123456789+-*/(). ";
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  std::string expression;
  for (const char c : raw) {
    const bool is_known = kCharacters.find(c) != std::string_view::npos;
    expression += is_known ? c : kCharacters[static_cast<unsigned char>(c) % kCharacters.size()];
  }

  const Calculated result = calculate(expression);
  if (result.text == unmask::world::kTooMuchArithmetic) return 0;  // slow enough once
  if (!result.error) require_result(result.text);
  const auto program = unmask::world::calculator::parse_expression(
      unmask::world::calculator::tokenize_expression(expression));
  if (const auto simple = unmask::world::calculator::simple_value(expression)) {
    require(program.has_value());
    const auto value = unmask::world::calculator::evaluate(*program);
    require(value.has_value());
    const auto real = unmask::world::calculator::to_float(*value);
    require(real.has_value() &&
            unmask::world::python_float(*real) == unmask::world::python_float(*simple));
  }
  if (program) {
    require_balanced(*program);
    // A space at either end changes nothing.
    require(calculate(" " + expression + " ") == result);
  } else {
    require(result.error && result.text == program.error());
  }

  if (raw != expression) {
    require(calculate(raw) == Calculated{"Invalid characters in expression", true});
  }
  return 0;
}
