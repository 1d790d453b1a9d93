#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace unmask::json {

/// Appends compact JSON to a string, commas included. The caller keeps to the grammar: a key before
/// each value of an object, every begin with its end.
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  JsonText& begin_object() { return open('{'); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array() { return open('['); }
  JsonText& end_array() { return close(']'); }
  JsonText& key(std::string_view name);
  JsonText& string(std::string_view utf8);
  JsonText& integer(std::int64_t value);
  /// Always with a fraction or exponent, as Python writes floats; `value` must be finite.
  JsonText& real(double value);
  JsonText& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonText& null() { return raw("null"); }
  /// Members of an object that are all null.
  JsonText& nulls(std::initializer_list<std::string_view> keys);
  /// `json` must be one complete JSON value.
  JsonText& raw(std::string_view json);

 private:
  JsonText& open(char bracket);
  JsonText& close(char bracket);
  void separate();

  std::string& out_;
  bool comma_needed_ = false;
};

}  // namespace unmask::json
