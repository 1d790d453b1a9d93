#pragma once

#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_operand.h"

namespace unmask::world::calculator {

/// Runs a program that parse_expression made, with kIntegerWork to spend.
[[nodiscard]] Evaluated evaluate(const Program& program);

}  // namespace unmask::world::calculator
