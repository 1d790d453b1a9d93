#include "unmask/world/calculate.h"

#include <array>
#include <string>
#include <string_view>

#include "unmask/world/calculate_evaluate.h"
#include "unmask/world/calculate_grammar.h"
#include "unmask/world/calculate_operand.h"
#include "unmask/world/calculate_simple.h"
#include "unmask/world/calculate_token.h"
#include "unmask/world/python_number.h"
#include "unmask/world/value.h"

namespace unmask::world {
namespace {

/// In the original's order: an element of a list is sought in this text as a whole.
constexpr std::string_view kCharacters = "0123456789+-*/(). ";
/// Whether a byte is one of them.
constexpr auto kIsCharacter = [] {
  std::array<bool, 256> result{};
  for (const char c : kCharacters) result[static_cast<unsigned char>(c)] = true;
  return result;
}();
constexpr std::string_view kInvalidCharacters = "Invalid characters in expression";

Calculated failed(std::string_view text) { return {std::string(text), true}; }

/// The message for an element of a list or a key of an object; empty if it passes.
std::string fault_of_element(const Value& element) {
  const std::string* text = element.string();
  if (text == nullptr) {
    return "'in <string>' requires string as left operand, not " + std::string(type_name(element));
  }
  return std::string(kCharacters.find(*text) == std::string_view::npos ? kInvalidCharacters : "");
}

}  // namespace

Calculated calculate(std::string_view expression) {
  if (const auto value = calculator::simple_value(expression)) {
    return {python_float(round2(*value)), false};
  }
  for (const char c : expression) {
    if (!kIsCharacter[static_cast<unsigned char>(c)]) return failed(kInvalidCharacters);
  }
  const auto program = calculator::parse_expression(calculator::tokenize_expression(expression));
  if (!program) return failed(program.error());
  const auto result = calculator::evaluate(*program);
  if (!result) return failed(result.error());
  const auto value = calculator::to_float(*result);
  if (!value) return failed(value.error());
  return {python_float(round2(*value)), false};
}

Calculated calculate_argument(const Value& expression) {
  if (const std::string* text = expression.string()) return calculate(*text);
  if (const List* list = expression.list()) {
    for (const Value& element : *list) {
      if (const std::string fault = fault_of_element(element); !fault.empty()) return failed(fault);
    }
  } else if (const Object* object = expression.object()) {
    for (const Member& member : *object) {
      if (const std::string fault = fault_of_element(member.key); !fault.empty())
        return failed(fault);
    }
  } else {
    return failed("'" + std::string(type_name(expression)) + "' object is not iterable");
  }
  return failed("eval() arg 1 must be a string, bytes or code object");
}

}  // namespace unmask::world
