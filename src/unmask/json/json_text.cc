#include "unmask/json/json_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "unmask/base/check.h"
#include "unmask/json/text.h"

namespace unmask::json {

void JsonText::separate() {
  if (comma_needed_) out_ += ',';
  comma_needed_ = true;
}

JsonText& JsonText::open(char bracket) {
  separate();
  out_ += bracket;
  comma_needed_ = false;
  return *this;
}

JsonText& JsonText::close(char bracket) {
  out_ += bracket;
  comma_needed_ = true;
  return *this;
}

JsonText& JsonText::key(std::string_view name) {
  separate();
  append_quoted(out_, name);
  out_ += ':';
  comma_needed_ = false;
  return *this;
}

JsonText& JsonText::string(std::string_view utf8) {
  separate();
  append_quoted(out_, utf8);
  return *this;
}

JsonText& JsonText::integer(std::int64_t value) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return raw({digits.data(), end});
}

JsonText& JsonText::real(double value) {
  UNMASK_CHECK(std::isfinite(value));
  separate();
  append_real(out_, value);
  return *this;
}

JsonText& JsonText::nulls(std::initializer_list<std::string_view> keys) {
  for (const std::string_view name : keys) key(name).null();
  return *this;
}

JsonText& JsonText::raw(std::string_view json) {
  separate();
  out_ += json;
  return *this;
}

}  // namespace unmask::json
