#include "unmask/world/pydantic_text.h"

#include <cstddef>
#include <string>

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

}  // namespace unmask::world
