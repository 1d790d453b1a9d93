#include "unmask/world/pydantic_text.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "unmask/world/value.h"

namespace unmask::world {
namespace {

constexpr std::size_t kLongest = 50;
constexpr std::size_t kHead = 25;
constexpr std::size_t kTail = 24;

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string shortened_repr(const Value& value) {
  std::string repr = python_repr(value);
  if (repr.size() <= kLongest) return repr;
  std::size_t head = kHead;
  while (is_continuation(repr[head])) --head;
  std::size_t tail = repr.size() - kTail;
  while (tail < repr.size() && is_continuation(repr[tail])) ++tail;
  return repr.substr(0, head) + "..." + repr.substr(tail);
}

std::string invalid_text_error(std::string_view model, std::span<const InvalidText> fields) {
  std::string text = std::to_string(fields.size()) + " validation error";
  if (fields.size() > 1) text += 's';
  text += " for ";
  text += model;
  for (const InvalidText& field : fields) {
    text += '\n';
    text += field.field;
    text += "\n  Input should be a valid string [type=string_type, input_value=";
    text += shortened_repr(*field.value);
    text += ", input_type=";
    text += type_name(*field.value);
    text += "]\n    For further information visit https://errors.pydantic.dev/2.12/v/string_type";
  }
  return text;
}

}  // namespace unmask::world
