#include "unmask/json/parser.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <simdjson.h>

namespace unmask::json {

namespace dom = simdjson::dom;

namespace {

/// What reading a document found out about it.
struct Notes {
  std::set<std::string, std::less<>> duplicate_keys;
};

using Handle = std::array<std::uint64_t, 2>;

// The library's values and iterators are a document pointer and an index: they fit a Handle, so
// that no header of ours has to show them.
template <typename T>
Handle pack(const T& native) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(Handle));
  return std::bit_cast<Handle>(native);
}

template <typename T>
T unpack(const Handle& handle) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) == sizeof(Handle));
  return std::bit_cast<T>(handle);
}

std::optional<double> marked_number(std::string_view text) {
  if (text.empty() || text[0] != '\0') return std::nullopt;
  if (text == kNanMarker) return std::numeric_limits<double>::quiet_NaN();
  if (text == kInfinityMarker) return std::numeric_limits<double>::infinity();
  if (text == kMinusInfinityMarker) return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

Kind kind_of(const dom::element& element) {
  switch (element.type()) {
    case dom::element_type::ARRAY:
      return Kind::array;
    case dom::element_type::OBJECT:
      return Kind::object;
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return Kind::number;
    case dom::element_type::STRING:
      return marked_number(element.get_string().value_unsafe()) ? Kind::number : Kind::string;
    case dom::element_type::BOOL:
      return Kind::boolean;
    case dom::element_type::NULL_VALUE:
      return Kind::null;
  }
  return Kind::null;
}

}  // namespace

struct Value::Access {
  static Value make(const dom::element& element, void* notes) {
    Value value;
    value.handle_ = pack(element);
    value.notes_ = notes;
    value.kind_ = kind_of(element);
    return value;
  }
  static dom::element element(const Value& value) { return unpack<dom::element>(value.handle_); }
};

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::missing:
      return "nothing";
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a truth value";
    case Kind::number:
      return "a number";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "nothing";
}

std::optional<bool> Value::boolean() const {
  if (kind_ != Kind::boolean) return std::nullopt;
  return Access::element(*this).get_bool().value_unsafe();
}

std::optional<std::string_view> Value::string() const {
  if (kind_ != Kind::string) return std::nullopt;
  return Access::element(*this).get_string().value_unsafe();
}

std::optional<double> Value::number() const {
  if (kind_ != Kind::number) return std::nullopt;
  const dom::element element = Access::element(*this);
  if (element.is_string()) return marked_number(element.get_string().value_unsafe());
  return element.get_double().value_unsafe();
}

std::optional<std::int64_t> Value::integer() const {
  if (kind_ != Kind::number) return std::nullopt;
  const dom::element element = Access::element(*this);
  if (element.is_int64()) return element.get_int64().value_unsafe();
  const double value = number().value_or(0.0);
  // 2^63 is a double; anything below it in magnitude converts exactly if it has no fraction.
  constexpr double kLimit = 9223372036854775808.0;
  if (!(std::fabs(value) < kLimit) || std::trunc(value) != value) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::uint64_t> Value::unsigned_integer() const {
  if (kind_ == Kind::number) {
    if (const dom::element element = Access::element(*this); element.is_uint64()) {
      return element.get_uint64().value_unsafe();
    }
  }
  const auto value = integer();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

bool Value::is_integer_literal() const {
  if (kind_ != Kind::number) return false;
  const dom::element element = Access::element(*this);
  return element.type() == dom::element_type::INT64 || element.type() == dom::element_type::UINT64;
}

Value Value::operator[](std::string_view key) const {
  if (kind_ != Kind::object) return {};
  const dom::object object = Access::element(*this).get_object().value_unsafe();
  Value found;
  for (auto member = object.begin(); member != object.end(); ++member) {
    if (!member.key_equals(key)) continue;
    if (found.exists()) static_cast<Notes*>(notes_)->duplicate_keys.emplace(key);
    found = Access::make(member.value(), notes_);
  }
  return found;
}

void Value::find(std::span<const std::string_view> keys, std::span<Value> found) const {
  if (kind_ != Kind::object) return;
  const dom::object object = Access::element(*this).get_object().value_unsafe();
  for (auto member = object.begin(); member != object.end(); ++member) {
    const std::string_view name = member.key();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] != name) continue;
      if (found[i].exists()) static_cast<Notes*>(notes_)->duplicate_keys.emplace(name);
      found[i] = Access::make(member.value(), notes_);
    }
  }
}

std::size_t Value::size() const {
  std::size_t count = 0;
  if (kind_ == Kind::array) {
    for (auto at = elements().begin(); at != elements().end(); ++at) ++count;
  } else if (kind_ == Kind::object) {
    for (auto at = members().begin(); at != members().end(); ++at) ++count;
  }
  return count;
}

Elements Value::elements() const { return Elements(*this); }
Members Value::members() const { return Members(*this); }

Elements::Elements(const Value& array) {
  if (!array.is_array()) return;
  const dom::array native = Value::Access::element(array).get_array().value_unsafe();
  begin_.handle_ = pack(native.begin());
  end_.handle_ = pack(native.end());
  begin_.notes_ = array.notes_;
}

Value Elements::Iterator::operator*() const {
  return Value::Access::make(*unpack<dom::array::iterator>(handle_), notes_);
}

Elements::Iterator& Elements::Iterator::operator++() {
  auto native = unpack<dom::array::iterator>(handle_);
  ++native;
  handle_ = pack(native);
  return *this;
}

Members::Members(const Value& object) {
  if (!object.is_object()) return;
  const dom::object native = Value::Access::element(object).get_object().value_unsafe();
  begin_.handle_ = pack(native.begin());
  end_.handle_ = pack(native.end());
  begin_.notes_ = object.notes_;
}

Member Members::Iterator::operator*() const {
  const auto native = unpack<dom::object::iterator>(handle_);
  return {native.key(), Value::Access::make(native.value(), notes_)};
}

Members::Iterator& Members::Iterator::operator++() {
  auto native = unpack<dom::object::iterator>(handle_);
  ++native;
  handle_ = pack(native);
  return *this;
}

struct Parser::State {
  dom::parser parser;
  Notes notes;
  std::string padded;  ///< the text, with room behind it as the library wants
  /// Keeps its buffer, so that a large text costs a copy and no allocation.
  simdjson::error_code read(std::string_view text, dom::element& root) {
    padded.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    padded.assign(text);
    return parser.parse(padded.data(), padded.size(), false).get(root);
  }
};

Parser::Parser() : state_(std::make_unique<State>()) {}
Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

Result<Parsed> Parser::parse(std::string_view text, std::uint64_t offset) {
  State& state = *state_;
  state.notes.duplicate_keys.clear();
  dom::element root;
  if (state.read(text, root) == simdjson::SUCCESS) {
    return Parsed{Value::Access::make(root, &state.notes), {}};
  }
  RepairedText repaired = repair(text);
  if (!repaired.error.empty()) {
    return fail(ErrorCode::bad_input, repaired.error + " at byte " +
                                          std::to_string(offset + repaired.offset) + " (in " +
                                          repaired.place + ")");
  }
  if (const auto error = state.read(repaired.text, root); error != simdjson::SUCCESS) {
    return fail(ErrorCode::bad_input, std::string("not readable as JSON (") +
                                          simdjson::error_message(error) + ") at byte " +
                                          std::to_string(offset));
  }
  return Parsed{Value::Access::make(root, &state.notes), repaired.repairs};
}

std::vector<std::string> Parser::duplicate_keys() const {
  return {state_->notes.duplicate_keys.begin(), state_->notes.duplicate_keys.end()};
}

}  // namespace unmask::json
