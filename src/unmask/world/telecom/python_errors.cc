#include "unmask/world/telecom/python_errors.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include "unmask/world/outcome.h"
#include "unmask/world/value.h"

namespace unmask::world::telecom {

tl::unexpected<Raised> raise_no_attribute(const Value& value, std::string_view attribute) {
  std::string text = "'";
  text += type_name(value);
  text += "' object has no attribute '";
  text += attribute;
  text += '\'';
  return raise("AttributeError", std::move(text));
}

tl::unexpected<Raised> raise_not_comparable(std::string_view op, std::string_view left_type,
                                            std::string_view right_type) {
  std::string text = "'";
  text += op;
  text += "' not supported between instances of '";
  text += left_type;
  text += "' and '";
  text += right_type;
  text += '\'';
  return raise("TypeError", std::move(text));
}

tl::unexpected<Raised> raise_too_large() {
  return raise("OverflowError", "int too large to convert to float");
}

tl::unexpected<Raised> raise_value_error(std::string text, std::optional<Cause> cause) {
  return raise("ValueError", std::move(text), cause);
}

bool python_truth(const Value& value) {
  if (const bool* truth = value.boolean()) {
    return *truth;
  }
  if (const auto* integer = value.integer()) {
    return *integer != 0;
  }
  if (const double* real = value.real()) {
    return *real != 0.0;
  }
  if (const std::string* text = value.string()) {
    return !text->empty();
  }
  if (const List* list = value.list()) {
    return !list->empty();
  }
  if (const Object* object = value.object()) {
    return !object->empty();
  }
  return !value.is_null();
}

}  // namespace unmask::world::telecom
