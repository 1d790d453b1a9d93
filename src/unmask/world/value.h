#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "unmask/base/error.h"

namespace unmask::world {

class Value;
struct Member;

using List = std::vector<Value>;

/// A JSON object in insertion order, as a Python dict: a key stands once, and setting it again
/// keeps its place.
class Object {
 public:
  Object();
  Object(std::initializer_list<Member> members);
  ~Object();
  Object(const Object&);
  Object(Object&&) noexcept;
  Object& operator=(const Object&);
  Object& operator=(Object&&) noexcept;

  [[nodiscard]] bool empty() const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::vector<Member>::const_iterator begin() const;
  [[nodiscard]] std::vector<Member>::const_iterator end() const;
  /// Null if there is no such key. Linear: objects of calls and tasks are small.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] Value* find(std::string_view key);
  void set(std::string key, Value value);
  /// Appends without looking whether `key` is there; for who knows that it isn't.
  void append(std::string key, Value value);
  void reserve(std::size_t members);

 private:
  std::vector<Member> members_;
};

/// An integer beyond 64 bits, in decimal: an optional `-`, then digits without leading zeros.
struct LargeInteger {
  std::string digits;
};

/// The six kinds of JSON values, numbers told apart as Python's json module does.
enum class Type : std::uint8_t { null, boolean, integer, real, string, list, object };

/// A JSON value as Python's json.loads makes it: integers of any size stay integers, numbers with a
/// point or exponent are floats, strings may hold lone surrogates. Strings are kept as WTF-8, that
/// is UTF-8 in which a lone surrogate has its three-byte form; comparing the bytes compares by code
/// point.
class Value {
 public:
  Value() = default;
  // Implicit, so that JSON values can be written down as they look.
  // NOLINTBEGIN(google-explicit-constructor)
  Value(bool value) : content_(value) {}
  Value(int value) : content_(std::int64_t{value}) {}
  Value(std::int64_t value) : content_(value) {}
  Value(double value) : content_(value) {}
  Value(std::string value) : content_(std::move(value)) {}
  Value(std::string_view value) : content_(std::string(value)) {}
  Value(const char* value) : content_(std::string(value)) {}
  Value(List value) : content_(std::move(value)) {}
  Value(Object value) : content_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)
  /// An integer of any size; `digits` as in LargeInteger.
  [[nodiscard]] static Value integer_of(std::string digits);

  [[nodiscard]] Type type() const;
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::monostate>(content_); }
  [[nodiscard]] bool is_string() const { return string() != nullptr; }
  /// Integer, float or boolean: what Python's arithmetic takes as a number.
  [[nodiscard]] bool is_number() const;

  // Readers of another kind's content give null.
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&content_); }
  /// An integer within 64 bits.
  [[nodiscard]] const std::int64_t* integer() const { return std::get_if<std::int64_t>(&content_); }
  /// An integer beyond 64 bits.
  [[nodiscard]] const LargeInteger* large_integer() const {
    return std::get_if<LargeInteger>(&content_);
  }
  [[nodiscard]] const double* real() const { return std::get_if<double>(&content_); }
  [[nodiscard]] const std::string* string() const { return std::get_if<std::string>(&content_); }
  [[nodiscard]] const List* list() const { return std::get_if<List>(&content_); }
  [[nodiscard]] List* list() { return std::get_if<List>(&content_); }
  [[nodiscard]] const Object* object() const { return std::get_if<Object>(&content_); }
  [[nodiscard]] Object* object() { return std::get_if<Object>(&content_); }

  /// The member `key` of an object; null if there is none or this is no object.
  [[nodiscard]] const Value* find(std::string_view key) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, LargeInteger, double, std::string, List, Object>
      content_;
};

struct Member {
  std::string key;
  Value value;
};

inline bool Object::empty() const { return members_.empty(); }
inline std::size_t Object::size() const { return members_.size(); }
inline std::vector<Member>::const_iterator Object::begin() const { return members_.begin(); }
inline std::vector<Member>::const_iterator Object::end() const { return members_.end(); }

/// Parses a JSON text as Python's json.loads does: NaN, Infinity and -Infinity are floats, a lone
/// surrogate escape stays one, of a repeated key the last value counts at the first one's place, an
/// overflowing float is infinite. Errors: bad_input, with line and column, for anything else; also
/// for integers of more than 4300 digits, as Python refuses them, for bytes that are no UTF-8, and
/// for more than 1000 levels.
[[nodiscard]] Result<Value> parse_json(std::string_view text);

/// `NoneType`, `bool`, `int`, `float`, `str`, `list`, `dict`: Python's name for error texts.
[[nodiscard]] std::string_view type_name(const Value& value);

/// Python's `a == b`: numbers and booleans compare by exact value across kinds, lists in order,
/// objects as unordered maps; a string equals strings only. NaN equals nothing at the top, but
/// itself within a container, where Python compares identity first and json.loads makes one NaN.
[[nodiscard]] bool python_equal(const Value& left, const Value& right);

/// Python's `a < b` of two numbers by exact value (booleans are 0 and 1); false where one is NaN or
/// no number.
[[nodiscard]] bool python_less(const Value& left, const Value& right);

/// Python's `a <= b`, as python_less.
[[nodiscard]] bool python_less_equal(const Value& left, const Value& right);

/// The double nearest to a number, ties to even; nullopt if it is no number or an integer beyond
/// the doubles (Python: `int too large to convert to float`).
[[nodiscard]] std::optional<double> to_double(const Value& value);

/// Python's `repr` of a value, and of a string (WTF-8).
[[nodiscard]] std::string python_repr(const Value& value);
[[nodiscard]] std::string python_text_repr(std::string_view text);

/// Python's `str`: a string itself, anything else its repr.
[[nodiscard]] std::string python_str(const Value& value);

}  // namespace unmask::world
