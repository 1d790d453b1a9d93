#include "unmask/world/calculate_evaluate.h"

#include <charconv>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "unmask/world/calculate.h"
#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_integer.h"
#include "unmask/world/calculate_operand.h"

namespace unmask::world::calculator {
namespace {

/// The value of a float literal; beyond all doubles it is infinite.
double real_of(std::string_view literal) {
  double value = 0;
  const auto [end, code] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (code != std::errc::result_out_of_range) return value;
  const bool is_large =
      literal.substr(0, literal.find('.')).find_first_not_of('0') != std::string_view::npos;
  return is_large ? std::numeric_limits<double>::infinity() : 0;
}

class Evaluation {
 public:
  Evaluated run(const Program& program) {
    stack_.reserve(kUsualDepth);
    for (const Instruction& instruction : program) {
      auto result = step(instruction);
      if (!result) return result;
      stack_.push_back(*std::move(result));
    }
    return pop();
  }

 private:
  static constexpr std::size_t kUsualDepth = 8;

  Operand pop() {
    Operand top = std::move(stack_.back());
    stack_.pop_back();
    return top;
  }

  Evaluated step(const Instruction& instruction) {
    switch (instruction.action) {
      case Action::push_integer: {
        auto value = Integer::from_digits(instruction.literal, work_);
        if (!value) return tl::unexpected(std::string(kTooMuchArithmetic));
        return Operand(*std::move(value));
      }
      case Action::push_real:
        return Operand(real_of(instruction.literal));
      case Action::push_ellipsis:
        return Operand(Ellipsis{});
      case Action::push_tuple:
        return Operand(EmptyTuple{});
      case Action::plus:
      case Action::negate:
        return apply_sign(instruction.action, pop(), work_);
      case Action::call:
        return tl::unexpected(call_error(instruction.action, pop(), EmptyTuple{}));
      case Action::call_one:
      case Action::call_star:
      case Action::call_double_star: {
        const Operand argument = pop();
        return tl::unexpected(call_error(instruction.action, pop(), argument));
      }
      default: {
        const Operand right = pop();
        return apply_operator(instruction.action, pop(), right, work_);
      }
    }
  }

  std::vector<Operand> stack_;
  IntegerWork work_{kIntegerWork};
};

}  // namespace

Evaluated evaluate(const Program& program) { return Evaluation().run(program); }

}  // namespace unmask::world::calculator
