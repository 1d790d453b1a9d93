#include "unmask/world/generate/amount.h"

#include <string>

namespace unmask::world::generated {
namespace {

std::string two_digits(Cents cents) {
  return std::string(cents < 10 ? "0" : "") + std::to_string(cents);
}

}  // namespace

std::string amount_digits(Cents amount) {
  std::string text = std::to_string(amount / 100) + "." + two_digits(amount % 100);
  if (text.ends_with('0')) text.pop_back();
  return text;
}

std::string amount_text(Cents amount) {
  return "$" + std::to_string(amount / 100) + "." + two_digits(amount % 100);
}

}  // namespace unmask::world::generated
